// What a pattern carries, and what it refuses.
#include "purl/pattern/pattern.h"

#include "purl/base/error.h"
#include "purl/base/hash.h"
#include "purl/geometry/catmull_rom.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

using namespace purl;

namespace {

PatternSettings flat(Index wales, Index courses) {
    PatternSettings s;
    s.wales = wales;
    s.courses = courses;
    return s;
}

std::uint64_t bits(const Pattern& p) {
    Hash h;
    for (const Vec3& x : p.curves.x)
        for (int a = 0; a < 3; ++a) h.add(x[a]);
    h.add(p.curves.first);
    h.add(p.course);
    h.add(p.wale);
    h.add(p.curveu);
    return h.value();
}

void expectWhole(const Pattern& p) {
    const std::size_t n = p.curves.x.size();
    EXPECT_EQ(p.course.size(), n);
    EXPECT_EQ(p.wale.size(), n);
    EXPECT_EQ(p.curveu.size(), n);
    EXPECT_EQ(p.rest.size(), n);
    EXPECT_EQ(p.color.size(), static_cast<std::size_t>(p.curves.yarns()));
    for (std::size_t i = 0; i < n; ++i) {
        EXPECT_TRUE(p.curves.x[i].allFinite());
        EXPECT_EQ(p.rest[i], p.curves.x[i]);
    }
    for (const auto& w : p.welds) EXPECT_EQ(p.curves.x[w[0]], p.curves.x[w[1]]);
    for (Index y = 0; y < p.curves.yarns(); ++y) {
        const Index a = p.curves.first[y], b = p.curves.first[y + 1] - 1;
        EXPECT_EQ(p.curveu[a], 0);
        for (Index v = a; v < b; ++v) EXPECT_LT(p.curveu[v], p.curveu[v + 1]);
        if (p.curves.closed[y])
            EXPECT_LT(p.curveu[b], 1);
        else
            EXPECT_EQ(p.curveu[b], 1);
    }
}

std::string refusal(const PatternSettings& s) {
    try {
        makePattern(s);
    } catch (const Error& e) {
        return e.what();
    }
    return "";
}

} // namespace

TEST(Pattern, FlatPatchIsCountedOut) {
    const Pattern p = makePattern(flat(12, 8));
    expectWhole(p);
    EXPECT_EQ(p.curves.yarns(), 9); // a yarn a course and the bind-off thread
    EXPECT_EQ(p.welds.size(), 9u);  // a turn between any two, and the thread's far end
    EXPECT_EQ(*std::max_element(p.course.begin(), p.course.end()), 8);
    EXPECT_EQ(*std::max_element(p.wale.begin(), p.wale.end()), 11);
    // Course 3: eight points a loop, the last sinker and its two turns.
    EXPECT_EQ(p.curves.size(3), 12 * 8 + 1 + 2);
    EXPECT_EQ(p.course[p.curves.first[3] + 5], 3);
    // Pairs alternate: course 0 and 1 meet at the right, 1 and 2 at the left.
    EXPECT_GT(p.curves.x[p.welds[0][0]][0], 0);
    EXPECT_LT(p.curves.x[p.welds[1][0]][0], 0);
}

TEST(Pattern, UnboundAndLive) {
    PatternSettings s = flat(12, 8);
    s.bindSelvedges = s.bindOff = false;
    const Pattern p = makePattern(s);
    expectWhole(p);
    EXPECT_EQ(p.curves.yarns(), 8);
    EXPECT_TRUE(p.welds.empty());
    EXPECT_EQ(p.curves.points(), 8 * (12 * 8 + 1));
}

TEST(Pattern, ContinuousIsOneYarn) {
    PatternSettings s = flat(12, 8);
    s.continuous = true;
    const Pattern p = makePattern(s);
    expectWhole(p);
    EXPECT_EQ(p.curves.yarns(), 1);
    EXPECT_FALSE(p.curves.closed[0]);
    s.tube = true;
    EXPECT_EQ(makePattern(s).curves.yarns(), 1);
}

TEST(Pattern, TubeIsRoundAndClosed) {
    PatternSettings s = flat(20, 6);
    s.tube = true;
    const Pattern p = makePattern(s);
    expectWhole(p);
    EXPECT_EQ(p.curves.yarns(), 7);
    for (auto closed : p.curves.closed) EXPECT_TRUE(closed);
    double mean = 0;
    for (const Vec3& x : p.curves.x) mean += std::hypot(x[0], x[2]) / p.curves.points();
    EXPECT_NEAR(mean, 20 * p.waleSpacing / (2 * 3.14159265), s.radius);
    EXPECT_TRUE(p.edgeLeft.empty() && p.edgeRight.empty());
    EXPECT_FALSE(p.edgeTop.empty() || p.edgeBottom.empty());
}

