#include "purl/check/check.h"

#include "check/shapes.h"

#include <gtest/gtest.h>

#include <chrono>
#include <limits>

using namespace purl;
using namespace purl::shapes;

namespace {
const double kNan = std::numeric_limits<double>::quiet_NaN();
const double kInf = std::numeric_limits<double>::infinity();

const Finding* first(const CheckReport& r, FindingKind kind) {
    for (const Finding& f : r.findings)
        if (f.kind == kind) return &f;
    return nullptr;
}
bool says(const Finding* f, const std::string& words) {
    return f && f->text.find(words) != std::string::npos;
}
} // namespace

TEST(Check, AGoodFileHasNoFindings) {
    const auto r = judge({knit(6, 6, 0.001)});
    EXPECT_TRUE(r.clean());
    EXPECT_TRUE(r.findings.empty());
    EXPECT_EQ(r.frames, 1);
    EXPECT_EQ(r.yarns, 6);
    EXPECT_FALSE(r.deepest.found()); // the rows do not touch
}

TEST(Check, NonFinitePointsAreToldOnceAndStopNothing) {
    for (double bad : {kNan, kInf, -kInf, 1e300}) {
        std::vector<Curves> frames(5, knit(6, 6, 0.001));
        for (int f = 2; f < 4; ++f) frames[f].x[frames[f].first[3] + 7][1] = bad;
        const auto r = judge(frames);
        EXPECT_EQ(r.count(FindingKind::NonFinite), 1);
        const Finding* f = first(r, FindingKind::NonFinite);
        ASSERT_TRUE(f);
        EXPECT_EQ(f->frame, 3);
        EXPECT_EQ(f->yarnA, 3);
        EXPECT_EQ(f->point, frames[0].first[3] + 7);
        EXPECT_TRUE(says(f, "frame 3: yarn 3, point"));
        EXPECT_EQ(r.count(FindingKind::PassThrough), 0);
        EXPECT_EQ(r.count(FindingKind::Length), 0);
        EXPECT_FALSE(r.clean());
    }
}

TEST(Check, EveryPointNonFiniteInEveryFrame) {
    Curves c = knit(4, 4, 0.001);
    for (Vec3& p : c.x) p.setConstant(kNan);
    const auto r = judge({c, c, c});
    EXPECT_EQ(r.count(FindingKind::NonFinite), 4);
    EXPECT_EQ(r.frames, 3);
}

TEST(Check, YarnsThatMoveOnWhileAnotherIsNonFiniteAreStillJudged) {
    Curves a;
    addYarn(a, line({-0.02, 0, 0.002}, {0.02, 0, 0.002}, 21), false, 0.001);
    addYarn(a, line({0, -0.02, 0}, {0, 0.02, 0}, 21), false, 0.001);
    addYarn(a, line({0, -0.02, 1}, {0, 0.02, 1}, 21), false, 0.001);
    Curves b = a;
    for (int i = 0; i < 21; ++i) b.x[i][2] = -0.002;
    b.x[50][0] = kNan;
    const auto r = judge({a, b});
    EXPECT_EQ(r.count(FindingKind::PassThrough), 1);
    EXPECT_EQ(r.count(FindingKind::NonFinite), 1);
}

TEST(Check, LengthChangeIsTheLargestOverFramesWithItsPlace) {
    std::vector<Curves> frames(4, knit(5, 5, 0.001));
    frames[1] = moved(frames[1], [](const Vec3& p) -> Vec3 { return 1.0005 * p; });
    for (Index i = frames[2].first[2]; i < frames[2].first[3]; ++i)
        frames[2].x[i] *= 0.997; // one yarn 0.3 % shorter
    const auto r = judge(frames);
    EXPECT_EQ(r.count(FindingKind::Length), 1);
    const Finding* f = first(r, FindingKind::Length);
    ASSERT_TRUE(f);
    EXPECT_EQ(f->yarnA, 2);
    EXPECT_EQ(f->frame, 3);
    EXPECT_NEAR(f->value, -0.003, 1e-9);
    EXPECT_EQ(r.worstYarn, 2);
    EXPECT_NEAR(r.lengths[0].change, 0.0005, 1e-9);
    EXPECT_EQ(r.lengths[0].frame, 2);
    EXPECT_NEAR(r.worstEdge.strain, -0.003, 1e-9);
}

