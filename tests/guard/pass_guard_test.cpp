// The guard against what is known otherwise: linking numbers of closed yarns, which are integers
// and change by one when a yarn goes through another; and every pair of pieces followed through the
// step, without lists, odometers or boxes.
#include "purl/guard/pass_guard.h"

#include "purl/base/parallel.h"
#include "purl/check/gauss.h"
#include "purl/geometry/catmull_rom.h"

#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <random>

namespace purl {

namespace {

// Yarns that wave, drift and turn, each by itself: x(t) is smooth, so that steps may have any
// length.
class Dance {
public:
    Dance(int yarns, Index points, bool closed, double size, double radius, unsigned seed)
        : random_(seed) {
        for (int y = 0; y < yarns; ++y) {
            Yarn yarn;
            yarn.centre = size * direction();
            yarn.drift = size * direction();
            for (Vec3& w : yarn.wave) w = 0.5 * size * direction();
            for (double& p : yarn.phase) p = 6.3 * uniform();
            yarns_.push_back(yarn);
            curves_.add(std::vector<Vec3>(static_cast<std::size_t>(points), Vec3::Zero()), closed,
                        radius * (1 + y % 3));
        }
    }
    const Curves& at(double t) {
        for (Index y = 0; y < curves_.yarns(); ++y) {
            const Yarn& yarn = yarns_[y];
            const Index n = curves_.size(y);
            for (Index i = 0; i < n; ++i) {
                const double s = 2 * 3.14159265358979 * i / (curves_.closed[y] ? n : n + 4);
                Vec3& p = curves_.x[curves_.first[y] + i];
                p = yarn.centre + std::sin(t + yarn.phase[3]) * yarn.drift;
                for (int k = 0; k < 3; ++k)
                    p += std::sin((k + 1) * s + yarn.phase[k] + (k + 1) * t) * yarn.wave[k];
            }
        }
        return curves_;
    }

private:
    struct Yarn {
        Vec3 centre, drift, wave[3];
        double phase[4];
    };
    double uniform() { return std::uniform_real_distribution<double>(-1, 1)(random_); }
    Vec3 direction() { return {uniform(), uniform(), uniform()}; }
    std::mt19937 random_;
    std::vector<Yarn> yarns_;
    Curves curves_;
};

Padded3 padded(const Layout& layout, const Curves& c) {
    Padded3 x;
    x.resize(layout.padded() + 4);
    for (Index y = 0; y < c.yarns(); ++y) scatter(layout, c.x, c.first[y], y, x);
    return x;
}

struct Frame {
    Padded3 x;
    std::vector<Vec3> fine;
};

class Oracle {
public:
    explicit Oracle(const Curves& rest) : layout(rest), fine(rest) {
        for (Index y = 0; y < rest.yarns(); ++y) fine.measure(rest, y);
    }
    Frame frame(const Curves& c) const {
        return {padded(layout, c),
                finePoints(c, fine, std::vector<std::uint8_t>(c.closed.size(), 1))};
    }
    // Linking number of every pair of yarns, by the Gauss integral over all pieces.
    std::map<std::pair<Index, Index>, int> linking(const std::vector<Vec3>& p) const {
        std::map<std::pair<Index, Index>, int> link;
        for (Index a = 0; a < fine.yarns(); ++a)
            for (Index b = a + 1; b < fine.yarns(); ++b) {
                double sum = 0;
                for (Index i = fine.first[a]; i + 1 < fine.first[a + 1]; ++i)
                    for (Index j = fine.first[b]; j + 1 < fine.first[b + 1]; ++j)
                        sum += gaussIntegral(p[i], p[i + 1], p[j], p[j + 1]);
                EXPECT_NEAR(sum, std::round(sum), 1e-6);
                link[{a, b}] = static_cast<int>(std::lround(sum));
            }
        return link;
    }
    // All crossings of pieces in a step, by looking at every pair.
    long crossings(const std::vector<Vec3>& p, const std::vector<Vec3>& q) const {
        long count = 0;
        EdgeCrossing hit[3];
        for (Index s = 0; s < fine.segments(); ++s)
            for (Index t = s; t < fine.segments(); ++t)
                for (Index i = fine.segFirst[s]; i < fine.segFirst[s] + FineLayout::kPieces; ++i)
                    for (Index j = fine.segFirst[t]; j < fine.segFirst[t] + FineLayout::kPieces;
                         ++j) {
                        const Index y = fine.segYarn[s];
                        if (y == fine.segYarn[t] &&
                            fine.arcDistance(y, fine.arcAt(i, 0.5), fine.arcAt(j, 0.5)) <
                                fine.exclusion(s, t))
                            continue;
                        count += edgeCrossings({p[i], p[i + 1], q[i], q[i + 1]},
                                               {p[j], p[j + 1], q[j], q[j + 1]}, hit);
                    }
        return count;
    }
    // Smallest distance of centre lines, of the sum of radii; same yarn left out.
    double nearest(const std::vector<Vec3>& p) const {
        double least = 1e9;
        for (Index s = 0; s < fine.segments(); ++s)
            for (Index t = s + 1; t < fine.segments(); ++t) {
                const Index a = fine.segYarn[s], b = fine.segYarn[t];
                for (Index i = fine.segFirst[s]; i < fine.segFirst[s] + FineLayout::kPieces; ++i)
                    for (Index j = fine.segFirst[t]; j < fine.segFirst[t] + FineLayout::kPieces;
                         ++j) {
                        if (a == b && fine.arcDistance(a, fine.arcAt(i, 0.5), fine.arcAt(j, 0.5)) <
                                          fine.exclusion(s, t))
                            continue;
                        least = std::min(
                            least,
                            std::sqrt(closestOnPieces(p[i], p[i + 1], p[j], p[j + 1]).squared) /
                                (fine.radius[a] + fine.radius[b]));
                    }
            }
        return least;
    }
    Layout layout;
    FineLayout fine;
};

int netOf(const StepVerdict& v, Index a, Index b) {
    int sum = 0;
    for (const auto* list : {&v.passes, &v.doubts})
        for (const Encounter& e : *list)
            if (e.yarnA == a && e.yarnB == b) sum += e.net;
    return sum;
}

} // namespace

// Steps from a hundredth of a thickness to several thicknesses, some of them undone on the way.
TEST(PassGuard, AgreesWithLinkingNumbersOfClosedYarns) {
    long jumps = 0, steps = 0;
    for (unsigned seed = 0; seed < 4; ++seed) {
        Dance dance(5, 24, true, 0.02, 4e-4, seed);
        const Oracle oracle(dance.at(0));
        PassGuard guard(dance.at(0), oracle.layout, {});
        std::mt19937 random(seed);
        double t = 0;
        Frame now = oracle.frame(dance.at(t));
        auto link = oracle.linking(now.fine);
        for (int k = 0; k < 45; ++k, ++steps) {
            const double dt = 0.002 * std::pow(1.08, k % 50);
            if (random() % 4 == 0) { // a longer step is tried first, and undone
                guard.test(now.x, oracle.frame(dance.at(t + 2 * dt)).x);
                guard.reject();
            }
            t += dt;
            const Frame next = oracle.frame(dance.at(t));
            const StepVerdict& v = guard.test(now.x, next.x);
            const auto after = oracle.linking(next.fine);
            for (const auto& pair : after) {
                const int jump = pair.second - link.at(pair.first);
                jumps += jump != 0;
                EXPECT_EQ(netOf(v, pair.first.first, pair.first.second), jump)
                    << "seed " << seed << " step " << k;
            }
            now = next;
            link = after;
        }
    }
    EXPECT_GT(jumps, 20); // the test is worth something
    EXPECT_LT(jumps, 10 * steps);
}

// Open yarns, and yarns against themselves: every crossing that there is, and no other; every step
// with a pair below the floor tells the nearest.
TEST(PassGuard, FindsWhatEveryPairOfPiecesFinds) {
    long crossed = 0, clear = 0, close = 0;
    for (unsigned seed = 10; seed < 15; ++seed) {
        Dance dance(6, 17, false, 0.01, 5e-4, seed);
        const Oracle oracle(dance.at(0));
        PassGuard guard(dance.at(0), oracle.layout, {});
        double t = 0;
        Frame now = oracle.frame(dance.at(t));
        for (int k = 0; k < 60; ++k) {
            t += 0.004 * std::pow(1.07, k % 40);
            const Frame next = oracle.frame(dance.at(t));
            const StepVerdict& v = guard.test(now.x, next.x);
            const long truth = oracle.crossings(now.fine, next.fine);
            EXPECT_EQ(v.crossings, truth) << "seed " << seed << " step " << k;
            (truth > 0 ? crossed : clear) += 1;
            const double nearest = oracle.nearest(next.fine);
            if (nearest < 0.3) {
                EXPECT_NEAR(v.nearest.gap, nearest, 1e-6);
                ++close;
            } else {
                EXPECT_EQ(v.nearest.yarnA, -1);
            }
            now = next;
        }
    }
    EXPECT_GT(crossed, 20);
    EXPECT_GT(clear, 20);
    EXPECT_GT(close, 20);
}

// The quick look in single precision never tells more than there is, beyond its tolerance.
TEST(SegmentPairs, QuickDistanceIsTheDistance) {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> uniform(-1, 1);
    const auto point = [&] { return Vec3(uniform(random), uniform(random), uniform(random)); };
    double worst = 0;
    for (int k = 0; k < 200000; ++k) {
        const double size = 2e-3;
        // Every other pair nearly parallel, some within rounding.
        const Vec3 along = point().normalized(), off = 2e-3 * point();
        const double skew = k % 2 ? 1 : std::pow(10, -6 * std::abs(uniform(random)));
        Vec3 q[2][4];
        for (int i = 0; i < 4; ++i) {
            q[0][i] = size * (i - 1) * along + 0.1 * skew * size * point();
            q[1][i] = off + size * (i - 1) * along + skew * size * point();
        }
        FineSegment fine[2];
        NearSegment near[2];
        for (int s = 0; s < 2; ++s) {
            Float4 at[4];
            for (int i = 0; i < 4; ++i)
                at[i].v = V4f{static_cast<float>(q[s][i].x()), static_cast<float>(q[s][i].y()),
                              static_cast<float>(q[s][i].z()), 0};
            near[s] = NearSegment(at);
            for (int p = 0; p <= 4; ++p) {
                const Weights4 w = catmullRom(0.25 * p);
                fine[s].p[p] = w[0] * q[s][0] + w[1] * q[s][1] + w[2] * q[s][2] + w[3] * q[s][3];
            }
        }
        const double exact = SegmentPairs::distance(fine[0], fine[1], 0xffff, 1.0);
        const double quick = SegmentPairs::distance(near[0], near[1], 0xffff, 1.0f);
        double extent = 0;
        for (const auto& side : q)
            for (const Vec3& p : side) extent = std::max(extent, p.cwiseAbs().maxCoeff());
        worst = std::max(worst, std::abs(quick - exact) / extent);
    }
    EXPECT_LT(worst, kNearError); // the guard allows for this and a little more
}

// What is found depends on the step alone: a guard that saw all steps and one made just now agree,
// at any number of threads.
TEST(PassGuard, HasNoMemoryAndNoThreads) {
    Dance dance(6, 40, true, 0.02, 5e-4, 77);
    const Oracle oracle(dance.at(0));
    PassGuard old(dance.at(0), oracle.layout, {});
    Frame now = oracle.frame(dance.at(0));
    for (int k = 1; k < 60; ++k) {
        const Frame next = oracle.frame(dance.at(0.01 * k));
        StepVerdict seen;
        {
            ThreadLimit threads(1 + k % 3);
            seen = old.test(now.x, next.x);
        }
        PassGuard young(dance.at(0), oracle.layout, {});
        const StepVerdict& fresh = young.test(now.x, next.x);
        EXPECT_EQ(seen.crossings, fresh.crossings);
        ASSERT_EQ(seen.passes.size(), fresh.passes.size());
        ASSERT_EQ(seen.fast.size(), fresh.fast.size());
        for (std::size_t i = 0; i < seen.fast.size(); ++i)
            EXPECT_EQ(seen.fast[i].gap, fresh.fast[i].gap);
        EXPECT_EQ(seen.nearest.gap, fresh.nearest.gap);
        now = next;
    }
}

// Cloth that flies and spins as a whole is nowhere near passing, and costs next to nothing.
TEST(PassGuard, RigidMotionIsFree) {
    Curves c;
    for (int y = 0; y < 20; ++y) {
        std::vector<Vec3> x;
        for (int i = 0; i < 60; ++i) x.emplace_back(0.002 * i, 0.0004 * (i % 2), 0.0011 * y);
        c.add(x, false, 5e-4);
    }
    const Oracle oracle(c);
    PassGuard guard(c, oracle.layout, {});
    Padded3 now = padded(oracle.layout, c);
    long examined = 0;
    for (int k = 1; k <= 200; ++k) {
        const Eigen::AngleAxisd turn(0.001 * k, Vec3(1, 2, 3).normalized());
        Curves moved = c;
        for (Vec3& p : moved.x) p = turn * p + Vec3(0.01 * k, 0, 0);
        const Padded3 next = padded(oracle.layout, moved);
        const StepVerdict& v = guard.test(now, next);
        EXPECT_TRUE(v.clear());
        if (k > 1) examined += v.examined;
        now = next;
    }
    EXPECT_LT(examined, 6 * guard.test(now, now).watched);
}

} // namespace purl
