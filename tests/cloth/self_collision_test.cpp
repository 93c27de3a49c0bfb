// Whole steps: nothing ever goes through itself, judged by triangle tests that share no code with
// the solver's.
#include "purl/cloth/self_collision.h"

#include "cloth/crumple_sheets.h"
#include "purl/base/hash.h"
#include "purl/base/parallel.h"

#include <gtest/gtest.h>
#include <random>

namespace purl {
namespace {

using test::CrumpleSheet;
using test::flatPlace;

const Vec3 kGravity{0, -9.80665, 0};

std::string pairsText(const CrumpleSheet& s) {
    std::vector<TrianglePair> first;
    const Index n = s.intersections(&first);
    std::string text = std::to_string(n) + " pairs";
    for (const TrianglePair& p : first)
        text += " (" + std::to_string(p.a) + "," + std::to_string(p.b) + ")";
    return text;
}

TEST(SelfCollision, TwoSheetsCrashAtFiveMetresASecond) {
    CrumpleSheet s;
    s.add(20, 20, 0.4, 0.4, [](double a, double b) { return flatPlace(a, b, 0.4, 0.4, 0.03); },
          {0, -5, 0});
    s.add(17, 13, 0.4, 0.4,
          [](double a, double b) {
              const Vec3 p = flatPlace(a, b, 0.4, 0.4, -0.03);
              return Vec3(0.8 * p.x() - 0.6 * p.z(), p.y(), 0.6 * p.x() + 0.8 * p.z());
          },
          {0, 5, 0});
    Vec3 before = Vec3::Zero();
    for (std::size_t i = 0; i < s.v.size(); ++i) before += s.v[i] / s.inverseMass[i];
    SelfCollision self(s.mesh, s.x, {});
    long hits = 0, held = 0;
    for (int step = 0; step < 24; ++step) {
        const SelfCollisionStats st = s.step(self, 1.0 / 96, Vec3::Zero());
        hits += st.hits;
        held += st.scaledPoints;
        ASSERT_EQ(s.intersections(), 0) << "step " << step << ": " << pairsText(s);
        EXPECT_EQ(st.forced, 0);
    }
    EXPECT_GT(hits, 0);
    Vec3 after = Vec3::Zero();
    for (std::size_t i = 0; i < s.v.size(); ++i) after += s.v[i] / s.inverseMass[i];
    if (held == 0) { // impulses and rigid zones keep momentum
        EXPECT_LT((after - before).norm(), 0.02 * 5 * 1e-4 * s.v.size());
    }
    // They did not pass: the first is still above the second wherever both are.
    double upper = 0, lower = 0;
    for (int i = 0; i < 441; ++i) upper += s.x[i].y() / 441;
    for (std::size_t i = 441; i < s.x.size(); ++i) lower += s.x[i].y() / (s.x.size() - 441);
    EXPECT_GT(upper, lower);
}

TEST(SelfCollision, FoldedOntoItself) {
    CrumpleSheet s;
    s.add(40, 12, 0.4, 0.12, [](double a, double b) {
        const double u = 0.4 * (a - 0.5), bend = 0.06; // a U lying on its side
        if (std::abs(u) < bend)
            return Vec3(bend * std::cos(u / bend * M_PI / 2), bend * std::sin(u / bend * M_PI / 2),
                        0.12 * b);
        return Vec3(bend - std::abs(u), u > 0 ? bend : -bend, 0.12 * b);
    });
    SelfCollision self(s.mesh, s.x, {});
    const auto floor = [](std::vector<Vec3>& p) {
        for (Vec3& q : p) q.y() = std::max(q.y(), -0.065);
    };
    long contacts = 0, held = 0;
    for (int step = 0; step < 72; ++step) {
        const SelfCollisionStats st = s.step(self, 1.0 / 96, kGravity, floor);
        contacts += st.contacts;
        held += st.scaledPoints;
        ASSERT_EQ(s.intersections(), 0) << "step " << step << ": " << pairsText(s);
    }
    EXPECT_GT(contacts, 500);
    EXPECT_LT(held, 72 * 20) << "the last resort was the rule";
}

TEST(SelfCollision, CrumpledBetweenPlates) {
    CrumpleSheet s;
    std::mt19937 engine(5);
    std::uniform_real_distribution<double> u(-1, 1);
    s.add(28, 28, 0.3, 0.3, [&](double a, double b) {
        const Vec3 p = flatPlace(a, b, 0.3, 0.3, 0);
        return Vec3(p.x(), 0.02 * std::sin(40 * p.x()) * std::cos(30 * p.z()) + 0.002 * u(engine),
                    p.z());
    });
    SelfCollision self(s.mesh, s.x, {});
    double size = 0.16;
    const auto walls = [&](std::vector<Vec3>& p) {
        for (Vec3& q : p) {
            q.x() = std::clamp(q.x(), -size, size);
            q.z() = std::clamp(q.z(), -size, size);
            q.y() = std::clamp(q.y(), -0.6 * size, 0.6 * size);
        }
    };
    for (int step = 0; step < 60; ++step) {
        size -= 0.0018; // from 16 to 5 cm in 0.6 s
        const SelfCollisionStats st = s.step(self, 1.0 / 96, kGravity, walls);
        ASSERT_EQ(s.intersections(), 0) << "step " << step << ": " << pairsText(s);
        EXPECT_EQ(st.forced, 0);
    }
}

TEST(SelfCollision, APileOfLayers) {
    CrumpleSheet s;
    const int layers = 8;
    for (int k = 0; k < layers; ++k)
        s.add(9 + k % 3, 9, 0.1, 0.1, [&](double a, double b) {
            const Vec3 p = flatPlace(a, b, 0.1, 0.1, 0.004 * (k + 1));
            const double c = std::cos(0.3 * k), q = std::sin(0.3 * k);
            return Vec3(c * p.x() - q * p.z(), p.y(), q * p.x() + c * p.z());
        });
    SelfCollision self(s.mesh, s.x, {});
    const auto floor = [](std::vector<Vec3>& p) {
        for (Vec3& q : p) q.y() = std::max(q.y(), 0.0);
    };
    SelfCollisionStats st;
    for (int step = 0; step < 64; ++step) {
        st = s.step(self, 1.0 / 96, kGravity, floor);
        ASSERT_EQ(s.intersections(), 0) << "step " << step << ": " << pairsText(s);
    }
    double fastest = 0, top = 0;
    for (std::size_t i = 0; i < s.x.size(); ++i) {
        fastest = std::max(fastest, s.v[i].norm());
        top = std::max(top, s.x[i].y());
    }
    EXPECT_LT(fastest, 0.5) << "the pile does not rest";
    EXPECT_LT(top, 0.004 * layers + 0.01);
}

TEST(SelfCollision, NothingPassesWhateverComes) {
    // Ends of the step thrown about at random, far beyond anything a solver would ask for.
    for (int seed = 0; seed < 6; ++seed) {
        CrumpleSheet s;
        s.add(12, 12, 0.12, 0.12, [](double a, double b) {
            const double phi = 9 * a, r = 0.006 + 0.002 * phi;
            return Vec3(r * std::cos(phi), r * std::sin(phi), 0.12 * b);
        });
        std::mt19937 engine(seed);
        std::uniform_real_distribution<double> u(-1, 1);
        ASSERT_EQ(s.intersections(), 0);
        SelfCollision self(s.mesh, s.x, {});
        for (int step = 0; step < 4; ++step) {
            std::vector<Vec3> p = s.x;
            for (Vec3& q : p) q += 0.01 * (1 + seed) * Vec3(u(engine), u(engine), u(engine));
            self.resolve(s.x, p, s.v, s.inverseMass, 1.0 / 96);
            s.x = p;
            ASSERT_EQ(s.intersections(), 0) << seed << " " << step << ": " << pairsText(s);
        }
    }
}

TEST(SelfCollision, PinnedPointsAreNotMovedAndWhatTheyForceIsCounted) {
    CrumpleSheet s;
    s.add(6, 6, 0.06, 0.06, [](double a, double b) { return flatPlace(a, b, 0.06, 0.06, 0.02); });
    s.add(6, 6, 0.06, 0.06, [](double a, double b) { return flatPlace(a, b, 0.05, 0.05, 0); });
    for (int i = 0; i < 49; ++i) s.inverseMass[i] = 0;
    SelfCollision self(s.mesh, s.x, {});
    std::vector<Vec3> p = s.x;
    for (int i = 0; i < 49; ++i) p[i].y() = -0.02; // the pinned sheet pushes the free one down
    const std::vector<Vec3> wanted = p;
    self.resolve(s.x, p, s.v, s.inverseMass, 1.0 / 96);
    for (int i = 0; i < 49; ++i) EXPECT_EQ(p[i], wanted[i]);
    EXPECT_EQ(self.stats().forced, 0);
    EXPECT_EQ(countIntersections(p, s.mesh.triangles), 0);
    for (int i = 49; i < 98; ++i) EXPECT_LT(p[i].y(), -0.02);
    // Now both are pinned: through they go, and it is said.
    for (double& w : s.inverseMass) w = 0;
    p = wanted;
    self.resolve(s.x, p, s.v, s.inverseMass, 1.0 / 96);
    EXPECT_TRUE(p == wanted);
    EXPECT_GT(self.stats().forced, 0);
}

TEST(SelfCollision, FrictionSlowsWhatSlides) {
    const auto slide = [](double friction) {
        CrumpleSheet s;
        s.add(8, 8, 0.2, 0.2, [](double a, double b) { return flatPlace(a, b, 0.2, 0.2, 0); });
        for (double& w : s.inverseMass) w = 0;
        s.add(5, 5, 0.05, 0.05,
              [](double a, double b) { return flatPlace(a, b, 0.05, 0.05, 9e-4); }, {0.3, 0, 0});
        SelfCollisionSettings settings;
        settings.friction = friction;
        SelfCollision self(s.mesh, s.x, settings);
        for (int step = 0; step < 12; ++step) s.step(self, 1.0 / 96, kGravity);
        double speed = 0;
        for (int i = 81; i < 81 + 36; ++i) speed += s.v[i].x() / 36;
        return speed;
    };
    // mu g t = 0.1 * 9.81 / 8 = 0.123 m/s of the 0.3 are lost, and with 0.5 all of it.
    EXPECT_NEAR(slide(0.0), 0.3, 0.01);
    EXPECT_NEAR(slide(0.1), 0.3 - 0.123, 0.04);
    EXPECT_NEAR(slide(0.5), 0, 0.03);
}

TEST(SelfCollision, SameBitsAtEveryThreadCount) {
    const auto run = [](int threads) {
        const ThreadLimit limit(threads);
        CrumpleSheet s;
        for (int k = 0; k < 3; ++k)
            s.add(20, 20, 0.2, 0.2,
                  [&](double a, double b) {
                      const Vec3 p = flatPlace(a, b, 0.2, 0.2, 0.01 * k);
                      return Vec3(p + Vec3(0, 0.004 * std::sin(50 * p.x() + k), 0.01 * k));
                  },
                  {0, k == 2 ? -4.0 : 0.0, 0});
        SelfCollision self(s.mesh, s.x, {});
        Hash hash;
        const auto floor = [](std::vector<Vec3>& p) {
            for (Vec3& q : p) q.y() = std::max(q.y(), -0.02);
        };
        for (int step = 0; step < 16; ++step) s.step(self, 1.0 / 96, kGravity, floor);
        hash.add(s.x);
        hash.add(s.v);
        return hash.value();
    };
    const std::uint64_t one = run(1);
    EXPECT_EQ(run(2), one);
    EXPECT_EQ(run(3), one);
}

TEST(SelfCollision, NonFinitePositionsAreLeftAlone) {
    CrumpleSheet s;
    s.add(4, 4, 0.1, 0.1, [](double a, double b) { return flatPlace(a, b, 0.1, 0.1, 0); });
    SelfCollision self(s.mesh, s.x, {});
    std::vector<Vec3> p = s.x;
    p[3].x() = std::nan("");
    self.resolve(s.x, p, s.v, s.inverseMass, 0.01);
    EXPECT_TRUE(std::isnan(p[3].x()));
    EXPECT_EQ(p[4], s.x[4]);
}

TEST(SelfCollision, ThicknessIsLessWhereTrianglesAreSmall) {
    CrumpleSheet s;
    s.add(10, 10, 0.01, 0.01, [](double a, double b) { return flatPlace(a, b, 0.01, 0.01, 0); });
    SelfCollisionSettings settings;
    settings.thickness = 0.005; // five edges
    SelfCollision self(s.mesh, s.x, settings);
    EXPECT_EQ(self.limitedPoints(), s.mesh.points);
    EXPECT_NEAR(self.thicknessAt(60), 0.5 * 1e-3 / std::sqrt(2.0), 1e-12);
    std::vector<Vec3> p = s.x; // so a flat sheet does not burst
    self.resolve(s.x, p, s.v, s.inverseMass, 0.01);
    EXPECT_TRUE(p == s.x);
    EXPECT_EQ(self.stats().contacts, 0);
}

} // namespace
} // namespace purl
