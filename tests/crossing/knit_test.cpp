// Knits of crossings: loops hold each other, come to rest, and do what knitters know.
#include "crossing/patches.h"
#include "purl/base/error.h"
#include "purl/crossing/solver.h"
#include "purl/crossing/yarn_material.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace purl {
namespace {

constexpr double kRadius = 0.5e-3, kWale = 8.3 * kRadius, kCourse = 5.3 * kRadius; // m

LayoutSettings wool() {
    LayoutSettings s;
    s.warpSpacing = kWale;
    s.weftSpacing = kCourse;
    s.radius = kRadius;
    s.warp = s.weft = s.seam = yarnMaterial("wool", kRadius, 0, 1, true);
    return s;
}

test::Laid swatch(const std::string& draft, Index loops) {
    return test::lay(test::rectangle(loops * kWale, loops * kCourse, 1, 1), draft, wool());
}

// Yarn of a loop in the middle of the swatch, m: from a crossing to the same one of the next wale.
double loopOf(const FabricLayout& l, Index loops) {
    const CrossingNetwork& n = l.network;
    const Index y = n.yarns() / 2, from = n.first[y] + 8 * (loops / 2);
    return n.slide[from + 8] - n.slide[from];
}

// Found broken once: the wrapping angle has no gradient where a yarn runs straight on.
TEST(Knit, StockinetteRibAndGarterComeToRest) {
    for (const char* draft : {"stockinette", "rib2x2", "garter"}) {
        const test::Laid laid = swatch(draft, 5);
        FabricSolverSettings s;
        s.forces.gravity.setZero();
        FabricSolver fabric(laid.layout.network, s);
        Monitor monitor;
        const double before = fabric.energy();
        std::vector<Vec3> g(fabric.unknowns().size());
        fabric.gradient(g);
        double pull = 0; // N, largest at the start
        for (Index i = 0; i < fabric.nodes(); ++i) pull = std::max(pull, g[i].norm());
        const FabricReport first = fabric.settle(1e-3, 3, 0, monitor);
        const FabricReport then = fabric.settle(2e-3, 8, 0, monitor);
        EXPECT_FALSE(first.broken || then.broken) << draft;
        EXPECT_LT(then.residual, 0.1 * pull) << draft;
        EXPECT_LT(fabric.energy(), before) << draft;
        for (const Vec3& x : fabric.x()) ASSERT_TRUE(x.allFinite()) << draft;
    }
}

TEST(Knit, ALoopsYarnIsLongerThanItsCrossingsAreApart) {
    const double laid = loopOf(swatch("stockinette", 8).layout, 8);
    EXPECT_NEAR(laid / kRadius, 29.8, 1.5); // the relaxed loop of rods
    LayoutSettings s = wool();
    s.loopLength = 1.1 * 29.8 * kRadius;
    const auto patch = test::rectangle(8 * kWale, 8 * kCourse, 1, 1);
    EXPECT_GT(loopOf(test::lay(patch, "stockinette", s).layout, 8), 1.05 * laid);
    s.loopLength = 15 * kRadius;
    EXPECT_THROW(test::lay(patch, "stockinette", s), Error);
    s.loopLength = 500 * kRadius;
    EXPECT_THROW(test::lay(patch, "stockinette", s), Error);
}

} // namespace
} // namespace purl
