#include "purl/collide/sdf.h"

#include "grids.h"
#include "purl/base/parallel.h"
#include "purl/collide/distance_field.h"
#include "purl/collide/shapes.h"
#include "tunnel.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

using namespace purl;

namespace {
FieldPtr fieldOf(const openvdb::GridCPtrVec& grids, double reach = 0.01) {
    const std::string bytes = bytesOf(grids);
    SdfOptions options;
    options.reach = reach;
    return readSdfBytes({bytes.data(), bytes.size()}, "test", options);
}

Vec3 direction(std::mt19937& random) {
    std::normal_distribution<double> n;
    return Vec3(n(random), n(random), n(random)).normalized();
}

double angle(const Vec3& a, const Vec3& b) { // degrees
    return std::atan2(a.cross(b).norm(), a.dot(b)) * 57.29577951308232;
}

// A ball that moves by `move` in the frame, one grid at each end, with or without velocities.
SdfCollider movingBall(double radius, double voxel, const Vec3& move, double seconds, bool speeds) {
    std::vector<FieldPtr> fields;
    for (double t : {0.0, 1.0}) {
        auto surface = ballGrid(t * move, radius, voxel);
        openvdb::GridCPtrVec grids{surface};
        if (speeds)
            grids.push_back(
                velocityGrid(*surface, [&](const Vec3&) { return Vec3(move / seconds); }));
        fields.push_back(fieldOf(grids));
    }
    SdfCollider ball(fields[1]);
    ball.setFields(fields[0], fields[1], seconds);
    return ball;
}
} // namespace

TEST(Sdf, ABallsDistanceAndNormalAreExactInTheBandAndInside) {
    const Vec3 centre(0.31, -0.12, 0.07);
    const double radius = 0.1, voxel = 0.004;
    const FieldPtr field = fieldOf({ballGrid(centre, radius, voxel)}, 0.02);
    std::mt19937 random(1);
    std::uniform_real_distribution<double> u(0.35, 1.18);
    double worst = 0, turned = 0;
    for (int i = 0; i < 20000; ++i) {
        const Vec3 n = direction(random);
        const double r = radius * u(random);
        Vec3 normal;
        const double phi = field->sample(centre + r * n, normal);
        worst = std::max(worst, std::abs(phi - (r - radius)));
        turned = std::max(turned, angle(normal, n));
        EXPECT_NEAR(field->distance(centre + r * n), phi, 1e-12);
    }
    EXPECT_LT(worst, 0.15 * voxel);
    EXPECT_LT(turned, 1.0);
    // Near the centre, where all ways out are as long, still inside and still outward.
    for (int i = 0; i < 1000; ++i) {
        const Vec3 n = direction(random);
        Vec3 normal;
        EXPECT_NEAR(field->sample(centre + 0.1 * radius * n, normal), -0.9 * radius, 0.5 * voxel);
        EXPECT_LT(angle(normal, n), 10);
    }
}

TEST(Sdf, TheBandOfABallIsExactToAHundredthOfAVoxel) {
    const double radius = 0.1, voxel = 0.004;
    const FieldPtr field = fieldOf({ballGrid(Vec3::Zero(), radius, voxel)});
    std::mt19937 random(2);
    std::uniform_real_distribution<double> u(-2, 2);
    double sum = 0;
    for (int i = 0; i < 5000; ++i) {
        const double r = radius + voxel * u(random);
        sum += std::abs(field->distance(r * direction(random)) - (r - radius));
    }
    EXPECT_LT(sum / 5000, 0.01 * voxel);
}

TEST(Sdf, FarOutsideTheDistanceIsALowerBoundOfUse) {
    const double radius = 0.1, voxel = 0.004;
    const FieldPtr field = fieldOf({ballGrid(Vec3::Zero(), radius, voxel)});
    std::mt19937 random(3);
    for (int i = 0; i < 5000; ++i) {
        const double phi = 0.011 + 3 * i / 5000.0;
        Vec3 normal;
        const double found = field->sample((radius + phi) * direction(random), normal);
        EXPECT_LE(found, phi + 0.1 * voxel);
        EXPECT_GE(found, 0.5 * phi - 3 * voxel);
    }
    EXPECT_GT(field->distance(Vec3(1e12, -3e30, 0)), 1e9);
}

TEST(Sdf, ATurnedGridIsReadWhereItIs) {
    auto grid = ballGrid(Vec3(0.05, 0.02, 0), 0.05, 0.002);
    auto transform = grid->transform().copy();
    transform->postRotate(0.6, openvdb::math::Y_AXIS);
    transform->postTranslate(openvdb::Vec3d(0, 1, 0));
    grid->setTransform(transform);
    const FieldPtr field = fieldOf({grid});
    const openvdb::Vec3d c = transform->indexToWorld(openvdb::Vec3d(25, 10, 0));
    const Vec3 centre(c.x(), c.y(), c.z());
    std::mt19937 random(4);
    for (int i = 0; i < 500; ++i) {
        const Vec3 n = direction(random);
        Vec3 normal;
        EXPECT_NEAR(field->sample(centre + 0.052 * n, normal), 0.002, 1e-4);
        EXPECT_LT(angle(normal, n), 1.0);
    }
    EXPECT_NEAR((field->centroid - centre).norm(), 0, 2e-5);
}

