// Lengths in blocks against the plain tridiagonal solve of the whole chain.
#include "purl/integrate/long_chain.h"

#include "purl/base/parallel.h"
#include "purl/base/tridiagonal.h"

#include <gtest/gtest.h>

#include <random>

namespace purl {
namespace {

constexpr Index kNodes = 1500; // eleven blocks and a rest

LongChain wavy(double shake, Index pinned) {
    std::mt19937 random(4);
    std::uniform_real_distribution<double> jitter(-shake, shake);
    std::vector<Vec3> p;
    for (Index i = 0; i < kNodes; ++i)
        p.push_back({0.002 * i, 0.003 * std::sin(0.7 * i), 0.002 * std::cos(0.4 * i)});
    std::vector<double> length;
    for (Index i = 0; i + 1 < kNodes; ++i) length.push_back((p[i + 1] - p[i]).norm());
    LongChain c(length);
    for (Index i = 0; i < kNodes; ++i) {
        c.x[i] = p[i].x() + jitter(random);
        c.y[i] = p[i].y() + jitter(random);
        c.z[i] = p[i].z() + jitter(random);
        c.w[i] = i == pinned ? 0 : 1e6 * (1 + 0.5 * std::sin(0.1 * i));
    }
    return c;
}

TEST(LongChain, OneStepIsNewtonsOfTheWholeChain) {
    LongChain c = wavy(1e-4, 700);
    const LongChain before = c;
    auto at = [&](Index i) { return Vec3(before.x[i], before.y[i], before.z[i]); };
    const Index edges = kNodes - 1;
    // The rest lengths, as wavy() has them.
    std::vector<double> length;
    for (Index i = 0; i < edges; ++i) {
        auto p = [](Index k) {
            return Vec3(0.002 * k, 0.003 * std::sin(0.7 * k), 0.002 * std::cos(0.4 * k));
        };
        length.push_back((p(i + 1) - p(i)).norm());
    }
    std::vector<double> diag(edges), off(edges, 0.0), rhs(edges);
    std::vector<Vec3> g(edges);
    for (Index i = 0; i < edges; ++i) {
        g[i] = (at(i + 1) - at(i)) / length[i];
        rhs[i] = (g[i].squaredNorm() - 1) * length[i];
        diag[i] = 4 * g[i].squaredNorm() * (before.w[i] + before.w[i + 1]);
        if (i > 0) off[i] = -4 * before.w[i] * g[i - 1].dot(g[i]);
    }
    ASSERT_TRUE(solveTridiagonal(edges, diag.data(), off.data(), rhs.data()));
    int iterations = 0;
    c.project(1e-5, 1, iterations);
    EXPECT_EQ(iterations, 1);
    double worst = 0, moved = 0;
    for (Index i = 0; i < kNodes; ++i) {
        Vec3 to = at(i);
        if (i < edges) to += before.w[i] * 2 * rhs[i] * g[i];
        if (i > 0) to -= before.w[i] * 2 * rhs[i - 1] * g[i - 1];
        worst = std::max(worst, (to - Vec3(c.x[i], c.y[i], c.z[i])).norm());
        moved = std::max(moved, (to - at(i)).norm());
    }
    EXPECT_GT(moved, 1e-5);
    EXPECT_LT(worst, 1e-10 * moved + 1e-16);
}

TEST(LongChain, LengthsComeBackMomentumStaysAndPinsHold) {
    LongChain c = wavy(1e-4, -1);
    auto momentum = [&](const LongChain& k) {
        Vec3 sum = Vec3::Zero();
        for (Index i = 0; i < kNodes; ++i) sum += Vec3(k.x[i], k.y[i], k.z[i]) / k.w[i];
        return sum;
    };
    const Vec3 before = momentum(c);
    int iterations = 0;
    EXPECT_LE(c.project(1e-9, 12, iterations), 1e-9);
    EXPECT_LE(iterations, 5);
    EXPECT_LT((momentum(c) - before).norm(), 1e-12 * before.norm());
    LongChain pinned = wavy(1e-4, 640);
    const double x = pinned.x[640];
    EXPECT_LE(pinned.project(1e-9, 12, iterations), 1e-9);
    EXPECT_EQ(pinned.x[640], x);
}

TEST(LongChain, APullAtOnePlaceLeavesFarPlacesAlone) {
    LongChain c = wavy(0, -1);
    int iterations = 0;
    c.project(1e-9, 12, iterations);
    const LongChain before = c;
    c.y[700] += 1e-4;
    c.touch(700);
    EXPECT_LE(c.project(1e-5, 12, iterations), 1e-5);
    EXPECT_EQ(c.x[100], before.x[100]);
    EXPECT_EQ(c.x[1400], before.x[1400]);
    EXPECT_NE(c.x[690], before.x[690]);
}

TEST(LongChain, SameBitsAtEveryThreadCount) {
    std::vector<double> first;
    for (int threads : {1, 2, 3}) {
        ThreadLimit limit(threads);
        LongChain c = wavy(1e-4, 3);
        int iterations = 0;
        c.project(1e-8, 12, iterations);
        if (first.empty()) first = c.x;
        EXPECT_EQ(c.x, first);
    }
}

} // namespace
} // namespace purl