TEST(Check, TheWorstEdgeIsFoundEvenWhenTheYarnKeepsItsLength) {
    Curves a;
    addYarn(a, line({0, 0, 0}, {0.1, 0, 0}, 11), false, 0.001);
    Curves b = a;
    b.x[4][0] += 0.002; // one edge 20 % longer, the next 20 % shorter
    const auto r = judge({a, b});
    EXPECT_TRUE(r.clean());
    EXPECT_NEAR(r.worstEdge.strain, 0.2, 1e-9);
    EXPECT_EQ(r.worstEdge.edge, 3);
    EXPECT_NEAR(r.worstEdge.u, 0.35, 1e-9);
    EXPECT_EQ(r.worstEdge.frame, 2);
}

TEST(Check, DeepestPenetrationOverFrames) {
    std::vector<Curves> frames;
    for (double z : {0.0021, 0.0018, 0.0012, 0.0016}) {
        Curves c;
        addYarn(c, line({-0.02, 0, z}, {0.02, 0, z}, 21), false, 0.001);
        addYarn(c, line({0, -0.02, 0}, {0, 0.02, 0}, 21), false, 0.001);
        frames.push_back(c);
    }
    const auto r = judge(frames);
    ASSERT_TRUE(r.deepest.found());
    EXPECT_NEAR(r.deepest.ratio, 0.6, 1e-6);
    EXPECT_EQ(r.deepestFrame, 3);
    EXPECT_NEAR(r.deepest.uA, 0.5, 1e-6);
    EXPECT_TRUE(r.clean());
}

TEST(Check, BadYarnsAreNamed) {
    Curves c = knit(3, 4, 0.001);
    addYarn(c, std::vector<Vec3>{{0, 0, 0.1}}, false, 0.001);     // yarn 3
    addYarn(c, line({0, 0, 0.2}, {0.1, 0, 0.2}, 9), false, 0.0);  // yarn 4
    addYarn(c, line({0, 0, 0.3}, {0.1, 0, 0.3}, 9), false, kNan); // yarn 5
    auto doubled = line({0, 0, 0.4}, {0.1, 0, 0.4}, 11);
    doubled[5] = doubled[4];
    addYarn(c, doubled, false, 0.001);                       // yarn 6
    addYarn(c, std::vector<Vec3>{{0, 0, 0.1}}, true, 0.001); // yarn 7: closed, one point
    addYarn(c, std::vector<Vec3>{}, false, 0.001);           // yarn 8: none
    addYarn(c, line({0.023, -0.01, 0.4}, {0.023, 0.01, 0.4}, 9), false, 0.001); // crosses yarn 6
    const auto r = judge({c, c});
    EXPECT_EQ(r.count(FindingKind::OnePointYarn), 3);
    EXPECT_EQ(r.count(FindingKind::BadRadius), 2);
    EXPECT_EQ(r.count(FindingKind::DoubledPoints), 1);
    EXPECT_EQ(r.count(FindingKind::YarnsCross), 1);
    EXPECT_TRUE(
        says(first(r, FindingKind::OnePointYarn), "yarn 3 has 1 point, expected 2 or more"));
    EXPECT_TRUE(
        says(first(r, FindingKind::BadRadius), "yarn 4 has radius 0 m, expected a radius > 0"));
    EXPECT_EQ(first(r, FindingKind::DoubledPoints)->point, c.first[6] + 4);
    const Finding* f = first(r, FindingKind::YarnsCross);
    EXPECT_EQ(f->yarnA, 6);
    EXPECT_EQ(f->yarnB, 9);
    EXPECT_NEAR(f->uA, 0.23, 1e-3);
    EXPECT_NEAR(f->uB, 0.5, 1e-3);
    EXPECT_EQ(r.count(FindingKind::PassThrough), 0);
}

TEST(Check, AFrameWithOtherYarnsIsTold) {
    const auto r = judge({knit(4, 4, 0.001), knit(3, 4, 0.001), knit(3, 4, 0.001)});
    EXPECT_EQ(r.count(FindingKind::Changed), 1);
    EXPECT_TRUE(
        says(first(r, FindingKind::Changed), "frame 2 has 3 yarns, expected 4 as in frame 1"));
    EXPECT_EQ(r.count(FindingKind::PassThrough), 0);
    EXPECT_EQ(r.frames, 3);
}

