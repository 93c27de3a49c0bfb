#include "purl/integrate/block_damping.h"
#include "purl/integrate/glue.h"
#include "purl/integrate/length.h"

#include <gtest/gtest.h>
#include <numeric>
#include <random>

using namespace purl;

namespace {
Curves line(int n, bool closed, std::mt19937& rng) {
    std::uniform_real_distribution<double> u(-0.2, 0.2);
    Curves c;
    std::vector<Vec3> p;
    for (int i = 0; i < n; ++i) {
        const double a = 2 * M_PI * i / n;
        p.push_back(closed ? Vec3(2 * std::cos(a), 2 * std::sin(a), 0) : Vec3(0.5 * i, 0, 0));
        p.back() += Vec3(u(rng), u(rng), u(rng));
    }
    c.add(p, closed, 0.1);
    return c;
}
double worstStrain(const Curves& rest, const std::vector<Vec3>& x) {
    double w = 0;
    for (Index i = 0; i < rest.edges(0); ++i) {
        const Index j = (i + 1) % rest.size(0);
        w = std::max(w, std::abs((x[j] - x[i]).norm() / (rest.x[j] - rest.x[i]).norm() - 1));
    }
    return w;
}
} // namespace

TEST(LengthProjection, RestoresLengthsQuadraticallyAndKeepsMomentum) { // physics 5.1
    std::mt19937 rng(11);
    std::uniform_real_distribution<double> u(-1, 1);
    for (bool closed : {false, true}) {
        const Curves rest = line(20, closed, rng);
        LengthProjection p(rest, {}, LengthSettings{true, 1e-6, 12});
        std::vector<Vec3> x = rest.x;
        std::vector<double> w(20);
        for (auto& wi : w) wi = 1.5 + u(rng);
        for (auto& q : x) q += 0.02 * Vec3(u(rng), u(rng), u(rng));
        Vec3 before = Vec3::Zero(), after = Vec3::Zero();
        for (int i = 0; i < 20; ++i) before += x[i] / w[i];
        EXPECT_LT(p.project(x, w), 1e-6);
        EXPECT_LE(p.iterations(), 4);
        EXPECT_LT(worstStrain(rest, x), 1e-6);
        for (int i = 0; i < 20; ++i) after += x[i] / w[i];
        EXPECT_LT((after - before).norm(), 1e-12);
    }
}

TEST(LengthProjection, PinnedNodesStay) {
    std::mt19937 rng(12);
    const Curves rest = line(15, false, rng);
    LengthProjection p(rest, {}, LengthSettings{true, 1e-6, 12});
    std::vector<Vec3> x = rest.x;
    std::vector<double> w(15, 1.0);
    w[0] = w[7] = 0;
    x[7] += Vec3(-0.3, 0.1, 0);
    const Vec3 a = x[0], b = x[7];
    EXPECT_LT(p.project(x, w), 1e-6);
    EXPECT_EQ(x[0], a);
    EXPECT_EQ(x[7], b);
}

TEST(LengthProjection, YarnsWeldedEndToEndAreOneChain) {
    // The same zigzag as one yarn and cut into three, welded: the same positions come out.
    std::mt19937 rng(14);
    std::uniform_real_distribution<double> u(-1, 1);
    const Curves whole = line(16, false, rng);
    Curves cut;
    auto piece = [&](int a, int b, bool reversed) {
        std::vector<Vec3> p(whole.x.begin() + a, whole.x.begin() + b + 1);
        if (reversed) std::reverse(p.begin(), p.end());
        cut.add(p, false, 0.1);
    };
    piece(0, 5, false);   // nodes 0..5
    piece(5, 11, true);   // 6..12 holds 11..5
    piece(11, 15, false); // 13..17
    LengthProjection one(whole, {}, LengthSettings{true, 1e-6, 12}), three(cut, {{5, 12}, {6, 13}}, LengthSettings{true, 1e-6, 12});
    EXPECT_EQ(three.chains(), 1);
    EXPECT_TRUE(three.otherWelds().empty());
    std::vector<Vec3> x = whole.x;
    for (auto& q : x) q += 0.03 * Vec3(u(rng), u(rng), u(rng));
    std::vector<Vec3> y(18);
    std::vector<double> wx(16, 1.0), wy(18, 1.0);
    for (int i = 0; i <= 5; ++i) y[i] = x[i];
    for (int i = 0; i <= 6; ++i) y[6 + i] = x[11 - i];
    for (int i = 0; i <= 4; ++i) y[13 + i] = x[11 + i];
    for (int i : {5, 12, 6, 13}) wy[i] = 2; // two halves of the joint's mass
    one.project(x, wx);
    three.project(y, wy);
    for (int i = 0; i <= 5; ++i) EXPECT_LT((y[i] - x[i]).norm(), 1e-9);
    for (int i = 0; i <= 6; ++i) EXPECT_LT((y[6 + i] - x[11 - i]).norm(), 1e-9);
    for (int i = 0; i <= 4; ++i) EXPECT_LT((y[13 + i] - x[11 + i]).norm(), 1e-9);
    // Closed by a third weld it is a ring.
    LengthProjection ring(cut, {{5, 12}, {6, 13}, {17, 0}}, LengthSettings{true, 1e-6, 12});
    EXPECT_EQ(ring.chains(), 1);
    EXPECT_LT(ring.project(y, wy), 1e-6);
    EXPECT_EQ(y[17], y[0]);
}

