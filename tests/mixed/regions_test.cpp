#include "purl/mixed/regions.h"

#include "purl/base/error.h"

#include <cmath>
#include <gtest/gtest.h>

namespace purl {
namespace {

struct Grid { // n x n quads, two triangles each
    Index n;
    std::vector<std::array<Index, 3>> triangles;
    explicit Grid(Index side) : n(side) {
        for (Index j = 0; j < n; ++j)
            for (Index i = 0; i < n; ++i) {
                const Index a = at(i, j);
                triangles.push_back({a, a + 1, a + n + 1});
                triangles.push_back({a + 1, a + n + 2, a + n + 1});
            }
    }
    Index at(Index i, Index j) const { return j * (n + 1) + i; }
    std::vector<double> paint(Index i0, Index i1, Index j0, Index j1) const {
        std::vector<double> p((n + 1) * (n + 1), 0);
        for (Index j = j0; j <= j1; ++j)
            for (Index i = i0; i <= i1; ++i) p[at(i, j)] = 1;
        return p;
    }
};

TEST(Regions, PaintedSquareWithItsRing) {
    const Grid g(8);
    const Regions r = findRegions(g.triangles, g.paint(3, 5, 3, 5), "patch");
    EXPECT_EQ(r.yarnFaces, 8); // 2 x 2 quads
    EXPECT_TRUE(r.warnings.empty());
    Index hybrid = 0;
    for (std::size_t f = 0; f < g.triangles.size(); ++f) {
        int ones = 0;
        for (Index v : g.triangles[f]) ones += r.alpha[v] == 1;
        EXPECT_EQ(r.face[f] == Region::Yarn, ones == 3);
        EXPECT_EQ(r.face[f] == Region::Hybrid, ones == 1 || ones == 2);
        hybrid += r.face[f] == Region::Hybrid;
    }
    EXPECT_EQ(hybrid, r.hybridFaces);
    EXPECT_FALSE(r.free[g.at(4, 4)]); // its triangles are all yarn
    EXPECT_TRUE(r.free[g.at(3, 4)]);
    EXPECT_TRUE(r.free[g.at(0, 0)]);
}

TEST(Regions, AlphaFallsLinearlyAndIsNeverTiny) {
    const Grid g(4);
    const Regions r = findRegions(g.triangles, g.paint(0, 2, 0, 4), "patch");
    for (std::size_t f = 0; f < g.triangles.size(); ++f) {
        const double third = 1.0 / 3;
        const double a = blend(r, g.triangles, static_cast<Index>(f), {third, third, third});
        double mean = 0;
        for (Index v : g.triangles[f]) mean += r.alpha[v] / 3;
        if (r.face[f] == Region::Hybrid)
            EXPECT_NEAR(a, mean, 1e-12);
        else
            EXPECT_EQ(a, r.face[f] == Region::Yarn ? 1 : 0);
    }
    for (std::size_t f = 0; f < g.triangles.size(); ++f)
        if (r.face[f] == Region::Hybrid) { // at the outer corner
            for (int k = 0; k < 3; ++k)
                if (r.alpha[g.triangles[f][k]] == 0) {
                    std::array<double, 3> w{};
                    w[k] = 1;
                    EXPECT_EQ(blend(r, g.triangles, static_cast<Index>(f), w), kLeastAlpha);
                }
        }
}

TEST(Regions, AllOrNothing) {
    const Grid g(3);
    const Regions all = findRegions(g.triangles, g.paint(0, 3, 0, 3), "patch");
    EXPECT_EQ(all.yarnFaces, 18);
    for (char f : all.free) EXPECT_FALSE(f);
    const Regions none = findRegions(g.triangles, std::vector<double>(16, 0.0), "patch");
    EXPECT_FALSE(none.anyYarn());
    EXPECT_EQ(none.hybridFaces, 0);
}

TEST(Regions, SmallIslandsAndWildPaintAreSaid) {
    const Grid g(4);
    std::vector<double> paint = g.paint(0, 1, 0, 1);
    paint[g.at(4, 4)] = 1; // one point: no triangle
    paint[g.at(0, 0)] = 7;
    const Regions r = findRegions(g.triangles, paint, "patch.geo");
    ASSERT_EQ(r.warnings.size(), 2u);
    EXPECT_NE(r.warnings[0].find("point 0"), std::string::npos);
    EXPECT_NE(r.warnings[1].find("point 24"), std::string::npos);
    EXPECT_EQ(r.alpha[g.at(4, 4)], 0);
    paint[3] = std::nan("");
    try {
        findRegions(g.triangles, paint, "patch.geo");
        FAIL();
    } catch (const Error& e) {
        EXPECT_NE(std::string(e.what()).find("point 3"), std::string::npos);
    }
}

} // namespace
} // namespace purl
