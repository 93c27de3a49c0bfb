// The cloth solver as a whole: assembly, free fall, pins, rollback, drape, same bits.
#include "purl/cloth/solver.h"

#include "purl/base/parallel.h"
#include "purl/check/triangles.h"
#include "purl/cloth/models.h"
#include "purl/cloth/self_collision.h"
#include "purl/cloth/sheets.h"
#include "purl/collide/box.h"
#include "purl/collide/shapes.h"

#include <Eigen/Dense>
#include <gtest/gtest.h>

using namespace purl;

namespace {

std::vector<std::unique_ptr<ClothEnergy>> shells(const ClothMesh& mesh, const ClothMaterial& m) {
    std::vector<std::unique_ptr<ClothEnergy>> list;
    list.push_back(makeInPlane(InPlaneModel::StVK, mesh, m));
    list.push_back(makeBending(BendingModel::DiscreteShells, mesh, m));
    return list;
}

std::unique_ptr<ClothSolver> solverOf(const FlatSheet& s, const ClothSettings& settings,
                                      const ClothMaterial& m = {},
                                      std::vector<ClothGoal> goals = {}) {
    const std::vector<double> density{m.areaDensity};
    return std::make_unique<ClothSolver>(s.mesh, s.x, density, shells(s.mesh, m), settings,
                                         std::move(goals));
}

TEST(Sheets, CoverTheirAreaOnceAndFaceUp) {
    const double pi = std::acos(-1.0);
    struct Case {
        FlatSheet sheet;
        double area;
    };
    const double ring = 60 * std::sin(pi / 60); // the 120-gon of radius 1
    for (const Case& c : {Case{rectangleSheet(7, 5, 2, 1), 2}, Case{discSheet(20, 1), ring},
                          Case{tubeSheet(12, 9, 0.5, 2), 2 * pi}}) {
        double area = 0;
        for (const auto& r : c.sheet.mesh.rest) {
            const Vec2 a = r[1] - r[0], b = r[2] - r[0];
            const double twice = a.x() * b.y() - a.y() * b.x();
            EXPECT_GT(twice, 0);
            area += 0.5 * twice;
        }
        EXPECT_NEAR(area, c.area, 1e-9);
        // Euler: every inner edge is a hinge; edges = (3 F + border) / 2.
        const Index F = c.sheet.mesh.faces(), H = static_cast<Index>(c.sheet.mesh.hinges.size());
        const Index border = 3 * F - 2 * H;
        EXPECT_GT(border, 0);
        const Index euler = c.sheet.mesh.points - (H + border) + F;
        EXPECT_EQ(euler, c.area == 2 * pi ? 0 : 1);
    }
}

// The assembled matrix and K w against the energies' own slots, summed densely.
TEST(Assembly, SumsSlotsLikeADenseMatrix) {
    FlatSheet s = rectangleSheet(14, 11, 0.3, 0.25);
    for (std::size_t i = 0; i < s.x.size(); ++i) s.x[i].y() = 0.02 * std::sin(40 * s.x[i].x() + 1);
    const auto list = shells(s.mesh, {});
    ClothAssembly assembly(s.mesh.points, {list[0].get(), list[1].get()});
    ASSERT_GT(assembly.pattern()->parts(), 1);
    BlockMatrix a(assembly.pattern());
    const std::size_t n = s.x.size();
    std::vector<Vec3> g(n), v(n), w(n), kw(n);
    for (std::size_t i = 0; i < n; ++i) {
        v[i] = Vec3(std::sin(i * 1.1), std::cos(i * 0.7), std::sin(i * 2.3));
        w[i] = Vec3(std::cos(i * 1.9), std::sin(i * 0.3), std::cos(i * 3.3));
    }
    ClothAssembly::Derivatives d;
    d.matrix = &a, d.damping = 0.01, d.stiffness = 1e-4, d.w = w, d.kw = kw;
    const double energy = assembly.evaluate(s.x, v, g, d);
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(3 * n, 3 * n), K = A;
    Eigen::VectorXd G = Eigen::VectorXd::Zero(3 * n), W(3 * n);
    double sum = 0;
    for (const auto& e : list) {
        const int width = e->stencils().width;
        const std::size_t count = e->stencils().count();
        std::vector<double> slotE(count);
        std::vector<Vec3> slotG(count * width);
        std::vector<Mat3> slotH(count * width * width), slotD = slotH;
        e->evaluate(0, count, s.x, v, {slotE, slotG, slotH, slotD});
        for (std::size_t k = 0; k < count; ++k) {
            sum += slotE[k];
            for (int i = 0; i < width; ++i) {
                const Index r = e->stencils().nodes[k * width + i];
                G.segment<3>(3 * r) += slotG[k * width + i];
                for (int j = 0; j < width; ++j) {
                    const Index c = e->stencils().nodes[k * width + j];
                    const std::size_t b = (k * width + i) * width + j;
                    A.block<3, 3>(3 * r, 3 * c) += 1e-4 * slotH[b] + 0.01 * slotD[b];
                    K.block<3, 3>(3 * r, 3 * c) += slotH[b];
                }
            }
        }
    }
    for (std::size_t i = 0; i < n; ++i) W.segment<3>(3 * i) = w[i];
    const Eigen::VectorXd KW = K * W, AW = A * W;
    const BlockPattern& p = *assembly.pattern();
    std::vector<Vec3> rows(n), product(n);
    for (std::size_t r = 0; r < n; ++r) rows[r] = w[p.order[r]];
    a.apply(rows, product);
    double eg = 0, ek = 0, ea = 0;
    for (std::size_t i = 0; i < n; ++i) {
        eg = std::max(eg, (g[i] - G.segment<3>(3 * i)).norm());
        ek = std::max(ek, (kw[i] - KW.segment<3>(3 * i)).norm());
        ea = std::max(ea, (product[p.position[i]] - AW.segment<3>(3 * i)).norm());
    }
    EXPECT_NEAR(energy, sum, 1e-12 * std::abs(sum));
    EXPECT_LE(eg, 1e-12 * G.norm());
    EXPECT_LE(ek, 1e-12 * KW.norm());
    EXPECT_LE(ea, 1e-12 * AW.norm());
}

TEST(ClothSolver, FallsFreelyLikeAStone) {
    const FlatSheet s = rectangleSheet(8, 8, 0.2, 0.2);
    ClothSettings settings;
    settings.forces.drag = false;
    settings.integrator.scheme = Scheme::CrankNicolson; // exact for constant force
    settings.integrator.linear.tolerance = 1e-12;
    auto solver = solverOf(s, settings);
    for (int k = 0; k < 24; ++k) EXPECT_FALSE(solver->step(1.0 / 48).broken);
    const double drop = 0.5 * 9.80665 * 0.25;
    for (std::size_t i = 0; i < s.x.size(); ++i)
        EXPECT_NEAR((solver->x()[i] - s.x[i] + Vec3(0, drop, 0)).norm(), 0, 1e-9);
}

// A light sheet dropped flat reaches the speed at which drag carries its weight.
TEST(ClothSolver, DragCarriesTheWeightAtTerminalSpeed) {
    const FlatSheet s = rectangleSheet(4, 4, 0.2, 0.2);
    ClothSettings settings;
    ClothMaterial m;
    m.areaDensity = 0.1;
    auto solver = solverOf(s, settings, m);
    for (int k = 0; k < 96; ++k) solver->step(1.0 / 48);
    const double speed = std::sqrt(2 * 0.1 * 9.80665 / 1.2);
    EXPECT_NEAR(solver->v()[0].y(), -speed, 0.01 * speed);
    solver->setWind({0, 2, 0}); // from below
    for (int k = 0; k < 96; ++k) solver->step(1.0 / 48);
    EXPECT_NEAR(solver->v()[0].y(), 2 - speed, 0.01 * speed);
}

TEST(ClothSolver, PinsFollowTheirTargetsExactly) {
    const FlatSheet s = rectangleSheet(10, 10, 0.2, 0.2);
    for (Scheme scheme : {Scheme::LinearImplicit, Scheme::Bdf2, Scheme::CrankNicolson}) {
        ClothSettings settings;
        settings.integrator.scheme = scheme;
        auto solver = solverOf(s, settings);
        solver->setPins({0, 10});
        Monitor monitor;
        std::vector<Vec3> targets{s.x[0], s.x[10]};
        for (int frame = 0; frame < 6; ++frame) {
            for (Vec3& t : targets) t += Vec3(0.01, 0.02, 0);
            solver->setPinTargets(targets);
            const ClothStepReport r = solver->advanceFrame(1.0 / 24, 2, monitor);
            EXPECT_FALSE(r.broken);
            EXPECT_LE((solver->x()[0] - targets[0]).norm(), 1e-14);
            EXPECT_LE((solver->x()[10] - targets[1]).norm(), 1e-14);
        }
        EXPECT_LT(solver->x()[60].y(), 0.12); // hangs behind
    }
}

TEST(ClothSolver, GoalsHoldTheWeight) {
    const FlatSheet s = rectangleSheet(4, 4, 0.1, 0.1);
    std::vector<ClothGoal> goals;
    for (Index i = 0; i < s.mesh.points; ++i) goals.push_back({i, 2.0, 0.02});
    auto solver = solverOf(s, {}, {}, goals);
    for (int k = 0; k < 200; ++k) solver->step(1.0 / 48);
    double stretch = 0, weight = 0; // forces balance: sum k (target - x) = weight
    for (Index i = 0; i < s.mesh.points; ++i) {
        stretch += 2.0 * (s.x[i] - solver->x()[i]).y();
        weight += solver->mass()[i] * 9.80665;
    }
    EXPECT_NEAR(stretch, weight, 1e-6 * weight);
}

// Steps that are too long for an explicit scheme are taken back and made shorter, not blown up.
TEST(ClothSolver, TakesWildStepsBack) {
    const FlatSheet s = rectangleSheet(6, 6, 0.3, 0.3);
    ClothSettings settings;
    settings.integrator.scheme = Scheme::Leapfrog;
    settings.forces.drag = false;
    ClothMaterial m;
    m.stretchDamping = m.bendDamping = 1e-5;
    const auto run = [&](bool adaptive) {
        settings.adaptive = adaptive;
        auto solver = solverOf(s, settings, m);
        solver->setPins({0, 6});
        ClothStepReport all;
        for (int k = 0; k < 12 && !all.broken; ++k) {
            const ClothStepReport r = solver->step(1.0 / 96);
            all.rejected += r.rejected;
            all.steps += r.steps;
            all.broken = r.broken;
        }
        double lowest = 0;
        for (const Vec3& p : solver->x()) lowest = std::min(lowest, p.y());
        EXPECT_TRUE(std::isfinite(solver->energy()));
        EXPECT_GT(lowest, -0.35);
        return all;
    };
    EXPECT_TRUE(run(false).broken);
    const ClothStepReport held = run(true);
    EXPECT_FALSE(held.broken);
    EXPECT_GT(held.rejected, 0);
    EXPECT_GT(held.steps, 12);
}

// The quasistatic drape is where damped motion comes to rest.
TEST(ClothSolver, DrapesToWhereMotionEnds) {
    const FlatSheet s = rectangleSheet(10, 10, 0.3, 0.3);
    ClothMaterial m;
    m.bendWarp = m.bendWeft = 2e-4;
    ClothSettings settings;
    settings.integrator.linear.tolerance = 1e-8;
    settings.forces.velocityDamping = 2;
    std::vector<Index> edge;
    for (Index i = 0; i <= 10; ++i) edge.push_back(i);
    for (Index i = 0; i <= 10; ++i) edge.push_back(s.mesh.points - 1 - i);
    auto moved = solverOf(s, settings, m), still = solverOf(s, settings, m);
    moved->setPins(edge);
    still->setPins(edge);
    for (int k = 0; k < 500; ++k) moved->step(1.0 / 48);
    Monitor monitor;
    const DrapeReport r = still->drape({}, monitor);
    EXPECT_TRUE(r.converged) << r.residual << " after " << r.iterations;
    EXPECT_LT(r.energy, r.energyBefore);
    double sag = 0, apart = 0;
    for (std::size_t i = 0; i < s.x.size(); ++i) {
        sag = std::max(sag, -still->x()[i].y());
        apart = std::max(apart, (still->x()[i] - moved->x()[i]).norm());
    }
    EXPECT_GT(sag, 1e-3);
    EXPECT_LE(apart, 0.01 * sag);
}

// Row 10 of physics 9, for a sheet: it slips if and only if tan(slope) > mu, and then as fast as
// Coulomb says, up to the one step that a new touch takes to know its pressure.
TEST(ClothSolver, SlidesDownASlopeAsCoulombSays) {
    for (double degrees : {15.5, 18.0, 30.0}) {
        FlatSheet s = rectangleSheet(12, 12, 0.2, 0.2);
        for (Vec3& p : s.x) p.y() = 0.6e-3;
        ClothSettings settings;
        settings.forces.drag = false;
        const double slope = degrees * std::acos(-1.0) / 180, g = 9.80665, mu = 0.3;
        settings.forces.gravity = g * Vec3(std::sin(slope), -std::cos(slope), 0);
        auto solver = solverOf(s, settings);
        const PlaneCollider floor({0, 1, 0}, 0);
        CollisionSettings collision;
        collision.friction = mu;
        solver->setColliders({{&floor, collision}});
        for (int k = 0; k < 96; ++k) solver->step(1.0 / 96);
        Vec3 v = Vec3::Zero();
        for (const Vec3& u : solver->v()) v += u / s.x.size();
        const double expected = g * std::max(0.0, std::sin(slope) - mu * std::cos(slope));
        EXPECT_NEAR(v.x(), expected, expected > 0 ? 0.04 : 1e-9) << degrees;
        EXPECT_NEAR(v.y(), 0, 1e-3);
    }
}

// A plate that is pulled away leaves the sheet behind: contact pushes, it never pulls.
TEST(ClothSolver, LetsGoOfWhatLeaves) {
    FlatSheet s = rectangleSheet(12, 12, 0.2, 0.2);
    for (Vec3& p : s.x) p.y() = 0.6e-3;
    ClothSettings settings;
    settings.forces.drag = false;
    auto solver = solverOf(s, settings);
    PlaneCollider floor({0, 1, 0}, 0);
    solver->setColliders({{&floor, {}}});
    for (int k = 0; k < 24; ++k) solver->step(1.0 / 96);
    const double before = solver->x()[40].y();
    for (int k = 0; k < 12; ++k) {
        Pose from, to;
        from.translation.y() = -4.0 * k / 96;
        to.translation.y() = -4.0 * (k + 1) / 96;
        floor.setPose(from, to, 1.0 / 96);
        solver->step(1.0 / 96, 0, 1);
    }
    const double fall = 0.5 * 9.80665 * 12 * 13 / 96 / 96; // of backward Euler
    for (const Vec3& p : solver->x()) EXPECT_NEAR(before - p.y(), fall, 2e-3);
}

TEST(ClothSolver, RestsOnABallWithTheSameBitsAtEveryThreadCount) {
    const FlatSheet s = rectangleSheet(40, 40, 0.4, 0.4);
    std::vector<std::uint64_t> hashes;
    for (int threads : {1, 2, 3}) {
        ThreadLimit limit(threads);
        ClothSettings settings;
        auto solver = solverOf(s, settings);
        const SphereCollider ball({0, -0.11, 0}, 0.1);
        solver->setColliders({{&ball, {}}});
        solver->setCollisionHook(std::make_unique<CollisionHookOf<SelfCollision>>(s.mesh, s.x));
        for (int k = 0; k < 36; ++k) EXPECT_FALSE(solver->step(1.0 / 96).broken);
        hashes.push_back(solver->hash());
        double nearest = 1;
        for (const Vec3& p : solver->x())
            nearest = std::min(nearest, (p - Vec3(0, -0.11, 0)).norm());
        EXPECT_GT(nearest, 0.1 + 0.9 * settings.radius);
        EXPECT_LT(nearest, 0.1 + 1.5 * settings.radius);
    }
    EXPECT_EQ(hashes[0], hashes[1]);
    EXPECT_EQ(hashes[0], hashes[2]);
}

// The scene of `purl bench cloth --drop`, small: onto a ball that falls away, then over the edge of
// a table, at dt = 1/96 s. All pairs of triangles are tested, not those of a tree.
TEST(ClothSolver, FallsOnABallAndATableEdgeWithoutCrossingItself) {
    FlatSheet s = rectangleSheet(22, 22, 1, 1);
    for (Vec3& p : s.x) p.y() += 0.26;
    auto solver = solverOf(s, {});
    solver->setCollisionHook(std::make_unique<CollisionHookOf<SelfCollision>>(s.mesh, s.x));
    SphereCollider ball({0, 0, 0}, 0.25);
    BoxCollider table({-1, -0.72, -0.7}, {0.15, -0.62, 0.7}, 0.01);
    PlaneCollider floor({0, 1, 0}, -1.2);
    CollisionSettings grip;
    grip.friction = 0.5;
    solver->setColliders({{&ball, grip}, {&table, grip}, {&floor, grip}});
    const double dt = 1.0 / 96;
    int rejected = 0;
    double strain = 0;
    for (int k = 0; k < 192; ++k) {
        Pose from, to;
        from.translation.y() = -4 * std::clamp(k * dt - 0.6, 0.0, 0.6);
        to.translation.y() = -4 * std::clamp((k + 1) * dt - 0.6, 0.0, 0.6);
        ball.setPose(from, to, dt);
        const ClothStepReport r = solver->step(dt, 0, 1);
        ASSERT_FALSE(r.broken) << k;
        rejected += r.rejected;
        for (Index t = 0; t < s.mesh.faces(); ++t)
            for (int e = 0; e < 3; ++e) {
                const auto& n = s.mesh.triangles[t];
                const double now = (solver->x()[n[(e + 1) % 3]] - solver->x()[n[e]]).norm();
                const double rest = (s.mesh.rest[t][(e + 1) % 3] - s.mesh.rest[t][e]).norm();
                strain = std::max(strain, now / rest - 1);
            }
        if (k % 4 == 3) ASSERT_EQ(countIntersectionsOfAll(solver->x(), s.mesh.triangles), 0) << k;
    }
    double highest = -2, lowest = 0, fastest = 0;
    for (std::size_t i = 0; i < s.x.size(); ++i) {
        highest = std::max(highest, solver->x()[i].y());
        lowest = std::min(lowest, solver->x()[i].y());
        fastest = std::max(fastest, solver->v()[i].norm());
    }
    EXPECT_LT(highest, -0.4);  // off the ball
    EXPECT_GT(highest, -0.62); // on the table
    EXPECT_LT(lowest, -0.75);  // and over its edge
    EXPECT_LT(fastest, 3);
    // Contact is in the solve: the step holds and no edge pays for it.
    EXPECT_LE(rejected, 4);
    EXPECT_LT(strain, 0.45); // found 0.33, in a step of the landing
}

} // namespace
