// Fabric in time: what a step keeps, what it must not depend on, and what it refuses.
#include "purl/crossing/solver.h"

#include "purl/base/error.h"
#include "purl/base/parallel.h"
#include "purl/collide/shapes.h"
#include "purl/crossing/samples.h"

#include <cmath>
#include <gtest/gtest.h>

namespace purl {
namespace {

CrossingNetwork weave(Index n) {
    WovenSample s;
    s.warps = s.wefts = n;
    return wovenSample(s, CrossingMaterial());
}

TEST(FabricSolver, FallsFreely) {
    CrossingNetwork net = weave(6);
    FabricSolverSettings s;
    FabricSolver fabric(net, s);
    Monitor monitor;
    const double seconds = 0.02;
    const int steps = 20;
    const FabricReport r = fabric.advanceFrame(seconds, steps, monitor);
    EXPECT_EQ(r.steps, steps);
    // Backward Euler: g h^2 n (n + 1) / 2.
    const double h = seconds / steps, fall = 9.80665 * h * h * steps * (steps + 1) / 2;
    for (Index i = 0; i < fabric.nodes(); ++i) {
        EXPECT_NEAR(fabric.x()[i].y() - net.x[i].y(), -fall, 1e-3 * fall);
        EXPECT_NEAR(fabric.x()[i].z(), 0, 1e-3 * fall);
    }
}

TEST(FabricSolver, KeepsMomentum) {
    CrossingNetwork net = weave(6);
    FabricSolverSettings s;
    s.forces.gravity.setZero();
    s.newtonTolerance = 1e-6;
    s.stillMove = 0;
    s.linear.tolerance = 1e-6;
    FabricSolver fabric(net, s);
    std::vector<Vec3> q(fabric.unknowns().begin(), fabric.unknowns().end()),
        v(q.size(), Vec3::Zero());
    for (Index i = 0; i < fabric.nodes(); ++i)
        v[i] = 0.05 * Vec3(std::sin(1.7 * i), std::cos(0.9 * i), std::sin(0.4 * i));
    fabric.setState(q, v);
    const auto momentum = [&] {
        Vec3 p = Vec3::Zero();
        for (Index i = 0; i < fabric.nodes(); ++i) p += fabric.mass()[i] * fabric.v()[i];
        return p;
    };
    // Sliding carries material along the yarns, so that nodes' masses and speeds are not all of the
    // momentum: it is kept with sliding frozen.
    fabric.setFrozen(std::vector<std::uint8_t>(q.size() / 2, 7));
    fabric.step(1e-4);
    const Vec3 first = momentum();
    for (int k = 0; k < 20; ++k) fabric.step(1e-4);
    EXPECT_LT((momentum() - first).norm(), 1e-6 * first.norm());
}

TEST(FabricSolver, BothFormsOfTheMatrixMoveAlike) {
    CrossingNetwork net = weave(10);
    std::vector<Vec3> end[2];
    for (int k = 0; k < 2; ++k) {
        FabricSolverSettings s;
        s.forces.gravity = {0, 0, -9.8};
        s.matrix = k ? FabricMatrix::Assembled : FabricMatrix::Free;
        s.linear.tolerance = 1e-7;
        s.newtonTolerance = 1e-6;
        s.stillMove = 0;
        FabricSolver fabric(net, s);
        fabric.setPins({0, 9});
        for (int step = 0; step < 10; ++step) fabric.step(1e-3);
        end[k].assign(fabric.x().begin(), fabric.x().end());
    }
    double off = 0, moved = 0;
    for (std::size_t i = 0; i < end[0].size(); ++i) {
        off = std::max(off, (end[0][i] - end[1][i]).norm());
        moved = std::max(moved, (end[0][i] - net.x[i]).norm());
    }
    EXPECT_GT(moved, 1e-4);
    EXPECT_LT(off, 1e-5 * moved);
}

TEST(FabricSolver, SameBitsAtEveryThreadCount) {
    std::uint64_t hash[3];
    for (int threads = 1; threads <= 3; ++threads) {
        ThreadLimit limit(threads);
        FabricSolverSettings s;
        s.forces.gravity = {0, 0, -9.8};
        FabricSolver fabric(weave(40), s);
        fabric.setPins({0, 39});
        for (int step = 0; step < 3; ++step) fabric.step(1e-3);
        hash[threads - 1] = fabric.hash();
    }
    EXPECT_EQ(hash[0], hash[1]);
    EXPECT_EQ(hash[0], hash[2]);
}

TEST(FabricSolver, LiesOnACollider) {
    FabricSolverSettings s;
    s.forces.gravity = {0, 0, -9.8};
    FabricSolver fabric(weave(12), s);
    const PlaneCollider ground(Vec3(0, 0, 1), -2e-3);
    fabric.setColliders({{&ground, CollisionSettings()}});
    Monitor monitor;
    for (int f = 0; f < 3; ++f) fabric.advanceFrame(1.0 / 24, 20, monitor);
    const double radius = CrossingMaterial().radius;
    for (const Vec3& x : fabric.x()) {
        EXPECT_GT(x.z(), -2e-3 + 1.5 * radius);
        EXPECT_LT(x.z(), -2e-3 + 4 * radius);
    }
}

TEST(FabricSolver, DoesNotPassThroughItself) {
    // Two patches in one network, one falling on the other, which is held.
    CrossingNetwork net = weave(8);
    const Index n = net.nodes(), m = net.visitCount(), yarns = net.yarns();
    CrossingNetwork both = net;
    for (Index i = 0; i < n; ++i)
        both.addNode(net.x[i] + Vec3(1e-4, 1.5e-4, 1e-3), net.kind[i], net.spacing[i]);
    for (Index y = 0; y < yarns; ++y) {
        both.addYarn(0, yarns + y);
        for (Index k = net.first[y]; k < net.first[y + 1]; ++k)
            both.addVisit(n + net.node[k], net.side[k], net.slide[k], net.lift[k]);
    }
    both.connect("two patches");
    EXPECT_EQ(both.visitCount(), 2 * m);
    FabricSolverSettings s;
    s.forces.gravity = {0, 0, -9.8};
    FabricSolver fabric(both, s);
    std::vector<Index> pins;
    for (Index i = 0; i < n; ++i) pins.push_back(i);
    fabric.setPins(pins);
    Monitor monitor;
    FabricReport r;
    for (int f = 0; f < 2; ++f) r = fabric.advanceFrame(1.0 / 24, 20, monitor);
    EXPECT_GT(r.selfTouching, 0);
    double lowest = 1;
    for (Index i = n; i < 2 * n; ++i) lowest = std::min(lowest, fabric.x()[i].z());
    EXPECT_GT(lowest, 0.3e-4);
    EXPECT_LT(lowest, 6e-4);
}

TEST(FabricSolver, RefusesWhatCannotBe) {
    CrossingNetwork net = weave(4);
    net.slide[2] = net.slide[1];
    EXPECT_THROW(net.connect("patch"), Error);
    net = weave(4);
    net.materials[0].radius = 0;
    EXPECT_THROW(net.connect("patch"), Error);
    net = weave(4);
    net.node[3] = net.node[1];
    EXPECT_THROW(net.connect("patch"), Error);
    net = weave(4);
    net.addNode(Vec3::Zero(), NodeKind::End, 1e-3);
    EXPECT_THROW(net.connect("patch"), Error);
    FabricSolver fabric(weave(4), FabricSolverSettings());
    EXPECT_THROW(fabric.setPins({99999}), Error);
    EXPECT_THROW(fabric.setFrozen(std::vector<std::uint8_t>(3)), Error);
}

// Half of all elements is half of all forces and masses: motion is the same.
TEST(FabricSolver, WeightsScaleForcesAndMassAlike) {
    CrossingNetwork net = weave(8);
    std::vector<Vec3> end[2];
    for (int k = 0; k < 2; ++k) {
        FabricSolverSettings s;
        s.forces.gravity = {0, 0, -9.8};
        s.linear.tolerance = 1e-7;
        s.newtonTolerance = 1e-6;
        s.stillMove = 0;
        s.touch.self = false;
        FabricSolver fabric(net, s);
        if (k)
            fabric.setWeights({std::vector<float>(net.visitCount(), 0.5f),
                               std::vector<float>(net.x.size(), 0.5f)});
        fabric.setPins({0, 7});
        for (int step = 0; step < 10; ++step) fabric.step(1e-3);
        end[k].assign(fabric.x().begin(), fabric.x().end());
    }
    double off = 0, moved = 0;
    for (std::size_t i = 0; i < end[0].size(); ++i) {
        off = std::max(off, (end[0][i] - end[1][i]).norm());
        moved = std::max(moved, (end[0][i] - net.x[i]).norm());
    }
    EXPECT_LT(off, 1e-4 * moved);
}

} // namespace
} // namespace purl
