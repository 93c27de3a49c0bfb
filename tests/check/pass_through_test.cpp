#include "purl/check/pass_through.h"

#include "check/shapes.h"

#include <gtest/gtest.h>

using namespace purl;
using namespace purl::shapes;

namespace {

Index passes(const CheckReport& r) { return r.count(FindingKind::PassThrough); }
Index doubts(const CheckReport& r) { return r.count(FindingKind::Doubtful); }
std::string told(const CheckReport& r) {
    std::string s;
    for (const Finding& f : r.findings) s += f.text + "\n";
    return s;
}

constexpr double kD = 0.002; // m, thickness of the yarns here

// Yarn 0 along x at height z, yarn 1 along (cos, sin) of the angle at 0; `half` is half their
// length.
Curves cross(double z, double degrees, double half = 0.02, Vec3 shift = Vec3::Zero(),
             int points = 21) {
    Curves c;
    const double a = degrees * kPi / 180;
    const Vec3 d(std::cos(a), std::sin(a), 0);
    addYarn(c, line(Vec3(-half, 0, z) + shift, Vec3(half, 0, z) + shift, points), false, kD / 2);
    addYarn(c, line(-half * d, half * d, points), false, kD / 2);
    return c;
}

} // namespace

TEST(PassThrough, TwoYarnsDrivenThroughEachOtherAreToldOnceWithPlace) {
    for (int steps : {1, 2, 3, 7, 20}) { // 2 and 20 have a frame in which the yarns meet exactly
        const Vec3 shift(0.004, 0, 0);
        const auto r =
            judge(between(cross(kD, 90, 0.02, shift), cross(-kD, 90, 0.02, shift), steps));
        ASSERT_EQ(passes(r), 1) << steps << " steps\n" << told(r);
        EXPECT_EQ(doubts(r), 0);
        const Finding& f =
            *std::find_if(r.findings.begin(), r.findings.end(),
                          [](const Finding& g) { return g.kind == FindingKind::PassThrough; });
        EXPECT_EQ(f.yarnA, 0);
        EXPECT_EQ(f.yarnB, 1);
        EXPECT_NEAR(f.uA, 0.4, 1e-3);
        EXPECT_NEAR(f.uB, 0.5, 1e-3);
        EXPECT_EQ(f.frameBefore, f.frame - 1);
        EXPECT_LE(std::abs(f.frame - (1 + steps / 2.0)), 1.0);
        EXPECT_FALSE(r.clean());
    }
}

TEST(PassThrough, ADiameterFromAnEndIsAPassAndATipsWidthADoubt) {
    for (double way : {3.0, 1.0, 0.4}) { // diameters from yarn 0's end
        const Vec3 shift(-0.02 + way * kD, 0, 0);
        const auto r = judge({cross(0.3 * kD, 80, 0.02, shift), cross(-0.3 * kD, 80, 0.02, shift)});
        EXPECT_EQ(passes(r), 1) << way << "\n" << told(r);
    }
    const Vec3 tip(-0.02 + 0.1 * kD, 0, 0);
    const auto r = judge({cross(0.5 * kD, 80, 0.02, tip), cross(-0.5 * kD, 80, 0.02, tip)});
    EXPECT_EQ(passes(r), 0) << told(r);
    EXPECT_EQ(doubts(r), 1) << told(r);
}

// Exactly side by side the linking does not change, whichever way they went.
TEST(PassThrough, ParallelYarnsThroughEachOtherAreADoubt) {
    const auto r = judge({cross(0.5 * kD, 0, 0.02), cross(-0.5 * kD, 0, 0.02)});
    EXPECT_EQ(passes(r), 0) << told(r);
    EXPECT_GE(doubts(r), 1) << told(r);
}

TEST(PassThrough, ExactlyAtAVertexOrAlongAxesIsOnePass) {
    for (int pa : {20, 21})
        for (int pb : {20, 21}) { // 21 points have one at the crossing itself
            Curves a, b;
            addYarn(a, line({-0.02, 0, kD}, {0.02, 0, kD}, pa), false, kD / 2);
            addYarn(a, line({0, -0.02, 0}, {0, 0.02, 0}, pb), false, kD / 2);
            b = a;
            for (int i = 0; i < pa; ++i) b.x[i][2] = -kD;
            const auto r = judge({a, b});
            EXPECT_EQ(passes(r), 1) << pa << " and " << pb << " points\n" << told(r);
        }
}

TEST(PassThrough, NearlyParallelYarnsAreOnePass) {
    std::mt19937 rng(8);
    std::normal_distribution<double> normal;
    for (int trial = 0; trial < 60; ++trial) {
        const double degrees = 3 + 0.2 * trial;
        Curves a = cross(0.6 * kD, degrees, 20 * kD, Vec3::Zero(), 61);
        Curves b = cross(-0.6 * kD, degrees, 20 * kD, Vec3::Zero(), 61);
        for (std::size_t i = 0; i < a.x.size(); ++i) {
            const Vec3 wave = 0.05 * kD * Vec3(0, normal(rng), normal(rng));
            a.x[i] += wave;
            b.x[i] += wave + 0.02 * kD * Vec3(0, normal(rng), normal(rng));
        }
        const auto r = judge({a, b});
        EXPECT_EQ(passes(r), 1) << degrees << " degrees\n" << told(r);
    }
}

