#include "purl/collide/shapes.h"

#include "purl/base/error.h"

#include <gtest/gtest.h>

#include <random>

using namespace purl;

namespace {
constexpr double kPi = 3.14159265358979323846;

std::vector<Vec3> cloud(int n, double size, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> u(-size, size);
    std::vector<Vec3> x;
    for (int i = 0; i < n; ++i) x.emplace_back(u(random), u(random), u(random));
    return x;
}

// phi is a distance: its finite difference along the normal is one, across it nothing, and a walk
// of -phi along the normal ends on the surface.
void expectDistanceField(const Collider& c, double t, const std::vector<Vec3>& points) {
    for (const Vec3& x : points) {
        const ColliderSample s = c.sampleAt(x, t);
        ASSERT_NEAR(s.normal.norm(), 1, 1e-12);
        EXPECT_NEAR(c.distanceAt(x, t), s.phi, 1e-14);
        EXPECT_NEAR(c.distanceAt(x - s.phi * s.normal, t), 0, 1e-12);
        EXPECT_NEAR(c.distanceAt(x + 1e-6 * s.normal, t) - s.phi, 1e-6, 1e-11);
    }
}
} // namespace

TEST(Shapes, PlaneHasItsClosedForm) {
    const PlaneCollider plane(Vec3(0, 2, 0), 0.3);
    EXPECT_NEAR(plane.distanceAt(Vec3(5, 1, -7), 0), 0.7, 1e-15);
    EXPECT_NEAR(plane.distanceAt(Vec3(5, 0, -7), 0), -0.3, 1e-15);
    EXPECT_EQ(plane.sampleAt(Vec3(1, 0, 0), 0).normal, Vec3(0, 1, 0));
    expectDistanceField(PlaneCollider(Vec3(1, -2, 0.5), -0.2), 0, cloud(50, 1, 1));
}

TEST(Shapes, SphereHasItsClosedForm) {
    const Vec3 c(0.1, -0.2, 0.3);
    const SphereCollider sphere(c, 0.25);
    for (const Vec3& x : cloud(100, 1, 2)) {
        const ColliderSample s = sphere.sampleAt(x, 0);
        EXPECT_NEAR(s.phi, (x - c).norm() - 0.25, 1e-15);
        EXPECT_NEAR((s.normal - (x - c).normalized()).norm(), 0, 1e-12);
    }
    EXPECT_NEAR(sphere.sampleAt(c, 0).normal.norm(), 1, 1e-15);
}

TEST(Shapes, CapsuleIsTheDistanceToItsSegment) {
    const Vec3 a(0, 0, 0), b(0, 1, 0);
    const CapsuleCollider capsule(a, b, 0.1);
    EXPECT_NEAR(capsule.distanceAt(Vec3(0.5, 0.5, 0), 0), 0.4, 1e-15);
    EXPECT_NEAR(capsule.distanceAt(Vec3(0, 1.5, 0), 0), 0.4, 1e-15);
    EXPECT_NEAR(capsule.distanceAt(Vec3(3, -4, 0), 0), 4.9, 1e-15);
    EXPECT_NEAR(capsule.distanceAt(Vec3(0, 0.5, 0), 0), -0.1, 1e-15);
    EXPECT_NEAR(capsule.sampleAt(Vec3(0, 0.5, 0), 0).normal.y(), 0, 1e-15);
    expectDistanceField(CapsuleCollider(Vec3(-0.4, 0.1, 0), Vec3(0.3, 0.2, 0.5), 0.07), 0,
                        cloud(50, 1, 3));
}

TEST(Shapes, ImpossibleOnesAreRefused) {
    EXPECT_THROW(SphereCollider(Vec3::Zero(), 0), Error);
    EXPECT_THROW(SphereCollider(Vec3::Zero(), -1), Error);
    EXPECT_THROW(CapsuleCollider(Vec3::Zero(), Vec3(NAN, 0, 0), 1), Error);
    EXPECT_THROW(PlaneCollider(Vec3::Zero(), 0), Error);
}

