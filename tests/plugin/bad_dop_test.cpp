// DOP networks and keys that cannot work: a word from the solver, never a crash, and the last good
// step stays.
#include "dop.h"
#include "purl/host/cloth_from_detail.h"
#include "purl/host/fabric_attribute.h"
#include "purl/host/pattern_detail.h"
#include "sheet.h"

#include <limits>

namespace purl::test {

namespace {

constexpr double kFps = 240;
const double kNan = std::numeric_limits<double>::quiet_NaN();

Detail knit() {
    PatternEntry e;
    e.settings.wales = 4;
    e.settings.courses = 4;
    e.lie = true;
    e.centre = Vec3(0, 0.02, 0);
    return patternDetail(e, "wool");
}

Detail sheet(const char* draft) { return lyingSheet(4, 4, 0.02, draft, false); }

void expectWord(Dop& dop, bool isNew, const char* word) {
    EXPECT_FALSE(dop.step(isNew)) << word;
    EXPECT_NE(dop.said().find(word), std::string::npos) << dop.said();
}

} // namespace

TEST(BadDop, GeometryThatCannotBeSolved) {
    Detail broken = knit();
    broken.findPoint("P")->set(3, 1, kNan);
    Dop nan(broken, kFps);
    expectWord(nan, true, "point 3");
    Detail many;
    many.addPoints(1);
    many.setPositions(std::vector<Vec3>{Vec3::Zero()});
    for (int i = 0; i < 10000; ++i)
        many.addPrimitive(PrimitiveKind::Polyline, std::vector<Index>{});
    Dop empty(many, kFps);
    EXPECT_FALSE(empty.step(true));
    EXPECT_NE(empty.said(), "");
    Dop wrong(sheet(nullptr), kFps);
    wrong.set("mode", "mixed");
    expectWord(wrong, true, "yarn");
    Dop lace(knit(), kFps);
    lace.set("mode", "lace");
    expectWord(lace, true, "lace");
    Dop draft(sheet("mithril"), kFps);
    expectWord(draft, true, "mithril");
}

TEST(BadDop, TimeThatDoesNotPass) {
    Dop dop(knit(), kFps);
    ASSERT_TRUE(dop.step(true)) << dop.said();
    ASSERT_TRUE(dop.step(false)) << dop.said();
    const Detail good = dop.geometry();
    dop.fps = std::numeric_limits<double>::infinity(); // a step of 0 s
    expectWord(dop, false, "frames a second");
    EXPECT_TRUE(sameBits(dop.geometry(), good, "P"));
    dop.fps = kFps; // and on it goes
    EXPECT_TRUE(dop.step(false)) << dop.said();
    Dop other(knit(), kFps);
    for (int f = 1; f <= 3; ++f) ASSERT_TRUE(other.step(f == 1));
    EXPECT_TRUE(sameBits(dop.geometry(), other.geometry(), "P"));
}

TEST(BadDop, WhatChangesOnTheWay) {
    Dop dop(knit(), kFps);
    ASSERT_TRUE(dop.step(true) && dop.step(false)) << dop.said();
    const Dop::Kept kept = dop.keep();
    // An affector that was not there at the start.
    Detail board;
    board.addPoints(3);
    board.setPositions(std::vector<Vec3>{Vec3(-0.1, 0, -0.1), Vec3(0, 0, 0.1), Vec3(0.1, 0, -0.1)});
    board.addPrimitive(PrimitiveKind::Polygon, std::vector<Index>{0, 1, 2});
    SIM_Object late;
    late.subdata[SIM_GEOMETRY_DATANAME] = geometryData(board);
    dop.object.affectors.push_back(&late);
    expectWord(dop, false, "is there now");
    dop.object.affectors.clear();
    // Geometry of other points.
    dop.goBack(kept);
    dop.object.subdata[SIM_GEOMETRY_DATANAME] = geometryData(sheet(nullptr));
    expectWord(dop, false, "points, expected");
    // A collider whose polygons change, without velocities.
    Dop on(knit(), kFps);
    on.object.affectors.push_back(&late);
    ASSERT_TRUE(on.step(true) && on.step(false)) << on.said();
    board.addPrimitive(PrimitiveKind::Polygon, std::vector<Index>{0, 2, 1});
    late.subdata[SIM_GEOMETRY_DATANAME] = geometryData(board);
    expectWord(on, false, "same points and polygons");
}

TEST(BadDop, EscLeavesTheStepAndGoesOnToTheSameBits) {
    for (const Detail& input : {knit(), sheet("plain")}) {
        Dop stopped(input, 24), whole(input, 24);
        for (Dop* d : {&stopped, &whole}) ASSERT_TRUE(d->step(true)) << d->said();
        const Detail before = stopped.geometry();
        int left = 3;
        hdk::escape = [&](int) { return --left <= 0; };
        expectWord(stopped, false, "interrupted");
        hdk::escape = nullptr;
        EXPECT_TRUE(sameBits(stopped.geometry(), before, "P"));
        ASSERT_TRUE(stopped.step(false)) << stopped.said();
        ASSERT_TRUE(whole.step(false)) << whole.said();
        EXPECT_TRUE(sameBits(stopped.geometry(), whole.geometry(), "P"));
    }
}

TEST(BadKeys, NumbersThatAreNoneAreErrorsAndTheRunGoesOnAfter) {
    struct Bad {
        const char* parm;
        int index;
        double value;
    };
    for (const Detail& input : {knit(), sheet(nullptr), sheet("plain")})
        for (const Bad& bad : {Bad{"timescale", 0, 0}, Bad{"gravity", 1, kNan}}) {
            Net net;
            CHgetManager()->fps = kFps;
            SOP_Node* solver = net.add("purl::solver::1.0", "s", {net.source("in", fixed(input))});
            const double good = solver->evalFloat(bad.parm, bad.index, 0);
            solver->key(bad.parm, bad.index, [&](double f) { return f > 2.5 ? bad.value : good; });
            const Detail two = Net::at(solver, 2);
            EXPECT_EQ(Net::errors(solver), "");
            const Detail three = Net::at(solver, 3);
            EXPECT_NE(Net::errors(solver), "") << bad.parm;
            EXPECT_TRUE(sameBits(three, two, "P") || three.points() == 0) << bad.parm;
            solver->key(bad.parm, bad.index, nullptr);
            const Detail mended = Net::at(solver, 3);
            EXPECT_EQ(Net::errors(solver), "") << bad.parm;
            SOP_Node* fresh = net.add("purl::solver::1.0", "t", {solver->inputs[0]});
            EXPECT_TRUE(sameBits(mended, Net::at(fresh, 3), "P")) << bad.parm;
            CHgetManager()->fps = 24;
        }
}

} // namespace purl::test
