#include "purl/rod/rod.h"

#include "purl/geometry/transport.h"
#include "purl/rod/vertex_energy.h"

#include <gtest/gtest.h>
#include <random>

using namespace purl;

namespace {

Curves wavyYarns(bool closed, int n, std::mt19937& rng) {
    std::uniform_real_distribution<double> u(-0.2, 0.2);
    Curves c;
    for (int y = 0; y < 3; ++y) {
        std::vector<Vec3> p;
        for (int i = 0; i < n + y; ++i) {
            const double a = 2 * M_PI * i / (n + y);
            p.push_back(closed ? Vec3(3 * std::cos(a), 3 * std::sin(a), 0.5 * std::sin(3 * a))
                               : Vec3(i, std::sin(0.7 * i), 0.3 * std::cos(1.1 * i)));
            p.back() += Vec3(u(rng), u(rng), u(rng));
        }
        c.add(p, closed, 0.1);
    }
    return c;
}

struct Moved {
    Curves curves;
    Rods rods;
    Padded3 x;
    Moved(const Curves& rest, std::mt19937& rng, double size) : curves(rest) {
        Material m;
        m.bendStiffness = 0.8;
        m.twistStiffness = 0.5;
        m.plasticRadius = 0;
        rods = Rods(rest, std::vector<Material>(rest.yarns(), m));
        std::uniform_real_distribution<double> u(-size, size);
        for (auto& p : curves.x) p += Vec3(u(rng), u(rng), u(rng));
        x.resize(rods.layout().padded() + 4);
        for (Index y = 0; y < rest.yarns(); ++y)
            scatter(rods.layout(), curves.x, curves.first[y], y, x);
    }
};

// Sum of the reference trio over all vertices, with the frames that the rods hold.
template <class Visit>
void overVertices(const Moved& m, const Curves& rest, Visit&& visit) {
    const Layout& l = m.rods.layout();
    for (Index y = 0; y < l.yarns(); ++y)
        for (Index i = 0; i < l.size[y]; ++i) {
            const bool end = i == 0 || i == l.size[y] - 1;
            if (!l.closed[y] && end) continue;
            visit(y, l.base[y] + 1 + i);
        }
    (void)rest;
}

} // namespace

class RodForce : public ::testing::TestWithParam<bool> {};

TEST_P(RodForce, BatchedForceIsTheReferenceGradient) {
    std::mt19937 rng(7);
    const Curves rest = wavyYarns(GetParam(), 13, rng);
    Moved m(rest, rng, 0.15);
    m.rods.place(m.x);
    Padded3 f;
    f.resize(m.rods.layout().padded() + 4);
    m.rods.force(f);

    // The same rest shape seen through independent code: half of the natural curvature.
    Material mat;
    Padded3 xr, ref;
    xr.resize(m.rods.layout().padded());
    ref.resize(m.rods.layout().padded());
    Rods fresh(rest, std::vector<Material>(rest.yarns(), mat));
    for (Index y = 0; y < rest.yarns(); ++y) scatter(fresh.layout(), rest.x, rest.first[y], y, xr);
    double energy = 0;
    overVertices(m, rest, [&](Index y, Index s) {
        const Layout& l = m.rods.layout();
        RodVertex r;
        r.tangentE = m.rods.tangent(s - 1);
        r.tangentF = m.rods.tangent(s);
        r.directorE = m.rods.director(s - 1);
        r.directorF = m.rods.director(s);
        r.refTwist = m.rods.twist(s);
        const Vec3 te = fresh.tangent(s - 1), tf = fresh.tangent(s);
        const Vec3 kb = 2 * te.cross(tf) / (1 + te.dot(tf));
        const Vec3 d0 = fresh.director(s - 1), d1 = fresh.director(s);
        r.restE = 0.5 * Vec2(te.cross(d0).dot(kb), -d0.dot(kb));
        r.restF = 0.5 * Vec2(tf.cross(d1).dot(kb), -d1.dot(kb));
        r.restTwist = fresh.twist(s);
        r.length = (xr.at(s) - xr.at(s - 1)).norm() + (xr.at(s + 1) - xr.at(s)).norm();
        r.bendStiffness = 0.8;
        r.twistStiffness = 0.5;
        Vec11 q = Vec11::Zero();
        for (int k = 0; k < 3; ++k) q.segment<3>(3 * k) = m.x.at(s - 1 + k);
        energy += vertexEnergy(r, q);
        const Vec11 g = vertexGradient(r, q);
        for (int k = 0; k < 3; ++k) {
            Index t = s - 1 + k;
            if (l.closed[y]) t = l.base[y] + 1 + (t - l.base[y] - 1 + l.size[y]) % l.size[y];
            ref.add(t, -g.segment<3>(3 * k));
        }
    });
    EXPECT_NEAR(m.rods.bendEnergy() + m.rods.twistEnergy(), energy, 1e-10 * energy);
    double scale = 0, error = 0;
    Vec3 net = Vec3::Zero();
    for (Index s : m.rods.layout().slotOf) {
        scale = std::max(scale, ref.at(s).norm());
        error = std::max(error, (ref.at(s) - f.at(s)).norm());
        net += f.at(s);
    }
    EXPECT_LT(error, 1e-10 * scale);
    EXPECT_LT(net.norm(), 1e-12 * scale * rest.points());
}