TEST(Pattern, EdgesAreWhereTheyShouldBe) {
    for (const char* name : {"stockinette", "moss", "twill2x2"}) {
        PatternSettings s = flat(12, 10);
        s.name = name;
        const Pattern p = makePattern(s);
        expectWhole(p);
        double w = 0, h = 0;
        for (const Vec3& x : p.curves.x) {
            w = std::max(w, x[0]);
            h = std::max(h, x[1]);
        }
        ASSERT_FALSE(p.edgeLeft.empty() || p.edgeRight.empty() || p.edgeTop.empty() ||
                     p.edgeBottom.empty());
        for (Index v : p.edgeLeft) EXPECT_LT(p.curves.x[v][0], -0.7 * w);
        for (Index v : p.edgeRight) EXPECT_GT(p.curves.x[v][0], 0.7 * w);
        for (Index v : p.edgeTop) EXPECT_GT(p.curves.x[v][1], 0.6 * h);
        for (Index v : p.edgeBottom) EXPECT_LT(p.curves.x[v][1], -0.6 * h);
    }
}

// Leaf and Glaskin's and Peirce's loops are 33 radii long at most; a jammed one about 25.
TEST(Pattern, LoopLengthIsThatOfADenseKnit) {
    PatternSettings s = flat(8, 5);
    s.bindSelvedges = s.bindOff = false;
    const Pattern p = makePattern(s);
    double length = 0;
    for (Index k = 0; k < 8; ++k) length += arcLength(p.curves.x, segmentOf(p.curves, 2, 24 + k));
    EXPECT_GT(length / s.radius, 24);
    EXPECT_LT(length / s.radius, 33);
    // The knit face is turned to +z: legs in front, heads and sinkers behind.
    const Index loop = p.curves.first[2] + 24;
    EXPECT_GT(p.curves.x[loop + 2][2], p.curves.x[loop + 4][2] + s.radius);
    EXPECT_GT(p.curves.x[loop + 6][2], p.curves.x[loop][2] + s.radius);
}

TEST(Pattern, ScalesWithTheRadius) {
    PatternSettings s = flat(8, 6);
    const Pattern a = makePattern(s);
    s.radius *= 2;
    const Pattern b = makePattern(s);
    EXPECT_NEAR(b.waleSpacing, 2 * a.waleSpacing, 1e-12);
    for (Index v = 0; v < a.curves.points(); ++v)
        EXPECT_LT((b.curves.x[v] - 2 * a.curves.x[v]).norm(), 1e-6);
}

TEST(Pattern, GaugeIsKept) {
    PatternSettings s = flat(8, 8);
    s.waleSpacing = 0.012;
    s.courseSpacing = 0.008;
    s.bindSelvedges = s.bindOff = false;
    const Pattern p = makePattern(s);
    const auto head = [&](Index i, Index j) { return p.curves.x[p.curves.first[i] + 8 * j + 4]; };
    EXPECT_LT((head(4, 5) - head(4, 4) - Vec3(0.012, 0, 0)).norm(), 1e-9);
    EXPECT_LT((head(5, 4) - head(4, 4) - Vec3(0, 0.008, 0)).norm(), 1e-9);
}

TEST(Pattern, TwiceTheSameBits) {
    for (const PatternName& n : patternNames()) {
        PatternSettings s = flat(10, 6);
        s.name = n.name;
        EXPECT_EQ(bits(makePattern(s)), bits(makePattern(s))) << n.name;
    }
}

TEST(Pattern, RefusesWhatMakesNoSense) {
    PatternSettings s;
    s.name = "stokinette";
    EXPECT_NE(refusal(s).find("stockinette"), std::string::npos);
    s = {};
    s.radius = 0;
    EXPECT_NE(refusal(s).find("radius"), std::string::npos);
    s.radius = std::numeric_limits<double>::quiet_NaN();
    EXPECT_NE(refusal(s).find("radius"), std::string::npos);
    s = {};
    s.waleSpacing = -1;
    EXPECT_NE(refusal(s).find("waleSpacing"), std::string::npos);
    s = {};
    s.courses = 0;
    EXPECT_NE(refusal(s).find("courses"), std::string::npos);
    s = {};
    s.field = {2, 2, {1, -1, 1}};
    EXPECT_NE(refusal(s).find("3 cells"), std::string::npos);
    s.field = {1, 2, {1, 0}};
    EXPECT_NE(refusal(s).find("cell 1"), std::string::npos);
    s = {};
    s.name = "plain";
    s.tube = true;
    EXPECT_NE(refusal(s).find("tube"), std::string::npos);
}
