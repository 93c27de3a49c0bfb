#include "purl/check/crossing.h"

#include "check/shapes.h"
#include "purl/check/gauss.h"

#include <gtest/gtest.h>

using namespace purl;
using namespace purl::shapes;

namespace {
struct Pair {
    Vec3 a0[2], a1[2], b0[2], b1[2];
    double gauss(double t) const {
        const auto at = [&](const Vec3& x, const Vec3& y) -> Vec3 { return (1 - t) * x + t * y; };
        return gaussIntegral(at(a0[0], a1[0]), at(a0[1], a1[1]), at(b0[0], b1[0]),
                             at(b0[1], b1[1]));
    }
    int crossings(EdgeCrossing out[3]) const {
        return edgeCrossings({a0[0], a0[1], a1[0], a1[1]}, {b0[0], b0[1], b1[0], b1[1]}, out);
    }
};
} // namespace

// The Gauss integral of the pair, followed in small steps of time, jumps by one where the pieces
// cross and is smooth elsewhere.
TEST(Crossing, IsWhereTheGaussIntegralJumps) {
    std::mt19937 rng(5);
    std::normal_distribution<double> normal;
    int total = 0;
    for (int trial = 0; trial < 400; ++trial) {
        Pair p;
        for (auto* x : {p.a0, p.a1, p.b0, p.b1})
            for (int k = 0; k < 2; ++k) x[k] = Vec3(normal(rng), normal(rng), normal(rng));
        EdgeCrossing hit[3];
        const int hits = p.crossings(hit);
        for (int k = 0; k < hits; ++k) {
            const double jump = p.gauss(hit[k].time + 1e-9) - p.gauss(hit[k].time - 1e-9);
            EXPECT_NEAR(jump, hit[k].sign, 1e-3) << "trial " << trial;
            ++total;
        }
        constexpr int steps = 4000;
        int jumps = 0;
        double before = p.gauss(0);
        for (int i = 1; i <= steps; ++i) {
            const double now = p.gauss(i / double(steps));
            if (std::abs(now - before) > 0.5) ++jumps;
            before = now;
        }
        EXPECT_EQ(jumps, hits) << "trial " << trial;
    }
    EXPECT_GT(total, 50);
}

TEST(Crossing, PiecesAtRestDoNotCrossEvenWhenTheyMeet) {
    Pair p;
    p.a0[0] = p.a1[0] = Vec3(-1, 0, 0);
    p.a0[1] = p.a1[1] = Vec3(1, 0, 0);
    p.b0[0] = p.b1[0] = Vec3(0, -1, 0);
    p.b0[1] = p.b1[1] = Vec3(0, 1, 0);
    EdgeCrossing hit[3];
    EXPECT_EQ(p.crossings(hit), 0);
}

TEST(BoxTree, SeesEveryPairThatMeetsAndEachOnce) {
    std::mt19937 rng(6);
    std::uniform_real_distribution<double> u(0, 1);
    std::vector<MovingBox> boxes;
    for (int i = 0; i < 500; ++i) {
        const Vec3 start(u(rng), u(rng), u(rng)), move(u(rng), u(rng), u(rng));
        const Vec3 x0[2] = {start, start + 0.1 * Vec3(u(rng), u(rng), u(rng))};
        const Vec3 x1[2] = {start + 0.2 * move, x0[1] + 0.2 * move + 0.02 * Vec3(u(rng), 0, 0)};
        boxes.push_back(MovingBox::around(x0, x1, 2, 1e-6, 0));
    }
    const BoxTree tree(boxes);
    std::vector<int> seen(500 * 500, 0);
    for (Index p = 0; p < tree.size(); ++p)
        tree.later(
            p, [&](const MovingBox& other) { return meet(tree.box(p), other); },
            [&](Index q) {
                const Index i = std::min(tree.leaf(p), tree.leaf(q));
                ++seen[500 * i + std::max(tree.leaf(p), tree.leaf(q))];
            });
    int met = 0;
    for (Index i = 0; i < 500; ++i)
        for (Index j = i + 1; j < 500; ++j) {
            bool overlap = false; // by sampling time
            for (int k = 0; k <= 200 && !overlap; ++k) {
                const double t = k / 200.0;
                overlap = true;
                for (int d = 0; d < 3; ++d) {
                    const auto at = [&](const std::array<double, 3>& x,
                                        const std::array<double, 3>& y) {
                        return (1 - t) * x[d] + t * y[d];
                    };
                    const MovingBox &a = boxes[i], &b = boxes[j];
                    overlap &= at(a.lo0, a.lo1) <= at(b.hi0, b.hi1) &&
                               at(b.lo0, b.lo1) <= at(a.hi0, a.hi1);
                }
            }
            EXPECT_GE(seen[500 * i + j], overlap ? 1 : 0);
            EXPECT_LE(seen[500 * i + j], 1);
            met += overlap;
        }
    EXPECT_GT(met, 100);
}
