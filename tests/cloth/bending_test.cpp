// Bending models against plate theory (oracle 24) and closed forms: cylinders, folds, rest angles,
// plastic creases.
#include "purl/cloth/models.h"

#include "cloth/plates.h"
#include "purl/base/error.h"
#include "purl/cloth/hinge_energy.h"

#include <Eigen/Dense>
#include <gtest/gtest.h>

using namespace purl;
using namespace purl::test;

namespace {

TEST(Bending, BentCylindersHaveThePlatesEnergy) {
    const double d = 2e-5, kappa = 3;
    Sheet s = equilateral(40, 1);
    for (const BendingModel model :
         {BendingModel::DiscreteShells, BendingModel::BaraffWitkin, BendingModel::Bridson,
          BendingModel::Quadratic, BendingModel::Linear, BendingModel::Loop,
          BendingModel::ChoiKo}) {
        const auto e = makeBending(model, s.mesh, plate(d));
        for (const double along : {0.0, 20.0, 45.0, 70.0, 90.0}) {
            roll(s, 1 / kappa, along * pi / 180);
            EXPECT_NEAR(rigidity(s, *e, kappa) / d, 1, 0.02) << name(model) << " along " << along;
        }
    }
}

TEST(Bending, WarpAndWeftHaveTheirOwnRigidity) {
    ClothMaterial m = plate(0);
    m.bendWarp = 3e-5, m.bendWeft = 1e-5;
    for (const double along : {0.0, 90.0}) {
        Sheet s = equilateral(40, 1);
        roll(s, 0.5, along * pi / 180);
        const double loop = rigidity(s, *makeBending(BendingModel::Loop, s.mesh, m), 2);
        EXPECT_NEAR(loop / (along == 0 ? 3e-5 : 1e-5), 1, 0.02);
        // Hinges see only their own direction: near, not equal.
        const double shells = rigidity(s, *makeBending(BendingModel::DiscreteShells, s.mesh, m), 2);
        EXPECT_NEAR(shells / (along == 0 ? 3e-5 : 1e-5), 1, 0.35);
    }
}

// A hinge folded by theta about its edge, without stretching.
Sheet fold(double theta) {
    Sheet s = makeSheet({{0, 0}, {1.0, 0.1}, {0.4, 0.9}, {0.5, -0.8}}, {{{0, 1, 2}}, {{1, 0, 3}}});
    const Vec3 axis = (s.x[1] - s.x[0]).normalized();
    s.x[3] = s.x[0] + Eigen::AngleAxisd(theta, axis) * (s.x[3] - s.x[0]);
    return s;
}

TEST(Bending, QuadraticIsTwoOneMinusCosineForIsometricFolds) {
    const double d = 4e-5;
    for (const double theta : {0.01, 0.1, 0.5, 1.0, 2.5}) {
        const Sheet s = fold(theta);
        const double l = (s.flat[1] - s.flat[0]).norm();
        double area = 0;
        for (const auto& r : s.mesh.rest) {
            const Vec2 a = r[1] - r[0], b = r[2] - r[0];
            area += 0.5 * (a.x() * b.y() - a.y() * b.x());
        }
        const double shells =
            energyOf(*makeBending(BendingModel::DiscreteShells, s.mesh, plate(d)), s.x);
        EXPECT_NEAR(shells, 0.5 * d * l * l / area * theta * theta, 1e-12 * d);
        const double flat = energyOf(*makeBending(BendingModel::Quadratic, s.mesh, plate(d)), s.x);
        EXPECT_NEAR(flat, 0.5 * d * l * l / area * 2 * (1 - std::cos(theta)), 1e-12 * d);
        const double linear = energyOf(*makeBending(BendingModel::Linear, s.mesh, plate(d)), s.x);
        EXPECT_NEAR(linear, flat, 1e-10 * flat);
        // Bridson: the integral of 2 k sin(theta/2).
        const double mode = energyOf(*makeBending(BendingModel::Bridson, s.mesh, plate(d)), s.x);
        EXPECT_NEAR(mode, 4 * d * l * l / area * (1 - std::cos(0.5 * theta)), 1e-12 * d);
    }
}

TEST(Bending, LinearIsQuadraticOnAnyMesh) {
    Sheet s = grid(5, 5, 1, 1, false, 0.2);
    shake(s.x, 0.1);
    const auto a = makeBending(BendingModel::Quadratic, s.mesh, plate(1e-3));
    const auto b = makeBending(BendingModel::Linear, s.mesh, plate(1e-3));
    const Eigen::VectorXd ga = gathered(*a, evaluate(*a, s.x).gradient, s.mesh.points);
    const Eigen::VectorXd gb = gathered(*b, evaluate(*b, s.x).gradient, s.mesh.points);
    EXPECT_LE((ga - gb).norm(), 1e-10 * ga.norm());
}

// A sheet that is a cylinder at rest: no energy there, and it costs to lay it flat.
TEST(Bending, RestAnglesAreARestShape) {
    for (const BendingModel model : {BendingModel::DiscreteShells, BendingModel::BaraffWitkin,
                                     BendingModel::Bridson, BendingModel::Loop}) {
        Sheet s = equilateral(24, 1);
        const std::vector<Vec3> flat = s.x;
        const double kappa = 2;
        roll(s, 1 / kappa, 0.3);
        for (std::size_t h = 0; h < s.mesh.hinges.size(); ++h) {
            const auto& n = s.mesh.hinges[h];
            s.mesh.restAngle[h] = cloth::dihedralAngle(s.x[n[0]], s.x[n[1]], s.x[n[2]], s.x[n[3]]);
        }
        const auto e = makeBending(model, s.mesh, plate(1e-5));
        const double rest = rigidity(s, *e, kappa);
        s.x = flat;
        const double laid = rigidity(s, *e, kappa);
        EXPECT_NEAR(laid / 1e-5, 1, 0.03) << name(model);
        EXPECT_LT(rest, (model == BendingModel::Loop ? 1e-4 : 1e-15) * laid) << name(model);
    }
    // The flat models say that they cannot.
    Sheet s = fold(0);
    s.mesh.restAngle[0] = 0.2;
    for (const BendingModel model : {BendingModel::Quadratic, BendingModel::Linear}) try {
            makeBending(model, s.mesh, plate(1e-5));
            FAIL();
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find("hinge 0"), std::string::npos);
            EXPECT_NE(std::string(error.what()).find("discrete_shells"), std::string::npos);
        }
}

