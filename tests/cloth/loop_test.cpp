// Subdivision shells against plate theory on regular and crooked meshes, and the Loop patches
// themselves.
#include "purl/cloth/models.h"

#include "cloth/plates.h"
#include "purl/cloth/box_spline.h"
#include "purl/cloth/loop_patch.h"

#include <Eigen/Dense>
#include <gtest/gtest.h>

using namespace purl;
using namespace purl::test;

namespace {

// On a grid of right triangles hinges are up to three times too stiff, by direction (physics 6.5);
// the Loop surface does not mind how the sheet is cut.
TEST(Bending, OnlyTheContinuumElementIsRightOnARightAngledGrid) {
    const double d = 2e-5, kappa = 2;
    double least = 10, most = 0;
    Sheet s = grid(40, 40, 1, 1, false);
    const auto loop = makeBending(BendingModel::Loop, s.mesh, plate(d));
    const auto hinges = makeBending(BendingModel::DiscreteShells, s.mesh, plate(d));
    for (const double along : {0.0, 22.5, 45.0, 90.0, 135.0}) {
        roll(s, 1 / kappa, along * pi / 180);
        EXPECT_NEAR(rigidity(s, *loop, kappa) / d, 1, 0.02) << along;
        const double shells = rigidity(s, *hinges, kappa) / d;
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

// The twelve box splines: sum to one, reproduce lines, and are what the subdivided net says.
TEST(LoopPatch, SplinesSumToOneAndReproduceQuadratics) {
    using namespace purl::cloth;
    const Vec2 a(1, 0), b(0.5, std::sqrt(0.75)); // lattice
    const auto at = [&](double i, double j) { return Vec2(i * a + j * b); };
    LoopPatch<Vec2> p; // corners (0,0), (1,0), (0,1) of the lattice
    p.corner = {at(0, 0), at(1, 0), at(0, 1)};
    p.beyond = {at(1, 1), at(-1, 1), at(1, -1)};
    p.outer[0] = {at(0, -1), at(-1, 0)};
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

} // namespace