TEST(Sdf, ManyScatteredBallsHaveTheirOwnInsides) {
    // Far apart in small voxels: the coarse lattice is much coarser than the balls.
    openvdb::initialize();
    const double voxel = 0.002;
    const Vec3 a(0, 0, 0), b(1.5, 0.2, 0), c(0.3, 1.4, -1.3);
    auto grid = ballGrid(a, 0.03, voxel);
    for (const Vec3& at : {b, c}) {
        auto other = ballGrid(at, 0.03, voxel);
        grid->tree().merge(other->tree());
    }
    const FieldPtr field = fieldOf({grid});
    std::mt19937 random(5);
    for (int i = 0; i < 2000; ++i) {
        const Vec3 n = direction(random);
        for (const Vec3& at : {a, b, c}) {
            EXPECT_NEAR(field->distance(at + 0.035 * n), 0.005, 0.2 * voxel);
            EXPECT_NEAR(field->distance(at + 0.027 * n), -0.003, 0.2 * voxel);
            EXPECT_LT(field->distance(at + 0.01 * n), 0);
            EXPECT_LE(field->distance(at + (0.04 + 1e-3 * i) * n), 0.01 + 1e-3 * i + 1e-3);
        }
    }
}

TEST(Sdf, APoseMovesIt) {
    const FieldPtr field = fieldOf({ballGrid(Vec3(0.2, 0, 0), 0.1, 0.004)});
    SdfCollider ball(field);
    Pose b;
    b.rotation = Eigen::AngleAxisd(1.0, Vec3::UnitZ());
    b.translation = Vec3(0, 0, 0.4);
    ball.setPose(Pose(), b, 0.04);
    const Vec3 centre(0.2 * std::cos(0.5), 0.2 * std::sin(0.5), 0.2);
    const ColliderSample s = ball.sampleAt(centre + Vec3(0, 0, 0.105), 0.5);
    EXPECT_NEAR(s.phi, 0.005, 4e-4);
    EXPECT_LT(angle(s.normal, Vec3::UnitZ()), 1.0);
    const Vec3 v = Vec3(0, 0, 0.4 / 0.04) + Vec3(0, 0, 1 / 0.04).cross(centre);
    EXPECT_NEAR((s.velocity - v).norm(), 0, 1e-9);
}

TEST(Sdf, AMovingPairOfGridsIsAWholeBallInMidFrame) {
    // 0.5 m a frame, five times the radius: blended in place it would vanish in between.
    const double seconds = 1.0 / 24, radius = 0.1, voxel = 0.005;
    const Vec3 move(0.5, 0.05, 0);
    for (bool speeds : {false, true}) {
        const SdfCollider ball = movingBall(radius, voxel, move, seconds, speeds);
        std::mt19937 random(6);
        for (double t : {0.0, 0.25, 0.5, 0.9, 1.0})
            for (int i = 0; i < 300; ++i) {
                const Vec3 n = direction(random);
                const ColliderSample s = ball.sampleAt(t * move + 1.03 * radius * n, t);
                EXPECT_NEAR(s.phi, 0.03 * radius, 0.1 * voxel) << speeds << " " << t;
                EXPECT_LT(angle(s.normal, n), 1.0);
                EXPECT_NEAR((s.velocity - move / seconds).norm(), 0, 0.02 * move.norm() / seconds);
                EXPECT_LT(ball.distanceAt(t * move + 0.5 * radius * n, t), -0.4 * radius);
            }
        EXPECT_LT(ball.residualSpeed(), 0.5 * voxel / seconds);
        EXPECT_GE(ball.speedBound(Vec3::Zero(), 0), move.norm() / seconds);
    }
}

TEST(Sdf, AGrowingBallPushesAlongItsNormal) {
    const double seconds = 0.1;
    SdfCollider ball(fieldOf({ballGrid(Vec3::Zero(), 0.11, 0.004)}));
    ball.setFields(fieldOf({ballGrid(Vec3::Zero(), 0.10, 0.004)}), ball.field(), seconds);
    std::mt19937 random(7);
    for (int i = 0; i < 200; ++i) {
        const Vec3 n = direction(random);
        const ColliderSample s = ball.sampleAt(0.107 * n, 0.5);
        EXPECT_NEAR(s.phi, 0.002, 2e-4);
        EXPECT_NEAR((s.velocity - 0.1 * n).norm(), 0, 0.01);
    }
    EXPECT_GE(ball.residualSpeed(), 0.1);
}