TEST(Bending, PlasticHingesKeepWhatIsBeyondYield) {
    ClothMaterial m = plate(1e-5);
    m.yieldCurvature = 0.2;
    m.maxRestCurvature = 0.9;
    const Sheet s = fold(-0.5); // theta = +-0.5
    const double l = (s.flat[1] - s.flat[0]).norm();
    double area = 0;
    for (const auto& r : s.mesh.rest) {
        const Vec2 a = r[1] - r[0], b = r[2] - r[0];
        area += 0.5 * (a.x() * b.y() - a.y() * b.x());
    }
    const double theta = cloth::dihedralAngle(s.x[0], s.x[1], s.x[2], s.x[3]),
                 yield = 0.2 * area / l;
    for (const BendingModel model :
         {BendingModel::DiscreteShells, BendingModel::BaraffWitkin, BendingModel::Bridson}) {
        const auto e = makeBending(model, s.mesh, m);
        ASSERT_EQ(e->memory().size(), 1u);
        e->endStep(s.x);
        EXPECT_NEAR(e->memory()[0], theta - std::copysign(yield, theta), 1e-12);
        const double kept = e->memory()[0];
        e->endStep(s.x); // at yield: stays
        EXPECT_NEAR(e->memory()[0], kept, 1e-12);
        e->endStep(fold(0).x); // laid flat: |rest| is pulled to yield
        EXPECT_NEAR(std::abs(e->memory()[0]), yield, 1e-12);
        e->endStep(fold(2.5).x); // no sharper than the limit
        EXPECT_NEAR(std::abs(e->memory()[0]), 0.9 * area / l, 1e-12);
        EXPECT_NEAR(energyOf(*makeBending(model, s.mesh, plate(1e-5)), fold(0).x), 0, 1e-20);
    }
    EXPECT_TRUE(makeBending(BendingModel::DiscreteShells, s.mesh, plate(1e-5))->memory().empty());
}

} // namespace
