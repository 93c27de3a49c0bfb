// The linear model of a contact set against the single pair's trio, summed by hand.
#include "purl/contact/linear_model.h"

#include "purl/contact/corotate.h"
#include "purl/contact/pair.h"

#include <gtest/gtest.h>

#include <random>

namespace purl {
namespace {

struct Crossing { // two yarns of five edges that cross in the middle
    Curves curves;
    std::vector<Material> material{2};
    Layout layout;
    Quadrature quadrature;
    Exclusion exclusion;
    ModelBuilder builder;
    Padded3 x;

    explicit Crossing(double height, unsigned seed = 1) {
        std::mt19937 random(seed);
        std::uniform_real_distribution<double> shake(-2e-4, 2e-4);
        std::vector<Vec3> a, b;
        for (int i = 0; i < 6; ++i) {
            a.push_back({0.003 * (i - 2.5), shake(random), shake(random)});
            b.push_back({shake(random), 0.003 * (i - 2.4), height + shake(random)});
        }
        curves.add(a, false, 0.00125);
        curves.add(b, false, 0.001);
        layout = Layout(curves);
        quadrature = Quadrature(curves, layout, material, 11);
        exclusion = Exclusion(curves, {}, 11);
        builder = ModelBuilder(quadrature, exclusion);
        x.resize(layout.padded() + 16);
        for (Index y = 0; y < 2; ++y) scatter(layout, curves.x, curves.first[y], y, x);
    }
    ContactPair pair(Index u, Index v) const {
        ContactPair p;
        for (int i = 0; i < 4; ++i) {
            p.a[i] = builder.weights(u)[i];
            p.b[i] = builder.weights(v)[i];
        }
        p.reach = 0.00225;
        p.k = quadrature.scale[3 * (u / 11)] * quadrature.scale[3 * (v / 11)];
        return p;
    }
};

TEST(LinearModel, IsTheSumOfItsPairs) {
    Crossing c(0.0016);
    const PointBox box{22 - 11, 22 + 21, 55 + 11, 55 + 43};
    const Measure m = c.builder.measure(box, c.x);
    LinearModel model;
    c.builder.build(m.touch, box, c.x, true, model);
    const int n = model.window.size();
    Eigen::VectorXd force = Eigen::VectorXd::Zero(3 * n);
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(3 * n, 3 * n);
    double nearest = 1e9;
    long touching = 0;
    PointBox touch{1000, -1, 1000, -1};
    for (Index u = box.u0; u <= box.u1; ++u)
        for (Index v = box.v0; v <= box.v1; ++v) {
            const double d = (c.builder.point(u, c.x) - c.builder.point(v, c.x)).norm();
            nearest = std::min(nearest, d);
            if (d >= 0.00225) continue;
            ++touching;
            touch = {std::min(touch.u0, u), std::max(touch.u1, u), std::min(touch.v0, v),
                     std::max(touch.v1, v)};
            int control[8];
            Vec24 q;
            for (int i = 0; i < 4; ++i) {
                control[i] = u / 11 - box.u0 / 11 + i;
                control[4 + i] = model.window.nu + v / 11 - box.v0 / 11 + i;
            }
            for (int i = 0; i < 8; ++i) q.segment<3>(3 * i) = c.x.at(model.window.slot(control[i]));
            const Vec24 g = contactGradient(c.pair(u, v), q);
            const Mat24 h = contactHessian(c.pair(u, v), q);
            for (int i = 0; i < 8; ++i) {
                force.segment<3>(3 * control[i]) -= g.segment<3>(3 * i);
                for (int j = 0; j < 8; ++j)
                    matrix.block<3, 3>(3 * control[i], 3 * control[j]) -=
                        h.block<3, 3>(3 * i, 3 * j);
            }
        }
    ASSERT_GT(touching, 20);
    EXPECT_EQ(m.touching, touching);
    EXPECT_NEAR(m.nearest, nearest, 1e-15);
    EXPECT_EQ(m.touch.u0, touch.u0);
    EXPECT_EQ(m.touch.u1, touch.u1);
    EXPECT_EQ(m.touch.v0, touch.v0);
    EXPECT_EQ(m.touch.v1, touch.v1);
    double worst = 0;
    for (int i = 0; i < 3 * n; ++i) worst = std::max(worst, std::abs(model.force[i] - force[i]));
    EXPECT_LT(worst, 1e-12 * force.norm());
    for (int a = 0; a < n; ++a)
        for (int b = a; b < n; ++b) {
            const float* h = &model.stiffness[6 * LinearModel::block(n, a, b)];
            Mat3 full;
            full << h[0], h[1], h[2], h[1], h[3], h[4], h[2], h[4], h[5];
            worst = std::max(worst, (full - matrix.block<3, 3>(3 * a, 3 * b)).norm());
        }
    EXPECT_LT(worst, 1e-6 * matrix.norm());
    // Every row of the stiffness sums to nothing: contacts do not feel a common shift.
    EXPECT_LT(matrix.rowwise().sum().norm(), 1e-9 * matrix.norm());
}

TEST(LinearModel, FollowsTheTangentOfTheForce) {
    Crossing c(0.0016);
    const PointBox box{11, 43, 66, 98};
    LinearModel m0, m1;
    c.builder.build(c.builder.measure(box, c.x).touch, box, c.x, true, m0);
    const int n = m0.window.size();
    std::mt19937 random(3);
    std::normal_distribution<double> shake(0, 1e-7);
    Eigen::VectorXd z(3 * n), predicted(3 * n), real(3 * n);
    Padded3 x = c.x;
    for (int a = 0; a < n; ++a)
        for (int i = 0; i < 3; ++i) z[3 * a + i] = shake(random);
    for (int a = 0; a < n; ++a) x.add(m0.window.slot(a), z.segment<3>(3 * a));
    c.builder.build(c.builder.measure(box, x).touch, box, x, true, m1);
    predicted.setZero();
    for (int a = 0; a < n; ++a)
        for (int b = 0; b < n; ++b) {
            const float* h =
                &m0.stiffness[6 * LinearModel::block(n, std::min(a, b), std::max(a, b))];
            Mat3 full;
            full << h[0], h[1], h[2], h[1], h[3], h[4], h[2], h[4], h[5];
            predicted.segment<3>(3 * a) += full * z.segment<3>(3 * b);
        }
    for (int i = 0; i < 3 * n; ++i) real[i] = m1.force[i] - m0.force[i];
    EXPECT_LT((predicted - real).norm(), 2e-3 * real.norm());
}

TEST(Corotate, FindsTheRotationOfAnyPointSet) {
    std::mt19937 random(5);
    std::normal_distribution<float> normal;
    for (int flat = 0; flat < 3; ++flat) // in space, in a plane, in a line
        for (float angle : {1e-4f, 0.02f, 0.5f, 2.5f}) {
            M3<Pack8> A;
            Turn<Pack8> q{0.f, 0.f, 0.f, 1.f};
            Mat3 truth[8], a[8];
            Eigen::Vector3d line[8];
            for (int lane = 0; lane < 8; ++lane) {
                const Vec3 axis = Vec3(normal(random), normal(random), normal(random)).normalized();
                truth[lane] =
                    Eigen::AngleAxisd(static_cast<double>(angle), axis).toRotationMatrix();
                a[lane].setZero();
                for (int i = 0; i < 10; ++i) {
                    Vec3 p(normal(random), flat < 2 ? normal(random) : 0,
                           flat < 1 ? normal(random) : 0);
                    a[lane] += truth[lane] * p * p.transpose() / 20;
                }
                line[lane] = truth[lane].col(0);
                for (int i = 0; i < 3; ++i)
                    for (int j = 0; j < 3; ++j)
                        A.m[i][j].v[lane] = static_cast<float>(a[lane](i, j));
            }
            turnTo(A, q, 3e-4f);
            for (int lane = 0; lane < 8; ++lane) {
                const Eigen::Quaterniond r(q.w[lane], q.x[lane], q.y[lane], q.z[lane]);
                EXPECT_NEAR(r.norm(), 1, 1e-5);
                const Mat3 R = r.toRotationMatrix();
                if (flat < 2)
                    EXPECT_LT((R - truth[lane]).norm(), 2e-5) << flat << " " << angle;
                else // of a line only the direction is known
                    EXPECT_LT((R.col(0) - line[lane]).norm(), 2e-4) << flat << " " << angle;
            }
        }
    // All points in one place: nothing turns, nothing breaks.
    M3<Pack8> zero;
    for (auto& r : zero.m)
        for (auto& e : r) e = 0.f;
    Turn<Pack8> q{0.f, 0.f, 0.6f, 0.8f};
    turnTo(zero, q, 3e-4f);
    EXPECT_NEAR(q.z[3], 0.6f, 1e-6f);
}

} // namespace
} // namespace purl