TEST(Motion, PoseComesFromAMatrixAndRefusesScale) {
    Eigen::Matrix4d m = Eigen::Matrix4d::Identity();
    m.topLeftCorner<3, 3>() = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).matrix();
    m.topRightCorner<3, 1>() = Vec3(4, 5, 6);
    const Pose p = Pose::fromMatrix(m);
    EXPECT_LT((p.rotation.toRotationMatrix() - m.topLeftCorner<3, 3>()).norm(), 1e-14);
    EXPECT_EQ(p.translation, Vec3(4, 5, 6));
    m.topLeftCorner<3, 3>() *= 2;
    EXPECT_THROW(Pose::fromMatrix(m), Error);
    EXPECT_THROW(Pose::fromMatrix(Eigen::Vector4d(1, 1, -1, 1).asDiagonal().toDenseMatrix()),
                 Error);
}

TEST(Motion, MidFrameAndVelocityAreThoseOfTheScrew) {
    // A quarter turn about y and one metre along x in 1/24 s.
    const double seconds = 1.0 / 24;
    SphereCollider ball(Vec3(1, 0, 0), 0.1);
    Pose end;
    end.rotation = Eigen::AngleAxisd(kPi / 2, Vec3::UnitY());
    end.translation = Vec3(1, 0, 0);
    ball.setPose(Pose(), end, seconds);
    const auto centre = [&](double t) {
        return Vec3(t + std::cos(t * kPi / 2), 0, -std::sin(t * kPi / 2));
    };
    for (double t : {0.0, 0.25, 0.5, 1.0}) {
        const Vec3 x = centre(t) + Vec3(0, 0.3, 0);
        const ColliderSample s = ball.sampleAt(x, t);
        EXPECT_NEAR(s.phi, 0.2, 1e-12);
        EXPECT_NEAR((s.normal - Vec3::UnitY()).norm(), 0, 1e-12);
        const double e = 1e-5;
        const Vec3 fd = (centre(t + e) - centre(t - e)) / (2 * e * seconds);
        EXPECT_NEAR((s.velocity - fd).norm(), 0, 1e-6 * fd.norm()); // on the turning axis' height
        EXPECT_LE(s.velocity.norm(), ball.speedBound(x, 0));
        expectDistanceField(ball, t, cloud(20, 2, 4));
    }
}

TEST(Motion, CarriedPointsKeepTheirDistanceAndFollowTheVelocity) {
    const double seconds = 0.04;
    CapsuleCollider capsule(Vec3(-0.5, 0, 0), Vec3(0.5, 0.1, 0), 0.05);
    Pose a, b;
    a.rotation = Eigen::AngleAxisd(0.4, Vec3(0, 1, 1).normalized());
    b.rotation = Eigen::AngleAxisd(-0.8, Vec3(1, 0, 1).normalized());
    b.translation = Vec3(0.1, 0.2, -0.3);
    capsule.setPose(a, b, seconds);
    const std::vector<Vec3> x = cloud(30, 1, 5);
    std::vector<Vec3> later(x.size());
    capsule.carry(x, 0.2, 0.2 + 1e-6, later);
    for (std::size_t i = 0; i < x.size(); ++i) {
        const Vec3 fd = (later[i] - x[i]) / (1e-6 * seconds);
        EXPECT_NEAR((capsule.sampleAt(x[i], 0.2).velocity - fd).norm(), 0, 1e-4 * fd.norm());
    }
    capsule.carry(x, 0, 0.7, later);
    for (std::size_t i = 0; i < x.size(); ++i)
        EXPECT_NEAR(capsule.distanceAt(later[i], 0.7), capsule.distanceAt(x[i], 0), 1e-12);
}

TEST(Motion, SpeedBoundHoldsForTheRateOfPhi) {
    CapsuleCollider capsule(Vec3(-0.5, 0, 0), Vec3(0.5, 0.1, 0), 0.05);
    Pose b;
    b.rotation = Eigen::AngleAxisd(1.5, Vec3(1, 0, 1).normalized());
    b.translation = Vec3(0.1, 0.2, -0.3);
    capsule.setPose(Pose(), b, 0.5);
    for (const Vec3& x : cloud(50, 1, 6))
        for (double t = 0; t < 1; t += 0.1) {
            const double rate =
                std::abs(capsule.distanceAt(x, t + 0.01) - capsule.distanceAt(x, t));
            EXPECT_LE(rate / (0.01 * 0.5), capsule.speedBound(x, 0) + 1e-9);
        }
}
