// Motions in which no yarn goes through another: the judge must be silent.
#include "check/shapes.h"
#include "purl/base/hash.h"
#include "purl/base/parallel.h"

#include <gtest/gtest.h>

using namespace purl;
using namespace purl::shapes;

namespace {

constexpr double kU = 0.001; // m, the unit of the knit: loops 6.3 mm wide, thickness 0.9 mm

void expectSilent(const CheckReport& r) {
    EXPECT_EQ(r.count(FindingKind::PassThrough), 0);
    EXPECT_EQ(r.count(FindingKind::Doubtful), 0);
    EXPECT_EQ(r.count(FindingKind::YarnsCross), 0);
    for (std::size_t i = 0; i < r.findings.size() && i < 5; ++i)
        if (r.findings[i].kind != FindingKind::Length) ADD_FAILURE() << r.findings[i].text;
}

} // namespace

TEST(FalseAlarm, FreeFallAndTurningAsOneBody) {
    const Curves c = knit(12, 12, kU);
    std::vector<Curves> frames;
    for (int f = 0; f < 8; ++f) {
        const Eigen::AngleAxisd turn(f * kPi / 6,
                                     Vec3(1, 2, -1).normalized()); // 30 degrees a frame
        frames.push_back(moved(c, [&](const Vec3& p) -> Vec3 {
            return turn * p + Vec3(0.003 * f, -0.01 * f * f, 0);
        }));
    }
    const auto r = judge(frames);
    expectSilent(r);
    EXPECT_LT(std::abs(r.lengths[r.worstYarn].change), 1e-12);
    EXPECT_TRUE(r.clean());
}

TEST(FalseAlarm, SmoothRandomDeformationOfAKnit) {
    std::mt19937 rng(9);
    std::normal_distribution<double> normal;
    for (int trial = 0; trial < 4; ++trial) {
        // A smooth field of displacement, tens of diameters large, that folds nothing over.
        Vec3 k[4], d[4];
        double phase[4];
        for (int i = 0; i < 4; ++i) {
            k[i] = 60 * Vec3(normal(rng), normal(rng), normal(rng));
            d[i] = 0.0015 * Vec3(normal(rng), normal(rng), normal(rng));
            phase[i] = normal(rng);
        }
        std::vector<Curves> frames;
        for (int f = 0; f < 12; ++f)
            frames.push_back(moved(knit(16, 16, kU), [&](const Vec3& p) -> Vec3 {
                Vec3 x = p + Vec3(0, 0, -0.008 * f);
                for (int i = 0; i < 4; ++i) x += d[i] * std::sin(k[i].dot(p) + phase[i] + 0.5 * f);
                return x;
            }));
        expectSilent(judge(frames));
    }
}

// A course drawn along its own path through its neighbours, as in ravelling: pure sliding.
TEST(FalseAlarm, ACourseSlidingAlongItsPathThroughTheOthers) {
    for (double step : {0.02, 0.1, 0.2}) { // of a radian; 0.2 is about one yarn diameter a frame
        std::vector<Curves> frames;
        for (int f = 0; f < 25; ++f) {
            Curves c = knit(5, 8, kU);
            for (Index i = c.first[2]; i < c.first[3]; ++i) {
                const double t = 2 * kPi * (i - c.first[2]) / 8.0 + step * f;
                c.x[i] =
                    kU * Vec3(t + 1.5 * std::sin(2 * t), 4 * std::cos(t) + 10, -std::cos(2 * t));
            }
            frames.push_back(c);
        }
        expectSilent(judge(frames));
    }
}

// A ring hooked over a straight yarn runs along it, swings round it and spins.
TEST(FalseAlarm, SlidingAlongContactRoundAYarn) {
    std::vector<Curves> frames;
    for (int f = 0; f < 40; ++f) {
        Curves c;
        addYarn(c, line({-0.05, 0, 0}, {0.05, 0, 0}, 60), false, 0.001);
        std::vector<Vec3> ring;
        const Eigen::AngleAxisd swing(0.3 * f, Vec3::UnitX());
        for (int i = 0; i < 32;
             ++i) { // hangs on the yarn by its inner side, centre lines 2 mm apart
            const double t = 2 * kPi * i / 32 + 0.25 * f;
            ring.push_back(swing * Vec3(0, 0.006 * std::cos(t), 0.004 + 0.006 * std::sin(t)) +
                           Vec3(-0.04 + 0.002 * f, 0, 0));
        }
        addYarn(c, ring, true, 0.001);
        frames.push_back(c);
    }
    expectSilent(judge(frames));
}

// Faster than frames can follow: a pull round a hook by several diameters a frame cuts the corner.
// It may be doubted, but never called a pass.
TEST(FalseAlarm, AFastPullRoundAHookIsNeverAPass) {
    const double d = 0.002;
    for (double step : {0.5, 1.0, 2.0, 3.0, 4.0}) { // diameters a frame
        std::vector<Curves> frames;
        for (int f = 0; f < 12; ++f) {
            Curves c;
            addYarn(c, line({0, 0, -0.03}, {0, 0, 0.03}, 40), false, d / 2);
            std::vector<Vec3>
                x; // along x at y = -d, a half turn of radius d round the hook, and back
            for (int i = 0; i < 60; ++i) {
                const double s = -0.04 + 0.4 * d * i + step * d * f;
                if (s < 0)
                    x.emplace_back(s, -d, 0);
                else if (s < kPi * d)
                    x.emplace_back(d * std::sin(s / d), -d * std::cos(s / d), 0);
                else
                    x.emplace_back(-(s - kPi * d), d, 0);
            }
            addYarn(c, x, false, d / 2);
            frames.push_back(c);
        }
        const auto r = judge(frames);
        EXPECT_EQ(r.count(FindingKind::PassThrough), 0) << step << " diameters a frame";
        if (step <= 1) {
            EXPECT_EQ(r.count(FindingKind::Doubtful), 0) << step;
        }
    }
}

TEST(FalseAlarm, AnswersAreTheSameAtEveryThreadCount) {
    std::vector<Curves> frames; // with real passes in it: a row pressed through the next
    for (int f = 0; f < 4; ++f) {
        Curves c = knit(10, 10, kU);
        for (Index i = c.first[4]; i < c.first[5]; ++i) c.x[i][2] += 0.0007 * f;
        frames.push_back(c);
    }
    std::vector<std::string> answers;
    Index found = 0;
    for (int threads : {1, 2, 3, 8}) {
        ThreadLimit limit(threads);
        const auto r = judge(frames);
        Hash hash;
        for (const Finding& f : r.findings) {
            hash.bytes(f.text.data(), f.text.size());
            for (double v : {f.uA, f.uB, f.value}) hash.add(v);
        }
        for (double v : {r.deepest.ratio, r.deepest.uA, r.deepest.uB, r.worstEdge.strain})
            hash.add(v);
        answers.push_back(hexHash(hash.value()));
        found = r.count(FindingKind::PassThrough);
    }
    EXPECT_GT(found, 10);
    for (const auto& a : answers) EXPECT_EQ(a, answers[0]);
}