TEST_P(RodForce, SolvedAnglesMinimiseEnergy) {
    std::mt19937 rng(8);
    const Curves rest = wavyYarns(GetParam(), 12, rng);
    Moved m(rest, rng, 0.2);
    m.rods.place(m.x);
    const double e = m.rods.bendEnergy() + m.rods.twistEnergy();
    m.rods.place(m.x); // a second solve from the solution changes nothing
    EXPECT_NEAR(m.rods.bendEnergy() + m.rods.twistEnergy(), e, 1e-9 * e);
    // Turning any one director by hand costs energy.
    for (Index s = 2; s < 8; ++s)
        for (double w : {-0.02, 0.02}) {
            Rods turned = m.rods;
            const Vec3 t = turned.tangent(s), d = turned.director(s);
            turned.clamp(s, std::cos(w) * d + std::sin(w) * t.cross(d));
            turned.place(m.x);
            EXPECT_GT(turned.bendEnergy() + turned.twistEnergy(), e);
        }
}

INSTANTIATE_TEST_SUITE_P(OpenAndClosed, RodForce, ::testing::Values(false, true));

TEST(Rod, RigidMotionKeepsEnergyAndTwist) {
    std::mt19937 rng(9);
    const Curves rest = wavyYarns(false, 20, rng);
    Moved m(rest, rng, 0.1);
    m.rods.place(m.x);
    const double e = m.rods.bendEnergy() + m.rods.twistEnergy();
    std::vector<Vec3> start = m.curves.x;
    for (int k = 1; k <= 40; ++k) { // a full turn in steps, and a drift
        const Mat3 r = Eigen::AngleAxisd(2 * M_PI * k / 40, Vec3(1, 2, -0.5).normalized()).matrix();
        std::vector<Vec3> moved = start;
        for (auto& p : moved) p = r * p + Vec3(0.1 * k, 0, 0);
        for (Index y = 0; y < rest.yarns(); ++y)
            scatter(m.rods.layout(), moved, rest.first[y], y, m.x);
        m.rods.settle(m.x);
    }
    EXPECT_NEAR(m.rods.bendEnergy() + m.rods.twistEnergy(), e, 1e-9 * e);
}

TEST(Rod, UniformTwistGivesTheClosedFormTorque) { // oracle 7
    Curves c;
    std::vector<Vec3> p;
    for (int i = 0; i <= 30; ++i) p.push_back(Vec3(0.1 * i + 0.03 * std::sin(i), 0, 0));
    c.add(p, false, 0.01);
    Material mat;
    mat.twistStiffness = 0.3;
    mat.bendStiffness = 1;
    Rods rods(c, {mat});
    rods.setAngleTolerance(1e-12);
    Padded3 x;
    x.resize(rods.layout().padded() + 4);
    scatter(rods.layout(), c.x, 0, 0, x);
    const Index e0 = 1, e1 = 30;
    const double total = 7.5; // more than a full turn: the unwrapping counts
    const Vec3 d0 = rods.director(e0), d1 = rods.director(e1), t = Vec3::UnitX();
    rods.clamp(e0, d0);
    for (int k = 1; k <= 100; ++k) {
        const double a = total * k / 100;
        rods.clamp(e1, std::cos(a) * d1 + std::sin(a) * t.cross(d1));
        rods.settle(x);
    }
    rods.place(x);
    double length = 0;
    for (Index s = e0 + 1; s <= e1; ++s) length += 0.5 * (rods.restLength(s - 1) + rods.restLength(s));
    double sum = 0;
    for (Index s = e0 + 1; s <= e1; ++s) {
        const double l = 0.5 * (rods.restLength(s - 1) + rods.restLength(s));
        const double torque = 0.3 * rods.twist(s) / l;
        EXPECT_NEAR(torque, 0.3 * total / length, 1e-10 * 0.3 * total / length);
        sum += rods.twist(s);
    }
    EXPECT_NEAR(sum, total, 1e-10);
    EXPECT_NEAR(rods.twistEnergy(), 0.5 * 0.3 * total * total / length, 1e-9);
}

TEST(Rod, PlasticityKeepsItsTwoRadii) {
    Curves c;
    std::vector<Vec3> p;
    for (int i = 0; i < 12; ++i) p.push_back(Vec3(i, 0, 0));
    c.add(p, false, 0.1);
    Material mat;
    mat.bendStiffness = 1;
    mat.twistStiffness = 1;
    mat.plasticRadius = 0.01;
    mat.plasticMax = 0.6;
    Rods rods(c, {mat});
    Padded3 x;
    x.resize(rods.layout().padded() + 4);
    double expected = 0;
    // Bend into an arc of kb = 0.5: below the cap, the natural curvature stays p behind.
    const double phi = 2 * std::atan(0.25);
    for (int k = 1; k <= 50; ++k) {
        Vec3 at(0, 0, 0), dir(1, 0, 0);
        for (int i = 0; i < 12; ++i) {
            c.x[i] = at;
            at += dir;
            dir = Eigen::AngleAxisd(phi * k / 50, Vec3::UnitZ()) * dir;
        }
        scatter(rods.layout(), c.x, 0, 0, x);
        rods.settle(x);
    }
    for (int i = 1; i < 11; ++i) expected += 2 * 0.5 * 1.0 / 2 * 0.01 * 0.01;
    EXPECT_NEAR(rods.bendEnergy(), expected, 1e-3 * expected);
    EXPECT_GT(rods.plasticWork(), 0);
}