TEST(Sdf, ASpinningBarFollowsItsVelocityGrid) {
    // A ball on an arm that turns by 40 degrees: the centroid's straight drift misses the arc, the
    // velocities do not.
    const double seconds = 0.04, angle0 = 0.35;
    std::vector<FieldPtr> fields;
    for (double a : {-angle0, angle0}) {
        auto surface = ballGrid(0.3 * Vec3(std::cos(a), std::sin(a), 0), 0.05, 0.004);
        auto speed = velocityGrid(*surface, [&](const Vec3& x) {
            return Vec3(Vec3(0, 0, 2 * angle0 / seconds).cross(x));
        });
        fields.push_back(fieldOf({surface, speed}));
    }
    SdfCollider ball(fields[1]);
    ball.setFields(fields[0], fields[1], seconds);
    for (double t : {0.2, 0.5, 0.8}) {
        const double a = (2 * t - 1) * angle0;
        const Vec3 centre = 0.3 * Vec3(std::cos(a), std::sin(a), 0);
        for (const Vec3& n : {Vec3(1, 0, 0), Vec3(-1, 0, 0), Vec3(0, 1, 0), Vec3(0, -1, 0)})
            EXPECT_NEAR(ball.distanceAt(centre + 0.052 * n, t), 0.002, 0.005) << t; // arm 300 mm
    }
    const ColliderSample top = ball.sampleAt(Vec3(0.3, 0, 0.052), 0.5);
    EXPECT_NEAR(top.phi, 0.002, 0.001);
    // The mean of two velocities 40 degrees apart is 6 % shorter than they are.
    EXPECT_NEAR(top.velocity.y(), 0.3 * 2 * angle0 / seconds, 0.07 * top.velocity.y());
}

TEST(Sdf, ABallDoesNotPassASheet) {
    for (int steps : {40, 300}) {
        SdfCollider moved(fieldOf({ballGrid(Vec3(0, -0.06, 0), 0.04, 0.002)}));
        expectSheetIsPushed(moved, steps, false);
    }
}

// The same rise by two grids a frame instead of a pose.
TEST(Sdf, ADeformingBallDoesNotPassASheet) {
    for (bool speeds : {false, true}) {
        std::vector<FieldPtr> fields;
        for (double y : {-0.06, 0.44}) {
            auto surface = ballGrid(Vec3(0, y, 0), 0.04, 0.002);
            openvdb::GridCPtrVec grids{surface};
            if (speeds)
                grids.push_back(velocityGrid(*surface, [](const Vec3&) { return Vec3(0, 12, 0); }));
            fields.push_back(fieldOf(grids));
        }
        SdfCollider ball(fields[1]);
        ball.setFields(fields[0], fields[1], 1.0 / 24);
        expectSheetIsPushed(ball, 40, false, false);
    }
}

TEST(Sdf, TheSameBitsAtEveryThreadCount) {
    std::vector<FieldPtr> fields;
    for (int threads : {1, 2, 3}) {
        ThreadLimit limit(threads);
        auto surface = ballGrid(Vec3(0.01, 0, 0), 0.06, 0.003);
        auto speed = velocityGrid(*surface, [](const Vec3& x) { return Vec3(x.y(), -x.x(), 1); });
        fields.push_back(fieldOf({surface, speed}, 0.02));
    }
    for (int k : {1, 2}) {
        ASSERT_EQ(fields[k]->values.size(), fields[0]->values.size());
        EXPECT_EQ(fields[k]->values, fields[0]->values);
        EXPECT_EQ(fields[k]->coarseValue, fields[0]->coarseValue);
        EXPECT_EQ(std::memcmp(fields[k]->velocities.data(), fields[0]->velocities.data(),
                              sizeof(Vec3f) * fields[0]->velocities.size()),
                  0);
        EXPECT_EQ(fields[k]->centroid, fields[0]->centroid);
    }
}

// A node sliding down an inclined level set obeys the same friction as on a plane.
TEST(Sdf, ANodeRestsOnTheBallWhereFrictionHoldsIt) {
    const double radius = 0.1, thin = 0.001, mu = 0.4, dt = 5e-4;
    SdfCollider ball(fieldOf({ballGrid(Vec3::Zero(), radius, 0.002)}));
    std::vector<CollisionBody> bodies(1);
    bodies[0].collider = &ball;
    bodies[0].settings.friction = mu;
    for (double off : {-1.5, 1.5}) { // degrees from the friction angle
        const double a = std::atan(mu) + off / 57.29577951308232;
        std::vector<Vec3> x{(radius + thin) * Vec3(std::sin(a), std::cos(a), 0)}, v{Vec3::Zero()};
        const Vec3 start = x[0];
        const std::vector<double> w{100};
        CollisionResponse response({thin}, {});
        for (int i = 0; i < 600; ++i) {
            v[0].y() -= dt * 9.81;
            response.apply(bodies, x, v, w, dt, 1);
            x[0] += dt * v[0];
        }
        const double slid = (x[0] - start).norm();
        EXPECT_TRUE(off < 0 ? slid < 1e-4 : slid > 5e-3) << off << ": " << slid;
    }
}
