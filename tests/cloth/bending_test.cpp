// Bending models against plate theory (oracle 24) and closed forms: cylinders, folds, rest angles,
// plastic creases, and the Loop patches themselves.
#include "purl/cloth/models.h"

#include "cloth/sheets.h"
#include "purl/base/error.h"
#include "purl/cloth/box_spline.h"
#include "purl/cloth/hinge_energy.h"
#include "purl/cloth/loop_patch.h"

#include <Eigen/Dense>
#include <gtest/gtest.h>

using namespace purl;
using namespace purl::test;

namespace {

const double pi = std::acos(-1.0);

ClothMaterial plate(double d, double poisson = 0.3) {
    ClothMaterial m;
    m.bendWarp = m.bendWeft = d;
    m.bendPoisson = poisson;
    m.stretchWarp = m.stretchWeft = 1e7; // Choi and Ko's springs: stiff, so that they bow at once
    m.shear = 1e7 / 2.4;
    return m;
}

// Energy over 1/2 kappa^2 times the area it lies in, away from the edges: the sheet's D.
double rigidity(const Sheet& s, const ClothEnergy& e, double kappa) {
    Vec2 low = s.flat[0], high = s.flat[0];
    for (const Vec2& p : s.flat) low = low.cwiseMin(p), high = high.cwiseMax(p);
    const Vec2 middle = 0.5 * (low + high);
    const double reach = 0.27 * (high - low).minCoeff();
    const Slots slots = evaluate(e, s.x);
    const auto area = [&](Index t) {
        const auto& r = s.mesh.rest[static_cast<std::size_t>(t)];
        const Vec2 a = r[1] - r[0], b = r[2] - r[0];
        return 0.5 * (a.x() * b.y() - a.y() * b.x());
    };
    double energy = 0, region = 0;
    const bool hinges = e.stencils().count() == static_cast<Index>(s.mesh.hinges.size());
    for (std::size_t k = 0; k < slots.energy.size(); ++k) {
        Vec2 at;
        double share = 0;
        if (hinges) {
            at = 0.5 * (s.flat[s.mesh.hinges[k][0]] + s.flat[s.mesh.hinges[k][1]]);
            for (Index t : s.mesh.hingeTriangles[k]) share += area(t) / 3;
        } else {
            const auto& n = s.mesh.triangles[k];
            at = (s.flat[n[0]] + s.flat[n[1]] + s.flat[n[2]]) / 3;
            share = area(static_cast<Index>(k));
        }
        if ((at - middle).norm() > reach) continue;
        energy += slots.energy[k];
        region += share;
    }
    return 2 * energy / (kappa * kappa * region);
}

TEST(Bending, BentCylindersHaveThePlatesEnergy) {
    const double d = 2e-5, kappa = 3;
    for (const BendingModel model :
         {BendingModel::DiscreteShells, BendingModel::BaraffWitkin, BendingModel::Bridson,
          BendingModel::Quadratic, BendingModel::Linear, BendingModel::Loop, BendingModel::ChoiKo})
        for (const double along : {0.0, 20.0, 45.0, 70.0, 90.0}) {
            Sheet s = equilateral(40, 1);
            roll(s, 1 / kappa, along * pi / 180);
            const double found = rigidity(s, *makeBending(model, s.mesh, plate(d)), kappa);
            EXPECT_NEAR(found / d, 1, 0.02) << name(model) << " along " << along;
        }
}

// On a grid of right triangles hinges are up to three times too stiff, by direction (physics 6.5);
// the Loop surface does not mind how the sheet is cut.
TEST(Bending, OnlyTheContinuumElementIsRightOnARightAngledGrid) {
    const double d = 2e-5, kappa = 2;
    double least = 10, most = 0;
    for (const double along : {0.0, 22.5, 45.0, 90.0, 135.0}) {
        Sheet s = grid(40, 40, 1, 1, false);
        roll(s, 1 / kappa, along * pi / 180);
        EXPECT_NEAR(rigidity(s, *makeBending(BendingModel::Loop, s.mesh, plate(d)), kappa) / d, 1,
                    0.02)
            << along;
        const double shells =
            rigidity(s, *makeBending(BendingModel::DiscreteShells, s.mesh, plate(d)), kappa) / d;
        least = std::min(least, shells), most = std::max(most, shells);
    }
    EXPECT_NEAR(least, 0.80, 0.02);
    EXPECT_NEAR(most, 3.0, 0.1);
}

// Flips a third of the edges, so that points have 4 to 8 neighbours.
Sheet flipped(const Sheet& s) {
    std::vector<std::array<Index, 3>> triangles = s.mesh.triangles;
    std::vector<bool> touched(triangles.size(), false);
    for (std::size_t h = 0; h < s.mesh.hinges.size(); h += 3) {
        const auto [t, u] = s.mesh.hingeTriangles[h];
        const auto n = s.mesh.hinges[h];
        const auto turn = [&](Index a, Index b, Index c) {
            const Vec2 p = s.flat[b] - s.flat[a], q = s.flat[c] - s.flat[a];
            return p.x() * q.y() - p.y() * q.x();
        };
        const double small = 0.3 * turn(n[0], n[1], n[2]);
        if (touched[t] || touched[u] || turn(n[2], n[0], n[3]) < small ||
            turn(n[3], n[1], n[2]) < small)
            continue;
        triangles[t] = {n[2], n[0], n[3]}, triangles[u] = {n[3], n[1], n[2]};
        touched[t] = touched[u] = true;
    }
    return makeSheet(s.flat, triangles);
}

// Points of a crooked, irregular sheet are held on a shallow parabola along a frame; the plate's
// solution inside is the parabola. Control points are no samples of the surface, so the inside is
// solved for, as a solver would.
TEST(Bending, LoopSolvesThePlateOnACrookedMeshOfAllValences) {
    const double d = 2e-5, kappa = 0.01;
    Sheet s = flipped(grid(18, 18, 1, 1, true, 0.12));
    const auto e = makeBending(BendingModel::Loop, s.mesh, plate(d));
    EXPECT_GT(e->stencils().width, 12);
    const Eigen::MatrixXd h = gathered(*e, evaluate(*e, s.x).hessian, s.mesh.points);
    std::vector<Index> inner;
    const double low = 0.15, high = 0.85;
    for (Index i = 0; i < s.mesh.points; ++i) {
        const Vec2 p = s.flat[static_cast<std::size_t>(i)];
        s.x[static_cast<std::size_t>(i)].z() = 0.5 * kappa * p.x() * p.x();
        if (p.minCoeff() > low && p.maxCoeff() < high) inner.push_back(i);
    }
    const auto n = static_cast<Index>(inner.size());
    Eigen::MatrixXd a(n, n);
    Eigen::VectorXd b = Eigen::VectorXd::Zero(n);
    for (Index r = 0; r < n; ++r) {
        for (Index c = 0; c < n; ++c) a(r, c) = h(3 * inner[r] + 2, 3 * inner[c] + 2);
        for (Index c = 0; c < s.mesh.points; ++c)
            b[r] -= h(3 * inner[r] + 2, 3 * c + 2) * s.x[static_cast<std::size_t>(c)].z();
    }
    const Eigen::VectorXd z = a.ldlt().solve(b);
    for (Index r = 0; r < n; ++r) s.x[static_cast<std::size_t>(inner[r])].z() += z[r];
    EXPECT_NEAR(rigidity(s, *e, kappa) / d, 1, 0.05); // 4.1 % at one point a triangle
}

// Saddles and twists: the energy of a plate with Poisson's ratio, which a cylinder does not see.
TEST(Bending, LoopHasPoissonsRatioAndTwist) {
    const double d = 2e-5, k = 0.05;
    for (const double nu : {0.0, 0.3}) {
        const auto density = [&](double kx, double ky, double kxy) {
            Sheet s = equilateral(24, 1);
            const Vec2 middle(0.5, 0.5);
            for (std::size_t i = 0; i < s.x.size(); ++i) {
                const Vec2 p = s.flat[i] - middle;
                s.x[i].z() = 0.5 * (kx * p.x() * p.x() + ky * p.y() * p.y()) + kxy * p.x() * p.y();
            }
            return 0.5 * rigidity(s, *makeBending(BendingModel::Loop, s.mesh, plate(d, nu)), 1);
        };
        EXPECT_NEAR(density(k, k, 0), d * k * k * (1 + nu), 0.01 * d * k * k);
        EXPECT_NEAR(density(k, -k, 0), d * k * k * (1 - nu), 0.01 * d * k * k);
        EXPECT_NEAR(density(0, 0, k), d * k * k * (1 - nu), 0.01 * d * k * k);
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

// The twelve box splines: sum to one, reproduce lines, and are what the subdivided net says.
TEST(LoopPatch, SplinesSumToOneAndReproduceQuadratics) {
    using namespace purl::cloth;
    const Vec2 a(1, 0), b(0.5, std::sqrt(0.75)); // lattice
    const auto at = [&](double i, double j) { return Vec2(i * a + j * b); };
    LoopPatch<Vec2> p; // corners (0,0), (1,0), (0,1) of the lattice
    p.corner = {at(0, 0), at(1, 0), at(0, 1)};
    p.beyond = {at(1, 1), at(-1, 1), at(1, -1)};
    p.outer[0] = {at(0, -1), at(-1, 0)};
    p.outer[1] = {at(2, -1), at(2, -1)}; // filled below
    p.outer[1] = {at(2, 0), at(2, -1)};
    p.outer[2] = {at(-1, 2), at(0, 2)};
    for (const Vec2 vw : {Vec2(1.0 / 3, 1.0 / 3), Vec2(0.1, 0.7), Vec2(0.5, 0)}) {
        const LoopPatch<Jet> n = boxSplines(vw.x(), vw.y());
        Jet one, x, y, quadratic;
        const auto add = [&](const Jet& s, const Vec2& q) {
            one = one + s, x = x + q.x() * s, y = y + q.y() * s;
            quadratic = quadratic + (q.x() * q.x()) * s;
        };
        for (int k = 0; k < 3; ++k) {
            add(n.corner[k], p.corner[k]), add(n.beyond[k], p.beyond[k]);
            for (int s = 0; s < 2; ++s) add(n.outer[k][s], p.outer[k][s]);
        }
        EXPECT_NEAR(one.f, 1, 1e-14);
        EXPECT_NEAR(std::abs(one.v) + std::abs(one.w) + std::abs(one.vv) + std::abs(one.vw), 0,
                    1e-13);
        const Vec2 expected = at(vw.x(), vw.y());
        EXPECT_NEAR(x.f, expected.x(), 1e-14);
        EXPECT_NEAR(y.f, expected.y(), 1e-14);
        EXPECT_NEAR(x.v, a.x(), 1e-13);
        EXPECT_NEAR(x.w, b.x(), 1e-13);
        EXPECT_NEAR(std::abs(x.vv) + std::abs(x.ww) + std::abs(x.vw), 0, 1e-13);
        // Second derivatives of x^2 along the parameters: 2 a_x^2, 2 b_x^2, 2 a_x b_x.
        EXPECT_NEAR(quadratic.vv, 2, 1e-12);
        EXPECT_NEAR(quadratic.ww, 0.5, 1e-12);
        EXPECT_NEAR(quadratic.vw, 1, 1e-12);
    }
}

TEST(LoopPatch, OneStepOfSubdivisionChangesNothingWhereAllIsRegular) {
    const Sheet s = equilateral(8, 1);
    const cloth::LoopSurface surface(s.mesh);
    std::size_t regular = 0;
    for (Index t = 0; t < s.mesh.faces(); ++t) {
        const cloth::MiddleWeights m = surface.middle(t);
        // Any flat sheet: the axes are reproduced, and there is no curvature, at every boundary
        // too.
        Vec3 u = Vec3::Zero(), v = u, uu = u, vv = u, uv = u;
        for (const auto& n : m.nodes) {
            const Vec3& x = s.x[static_cast<std::size_t>(n.node)];
            u += n.u * x, v += n.v * x, uu += n.uu * x, vv += n.vv * x, uv += n.uv * x;
        }
        EXPECT_LE((u - Vec3(1, 0, 0)).norm() + (v - Vec3(0, 1, 0)).norm(), 1e-11);
        EXPECT_NEAR(uu.z() + vv.z() + uv.z(), 0, 1e-11);
        if (m.nodes.size() != 12) continue;
        ++regular;
        EXPECT_LE(uu.norm() + vv.norm() + uv.norm(), 1e-9);
        // Against the twelve splines without subdivision, for the function x^2 + x y.
        double xx = 0, xy = 0;
        for (const auto& n : m.nodes) {
            const Vec2 p = s.flat[static_cast<std::size_t>(n.node)];
            xx += n.uu * (p.x() * p.x() + p.x() * p.y()),
                xy += n.uv * (p.x() * p.x() + p.x() * p.y());
        }
        EXPECT_NEAR(xx, 2, 1e-9);
        EXPECT_NEAR(xy, 1, 1e-9);
    }
    EXPECT_GT(regular, 40u);
}

TEST(Presets, AreClothsEveryModelTakes) {
    const Sheet s = grid(2, 2, 1, 1, false);
    for (const ClothPreset& p : clothPresets()) {
        EXPECT_NO_THROW(checkMaterial(p.material)) << p.name;
        EXPECT_GT(std::string(p.source).size(), 20u);
        EXPECT_EQ(&clothPreset(p.name), &p.material);
        for (const InPlaneModel m : inPlaneModels())
            EXPECT_TRUE(makeInPlane(m, s.mesh, p.material));
        for (const BendingModel m : bendingModels())
            EXPECT_TRUE(makeBending(m, s.mesh, p.material));
    }
    for (const char* wanted : {"cotton", "denim", "silk", "jersey"})
        EXPECT_NO_THROW(clothPreset(wanted));
    EXPECT_THROW(clothPreset("lace"), Error);
}

TEST(Models, AreKnownByName) {
    EXPECT_EQ(inPlaneModels().size(), 4u);
    EXPECT_EQ(bendingModels().size(), 8u);
    for (const InPlaneModel m : inPlaneModels()) EXPECT_EQ(inPlaneModel(name(m), "test"), m);
    for (const BendingModel m : bendingModels()) EXPECT_EQ(bendingModel(name(m), "test"), m);
    try {
        bendingModel("stiff", "scene: bending");
        FAIL();
    } catch (const Error& e) {
        EXPECT_NE(std::string(e.what()).find("scene: bending: 'stiff'"), std::string::npos);
        EXPECT_NE(std::string(e.what()).find("discrete_shells"), std::string::npos);
    }
}

TEST(Models, RefuseWhatNoClothCanBe) {
    Sheet s = grid(1, 1, 1, 1, false);
    ClothMaterial bad;
    bad.poisson = 2;
    EXPECT_THROW(makeInPlane(InPlaneModel::StVK, s.mesh, bad), Error);
    bad = {};
    bad.stretchWarp = std::nan("");
    EXPECT_THROW(makeInPlane(InPlaneModel::StVK, s.mesh, bad), Error);
    std::swap(s.mesh.rest[1][0], s.mesh.rest[1][1]);
    for (const InPlaneModel m : inPlaneModels()) try {
            makeInPlane(m, s.mesh, {});
            FAIL() << name(m);
        } catch (const Error& e) {
            EXPECT_NE(std::string(e.what()).find("triangle 1"), std::string::npos) << e.what();
        }
}

} // namespace
