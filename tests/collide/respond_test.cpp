#include "purl/collide/respond.h"

#include "purl/base/parallel.h"
#include "purl/collide/hit.h"
#include "purl/collide/shapes.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

using namespace purl;

namespace {
constexpr double kDegree = 3.14159265358979323846 / 180;

CollisionBody body(const Collider& c, double friction = 0.3) {
    CollisionBody b;
    b.collider = &c;
    b.settings.friction = friction;
    return b;
}

// Nodes in rows, as yarns along x, at height y.
Curves sheet(int rows, int columns, double spacing, double radius, double y) {
    Curves curves;
    for (int r = 0; r < rows; ++r) {
        std::vector<Vec3> x;
        for (int c = 0; c < columns; ++c)
            x.emplace_back((c - 0.5 * columns) * spacing, y, (r - 0.5 * rows) * spacing);
        curves.add(x, false, radius);
    }
    return curves;
}

// How far a node slides in half a second on a plane inclined by beta.
double slide(double beta, double friction, const Vec3& start) {
    const Vec3 normal(std::sin(beta), std::cos(beta), 0), down(std::cos(beta), -std::sin(beta), 0);
    PlaneCollider plane(normal, 0);
    const std::vector<CollisionBody> bodies{body(plane, friction)};
    CollisionResponse response({0.001}, {});
    std::vector<Vec3> x{0.001 * normal}, v{start};
    const std::vector<double> w{1 / 0.01};
    const double dt = 1e-3;
    for (int i = 0; i < 500; ++i) {
        v[0] += dt * Vec3(0, -9.81, 0);
        response.apply(bodies, x, v, w, dt, 1);
        x[0] += dt * v[0];
        EXPECT_NEAR(plane.distanceAt(x[0], 1), 0.001, 1e-9);
    }
    return x[0].dot(down);
}
} // namespace

// Oracle 10: slips if and only if tan(beta) > mu.
TEST(Respond, ANodeSlipsOnAnInclinedPlaneAboveTheFrictionAngle) {
    for (double mu : {0.1, 0.3, 0.8}) {
        const double limit = std::atan(mu);
        EXPECT_LT(slide(limit - 0.5 * kDegree, mu, Vec3::Zero()), 1e-9);
        const double beta = limit + 0.5 * kDegree;
        const double expected = 0.5 * 9.81 * (std::sin(beta) - mu * std::cos(beta)) * 0.25;
        EXPECT_NEAR(slide(beta, mu, Vec3::Zero()), expected, 0.02 * expected);
    }
}

TEST(Respond, FrictionStopsASliderAfterTheDistanceOfItsEnergy) {
    EXPECT_NEAR(slide(0, 0.25, Vec3(1, 0, 0)), 1 / (2 * 0.25 * 9.81), 2e-3);
}

TEST(Respond, FrictionHeatIsTheKineticEnergyLost) {
    PlaneCollider plane(Vec3::UnitY(), 0);
    const std::vector<CollisionBody> bodies{body(plane, 0.5)};
    CollisionResponse response({0.001}, {});
    std::vector<Vec3> x{Vec3(0, 0.001, 0)}, v{Vec3(1, 0, 0.5)};
    const std::vector<double> w{1 / 0.02};
    double heat = 0;
    for (int i = 0; i < 1000; ++i) {
        v[0].y() -= 1e-3 * 9.81;
        heat += response.apply(bodies, x, v, w, 1e-3, 1).frictionHeat;
        x[0] += 1e-3 * v[0];
    }
    EXPECT_NEAR(heat, 0.5 * 0.02 * 1.25, 1e-12);
    EXPECT_LT(v[0].norm(), 1e-12);
}

