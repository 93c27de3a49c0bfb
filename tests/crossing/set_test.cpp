// Plastic set through friction: what a snag and a pull at two corners leave behind, and that
// nothing is left without friction. All in the cotton that CrossingMaterial is by default.
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

// m, the furthest that a crossing is from where it was in the flat patch, wherever that now lies.
// The loose tips of yarns beyond the last crossings do not count.
double largestMove(const FabricSolver& fabric, const CrossingNetwork& net) {
    const Index n = std::find(net.kind.begin(), net.kind.end(), NodeKind::End) - net.kind.begin();
    Eigen::Matrix3Xd a(3, n), b(3, n);
    for (Index i = 0; i < n; ++i) {
        a.col(i) = net.x[i];
        b.col(i) = fabric.x()[i];
    }
    const Eigen::Matrix4d t = Eigen::umeyama(a, b, false);
    double most = 0;
    for (Index i = 0; i < n; ++i)
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

// To rest, with friction if it is on; then friction is switched off, and all must go back: what
// stayed was friction's, not a jam.
struct Left {
    double withFriction, without; // m
};
template <class Measure>
Left release(FabricSolver& fabric, const Measure& measure, int steps, int stepsWithout) {
    Monitor monitor;
    Left left{};
    EXPECT_FALSE(fabric.settle(0.01, steps, 1e-9, monitor).broken);
    left.withFriction = measure();
    const double before = left.withFriction;
    fabric.settle(0.01, 1, 1e-9, monitor);
    EXPECT_NEAR(measure(), before, 0.01 * before) << "it still moves";
    fabric.setFrictionOn(false);
    EXPECT_FALSE(fabric.settle(0.01, stepsWithout, 1e-9, monitor).broken);
    left.without = measure();
    return left;
}

// One weft is caught at a crossing and drawn along the warps: it slides over them. The rim is held.
struct Snagged {
    CrossingNetwork net;
    FabricSolver fabric;
    std::vector<Index> rim;

    Snagged(Index n, bool friction) : net(patch(n)), fabric(net, still(friction)) {
        for (Index i = n * n; i < net.nodes(); ++i) rim.push_back(i);
        const Index caught = n / 2 * n + n / 2;
        std::vector<Index> pins = rim;
        pins.push_back(caught);
        pull(fabric, net, pins, {{caught, Vec3(0, 2.5 * kSpacing, 0)}}, false, 6);
        EXPECT_GT(slid(), 1.8 * kSpacing); // it went through
        fabric.setPins(rim, false);
    }
    static CrossingNetwork patch(Index n) {
        WovenSample s;
        s.warps = s.wefts = n;
        return wovenSample(s, CrossingMaterial());
    }
    double slid() const { return largestSlide(fabric, net); }
};

TEST(Snag, LeavesAGapThatFrictionHolds) {
    Snagged s(60, true);
    const Left left = release(
        s.fabric, [&] { return s.slid(); }, 5, 2);
    EXPECT_GT(left.withFriction, 0.3 * kSpacing);
    EXPECT_LT(left.without, 0.1 * kSpacing);
    RecordProperty("leftSpacings", std::to_string(left.withFriction / kSpacing));
}

// Drawn without friction from the start. Smaller: nothing but inertia holds the sliding then.
TEST(Snag, SpringsBackWithout) {
    Snagged s(24, false);
    Monitor monitor;
    s.fabric.settle(0.01, 8, 1e-9, monitor);
    EXPECT_LT(s.slid(), 0.1 * kSpacing);
}

// The paper's Figure 6: a small patch of cotton drawn apart at two opposite corners, held in its
// middle when it is let go.
struct Drawn {
    CrossingNetwork net;
    FabricSolver fabric;

    Drawn(Index n, const FabricSolverSettings& settings) : net(patch(n)), fabric(net, settings) {
        const Vec3 way = Vec3(1, 1, 0).normalized() * 0.4 * n * kSpacing;
        pull(fabric, net, {0, n * n - 1}, {{0, -way}, {n * n - 1, way}}, true, 10);
        EXPECT_GT(moved(), 0.3 * n * kSpacing);
        fabric.setPins({n / 2 * n + n / 2});
    }
    static CrossingNetwork patch(Index n) {
        WovenSample s;
        s.warps = s.wefts = n;
        s.tail = 2.4e-4; // a diameter: no yarn can slide along itself as a whole
        return wovenSample(s, CrossingMaterial());
    }
    double moved() const { return largestMove(fabric, net); }
};

TEST(TwoCorners, StayDeformedAsLongAsThereIsFriction) {
    Drawn c(20, still(true));
    const Left left = release(
        c.fabric, [&] { return c.moved(); }, 3, 10);
    EXPECT_GT(left.withFriction, 0.8 * kSpacing);
    EXPECT_LT(left.without, 0.1 * kSpacing);
    RecordProperty("leftSpacings", std::to_string(left.withFriction / kSpacing));
}

TEST(TwoCorners, GoBackWithout) {
    Drawn c(20, still(false));
    Monitor monitor;
    c.fabric.settle(0.01, 10, 1e-9, monitor);
    EXPECT_LT(c.moved(), 0.1 * kSpacing);
}

// What stays is no matter of how far Newton's method went, nor of the step.
TEST(TwoCorners, StayTheSameWithFinerSolvesAndSteps) {
    double left[3];
    for (int k = 0; k < 3; ++k) {
        FabricSolverSettings s = still(true);
        if (k == 1) {
            s.newtonTolerance = 1e-5;
            s.nearMove = 1e-3;
            s.linear.tolerance = 1e-5;
            s.newtonIterations = 30;
        }
        Drawn c(10, s);
        Monitor monitor;
        c.fabric.settle(k == 2 ? 2e-3 : 0.01, 12, 1e-9, monitor);
        left[k] = c.moved();
    }
    EXPECT_GT(left[0], 0.2 * kSpacing);
    EXPECT_NEAR(left[1], left[0], 0.05 * left[0]);
    EXPECT_NEAR(left[2], left[0], 0.05 * left[0]);
}

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
