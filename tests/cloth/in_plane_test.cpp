// In-plane models against closed forms: patch tests (oracle 24), the sheet's own moduli, springs,
// Choi and Ko's arc, strain limiting.
#include "purl/cloth/models.h"

#include "cloth/sheets.h"
#include "purl/base/parallel.h"
#include "purl/cloth/choi_ko.h"
#include "purl/cloth/strain_limit.h"

#include <Eigen/Dense>
#include <gtest/gtest.h>

using namespace purl;
using namespace purl::test;

namespace {

ClothMaterial uneven() {
    ClothMaterial m;
    m.stretchWarp = 900, m.stretchWeft = 500, m.shear = 70, m.poisson = 0.3;
    return m;
}

// Every point by the same F (3x2), turned into space.
void deform(Sheet& s, const Eigen::Matrix<double, 3, 2>& f) {
    for (std::size_t i = 0; i < s.x.size(); ++i) s.x[i] = f * s.flat[i] + Vec3(0.1, 0.2, 0.3);
}

bool onEdge(const Sheet& s, std::size_t i, double width, double height) {
    const Vec2& p = s.flat[i];
    return p.x() < 1e-9 || p.y() < 1e-9 || p.x() > width - 1e-9 || p.y() > height - 1e-9;
}

// A crooked inside, straight edges.
Sheet crooked(int n) {
    Sheet s = grid(n, n, 1, 1, false);
    std::mt19937 random(5);
    std::uniform_real_distribution<double> u(-0.25 / n, 0.25 / n);
    std::vector<Vec2> flat = s.flat;
    for (std::size_t i = 0; i < flat.size(); ++i)
        if (!onEdge(s, i, 1, 1)) flat[i] += Vec2(u(random), u(random));
    return makeSheet(flat, s.mesh.triangles);
}

const InPlaneModel continuum[] = {InPlaneModel::StVK, InPlaneModel::BaraffWitkin,
                                  InPlaneModel::Corotated};

TEST(InPlane, PassesThePatchTest) {
    Eigen::Matrix<double, 3, 2> f;
    f << 1.1, 0.08, -0.05, 0.95, 0.2, -0.1;
    for (const InPlaneModel model : continuum) {
        SCOPED_TRACE(name(model));
        Sheet s = crooked(6);
        deform(s, f);
        const auto e = makeInPlane(model, s.mesh, uneven());
        const Slots slots = evaluate(*e, s.x);
        const Eigen::VectorXd g = gathered(*e, slots.gradient, s.mesh.points);
        double largest = 0;
        for (const Vec3& p : slots.gradient) largest = std::max(largest, p.norm());
        for (std::size_t i = 0; i < s.x.size(); ++i)
            if (!onEdge(s, i, 1, 1)) {
                EXPECT_LE(g.segment<3>(static_cast<Index>(3 * i)).norm(), 1e-10 * largest);
            }
        // The energy is the same on every mesh.
        Sheet coarse = grid(1, 1, 1, 1, false);
        deform(coarse, f);
        const double expected = energyOf(*makeInPlane(model, coarse.mesh, uneven()), coarse.x);
        EXPECT_NEAR(energyOf(*e, s.x), expected, 1e-10 * expected);
    }
}

// Energies of pure stretch and pure shear against their closed forms, by hand.
TEST(InPlane, HasTheClosedFormEnergies) {
    const ClothMaterial m = uneven();
    const double nuV = m.poisson * m.stretchWeft / m.stretchWarp, k = 1 / (1 - m.poisson * nuV);
    Sheet s = grid(2, 2, 1, 1, false, 0.1);
    double area = 0;
    for (const auto& r : s.mesh.rest) {
        const Vec2 a = r[1] - r[0], b = r[2] - r[0];
        area += 0.5 * (a.x() * b.y() - a.y() * b.x());
    }
    const double l = 1.2;
    Eigen::Matrix<double, 3, 2> f;
    f << l, 0, 0, 1, 0, 0;
    deform(s, f);
    const auto density = [&](InPlaneModel model) {
        return energyOf(*makeInPlane(model, s.mesh, m), s.x) / area;
    };
    const double green = 0.5 * (l * l - 1);
    EXPECT_NEAR(density(InPlaneModel::StVK), 0.5 * k * m.stretchWarp * green * green, 1e-9);
    EXPECT_NEAR(density(InPlaneModel::BaraffWitkin), 0.5 * m.stretchWarp * 0.04, 1e-9);
    EXPECT_NEAR(density(InPlaneModel::Corotated), 0.5 * k * m.stretchWarp * 0.04, 1e-9);
    // A symmetric shear: S = [1, g; g, 1] has no rotation.
    const double g = 0.1;
    f << 1, g, g, 1, 0, 0;
    deform(s, f);
    EXPECT_NEAR(density(InPlaneModel::Corotated), 0.5 * m.shear * 4 * g * g, 1e-9);
    const double e = 0.5 * g * g,
                 c = k * (m.stretchWarp + m.stretchWeft + 2 * m.poisson * m.stretchWeft);
    EXPECT_NEAR(density(InPlaneModel::StVK), 0.5 * c * e * e + 0.5 * m.shear * 4 * g * g, 1e-9);
}

// Pulled along the warp with free sides the strip narrows by Poisson's ratio, and pulls with E.
TEST(InPlane, HasYoungsModulusAndPoissonsRatio) {
    const ClothMaterial m = uneven();
    const double e = 1e-5;
    Sheet s = crooked(4);
    Eigen::Matrix<double, 3, 2> f;
    f << 1 + e, 0, 0, 1 - m.poisson * e, 0, 0;
    deform(s, f);
    for (const InPlaneModel model : {InPlaneModel::StVK, InPlaneModel::Corotated}) {
        const auto energy = makeInPlane(model, s.mesh, m);
        const Eigen::VectorXd g = gathered(*energy, evaluate(*energy, s.x).gradient, s.mesh.points);
        double pull = 0, side = 0;
        for (std::size_t i = 0; i < s.x.size(); ++i) {
            if (s.flat[i].x() > 1 - 1e-9) pull += g[static_cast<Index>(3 * i)];
            if (s.flat[i].y() > 1 - 1e-9) side += g[static_cast<Index>(3 * i + 1)];
        }
        EXPECT_NEAR(pull / (m.stretchWarp * e), 1, 1e-4) << name(model);
        EXPECT_NEAR(side / (m.stretchWarp * e), 0, 1e-4) << name(model);
    }
}

TEST(InPlane, BaraffWitkinScalesAreWhatTheySay) {
    ClothMaterial m = uneven();
    m.referenceArea = 1;
    Sheet s = makeSheet({{0, 0}, {0.5, 0}, {0, 0.5}}, {{{0, 1, 2}}});
    const double a = 0.125;
    for (Vec3& p : s.x) p.x() *= 1.1;
    const auto at = [&](ConditionScale scale) {
        m.conditionScale = scale;
        return energyOf(*makeInPlane(InPlaneModel::BaraffWitkin, s.mesh, m), s.x);
    };
    const double c2 = 0.5 * m.stretchWarp * 0.01; // without the scale's square
    EXPECT_NEAR(at(ConditionScale::SqrtArea), c2 * a, 1e-12);
    EXPECT_NEAR(at(ConditionScale::Area), c2 * a * a, 1e-12);
    EXPECT_NEAR(at(ConditionScale::ThreeQuarters), c2 * std::pow(a, 1.5), 1e-12);
}

TEST(InPlane, PaintScalesTheTrianglesItIsOn) {
    Sheet s = grid(2, 1, 1, 1, false);
    for (Vec3& p : s.x) p *= 1.1;
    ClothPaint paint;
    paint.stretch = {1, 2, 3, 0};
    for (const InPlaneModel model : continuum) {
        const auto plain = evaluate(*makeInPlane(model, s.mesh, uneven()), s.x);
        const auto painted = evaluate(*makeInPlane(model, s.mesh, uneven(), paint), s.x);
        for (std::size_t t = 0; t < 4; ++t)
            EXPECT_NEAR(painted.energy[t], paint.stretch[t] * plain.energy[t], 1e-12);
    }
}

// On a grid pulled along its axes springs are the sheet; that is all that can be said for them.
TEST(Springs, AreTheSheetOnAGridPulledAlongItsWarp) {
    ClothMaterial m = uneven();
    m.shear = 1e-9; // no diagonals
    Sheet s = grid(8, 8, 1, 1, false);
    for (Vec3& p : s.x) p.x() *= 1.1;
    const double found = energyOf(*makeInPlane(InPlaneModel::Springs, s.mesh, m), s.x);
    EXPECT_NEAR(found, 0.5 * m.stretchWarp * 0.01, 1e-6 * found);
}

TEST(ChoiKo, IsAnArcOfConstantLength) {
    const double rest = 0.03, kb = 2e-6;
    for (const double bow : {0.05, 0.5, 1.5, 3.0, 5.0}) { // kappa L
        const double kappa = bow / rest, chord = 2 / kappa * std::sin(0.5 * bow);
        EXPECT_NEAR(cloth::bucklingEnergy(chord, rest, kb), 0.5 * kb * rest * kappa * kappa,
                    1e-8 * kb * rest * kappa * kappa);
        const double q = 0.5 * bow;
        const double push = kb * kappa * kappa / (std::cos(q) - std::sin(q) / q);
        EXPECT_NEAR(cloth::bucklingPush(chord, rest, kb), push, 1e-8 * std::abs(push));
        const double h = 1e-6 * rest;
        EXPECT_NEAR((cloth::bucklingEnergy(chord + h, rest, kb) -
                     cloth::bucklingEnergy(chord - h, rest, kb)) /
                        (2 * h),
                    push, 1e-5 * std::abs(push));
    }
    // Just short of straight: 12 k_b / L^2, near Euler's pi^2 k_b / L^2.
    EXPECT_NEAR(cloth::bucklingPush(rest * (1 - 1e-9), rest, kb), -12 * kb / (rest * rest),
                1e-6 * kb / (rest * rest));
}

TEST(ChoiKo, GivesWayWhereALinearSpringWouldNot) {
    ClothMaterial m = uneven();
    m.bendWarp = m.bendWeft = 1e-5;
    Sheet s = makeSheet({{0, 0}, {0.05, 0}, {0, 0.05}}, {{{0, 1, 2}}});
    const auto linear = makeInPlane(InPlaneModel::Springs, s.mesh, m);
    m.compression = Compression::Buckling;
    const auto buckling = makeInPlane(InPlaneModel::Springs, s.mesh, m);
    const auto push = [&](const ClothEnergy& e) {
        return -gathered(e, evaluate(e, s.x).gradient, 3)[0]; // on point 0 along the warp
    };
    s.x[1].x() = 0.05 * 1.1; // pulled, both alike
    EXPECT_NEAR(push(*buckling), push(*linear), 1e-12);
    double last = 0;
    for (const double l : {0.99, 0.9, 0.7, 0.5}) {
        s.x[1].x() = 0.05 * l;
        EXPECT_LT(std::abs(push(*buckling)), 0.02 * std::abs(push(*linear)));
        EXPECT_GT(std::abs(push(*buckling)), last); // grows, slowly
        last = std::abs(push(*buckling));
    }
    // Continuous at the crossover, in energy and force.
    double before = energyOf(*buckling, s.x), steps = 0;
    for (double l = 0.5; l < 1.05; l += 1e-4, ++steps) {
        s.x[1].x() = 0.05 * l;
        const double now = energyOf(*buckling, s.x);
        if (steps > 0) {
            EXPECT_LT(std::abs(now - before), 1e-3);
        }
        before = now;
    }
}

TEST(StrainLimit, HoldsEdgesAndTheMassCentre) {
    Sheet s = grid(6, 6, 1, 1, false);
    for (Vec3& p : s.x) p.x() *= 1.3;
    shake(s.x, 0.01);
    std::vector<double> inverse(s.x.size(), 1);
    for (std::size_t i = 0; i < inverse.size(); ++i) inverse[i] = 1 + 0.5 * std::sin(double(i));
    Vec3 centre = Vec3::Zero();
    for (std::size_t i = 0; i < s.x.size(); ++i) centre += s.x[i] / inverse[i];
    const std::vector<Vec3> before = s.x;
    const StrainLimiter limiter(s.mesh);
    StrainLimits limits;
    limits.sweeps = 500;
    std::vector<Vec3> v(s.x.size(), Vec3(1, 0, 0));
    const StrainReport r = limiter.limitEdges(limits, inverse, 0.01, s.x, v);
    EXPECT_GT(r.before, 0.25);
    EXPECT_LE(r.after, 0.1 + 1e-3);
    Vec3 after = Vec3::Zero();
    for (std::size_t i = 0; i < s.x.size(); ++i) {
        after += s.x[i] / inverse[i];
        EXPECT_LE((v[i] - Vec3(1, 0, 0) - (s.x[i] - before[i]) / 0.01).norm(), 1e-9);
    }
    EXPECT_LE((after - centre).norm(), 1e-10);
}

TEST(StrainLimit, ClampsTrianglesAndLeavesHeldPointsBe) {
    Sheet s = grid(5, 5, 1, 1, false);
    std::vector<double> inverse(s.x.size(), 1);
    for (std::size_t i = 0; i < s.x.size(); ++i) {
        if (s.flat[i].x() < 1e-9) inverse[i] = 0;
        s.x[i].x() *= 1.4, s.x[i].y() *= 0.8;
    }
    const std::vector<Vec3> before = s.x;
    const StrainLimiter limiter(s.mesh);
    StrainLimits limits;
    limits.compress = 0.25;
    limits.sweeps = 300;
    const auto run = [&](int threads) {
        const ThreadLimit limit(threads);
        std::vector<Vec3> x = before;
        const StrainReport r = limiter.limitTriangles(limits, inverse, 0, x, {});
        EXPECT_GT(r.before, 0.35);
        EXPECT_LE(r.after, 0.1 + 2e-3);
        return x;
    };
    const std::vector<Vec3> one = run(1), two = run(2);
    EXPECT_EQ(one, two);
    for (std::size_t i = 0; i < one.size(); ++i)
        if (inverse[i] == 0) {
            EXPECT_EQ(one[i], before[i]);
        }
}

} // namespace