TEST(Respond, PushOutIsLimitedInSpeedAndLeavesNoVelocity) {
    PlaneCollider plane(Vec3::UnitY(), 0);
    std::vector<CollisionBody> bodies{body(plane)};
    bodies[0].settings.maxPushOut = 0.5;
    CollisionResponse response({0.002}, {});
    std::vector<Vec3> x{Vec3(0, -0.01, 0)}, v{Vec3::Zero()};
    const std::vector<double> w{100};
    const double dt = 1e-3;
    CollisionFigures f = response.apply(bodies, x, v, w, dt, 1);
    EXPECT_NEAR(f.deepest, 0.012, 1e-15);
    EXPECT_NEAR(x[0].y(), -0.01 + 0.5 * dt, 1e-15);
    int steps = 1;
    for (; f.deepest > 1e-12 && steps < 100; ++steps) f = response.apply(bodies, x, v, w, dt, 1);
    EXPECT_EQ(steps, 25); // 12 mm at 0.5 mm a step, and one to see that nothing is left
    EXPECT_EQ(v[0], Vec3::Zero());
    EXPECT_NEAR(x[0].y(), 0.002, 1e-15);
}

TEST(Respond, ThicknessIsKeptFree) {
    PlaneCollider plane(Vec3::UnitY(), 0);
    std::vector<CollisionBody> bodies{body(plane)};
    bodies[0].settings.thickness = 0.003;
    CollisionResponse response({0.002}, {});
    std::vector<Vec3> x{Vec3(0, 0.0061, 0)}, v{Vec3(0, -1.2, 0)};
    const std::vector<double> w{100};
    response.apply(bodies, x, v, w, 1e-3, 1);
    EXPECT_NEAR(x[0].y() + 1e-3 * v[0].y(), 0.005, 1e-15);
}

TEST(Respond, PinnedNodesStayAndTheOthersAnswer) {
    PlaneCollider plane(Vec3::UnitY(), 0);
    Curves curves = sheet(1, 8, 0.002, 0.001, -0.002);
    CollisionResponse response(curves);
    std::vector<Vec3> v(8, Vec3(0.1, -1, 0));
    std::vector<double> w(8, 1e4);
    w[3] = 0;
    const std::vector<CollisionBody> bodies{body(plane)};
    std::vector<Vec3> x = curves.x;
    response.apply(bodies, x, v, w, 1e-4, 1);
    EXPECT_EQ(x[3], curves.x[3]);
    EXPECT_EQ(v[3], Vec3(0.1, -1, 0));
    EXPECT_GE(v[0].y(), -1e-12);
    EXPECT_GT(x[0].y(), curves.x[0].y());
}

// A yarn whose nodes straddle a thin rod touches it between the nodes only.
TEST(Respond, PointsBetweenNodesTouchToo) {
    CapsuleCollider rod(Vec3(0, -0.003, -1), Vec3(0, -0.003, 1), 0.0025);
    Curves curves;
    const std::vector<Vec3> line{Vec3(-0.015, 0, 0), Vec3(-0.005, 0, 0), Vec3(0.005, 0, 0),
                                 Vec3(0.015, 0, 0)};
    curves.add(line, false, 0.001);
    CollisionResponse response(curves);
    std::vector<Vec3> x = curves.x, v(4, Vec3::Zero());
    const std::vector<double> w(4, 1e3);
    const std::vector<CollisionBody> bodies{body(rod)};
    for (int i = 0; i < 300; ++i) {
        for (Vec3& u : v) u.y() -= 1e-3 * 9.81;
        response.apply(bodies, x, v, w, 1e-3, 1);
        for (int k = 0; k < 4; ++k) x[k] += 1e-3 * v[k];
    }
    const Vec3 middle = (-x[0] + 9 * x[1] + 9 * x[2] - x[3]) / 16;
    EXPECT_NEAR(rod.distanceAt(middle, 1), 0.001, 2e-5);
    EXPECT_LT(x[0].y(), -0.1); // the ends are not held by anything
}

// Neighbouring points that all touch must not add up to more than each of them asked for.
TEST(Respond, ManyTouchingPointsDoNotOverCorrect) {
    SphereCollider ball(Vec3(0, -10, 0), 10);
    Curves curves = sheet(1, 40, 0.002, 0.001, 0.0012);
    for (Vec3& x : curves.x) x.y() += std::sqrt(100 - x.x() * x.x()) - 10;
    CollisionResponse response(curves);
    std::vector<Vec3> x = curves.x, v(40, Vec3(0, -1, 0));
    const std::vector<double> w(40, 1e3);
    const std::vector<CollisionBody> bodies{body(ball, 0)};
    response.apply(bodies, x, v, w, 1e-3, 1);
    for (int i = 0; i < 40; ++i)
        EXPECT_NEAR(ball.distanceAt(x[i] + 1e-3 * v[i], 1), 0.001, 2e-6) << i;
}

