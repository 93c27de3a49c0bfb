#include "purl/check/distance.h"

#include "check/shapes.h"

#include <gtest/gtest.h>

using namespace purl;
using namespace purl::shapes;

TEST(Distance, OfTwoStraightYarnsIsExact) {
    Curves c;
    addYarn(c, line({-0.01, 0, 0}, {0.01, 0, 0}, 8), false, 0.001);
    addYarn(c, line({0.002, -0.01, 0.0024}, {0.002, 0.01, 0.0024}, 11), false, 0.002);
    const ClosePlace p = minCentreDistance(c);
    ASSERT_TRUE(p.found());
    EXPECT_NEAR(p.distance, 0.0024, 1e-9);
    EXPECT_NEAR(p.ratio, 0.8, 1e-6);
    EXPECT_NEAR(p.uA, 0.6, 1e-4);
    EXPECT_NEAR(p.uB, 0.5, 1e-4);
    EXPECT_FALSE(minCentreDistance(c, 0.79).found());
}

TEST(Distance, AgreesWithDenseSamplingOfRandomYarns) {
    std::mt19937 rng(7);
    std::uniform_real_distribution<double> u(-1, 1);
    for (int trial = 0; trial < 6; ++trial) {
        Curves c;
        for (int y = 0; y < 5; ++y) {
            auto x = wavyRing(rng, 0.02, 16, 0.2);
            const auto turn = randomTurn(rng);
            const Vec3 shift = 0.03 * Vec3(u(rng), u(rng), u(rng));
            for (Vec3& p : x) p = turn * p + shift;
            addYarn(c, x, y % 2 == 0, 0.001 * (1 + y));
        }
        constexpr int per = 60;
        double least = 1e9;
        for (Index a = 0; a < 5; ++a)
            for (Index b = a; b < 5; ++b) {
                const auto pa = dense(c, a, per), pb = dense(c, b, per);
                std::vector<double> arc{0}; // of yarn a's vertices, by chords
                for (Index s = 0; s < c.edges(a); ++s)
                    arc.push_back(arc.back() +
                                  (pa[per * (s + 1) % pa.size()] - pa[per * s]).norm());
                if (!c.closed[a])
                    arc.back() = arc[c.edges(a) - 1] +
                                 (c.x[c.first[a + 1] - 1] - c.x[c.first[a + 1] - 2]).norm();
                const auto excluded = [&](std::size_t i, std::size_t j) { // physics 3.4
                    const double li = arc[i / per + 1] - arc[i / per];
                    const double lj = arc[j / per + 1] - arc[j / per];
                    double d = std::abs(arc[i / per] + li * (i % per) / per - arc[j / per] -
                                        lj * (j % per) / per);
                    if (c.closed[a]) d = std::min(d, arc.back() - d);
                    return d < std::max(li + lj, 1.1 * kPi * c.radius[a]);
                };
                for (std::size_t i = 0; i < pa.size(); ++i)
                    for (std::size_t j = 0; j < pb.size(); ++j)
                        if (a != b || !excluded(i, j))
                            least = std::min(least,
                                             (pa[i] - pb[j]).norm() / (c.radius[a] + c.radius[b]));
            }
        const ClosePlace p = minCentreDistance(c, 100);
        ASSERT_TRUE(p.found());
        // Samples are 0.13 mm apart: never nearer than the truth, and a little further at most.
        EXPECT_LE(p.ratio, least + 1e-9);
        EXPECT_GT(p.ratio, least - 0.07);
    }
}

TEST(Distance, NeighboursOnAYarnAreNoContactButItsLoopsAre) {
    Curves c; // radius larger than the spacing of points
    addYarn(c, line({0, 0, 0}, {0.05, 0, 0}, 51), false, 0.002);
    EXPECT_FALSE(minCentreDistance(c).found());
    std::vector<Vec3> helix; // turns 3 mm apart with a yarn 4 mm thick
    for (int i = 0; i < 200; ++i) {
        const double t = 2 * kPi * i / 40;
        helix.emplace_back(0.01 * std::cos(t), 0.01 * std::sin(t), 0.003 * t / (2 * kPi));
    }
    Curves d;
    addYarn(d, helix, false, 0.002);
    const ClosePlace p = minCentreDistance(d);
    ASSERT_TRUE(p.found());
    EXPECT_NEAR(p.ratio, 0.75, 0.003);
    EXPECT_NEAR(std::abs(p.arcA - p.arcB), 2 * kPi * 0.01, 0.003);
}

TEST(Distance, GluedPlacesAreLeftOut) {
    Curves c;
    addYarn(c, line({-0.02, 0, 0}, {0, 0, 0}, 21), false, 0.001);
    addYarn(c, line({0, 0, 0}, {0.02, 0.02, 0}, 21), false, 0.001);
    EXPECT_EQ(closePlaces(c, 0.05).size(), 1u);
    const ClosePlace p = minCentreDistance(c, 1.0, {{20, 21}});
    EXPECT_TRUE(!p.found() || p.ratio > 0.9);
    EXPECT_TRUE(closePlaces(c, 0.05, {{20, 21}}).empty());
}

TEST(Distance, EveryCloseplaceOfAGridIsFoundOnce) {
    Curves c;
    for (int i = 0; i < 6; ++i) {
        addYarn(c, line({0, 0.01 * i, 0}, {0.05, 0.01 * i, 0}, 31), false, 0.001);
        addYarn(c, line({0.01 * i, 0, 0.0015}, {0.01 * i, 0.05, 0.0015}, 31), false, 0.001);
    }
    const auto places = closePlaces(c, 1.0);
    EXPECT_EQ(places.size(), 36u);
    for (const ClosePlace& p : places) EXPECT_NEAR(p.ratio, 0.75, 1e-6);
}