TEST(Glue, ChainsBecomeOneClusterAtTheMassMean) {
    Glue glue({{1, 4}, {4, 7}, {2, 3}});
    std::vector<Vec3> x;
    for (int i = 0; i < 8; ++i) x.push_back(Vec3(i, i * i, 0));
    std::vector<double> w = {1, 1, 1, 0, 0.5, 1, 1, 0.25};
    glue.project(x, w);
    const Vec3 mean = (Vec3(1, 1, 0) + 2 * Vec3(4, 16, 0) + 4 * Vec3(7, 49, 0)) / 7;
    for (int i : {1, 4, 7}) EXPECT_LT((x[i] - mean).norm(), 1e-12);
    EXPECT_EQ(x[2], Vec3(3, 9, 0)); // to its pinned partner
    EXPECT_EQ(x[3], Vec3(3, 9, 0));
    EXPECT_EQ(x[0], Vec3(0, 0, 0));
}

TEST(BlockDamping, KeepsMomentaAndRigidVelocity) { // physics 5.2: residual momentum 1e-15
    std::mt19937 rng(13);
    std::uniform_real_distribution<double> u(-1, 1);
    std::vector<Vec3> x, v;
    std::vector<double> mass, inverse;
    for (int i = 0; i < 60; ++i) {
        x.push_back(Vec3(u(rng), u(rng), 0.2 * u(rng)));
        v.push_back(Vec3(u(rng), u(rng), u(rng)));
        mass.push_back(1.2 + u(rng));
        inverse.push_back(1 / mass.back());
    }
    DampingSettings s;
    s.proportional = 200;
    s.constant = 0.1;
    BlockDamping d(x, 10, s);
    auto momenta = [&] {
        Eigen::Matrix<double, 6, 1> m = Eigen::Matrix<double, 6, 1>::Zero();
        for (int i = 0; i < 60; ++i) {
            m.head<3>() += mass[i] * v[i];
            m.tail<3>() += mass[i] * x[i].cross(v[i]);
        }
        return m;
    };
    auto kinetic = [&] {
        double e = 0;
        for (int i = 0; i < 60; ++i) e += 0.5 * mass[i] * v[i].squaredNorm();
        return e;
    };
    const auto m0 = momenta();
    const double e0 = kinetic();
    d.apply(x, v, mass, inverse, 1e-3);
    EXPECT_LT((momenta() - m0).norm(), 1e-12);
    EXPECT_LT(kinetic(), e0);
    EXPECT_NEAR(d.removedEnergy(), e0 - kinetic(), 1e-12);
    // Purely rigid motion is untouched; so is a collinear block's.
    for (int line = 0; line < 2; ++line) {
        for (int i = 0; i < 60; ++i) {
            if (line) x[i] = Vec3(0.1 * i, 0.2 * i, 0);
            v[i] = Vec3(1, 2, 3) + Vec3(0.3, -0.2, 0.9).cross(x[i]);
        }
        BlockDamping b(x, 100, s);
        const auto before = v;
        b.apply(x, v, mass, inverse, 1e-3);
        for (int i = 0; i < 60; ++i) EXPECT_LT((v[i] - before[i]).norm(), 1e-9);
    }
}

TEST(BlockDamping, BringsToRestInFiniteTime) {
    std::vector<Vec3> x = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0.1}}, v(4, Vec3::Zero());
    v[3] = Vec3(0, 0, 0.01);
    std::vector<double> m(4, 1.0);
    DampingSettings s;
    s.proportional = 0;
    s.constant = 5;
    BlockDamping d(x, 10, s);
    const double dt = 1e-4;
    double speed = 1;
    int steps = 0;
    for (; steps < 1000 && speed > 1e-14; ++steps) {
        d.apply(x, v, m, m, dt);
        const std::vector<Index> all = {0, 1, 2, 3};
        const RigidVelocity r = rigidFit(all, x, v, m);
        speed = 0;
        for (int i = 0; i < 4; ++i) speed = std::max(speed, (v[i] - r.at(x[i])).norm());
    }
    EXPECT_LE(steps, 0.01 / (5 * dt) + 2); // a deceleration of 5 m/s2 of at most 10 mm/s
}