TEST(Respond, SeveralCollidersHoldANodeBetweenThem) {
    PlaneCollider ground(Vec3::UnitY(), 0), wall(Vec3::UnitX(), 0);
    const std::vector<CollisionBody> bodies{body(ground), body(wall)};
    CollisionResponse response({0.001}, {});
    std::vector<Vec3> x{Vec3(0.0012, 0.0012, 0)}, v{Vec3(-1, -2, 0)};
    const std::vector<double> w{100};
    const CollisionFigures f = response.apply(bodies, x, v, w, 1e-3, 1);
    EXPECT_EQ(f.touching, 2);
    EXPECT_GE(x[0].x() + 1e-3 * v[0].x(), 0.001 - 1e-12);
    EXPECT_GE(x[0].y() + 1e-3 * v[0].y(), 0.001 - 1e-12);
}

TEST(Respond, ACollidersFrictionDragsWhatRestsOnIt) {
    const double seconds = 1.0 / 24, dt = seconds / 100;
    PlaneCollider belt(Vec3::UnitY(), 0);
    const std::vector<CollisionBody> bodies{body(belt, 0.5)};
    CollisionResponse response({0.001}, {});
    std::vector<Vec3> x{Vec3(0, 0.001, 0)}, v{Vec3::Zero()};
    const std::vector<double> w{100};
    Pose before, now;
    for (int frame = 0; frame < 4; ++frame) {
        now.translation.x() += 0.5 * seconds; // 0.5 m/s
        belt.setPose(before, now, seconds);
        for (int i = 0; i < 100; ++i) {
            v[0].y() -= dt * 9.81;
            response.apply(bodies, x, v, w, dt, (i + 1) / 100.0);
            x[0] += dt * v[0];
        }
        before = now;
        if (frame == 0) {
            EXPECT_NEAR(v[0].x(), 0.5 * 9.81 * seconds, 1e-6);
        }
    }
    EXPECT_NEAR(v[0].x(), 0.5, 1e-9);
}

TEST(Respond, TheSameBitsAtEveryThreadCount) {
    std::vector<std::vector<Vec3>> ends;
    std::vector<double> heats;
    for (int threads : {1, 2, 3}) {
        ThreadLimit limit(threads);
        Curves curves = sheet(60, 90, 0.003, 0.001, 0.05);
        SphereCollider ball(Vec3(0, -0.04, 0), 0.08);
        PlaneCollider ground(Vec3::UnitY(), -0.02);
        const std::vector<CollisionBody> bodies{body(ball), body(ground, 0.5)};
        CollisionResponse response(curves);
        std::vector<Vec3> x = curves.x, v(x.size());
        std::mt19937 random(7);
        for (Vec3& u : v) u = Vec3(random() % 100 * 1e-3, -1, random() % 100 * 1e-3);
        const std::vector<double> w(x.size(), 1e4);
        double heat = 0;
        for (int i = 0; i < 60; ++i) {
            heat += response.apply(bodies, x, v, w, 1e-3, 1).frictionHeat;
            for (std::size_t k = 0; k < x.size(); ++k) x[k] += 1e-3 * v[k];
        }
        ends.push_back(x);
        heats.push_back(heat);
    }
    EXPECT_GT(heats[0], 0);
    for (int k : {1, 2}) {
        EXPECT_EQ(heats[k], heats[0]);
        EXPECT_EQ(std::memcmp(ends[k].data(), ends[0].data(), sizeof(Vec3) * ends[0].size()), 0);
    }
}

