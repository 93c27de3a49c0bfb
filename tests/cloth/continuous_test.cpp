// The continuous tests against sampling in time, on thousands of random and degenerate motions.
#include "purl/cloth/continuous.h"

#include <gtest/gtest.h>
#include <random>

namespace purl {
namespace {

// Distance by brute force: both features sampled finely, then refined around the best.
double sampledDistance(FeaturePair kind, const Vec3* x) {
    const int n = 24;
    const auto at = [&](double s, double t) {
        if (kind == FeaturePair::EdgeEdge)
            return ((1 - s) * x[0] + s * x[1] - (1 - t) * x[2] - t * x[3]).norm();
        if (s + t > 1) {
            const double over = (s + t - 1) / 2;
            s -= over;
            t -= over;
        }
        s = std::clamp(s, 0.0, 1.0);
        t = std::clamp(t, 0.0, 1.0 - s);
        return (x[0] - (1 - s - t) * x[1] - s * x[2] - t * x[3]).norm();
    };
    double best = 1e300, bs = 0, bt = 0;
    double width = 0.5, cs = 0.5, ct = 0.5;
    for (int level = 0; level < 8; ++level) {
        for (int i = 0; i <= n; ++i)
            for (int j = 0; j <= n; ++j) {
                const double s = std::clamp(cs + width * (2.0 * i / n - 1), 0.0, 1.0);
                const double t = std::clamp(ct + width * (2.0 * j / n - 1), 0.0, 1.0);
                const double d = at(s, t);
                if (d < best) {
                    best = d;
                    bs = s;
                    bt = t;
                }
            }
        cs = bs;
        ct = bt;
        width *= 0.35;
    }
    return best;
}

struct Random {
    std::mt19937 engine{7};
    double operator()(double lo, double hi) {
        return std::uniform_real_distribution<double>(lo, hi)(engine);
    }
    Vec3 point(double r) { return {(*this)(-r, r), (*this)(-r, r), (*this)(-r, r)}; }
};

TEST(ClothClosest, AgreesWithSampling) {
    Random random;
    for (int i = 0; i < 400; ++i) {
        Vec3 x[4];
        for (Vec3& p : x) p = random.point(1);
        if (i % 5 == 1) x[3] = x[2] + 1e-9 * random.point(1);            // a sliver
        if (i % 5 == 2) x[3] = x[2] + (x[1] - x[0]) * random(-1, 1);     // parallel edges
        if (i % 5 == 3) x[3] = x[2];                                     // no edge at all
        if (i % 5 == 4) x[3] = x[1] + (x[2] - x[1]) * random(-1.5, 1.5); // a face without area
        for (FeaturePair kind : {FeaturePair::VertexFace, FeaturePair::EdgeEdge}) {
            const Closest c = closest(kind, x);
            const double d = std::sqrt(c.squared);
            EXPECT_NEAR(d, sampledDistance(kind, x), 2e-4 + 1e-3 * d) << i;
            EXPECT_NEAR(weighted(c.weight, x).norm(), d, 1e-12);
            double sum = 0;
            for (double w : c.weight) sum += w;
            EXPECT_NEAR(sum, 0, 1e-12);
        }
    }
}

struct Event {
    Vec3 a[4], b[4];
};

// The least distance on the way, from many times and a refinement around the best of them.
double leastOnTheWay(FeaturePair kind, const Event& e) {
    const auto at = [&](double t) {
        Vec3 x[4];
        for (int i = 0; i < 4; ++i) x[i] = (1 - t) * e.a[i] + t * e.b[i];
        return std::sqrt(closest(kind, x).squared);
    };
    double best = 1e300, bt = 0;
    const int n = 400;
    for (int i = 0; i <= n; ++i)
        if (const double d = at(double(i) / n); d < best) {
            best = d;
            bt = double(i) / n;
        }
    for (double width = 1.0 / n; width > 1e-9; width *= 0.5)
        for (double t : {bt - width, bt + width})
            if (t >= 0 && t <= 1)
                if (const double d = at(t); d < best) {
                    best = d;
                    bt = t;
                }
    return best;
}

TEST(ClothContinuous, NoMeetingIsMissedAndNoneIsInvented) {
    Random random;
    int hits = 0, misses = 0;
    for (int i = 0; i < 6000; ++i) {
        Event e;
        const double spread = 0.02;
        for (int k = 0; k < 4; ++k) {
            e.a[k] = random.point(spread);
            e.b[k] = e.a[k] + random.point(i % 3 == 0 ? 0.05 : 0.01);
        }
        switch (i % 8) {
        case 1: // everything in one plane, always
            for (int k = 0; k < 4; ++k) e.a[k].y() = e.b[k].y() = 0;
            break;
        case 2: // a flat layer that falls on another
            for (int k = 0; k < 4; ++k) {
                e.a[k].y() = k < 2 ? 0.01 : 0;
                e.b[k] = e.a[k] + Vec3(0, k < 2 ? -0.02 : 0, 0);
            }
            break;
        case 3: // parallel edges
            e.a[3] = e.a[2] + e.a[1] - e.a[0];
            e.b[3] = e.b[2] + e.b[1] - e.b[0];
            break;
        case 4: // a fast common motion on top
            for (int k = 0; k < 4; ++k) e.b[k] += Vec3(3, -2, 1);
            break;
        case 5: // exactly through a corner
            e.b[0] = 2 * e.a[1] - e.a[0];
            e.b[1] = e.a[1];
            break;
        case 6: // sliding along, a hair above
            for (int k = 0; k < 4; ++k) e.a[k].y() = k < 2 ? 3e-4 : 0;
            for (int k = 0; k < 4; ++k) e.b[k] = e.a[k] + Vec3(k < 2 ? 0.03 : 0, 0, 0);
            break;
        default:
            break;
        }
        const double h = 1e-3;
        for (FeaturePair kind : {FeaturePair::VertexFace, FeaturePair::EdgeEdge}) {
            const double start = std::sqrt(closest(kind, e.a).squared);
            const Meeting m = meet(kind, e.a, e.b, h);
            if (start < 1e-11) {
                EXPECT_EQ(m.kind, Meeting::Kind::Touching);
                continue;
            }
            const double least = leastOnTheWay(kind, e), keep = keptSeparation(start, h);
            ASSERT_LT(keep, start);
            if (m.kind == Meeting::Kind::None) {
                EXPECT_GE(least, keep * (1 - 1e-9)) << i << " case " << i % 8;
                ++misses;
            } else {
                EXPECT_LE(least, 1.1001 * keep) << i << " case " << i % 8;
                EXPECT_NEAR(m.normal.norm(), 1, 1e-9);
                Vec3 x[4];
                for (int k = 0; k < 4; ++k) x[k] = (1 - m.time) * e.a[k] + m.time * e.b[k];
                EXPECT_GE(std::sqrt(closest(kind, x).squared), keep * (1 - 1e-6));
                ++hits;
            }
        }
    }
    EXPECT_GT(hits, 1000);
    EXPECT_GT(misses, 1000);
}

TEST(ClothContinuous, ATinyGapIsKeptForEver) {
    // Pressed together step after step without any answer, the gap shrinks but never closes.
    Vec3 a[4] = {{0.2, 1e-4, 0.2}, {0, 0, 0}, {1, 0, 0}, {0, 0, 1}};
    for (int step = 0; step < 200; ++step) {
        Vec3 b[4] = {a[0] - Vec3(0, 0.01, 0), a[1], a[2], a[3]};
        const Meeting m = meet(FeaturePair::VertexFace, a, b, 1e-3);
        ASSERT_EQ(m.kind, Meeting::Kind::Hit) << step;
        a[0] += m.time * (b[0] - a[0]);
        ASSERT_GT(a[0].y(), 0) << step;
    }
    EXPECT_LT(a[0].y(), 1e-6);
}

} // namespace
} // namespace purl
