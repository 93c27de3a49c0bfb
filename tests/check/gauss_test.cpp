#include "purl/check/gauss.h"

#include "check/shapes.h"

#include <gtest/gtest.h>

using namespace purl;
using namespace purl::shapes;

namespace {
double sum(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    double g = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < b.size(); ++j)
            g += gaussIntegral(a[i], a[(i + 1) % a.size()], b[j], b[(j + 1) % b.size()]);
    return g;
}
} // namespace

TEST(Gauss, ClosedFormIsTheDoubleIntegral) {
    std::mt19937 rng(3);
    std::normal_distribution<double> normal;
    for (int trial = 0; trial < 10; ++trial) {
        Vec3 p[4];
        for (Vec3& x : p) x = Vec3(normal(rng), normal(rng), normal(rng));
        p[2] += Vec3(0, 0, 2);
        p[3] += Vec3(0, 0, 2);
        const Vec3 u = p[1] - p[0], v = p[3] - p[2];
        constexpr int n = 200; // midpoint rule
        double integral = 0;
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) {
                const Vec3 r = p[2] + v * ((j + 0.5) / n) - p[0] - u * ((i + 0.5) / n);
                integral += v.cross(u).dot(r) / std::pow(r.norm(), 3);
            }
        integral /= 4 * kPi * n * n;
        EXPECT_NEAR(gaussIntegral(p[0], p[1], p[2], p[3]), integral, 2e-4);
    }
}

TEST(Gauss, OverClosedPolygonsIsTheLinkingNumber) {
    std::mt19937 rng(4);
    std::uniform_real_distribution<double> place(-1.2, 1.2);
    int linked = 0;
    for (int trial = 0; trial < 60; ++trial) {
        const auto a = wavyRing(rng, 1, 20, 0.15);
        auto b = wavyRing(rng, 1, 20, 0.15);
        const auto turn = randomTurn(rng);
        const Vec3 shift(place(rng), place(rng), place(rng));
        for (Vec3& p : b) p = turn * p + shift;
        const int expected = linkingNumber(a, b);
        EXPECT_NEAR(std::abs(sum(a, b)), std::abs(expected), 1e-9);
        linked += expected != 0;
    }
    EXPECT_GT(linked, 5);
}
