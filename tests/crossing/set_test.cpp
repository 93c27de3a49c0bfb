// Plastic set through friction: what a snag and a pull at two corners leave behind, and that
// nothing is left without friction.
#include "purl/base/snapshot.h"
#include "purl/crossing/samples.h"
#include "purl/crossing/solver.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>
#include <gtest/gtest.h>

namespace purl {
namespace {

constexpr double kSpacing = 3e-4; // m

FabricSolverSettings still(bool friction) {
    FabricSolverSettings s;
    s.forces.gravity.setZero();
    s.touch.self = false;
    s.friction = friction;
    return s;
}

// m, the furthest that a crossing has slid along a yarn.
double largestSlide(const FabricSolver& fabric, const CrossingNetwork& net) {
    const YarnLinks& l = fabric.fabric().links();
    double most = 0;
    for (Index k = 0; k < net.visitCount(); ++k)
        most = std::max(most, std::abs(l.slide(fabric.unknowns(), l.ofVisit[k]) - net.slide[k]));
    return most;
}

// m, the furthest that a node is from the flat patch, wherever that now lies.
double largestMove(const FabricSolver& fabric, const CrossingNetwork& net) {
    Eigen::Matrix3Xd a(3, net.nodes()), b(3, net.nodes());
    for (Index i = 0; i < net.nodes(); ++i) {
        a.col(i) = net.x[i];
        b.col(i) = fabric.x()[i];
    }
    const Eigen::Matrix4d t = Eigen::umeyama(a, b, false);
    double most = 0;
    for (Index i = 0; i < net.nodes(); ++i)
        most = std::max(most, (fabric.x()[i] - (t * net.x[i].homogeneous()).head<3>()).norm());
    return most;
}

void pull(FabricSolver& fabric, const CrossingNetwork& net, std::vector<Index> pins,
          const std::vector<std::pair<Index, Vec3>>& by, bool grip, int frames) {
    std::sort(pins.begin(), pins.end());
    fabric.setPins(pins, grip);
    Monitor monitor;
    for (int k = 1; k <= frames; ++k) {
        std::vector<Vec3> to;
        for (Index p : pins) {
            to.push_back(net.x[p]);
            for (const auto& [node, way] : by)
                if (node == p) to.back() += way * k / frames;
        }
        fabric.setPinTargets(to);
        EXPECT_FALSE(fabric.advanceFrame(4e-3, 2, monitor).broken);
    }
}

// One weft is caught at a crossing and drawn along the warps: it slides over them.
double snag(Index n, bool friction, double* pulled) {
    WovenSample s;
    s.warps = s.wefts = n;
    const CrossingNetwork net = wovenSample(s, CrossingMaterial());
    FabricSolver fabric(net, still(friction));
    std::vector<Index> rim, pins;
    for (Index i = n * n; i < net.nodes(); ++i) rim.push_back(i);
    const Index caught = n / 2 * n + n / 2;
    pins = rim;
    pins.push_back(caught);
    pull(fabric, net, pins, {{caught, Vec3(0, 2.5 * kSpacing, 0)}}, false, 6);
    *pulled = largestSlide(fabric, net);
    fabric.setPins(rim, false);
    Monitor monitor;
    fabric.settle(0.01, friction ? 2 : 8, 1e-9, monitor);
    return largestSlide(fabric, net);
}

TEST(Snag, LeavesAGapWithFriction) {
    double pulled = 0;
    const double left = snag(60, true, &pulled);
    EXPECT_GT(pulled, 1.8 * kSpacing); // it went through
    EXPECT_GT(left, 0.3 * kSpacing);
    EXPECT_LT(left, pulled);
    RecordProperty("leftSpacings", std::to_string(left / kSpacing));
}

// Smaller: nothing but inertia holds the sliding then, and the solver has more to do.
TEST(Snag, SpringsBackWithout) {
    double pulled = 0;
    const double left = snag(24, false, &pulled);
    EXPECT_GT(pulled, 1.8 * kSpacing);
    EXPECT_LT(left, 0.1 * kSpacing);
}

// The paper's Figure 6: a small patch drawn apart at two opposite corners.
double twoCorners(bool friction) {
    WovenSample s;
    s.warps = s.wefts = 20;
    s.tail = 2.4e-4;
    CrossingMaterial m;
    m.pretension = 1e-4;
    m.crimpSet = 0.98;
    m.friction = 0.2;
    const CrossingNetwork net = wovenSample(s, m);
    FabricSolver fabric(net, still(friction));
    const Vec3 way = Vec3(1, 1, 0).normalized() * 8 * kSpacing;
    pull(fabric, net, {0, 399}, {{0, -way}, {399, way}}, true, 10);
    EXPECT_GT(largestMove(fabric, net), 6 * kSpacing);
    fabric.setPins({10 * 20 + 10});
    Monitor monitor;
    fabric.settle(0.01, 10, 1e-9, monitor);
    return largestMove(fabric, net);
}

TEST(TwoCorners, StayDeformedWithFriction) { EXPECT_GT(twoCorners(true), 0.8 * kSpacing); }
TEST(TwoCorners, GoBackWithout) { EXPECT_LT(twoCorners(false), 0.1 * kSpacing); }

// A run that is taken up again from a snapshot ends in the same bits.
TEST(FabricSnapshot, GoesOnAsIfNeverStopped) {
    WovenSample s;
    s.warps = s.wefts = 12;
    const CrossingNetwork net = wovenSample(s, CrossingMaterial());
    FabricSolverSettings settings;
    settings.forces.gravity = {0, 0, -9.8};
    FabricSolver whole(net, settings), again(net, settings);
    whole.setPins({0, 11});
    again.setPins({0, 11});
    for (int k = 0; k < 6; ++k) whole.step(1e-3);
    SnapshotWriter writer;
    whole.save(writer);
    writer.finish();
    SnapshotReader reader(writer.bytes(), "test");
    again.load(reader);
    EXPECT_EQ(again.hash(), whole.hash());
    for (int k = 0; k < 4; ++k) whole.step(1e-3), again.step(1e-3);
    EXPECT_EQ(again.hash(), whole.hash());
}

} // namespace
} // namespace purl