// What the response remembers from step to step saves work and changes nothing: one made anew for
// every step gives the same bits, over frames in which the colliders turn, move and jump.
TEST(Respond, ItsMemoryChangesNothing) {
    const Curves curves = sheet(12, 40, 0.003, 0.001, 0.03);
    const double seconds = 1.0 / 24, dt = seconds / 30;
    CapsuleCollider rod(Vec3(-0.04, 0, 0), Vec3(0.04, 0, 0), 0.01);
    PlaneCollider ground(Vec3::UnitY(), -0.01);
    const std::vector<CollisionBody> bodies{body(rod), body(ground)};
    const std::vector<double> w(curves.x.size(), 1e4);
    std::vector<Vec3> x[2] = {curves.x, curves.x};
    std::vector<Vec3> v[2] = {std::vector<Vec3>(w.size(), Vec3(0.2, -1, 0)), {}};
    v[1] = v[0];
    CollisionResponse kept(curves);
    Pose before;
    Index touching = 0;
    for (int frame = 0; frame < 6; ++frame) {
        Pose now;
        now.rotation = Eigen::AngleAxisd(0.9 * frame, Vec3(0.3, 1, 0).normalized());
        now.translation = Vec3(0.02 * frame, 0.01 * std::sin(frame), -0.01 * frame);
        rod.setPose(before, now, seconds);
        before = frame == 3 ? Pose() : now;
        for (int step = 0; step < 30; ++step) {
            const double t1 = (step + 1) / 30.0;
            CollisionResponse fresh(curves);
            touching += kept.apply(bodies, x[0], v[0], w, dt, t1).touching;
            fresh.apply(bodies, x[1], v[1], w, dt, t1);
            for (int k = 0; k < 2; ++k)
                for (std::size_t i = 0; i < w.size(); ++i) {
                    x[k][i] += dt * v[k][i];
                    v[k][i].y() -= dt * 9.81;
                }
            ASSERT_EQ(std::memcmp(x[0].data(), x[1].data(), sizeof(Vec3) * w.size()), 0);
        }
    }
    EXPECT_GT(touching, 1000);
}

// Against brute force: after every step every node asked by itself is as far away as its gap.
TEST(Respond, NoTouchingNodeIsMissed) {
    const Curves curves = sheet(12, 40, 0.003, 0.001, 0.0);
    const double seconds = 1.0 / 24, dt = seconds / 60;
    CapsuleCollider rod(Vec3(-0.04, -0.05, 0), Vec3(0.04, -0.05, 0), 0.01);
    const std::vector<CollisionBody> bodies{body(rod)};
    const std::vector<double> w(curves.x.size(), 1e4);
    std::vector<Vec3> x = curves.x, v(w.size(), Vec3::Zero());
    CollisionResponse response(nodeRadii(curves), {});
    Pose now;
    now.rotation = Eigen::AngleAxisd(0.5, Vec3::UnitY());
    now.translation = Vec3(0, 0.1, 0);
    rod.setPose(Pose(), now, seconds);
    Index touching = 0;
    for (int step = 0; step < 60; ++step) {
        const double t1 = (step + 1) / 60.0;
        touching += response.apply(bodies, x, v, w, dt, t1).touching;
        for (std::size_t i = 0; i < x.size(); ++i) {
            x[i] += dt * v[i];
            // A step's turn and curvature may leave a hundredth of the gap.
            ASSERT_GT(rod.distanceAt(x[i], t1), 0.001 - 1e-5 - 5e-5) << step << " " << i;
        }
    }
    EXPECT_GT(touching, 500);
}

TEST(Respond, AColliderThatIsMovedAtOnceIsNoticed) {
    SphereCollider ball(Vec3::Zero(), 0.1);
    const std::vector<CollisionBody> bodies{body(ball)};
    CollisionResponse response({0.001}, {});
    std::vector<Vec3> x{Vec3(0, 0.15, 0)}, v{Vec3::Zero()};
    const std::vector<double> w{100};
    EXPECT_EQ(response.apply(bodies, x, v, w, 1e-4, 1).touching, 0);
    Pose there;
    there.translation = Vec3(0, 0.06, 0);
    ball.setPose(there, there, 1.0 / 24);
    EXPECT_EQ(response.apply(bodies, x, v, w, 1e-4, 1).touching, 1);
}
