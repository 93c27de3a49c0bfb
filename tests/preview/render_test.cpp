#include "preview/render.h"

#include "preview/shapes.h"
#include "purl/base/error.h"
#include "purl/base/parallel.h"

#include <cmath>
#include <gtest/gtest.h>

namespace purl {
namespace {

Curves stockinette(int wales, int rows) {
    Curves curves;
    const double u = 1.25e-3;
    for (int row = 0; row < rows; ++row) {
        std::vector<Vec3> x;
        for (int i = 0; i <= 8 * wales; ++i) {
            const double t = i * 0.7853981634;
            x.emplace_back(u * (t + 1.5 * std::sin(2 * t)), u * (4 * std::cos(t) + 5 * row),
                           -u * std::cos(2 * t));
        }
        curves.add(x, false, 0.8 * u);
    }
    return curves;
}

RenderSettings small(int w, int h, int samples) {
    RenderSettings s;
    s.width = w;
    s.height = h;
    s.samples = samples;
    return s;
}

// Seen against the plain grey wall, a strongly red yarn is where red outweighs green.
bool isRed(Rgb8 c) { return c[0] > c[1] + 40; }

TEST(Render, TheSamePixelsAtEveryThreadCount) {
    Picture picture;
    picture.curves = stockinette(6, 5);
    picture.solids.push_back({sphereMesh(Vec3(0.02, 0.01, -0.02), 0.015)});
    Bounds b = boundsOf(picture.curves);
    b.add(boundsOf(picture.solids[0].mesh));
    picture.groundHeight = b.lower.y();
    const Camera camera = autoCamera(b, Vec3(-0.4, -0.4, -1), 4.0 / 3);
    std::vector<Image> images;
    for (int threads : {1, 2, 3}) {
        const ThreadLimit limit(threads);
        images.push_back(render(picture, camera, small(160, 120, 4)));
    }
    EXPECT_EQ(images[0].rgb, images[1].rgb);
    EXPECT_EQ(images[0].rgb, images[2].rgb);
}

TEST(Render, AStraightYarnIsWhereItProjectsTo) {
    const double r = 0.01;
    for (const Vec3& view : {Vec3(0, 0, -1), Vec3(0.5, -0.3, -1), Vec3(-1, 0.2, 0.1)}) {
        for (YarnLook look : {YarnLook::Tube, YarnLook::Plies}) {
            Picture picture;
            picture.ground = false;
            const Vec3 a(-0.1, -0.06, 0.02), e(0.12, 0.09, -0.03);
            std::vector<Vec3> x;
            for (int i = 0; i <= 20; ++i) x.push_back(a + (e - a) * i / 20.0);
            picture.curves.add(x, false, r);
            picture.color.assign(x.size(), Vec3(0.7, 0.02, 0.02));
            Bounds box;
            box.add(Vec3(-0.15, -0.12, -0.1));
            box.add(Vec3(0.2, 0.13, 0.1));
            const int w = 200, h = 150;
            const Camera camera = autoCamera(box, view, static_cast<double>(w) / h, 30);
            RenderSettings settings = small(w, h, 4);
            settings.fuzz = 0;
            settings.look = look;
            settings.plies = look == YarnLook::Tube ? 3 : 1;
            const Image image = render(picture, camera, settings);

            // Distance of each pixel from the projected axis against the projected radius.
            const CameraAxes axes = axesOf(camera);
            const Vec3 pa = project(camera, w, h, a), pe = project(camera, w, h, e);
            int inside = 0;
            for (int y = 0; y < h; ++y) {
                for (int px = 0; px < w; ++px) {
                    const Vec2 p(px + 0.5, y + 0.5), d = (pe - pa).head<2>();
                    const double s = (p - pa.head<2>()).dot(d) / d.squaredNorm();
                    const double away = (p - pa.head<2>() - s * d).norm();
                    // The axis point seen here: depth is even in 1/z along the projected line.
                    const double depth = 1 / ((1 - s) / pa.z() + s / pe.z());
                    const double scale =
                        project(camera, w, h, camera.eye + depth * axes.forward + r * axes.right)
                            .x() -
                        0.5 * w;
                    const bool red = isRed(image.at(px, y));
                    if (s > 0.05 && s < 0.95 && away < scale - 1.5) {
                        EXPECT_TRUE(red) << px << ", " << y;
                        ++inside;
                    }
                    if (away > 1.06 * scale + 1.5) {
                        EXPECT_FALSE(red) << px << ", " << y;
                    }
                }
            }
            EXPECT_GT(inside, 300);
        }
    }
}

TEST(Render, AClosedYarnHasNoGapAndAHoleInTheMiddle) {
    Picture picture;
    picture.ground = false;
    std::vector<Vec3> x;
    for (int i = 0; i < 14; ++i) {
        const double a = 2 * 3.14159265358979 * i / 14;
        x.emplace_back(0.1 * std::cos(a), 0.1 * std::sin(a), 0);
    }
    picture.curves.add(x, true, 0.015);
    picture.color.assign(x.size(), Vec3(0.7, 0.02, 0.02));
    Camera camera;
    camera.eye = Vec3(0, 0, 0.6);
    for (YarnLook look : {YarnLook::Tube, YarnLook::Plies}) {
        RenderSettings settings = small(160, 120, 4);
        settings.look = look;
        const Image image = render(picture, camera, settings);
        for (int i = 0; i < 120; ++i) {
            const double a = 2 * 3.14159265358979 * i / 120;
            const Vec3 p = project(camera, 160, 120, Vec3(0.1 * std::cos(a), 0.1 * std::sin(a), 0));
            EXPECT_TRUE(isRed(image.at(static_cast<int>(p.x()), static_cast<int>(p.y())))) << i;
        }
        EXPECT_FALSE(isRed(image.at(80, 60)));
    }
}

TEST(Render, OpenEndsAreClosedRound) {
    // Seen along the yarn's axis an open tube would show the wall, or its inside, in the middle.
    Picture picture;
    picture.ground = false;
    const std::vector<Vec3> x{Vec3(0, 0, 0), Vec3(0, 0, -0.05), Vec3(0, 0, -0.1)};
    picture.curves.add(x, false, 0.02);
    picture.color.assign(3, Vec3(0.7, 0.02, 0.02));
    Camera camera;
    camera.eye = Vec3(0, 0, 0.2);
    RenderSettings settings = small(120, 90, 4);
    settings.look = YarnLook::Tube;
    settings.fuzz = 0;
    const Image image = render(picture, camera, settings);
    for (int d = -8; d <= 8; ++d) {
        EXPECT_TRUE(isRed(image.at(60 + d, 45)));
        EXPECT_TRUE(isRed(image.at(60, 45 + d)));
    }
}

TEST(Render, SolidsHideAndCastShadowsOnTheFloor) {
    Picture picture;
    const std::vector<Vec3> x{Vec3(-0.3, 0.1, -0.2), Vec3(0, 0.1, -0.2), Vec3(0.3, 0.1, -0.2)};
    picture.curves.add(x, false, 0.02);
    picture.color.assign(3, Vec3(0.7, 0.02, 0.02));
    picture.solids.push_back({sphereMesh(Vec3(0, 0.1, 0), 0.1)});
    Camera camera;
    camera.eye = Vec3(0, 0.1, 1);
    camera.target = Vec3(0, 0.1, 0);
    Image image = render(picture, camera, small(160, 120, 8));
    EXPECT_FALSE(isRed(image.at(80, 60)));
    const Vec3 beside = project(camera, 160, 120, Vec3(0.2, 0.1, -0.2));
    EXPECT_TRUE(isRed(image.at(static_cast<int>(beside.x()), static_cast<int>(beside.y()))));

    camera.eye = Vec3(0, 0.6, 1.2);
    image = render(picture, camera, small(160, 120, 8));
    const auto grey = [&](const Vec3& p) {
        const Vec3 q = project(camera, 160, 120, p);
        return image.at(static_cast<int>(q.x()), static_cast<int>(q.y()))[1];
    };
    const Vec3 under(0.12, 0, -0.06), free(-0.32, 0, 0.25); // the key light comes from the left
    EXPECT_LT(grey(under) + 40, grey(free));
    picture.ground = false;
    image = render(picture, camera, small(160, 120, 8));
    EXPECT_NEAR(grey(Vec3(0.2, 0, 0.2)), grey(Vec3(-0.2, 0, 0.2)), 6);
}

TEST(Render, NothingToShowOrBrokenYarnsAreNoCrash) {
    Camera camera;
    EXPECT_EQ(render(Picture(), camera, small(20, 10, 1)).width, 20);
    Picture picture;
    const std::vector<Vec3> nan{Vec3(0, 0, 0), Vec3(std::nan(""), 0, 0), Vec3(1, 0, 0)};
    const std::vector<Vec3> one{Vec3(0, 0, 0)}, same{Vec3(0, 0, 0), Vec3(0, 0, 0)};
    picture.curves.add(nan, false, 0.1);
    picture.curves.add(one, false, 0.1);
    picture.curves.add(same, false, 0.1);
    EXPECT_EQ(render(picture, camera, small(20, 10, 1)).height, 10);
}

TEST(Render, RefusesWhatItCannotUse) {
    Picture picture;
    picture.curves = stockinette(1, 1);
    const Camera camera;
    EXPECT_THROW(render(picture, camera, small(0, 10, 1)), Error);
    EXPECT_THROW(render(picture, camera, small(10, 10, 0)), Error);
    picture.color.assign(2, Vec3(1, 1, 1));
    EXPECT_THROW(render(picture, camera, small(10, 10, 1)), Error);
    picture.color.clear();
    picture.solids.emplace_back();
    picture.solids[0].mesh.x = {Vec3(0, 0, 0), Vec3(1, 0, 0)};
    picture.solids[0].mesh.triangles = {{0, 1, 2}};
    EXPECT_THROW(render(picture, camera, small(10, 10, 1)), Error);
}

} // namespace
} // namespace purl
