#include "preview/strands.h"

#include "purl/geometry/catmull_rom.h"

#include <Eigen/Geometry>
#include <cmath>
#include <gtest/gtest.h>

namespace purl {
namespace {

Picture wavy(bool closed) {
    Picture picture;
    std::vector<Vec3> x;
    const int n = 30;
    for (int i = 0; i < n; ++i) {
        const double a = (closed ? 2 * 3.14159265358979 : 4.5) * i / n;
        x.emplace_back(0.1 * std::cos(a), 0.1 * std::sin(a), 0.02 * std::sin(3 * a));
    }
    picture.curves.add(x, closed, 0.006);
    return picture;
}

double distanceToAxis(const Curves& curves, const Vec3& p) {
    double best = 1e9;
    for (Index e = 0; e < curves.edges(0); ++e) {
        const Segment seg = segmentOf(curves, 0, e);
        for (int k = 0; k <= 40; ++k)
            best = std::min(best, (pointAt(curves.x, seg, k / 40.0) - p).norm());
    }
    return best;
}

// A point of a piece, as Embree evaluates it, and its radius.
Eigen::Vector4f at(const Strands& s, std::uint32_t piece, double u) {
    const Weights4 b = catmullRom(u);
    Eigen::Vector4f sum = Eigen::Vector4f::Zero();
    for (std::uint32_t k = 0; k < 4; ++k) {
        sum += static_cast<float>(b[k]) * Eigen::Vector4f(&s.xyzr[4 * (s.piece[piece] + k)]);
    }
    return sum;
}

TEST(Strands, PliesFillTheYarnsRadiusAndStayInIt) {
    for (bool closed : {false, true}) {
        const Picture picture = wavy(closed);
        const double r = picture.curves.radius[0];
        for (int plies : {1, 2, 3, 4}) {
            RenderSettings settings;
            settings.plies = plies;
            const Strands strands = buildStrands(picture, settings);
            ASSERT_GT(strands.piece.size(), 29U * static_cast<unsigned>(plies));
            double widest = 0;
            float thickest = 0;
            for (std::size_t i = 3; i < strands.xyzr.size(); i += 4) {
                thickest = std::max(thickest, strands.xyzr[i]);
            }
            for (std::uint32_t i = 0; i < strands.piece.size(); ++i) {
                const Eigen::Vector4f p = at(strands, i, 0.5);
                const double reach =
                    distanceToAxis(picture.curves, p.head<3>().cast<double>()) + p.w();
                // Past the end of an open yarn come the tips, which are narrower.
                if (at(strands, i, 0).w() > 0.99F * thickest &&
                    at(strands, i, 1).w() > 0.99F * thickest) {
                    EXPECT_LT(reach, 1.12 * r);
                }
                widest = std::max(widest, reach);
            }
            EXPECT_GT(widest, 0.95 * r);
        }
    }
}

TEST(Strands, ATubeFollowsTheSolversCurve) {
    RenderSettings settings;
    settings.look = YarnLook::Tube;
    for (bool closed : {false, true}) {
        const Picture picture = wavy(closed);
        const double r = picture.curves.radius[0];
        const Strands strands = buildStrands(picture, settings);
        for (std::uint32_t i = closed ? 0 : 6; i + (closed ? 0 : 6) < strands.piece.size(); ++i) {
            for (double u : {0.0, 0.5, 1.0}) {
                const Vec3 p = at(strands, i, u).head<3>().cast<double>();
                EXPECT_LT(distanceToAxis(picture.curves, p), 0.02 * r) << i;
            }
        }
    }
}

TEST(Strands, AClosedYarnsPliesMeetTheirOwnBeginning) {
    const Picture picture = wavy(true);
    RenderSettings settings;
    const Strands strands = buildStrands(picture, settings);
    const auto pieces = static_cast<std::uint32_t>(strands.piece.size() / 3);
    for (std::uint32_t ply = 0; ply < 3; ++ply) {
        const Eigen::Vector4f first = at(strands, ply * pieces, 0);
        const Eigen::Vector4f last = at(strands, ply * pieces + pieces - 1, 1);
        EXPECT_LT((first - last).norm(), 1e-6F);
    }
    for (std::size_t i = 0; i < strands.normal.size(); ++i) {
        EXPECT_NEAR(strands.normal[i].norm(), 1, 1e-4);
    }
}

TEST(Strands, FuzzIsOnlyMadeWhereItCanBeSeen) {
    const Picture picture = wavy(true);
    RenderSettings settings;
    const Camera near = autoCamera(boundsOf(picture.curves), Vec3(0, 0, -1), 4.0 / 3);
    const std::size_t close = buildFuzz(picture, settings, View(near, 960, 720)).piece.size();
    EXPECT_GT(close, 500U);
    Camera far = near;
    far.eye = near.target + 40 * (near.eye - near.target);
    EXPECT_EQ(buildFuzz(picture, settings, View(far, 960, 720)).piece.size(), 0U);
    Camera away = near;
    away.target = near.eye + (near.eye - near.target);
    EXPECT_EQ(buildFuzz(picture, settings, View(away, 960, 720)).piece.size(), 0U);
    settings.fuzz = 0;
    EXPECT_EQ(buildFuzz(picture, settings, View(near, 960, 720)).piece.size(), 0U);
}

} // namespace
} // namespace purl