TEST(Check, ListsNoMoreThanAskedButCountsAll) {
    Curves c;
    for (int i = 0; i < 20; ++i)
        addYarn(c, line({0, 0.01 * i, 0}, {0.1, 0.01 * i, 0}, 5), false, 0.0);
    CheckSettings settings;
    settings.listed = 5;
    const auto r = judge({c}, settings);
    EXPECT_EQ(r.count(FindingKind::BadRadius), 20);
    EXPECT_EQ(r.findings.size(), 5u);
}

// Courses welded end to end, as a flat knit is: the welds are points at one place, and the wobble
// of rounding there is no yarn through yarn.
TEST(Check, WeldedEndsAreNoCrossing) {
    std::mt19937 rng(11);
    std::normal_distribution<double> normal;
    Curves c;
    for (int row = 0; row < 6; ++row) { // a meander: each row starts where the one before ended
        std::vector<Vec3> x;
        for (int i = 0; i <= 20; ++i) x.emplace_back(0.001 * i, 0.01 * row + 0.01 * (i == 20), 0.0);
        if (row % 2)
            for (Vec3& p : x) p[0] = 0.02 - p[0];
        addYarn(c, x, false, 0.001);
    }
    std::vector<Curves> frames;
    for (int f = 0; f < 20; ++f) {
        Curves d = c;
        for (Index y = 0; y < 6; ++y) {
            for (Index i = d.first[y]; i < d.first[y + 1]; ++i)
                d.x[i] += 1e-7 * Vec3(normal(rng), normal(rng), normal(rng));
            const Vec3 swing = 3e-4 * Vec3(std::sin(f + y), std::cos(2 * f), std::sin(3 * f));
            for (Index i : {d.first[y + 1] - 1, d.first[y + 1]})
                if (y < 5) d.x[i] += swing;
        }
        frames.push_back(d);
    }
    const auto r = judge(frames);
    EXPECT_EQ(r.count(FindingKind::YarnsCross), 0);
    EXPECT_EQ(r.count(FindingKind::PassThrough), 0);
    EXPECT_EQ(r.count(FindingKind::Doubtful), 0);
    CheckSettings strict;
    strict.weldedEnds = 0;
    EXPECT_EQ(judge({c}, strict).count(FindingKind::YarnsCross), 5);
    for (Index y = 0; y < 5; ++y) strict.glued.emplace_back(c.first[y + 1] - 1, c.first[y + 1]);
    EXPECT_EQ(judge({c}, strict).count(FindingKind::YarnsCross), 0);
}

// A simulation that blew up without a NaN: every point thrown somewhere. Told, and soon done with.
TEST(Check, AnExplosionIsToldAndDoesNotHang) {
    std::mt19937 rng(10);
    std::normal_distribution<double> normal;
    std::vector<Curves> frames(4, knit(40, 40, 0.001));
    for (int f = 1; f < 3; ++f)
        for (Vec3& p : frames[f].x) p += 0.1 * Vec3(normal(rng), normal(rng), normal(rng));
    const auto r = judge(frames);
    EXPECT_EQ(r.count(FindingKind::Broken), 40);
    EXPECT_TRUE(says(first(r, FindingKind::Broken), "frame 2: yarn 0 at curveu"));
    EXPECT_EQ(r.count(FindingKind::Length), 40);
    EXPECT_EQ(r.count(FindingKind::PassThrough), 0);
    EXPECT_FALSE(r.clean());
}

TEST(Check, NoYarnsAtAll) {
    const auto r = judge({Curves{}, Curves{}});
    EXPECT_TRUE(r.clean());
    EXPECT_EQ(r.frames, 2);
}

// A 40 x 40 knit in 480 frames must take a minute or two, not an hour; a generous bound, so that a
// quadratic slip is seen and a busy machine is not.
TEST(Check, ALargeKnitIsJudgedInAFractionOfASecondAFrame) {
    const Curves c = knit(40, 40, 0.001);
    std::vector<Curves> frames;
    for (int f = 0; f < 6; ++f)
        frames.push_back(moved(c, [&](const Vec3& p) -> Vec3 {
            return p + Vec3(0, 0, -0.01 * f + 0.0004 * f * std::sin(100 * p[0]));
        }));
    const auto start = std::chrono::steady_clock::now();
    const auto r = judge(frames);
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / 6;
    RecordProperty("secondsAFrame", std::to_string(seconds));
    EXPECT_LT(seconds, 1.0);
    EXPECT_EQ(r.count(FindingKind::PassThrough), 0);
}
