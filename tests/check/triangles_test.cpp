#include "purl/check/triangles.h"

#include <gtest/gtest.h>
#include <random>

namespace purl {
namespace {

using Triangles = std::vector<std::array<Index, 3>>;

bool pairMeets(const std::vector<Vec3>& x) { return trianglesMeet(x, {0, 1, 2}, {3, 4, 5}); }

TEST(TriangleCheck, KnownPairs) {
    const Vec3 a{0, 0, 0}, b{1, 0, 0}, c{0, 1, 0};
    EXPECT_TRUE(pairMeets({a, b, c, {0.2, 0.2, -1}, {0.3, 0.2, 1}, {2, 2, 1}}));   // pierced
    EXPECT_FALSE(pairMeets({a, b, c, {0.2, 0.2, 0.1}, {0.3, 0.2, 1}, {2, 2, 1}})); // above
    EXPECT_TRUE(pairMeets({a, b, c, {0.2, 0.2, 0}, {0.3, 0.2, 1}, {2, 2, 1}}));    // touching
    EXPECT_TRUE(pairMeets({a, b, c, {0.1, 0.1, 0}, {0.8, 0.7, 0}, {2, 2, 0}}));    // coplanar
    EXPECT_TRUE(pairMeets({a, b, c, {-1, -1, 0}, {5, -1, 0}, {-1, 5, 0}}));     // one in the other
    EXPECT_FALSE(pairMeets({a, b, c, {1, 1, 0}, {2, 1, 0}, {1, 2, 0}}));        // beside it
    EXPECT_TRUE(pairMeets({a, b, c, {0.5, 0, -1}, {0.5, 0, 1}, {0.5, -1, 0}})); // through an edge
}

TEST(TriangleCheck, NeighboursOfASmoothSheetDoNotMeet) {
    // A tilted, rolled sheet: neighbours share points and are nearly in one plane.
    const int n = 30;
    std::vector<Vec3> x;
    Triangles t;
    for (int j = 0; j <= n; ++j)
        for (int i = 0; i <= n; ++i) {
            const double s = 0.1 * i, r = 1 + 0.02 * s;
            x.push_back({r * std::cos(s) + 0.1 * j, r * std::sin(s) - 0.2 * j, 0.3 * j});
        }
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
            const Index a = i + j * (n + 1);
            t.push_back({a, a + 1, a + n + 2});
            t.push_back({a, a + n + 2, a + n + 1});
        }
    EXPECT_EQ(countIntersectionsOfAll(x, t), 0);
    EXPECT_EQ(countIntersections(x, t), 0);
    // A flat one too, tilted so that nothing is exactly zero.
    for (std::size_t k = 0; k < x.size(); ++k) {
        const double u = 0.01 * (k % (n + 1)), v = 0.013 * (k / (n + 1));
        x[k] = {0.36 * u - 0.48 * v, 0.8 * u + 0.6 * v, -0.48 * u + 0.64 * v};
    }
    EXPECT_EQ(countIntersectionsOfAll(x, t), 0);
    // A point moved in the plane, over its neighbours: coplanar triangles that overlap.
    x[5 + 5 * (n + 1)] += 0.033 * Vec3(0.36, 0.8, -0.48);
    EXPECT_GT(countIntersectionsOfAll(x, t), 0);
    EXPECT_EQ(countIntersectionsOfAll(x, t), countIntersections(x, t));
}

TEST(TriangleCheck, TrianglesThatShareAPoint) {
    const std::vector<Vec3> x = {{0, 0, 0},       {1, 0, 0},    {0, 1, 0},  {0.4, 0.3, 0.5},
                                 {0.3, 0.3, -0.5}, {0, 0.1, 1}, {-1, 0, 1}, {0.2, 0.2, 0}};
    EXPECT_TRUE(trianglesMeet(x, {0, 1, 2}, {0, 3, 4}));
    EXPECT_FALSE(trianglesMeet(x, {0, 1, 2}, {0, 5, 6}));
    EXPECT_FALSE(trianglesMeet(x, {0, 1, 2}, {0, 1, 7})); // one edge: folded flat, never counted
}

TEST(TriangleCheck, GridFindsWhatAllPairsFind) {
    std::mt19937 engine(3);
    std::uniform_real_distribution<double> u(-1, 1);
    for (double size : {0.05, 0.3, 2.0}) {
        std::vector<Vec3> x;
        Triangles t;
        for (int i = 0; i < 400; ++i) {
            const Vec3 c(u(engine), u(engine), u(engine));
            const double s = i % 50 == 0 ? 10 * size : size;
            for (int k = 0; k < 3; ++k) x.push_back(c + s * Vec3(u(engine), u(engine), u(engine)));
            t.push_back({3 * i, 3 * i + 1, 3 * i + 2});
        }
        x[100].x() = std::nan(""); // a broken triangle meets nothing, and breaks nothing
        std::vector<TrianglePair> all, grid;
        const Index count = countIntersectionsOfAll(x, t, &all, 1000000);
        EXPECT_EQ(countIntersections(x, t, &grid, 1000000), count);
        EXPECT_GT(count, 0);
        EXPECT_TRUE(all == grid);
    }
}

} // namespace
} // namespace purl