TEST(PassThrough, ALoopPulledThroughAYarnIsTwoPasses) {
    for (double width : {1.0, 1.5, 3.0}) { // of the thickness, between the legs
        Curves a;
        addYarn(a, line({-0.03, 0, 0}, {0.03, 0, 0}, 41), false, kD / 2);
        std::vector<Vec3> bight; // two legs along y, tip beyond the straight yarn
        const double half = 0.5 * width * kD;
        for (int i = 0; i < 12; ++i) bight.emplace_back(-half, -0.02 + 0.002 * i, kD);
        for (int i = 0; i <= 8; ++i)
            bight.emplace_back(-half * std::cos(kPi * i / 8), 0.004 + half * std::sin(kPi * i / 8),
                               kD);
        for (int i = 11; i >= 0; --i) bight.emplace_back(half, -0.02 + 0.002 * i, kD);
        addYarn(a, bight, false, kD / 2);
        Curves b = a;
        for (std::size_t i = 41; i < b.x.size(); ++i) b.x[i][2] = -kD;
        for (int steps : {1, 5}) {
            const auto r = judge(between(a, b, steps));
            EXPECT_EQ(passes(r), 2) << width << " wide\n" << told(r);
        }
    }
}

TEST(PassThrough, AYarnThroughItselfIsTold) {
    const auto loop = [](double z) { // the strands t = -1 and t = 1 cross, at heights -z and z
        std::vector<Vec3> x;
        for (int i = 0; i <= 60; ++i) {
            const double t = -1.6 + 3.2 * i / 60;
            x.emplace_back(0.01 * t * t, 0.01 * t * (t * t - 1), z * t);
        }
        Curves c;
        addYarn(c, x, false, kD / 2);
        return c;
    };
    const auto r = judge(between(loop(0.4 * kD), loop(-0.4 * kD), 4));
    EXPECT_EQ(passes(r), 1) << told(r);
}

TEST(PassThrough, GoingRoundTheEndOfAYarnIsNone) {
    const auto at = [](double x, double z) { return cross(z, 90, 0.02, Vec3(x, 0, 0)); };
    // The tip of yarn 0 draws back, the yarn goes down beyond it and comes forward again.
    std::vector<Curves> frames;
    for (int i = 0; i <= 10; ++i) frames.push_back(at(-0.0021 * i, kD));
    for (int i = 0; i <= 10; ++i)
        frames.push_back(at(-0.021 - kD * std::sin(kPi * i / 10), kD * std::cos(kPi * i / 10)));
    for (int i = 10; i >= 0; --i) frames.push_back(at(-0.0021 * i, -kD));
    const auto r = judge(frames);
    EXPECT_EQ(passes(r), 0) << told(r);
    EXPECT_EQ(doubts(r), 0);
}

// 400 events of two closed yarns, judged against the integer linking number before and after.
TEST(PassThrough, AgreesWithTheLinkingNumberOfClosedYarns) {
    std::mt19937 rng(1);
    std::uniform_real_distribution<double> u(-1, 1);
    std::normal_distribution<double> normal;
    constexpr double size = 0.012;
    int changed = 0, same = 0;
    for (int trial = 0; trial < 3000 && (changed < 250 || same < 150); ++trial) {
        Curves a;
        addYarn(a, wavyRing(rng, size, 24, 0.1), true, kD / 2);
        auto other = wavyRing(rng, size * (1 + 0.5 * u(rng)), 24, 0.1);
        const auto turn = randomTurn(rng);
        const Vec3 shift = 1.2 * size * Vec3(u(rng), u(rng), u(rng));
        for (Vec3& p : other) p = turn * p + shift;
        addYarn(a, other, true, kD / 2);
        Curves b = a;
        const Vec3 move =
            2 * kD * u(rng) * Vec3(normal(rng), normal(rng), normal(rng)).normalized();
        const Eigen::Quaterniond roll(Eigen::AngleAxisd(
            0.15 * u(rng), Vec3(normal(rng), normal(rng), normal(rng)).normalized()));
        for (Index i = 24; i < 48; ++i) b.x[i] = shift + roll * (a.x[i] - shift) + move;
        const int before = linkingNumber(dense(a, 0), dense(a, 1));
        const int after = linkingNumber(dense(b, 0), dense(b, 1));
        (before != after ? changed : same)++;
        // The same for all frames moving as one body, which must not matter.
        const auto whole = randomTurn(rng);
        const Curves c = moved(b, [&](const Vec3& p) -> Vec3 {
            return Eigen::Quaterniond::Identity().slerp(0.2, whole) * p + Vec3(0, -0.3, 0.1);
        });
        const auto r = judge({a, b}), s = judge({a, c});
        EXPECT_EQ(passes(r) % 2 == 1, (after - before) % 2 != 0) << trial << "\n" << told(r);
        if (before != after) {
            EXPECT_GE(passes(r), 1) << told(r);
        }
        EXPECT_EQ(passes(s) % 2, passes(r) % 2) << trial << "\n" << told(s);
    }
    EXPECT_GE(changed, 200);
    EXPECT_GE(same, 100);
}
