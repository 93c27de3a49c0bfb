#include "preview/camera.h"

#include "purl/base/error.h"

#include <gtest/gtest.h>

namespace purl {
namespace {

Bounds box() {
    Bounds b;
    b.add(Vec3(-0.3, 0.1, 1.0));
    b.add(Vec3(0.5, 0.35, 1.9));
    return b;
}

template <class Body>
void forCorners(const Bounds& b, const Body& body) {
    for (int k = 0; k < 8; ++k) {
        body(Vec3(k & 1 ? b.upper.x() : b.lower.x(), k & 2 ? b.upper.y() : b.lower.y(),
                  k & 4 ? b.upper.z() : b.lower.z()));
    }
}

const std::vector<Vec3> kViews{{0, 0, -1},         {1, 0, 0},    {0, -1, 0},      {0, 1, 0},
                               {-0.35, -0.45, -1}, {3, -2, 0.5}, {-0.1, -4, 0.2}, {0, 0, 1}};

TEST(AutoCamera, HasTheWholeBoxInThePictureAndNoNearer) {
    for (const Vec3& view : kViews) {
        for (double aspect : {0.5, 4.0 / 3, 2.4}) {
            const int h = 600, w = static_cast<int>(h * aspect);
            const double margin = 0.05;
            const Camera camera = autoCamera(box(), view, static_cast<double>(w) / h, 35, margin);
            double left = 1e9, right = -1e9, top = 1e9, bottom = -1e9;
            forCorners(box(), [&](const Vec3& corner) {
                const Vec3 p = project(camera, w, h, corner);
                EXPECT_GT(p.z(), 0);
                left = std::min(left, p.x());
                right = std::max(right, p.x());
                top = std::min(top, p.y());
                bottom = std::max(bottom, p.y());
            });
            EXPECT_GE(left, margin * w - 1e-6);
            EXPECT_LE(right, (1 - margin) * w + 1e-6);
            EXPECT_GE(top, margin * h - 1e-6);
            EXPECT_LE(bottom, (1 - margin) * h + 1e-6);
            // As near as can be: it reaches the margin on two opposite sides.
            const bool wide = left < margin * w + 1e-6 && right > (1 - margin) * w - 1e-6;
            const bool tall = top < margin * h + 1e-6 && bottom > (1 - margin) * h - 1e-6;
            EXPECT_TRUE(wide || tall) << view.transpose() << " aspect " << aspect;
            EXPECT_LT((axesOf(camera).forward - view.normalized()).norm(), 1e-9);
        }
    }
}

TEST(AutoCamera, APointOrNothingIsHandled) {
    Bounds point;
    point.add(Vec3(1, 2, 3));
    const Camera camera = autoCamera(point, Vec3(0, 0, -1), 1.5);
    const Vec3 p = project(camera, 300, 200, Vec3(1, 2, 3));
    EXPECT_NEAR(p.x(), 150, 1e-6);
    EXPECT_NEAR(p.y(), 100, 1e-6);
    EXPECT_THROW(autoCamera(Bounds(), Vec3(0, 0, -1), 1.5), Error);
    EXPECT_THROW(autoCamera(point, Vec3(0, 0, 0), 1.5), Error);
}

TEST(View, SeesEveryBallThatReachesIntoThePicture) {
    Camera camera;
    camera.eye = Vec3(0.2, 0.3, 0.9);
    camera.target = Vec3(-0.1, 0, 0);
    const View view(camera, 160, 120);
    int seen = 0, hidden = 0;
    for (int i = 0; i < 4000; ++i) {
        const Vec3 p = 1.5 * Vec3::Random();
        const double r = 0.15;
        bool reaches = false; // by trying points of the ball
        for (int k = 0; k < 200 && !reaches; ++k) {
            const Vec3 q = view.project(p + r * Vec3::Random().normalized());
            reaches = q.z() > 0 && q.x() >= 0 && q.x() < 160 && q.y() >= 0 && q.y() < 120;
        }
        EXPECT_TRUE(!reaches || view.sees(p, r)) << p.transpose();
        seen += view.sees(p, r) ? 1 : 0;
        hidden += view.sees(p, r) ? 0 : 1;
    }
    EXPECT_GT(seen, 200);
    EXPECT_GT(hidden, 2000);
}

TEST(Camera, AxesAreOrthonormalFromEverywhere) {
    for (const Vec3& view : kViews) {
        Camera camera;
        camera.target = camera.eye + view;
        const CameraAxes a = axesOf(camera);
        Mat3 m;
        m << a.right, a.up, a.forward;
        EXPECT_LT((m.transpose() * m - Mat3::Identity()).norm(), 1e-12);
        EXPECT_GE(a.up.y(), -1e-12);
    }
    Camera camera;
    camera.fovDegrees = 180;
    EXPECT_THROW(axesOf(camera), Error);
}

} // namespace
} // namespace purl
