// The DOP solver: the same frames as the SOP, its state through caches and files.
#include "dop.h"
#include "purl/host/cloth_from_detail.h"
#include "purl/host/fabric_attribute.h"
#include "sheet.h"

#include <cmath>
#include <sstream>

namespace purl::test {

namespace {

constexpr double kFps = 480;

struct Reference : Net {
    SOP_Node *pattern, *solver;
    Reference() {
        CHgetManager()->fps = kFps;
        pattern = add("purl::pattern::1.0", "p");
        set(pattern, "wales", 5);
        set(pattern, "courses", 4);
        set(pattern, "t", 0.004, 1);
        solver = add("purl::solver::1.0", "s", {pattern});
        set(solver, "useground", 1);
    }
    ~Reference() { CHgetManager()->fps = 24; }
};

} // namespace

TEST(Dop, StepsAreTheSopsFrames) {
    Reference sop;
    Dop dop(Net::at(sop.pattern, 1), kFps);
    ASSERT_TRUE(dop.step(true)) << dop.said();
    for (int f = 2; f <= 5; ++f) {
        ASSERT_TRUE(dop.step(false)) << dop.said();
        for (const char* name : {"P", "v", "orient"})
            EXPECT_TRUE(sameBits(dop.geometry(), Net::at(sop.solver, f), name)) << f;
    }
}

TEST(Dop, MicrosolverStepsTheSame) {
    Reference sop;
    Dop dop(Net::at(sop.pattern, 1), kFps, "GAS_PurlSolver");
    for (int f = 2; f <= 4; ++f) {
        ASSERT_TRUE(
            static_cast<GAS_SubSolver&>(*dop.solver).solveGas(dop.engine, &dop.object, 0, 1 / kFps))
            << dop.said();
        EXPECT_TRUE(sameBits(dop.geometry(), Net::at(sop.solver, f), "P")) << f;
    }
}

TEST(Dop, GoingBackInTheCacheGoesOnToTheSameBits) {
    Reference sop;
    Dop dop(Net::at(sop.pattern, 1), kFps);
    dop.step(true);
    dop.step(false); // at frame 2
    const Dop::Kept two = dop.keep();
    dop.step(false);
    dop.step(false); // at 4
    dop.goBack(two); // the playbar goes back to 2, and on again
    ASSERT_TRUE(dop.step(false)) << dop.said();
    EXPECT_TRUE(sameBits(dop.geometry(), Net::at(sop.solver, 3), "P"));
    EXPECT_GT(two.state->getMemorySize(), 1000);
}

TEST(Dop, SimFilesBringTheStateBack) {
    Reference sop;
    Dop first(Net::at(sop.pattern, 1), kFps);
    first.step(true);
    for (int f = 2; f <= 3; ++f) first.step(false);
    std::stringstream file;
    first.state().save(file);
    Dop second(first.geometry(), kFps); // another session: geometry and state come from the file
    second.object.createNamedSubData("PurlState", "SIM_PurlState", 0);
    UT_IStream in(file);
    ASSERT_TRUE(second.state().load(in));
    ASSERT_TRUE(second.step(false)) << second.said();
    EXPECT_TRUE(sameBits(second.geometry(), Net::at(sop.solver, 4), "P"));
    std::stringstream cut(file.str().substr(0, file.str().size() / 2));
    UT_IStream half(cut);
    EXPECT_FALSE(second.state().load(half));
}

TEST(Dop, ParametersOfAStepActInThatStep) {
    // No gravity, then gravity: a fall of 1/2 g t2 from the step where it was switched on.
    Reference sop;
    const Detail yarns = Net::at(sop.pattern, 1);
    Dop dop(yarns, kFps);
    dop.set("useground", "0");
    dop.set("airdensity", "0");
    dop.set("gravity", "0", 1);
    for (int f = 1; f <= 3; ++f) ASSERT_TRUE(dop.step(f == 1)) << dop.said();
    const Detail before = dop.geometry();
    const Dop::Kept kept = dop.keep();
    dop.set("gravity", "-9.80665", 1);
    const auto fall = [&] {
        for (int f = 0; f < 4; ++f) ASSERT_TRUE(dop.step(false)) << dop.said();
        const double fallen = middleOfMass(before).y() - middleOfMass(dop.geometry()).y();
        const double t = 4 / kFps;
        EXPECT_NEAR(fallen, 0.5 * 9.80665 * t * t, 0.05 * 0.5 * 9.80665 * t * t);
    };
    fall();
    const Detail once = dop.geometry();
    // The state of a step does not remember the parameters of the steps before it.
    dop.goBack(kept);
    fall();
    EXPECT_TRUE(sameBits(dop.geometry(), once, "P"));
    // A step of another length is one: twice as long, under the same gravity.
    Dop slow(yarns, kFps / 2), varied(yarns, kFps / 2);
    slow.set("useground", "0");
    varied.set("useground", "0");
    ASSERT_TRUE(slow.step(true) && varied.step(true));
    ASSERT_TRUE(slow.step(false));
    varied.fps = kFps;
    ASSERT_TRUE(varied.step(false) && varied.step(false));
    const double start = middleOfMass(yarns).y(), fell = start - middleOfMass(slow.geometry()).y();
    EXPECT_GT(fell, 6e-5); // 1/2 g t2 in 1/240 s: 85 micrometres
    EXPECT_NEAR(start - middleOfMass(varied.geometry()).y(), fell, 0.03 * fell);
}

namespace {

// High enough to fall freely in five frames: yarns of this spacing are 2.2 mm thick.
Detail sheet(const char* draft, bool painted) { return lyingSheet(6, 5, 0.003, draft, painted); }

} // namespace

TEST(Dop, CachesFilesAndTheMicrosolverInEveryMode) {
    for (const Detail& input :
         {sheet(nullptr, false), sheet("plain", false), sheet("plain", true)}) {
        Dop whole(input, kFps), back(input, kFps), gas(input, kFps, "GAS_PurlSolver");
        std::vector<Detail> frames;
        Dop::Kept kept;
        for (int f = 1; f <= 5; ++f) {
            ASSERT_TRUE(whole.step(f == 1) && back.step(f == 1)) << whole.said() << back.said();
            frames.push_back(whole.geometry());
            if (f == 3) kept = back.keep();
        }
        EXPECT_FALSE(sameBits(frames[3], frames[4], "P"));
        for (int f = 2; f <= 3; ++f) {
            ASSERT_TRUE(static_cast<GAS_SubSolver&>(*gas.solver)
                            .solveGas(gas.engine, &gas.object, 0, 1 / kFps))
                << gas.said();
            EXPECT_TRUE(sameBits(gas.geometry(), frames[f - 1], "P")) << "microsolver, " << f;
        }
        std::stringstream file;
        kept.state->save(file);
        back.goBack(kept);
        Dop loaded(kept.geometry, kFps);
        loaded.object.createNamedSubData("PurlState", "SIM_PurlState", 0);
        UT_IStream in(file);
        ASSERT_TRUE(loaded.state().load(in));
        for (int f = 4; f <= 5; ++f) {
            ASSERT_TRUE(back.step(false) && loaded.step(false)) << back.said() << loaded.said();
            for (const char* name : {"P", "v"}) {
                EXPECT_TRUE(sameBits(back.geometry(), frames[f - 1], name)) << "cache, " << f;
                EXPECT_TRUE(sameBits(loaded.geometry(), frames[f - 1], name)) << "file, " << f;
            }
        }
    }
}

TEST(Dop, ParametersAreTheSolversOwn) {
    Reference sop;
    initializeSIM(nullptr);
    const auto& all = sop.solver->op->templates->parms;
    const auto& own = SIM_PurlSolver::dopDescription()->templates->parms;
    auto from = all.begin();
    while (from->name != "mode") ++from;
    ASSERT_GT(own.size(), 30u);
    for (const auto& p : own) {
        EXPECT_EQ(p.name, from->name);
        EXPECT_EQ(p.type, from->type);
        if (p.name == "gravity")
            EXPECT_EQ(p.defaults, (std::vector<std::string>{"0", "0", "0"}));
        else
            EXPECT_EQ(p.defaults, from->defaults) << p.name;
        ++from;
    }
    EXPECT_EQ(from->name, "cacheenabled") << "one of the solver's own is missing";
}

TEST(Dop, AnObjectWithoutGeometryFailsWithAWord) {
    Dop dop(Detail{}, kFps);
    EXPECT_FALSE(dop.step(true));
    EXPECT_NE(dop.said(), "");
    dop.object.subdata.erase(SIM_GEOMETRY_DATANAME);
    EXPECT_FALSE(dop.step(true));
    EXPECT_NE(dop.said().find("Geometry"), std::string::npos);
}

} // namespace purl::test
