// A woven patch and triangle cloth of the moduli that physics 8.5 derives from the yarns, hung by
// two corners: they must sag alike.
#include "purl/cloth/models.h"
#include "purl/cloth/sheets.h"
#include "purl/cloth/solver.h"
#include "purl/crossing/samples.h"
#include "purl/crossing/solver.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace purl {
namespace {

constexpr Index kYarns = 31;
constexpr double kSpacing = 3e-3, kSide = (kYarns - 1) * kSpacing; // m
constexpr double kCloser = 0.15;                                   // of the side, the held corners

CrossingMaterial yarn() {
    CrossingMaterial m;
    m.radius = 6e-4;
    m.density = 2e-4;
    m.stretch = 3;
    m.bend = 3e-8;
    m.shear = 8e-3;
    return m;
}

struct Sag {
    double middle, bottom; // m below the held corners: of the upper edge's middle, of the lowest
};

Sag woven() {
    WovenSample s;
    s.warps = s.wefts = kYarns;
    s.warpSpacing = s.weftSpacing = kSpacing;
    s.tail = 0;
    FabricSolverSettings settings;
    settings.touch.self = false;
    settings.forces.velocityDamping = 20;
    FabricSolver fabric(wovenSample(s, yarn()), settings);
    const Index left = (kYarns - 1) * kYarns, right = kYarns * kYarns - 1;
    fabric.setPins({left, right});
    fabric.setPinTargets(std::vector<Vec3>{{0.5 * kCloser * kSide, kSide, 0},
                                           {(1 - 0.5 * kCloser) * kSide, kSide, 0}});
    // A breath out of the plane, so that both buckle to the same side.
    std::vector<Vec3> q(fabric.unknowns().begin(), fabric.unknowns().end());
    for (Index i = 0; i < kYarns * kYarns; ++i)
        q[i].z() += 1e-3 * std::sin(3.14159265 * q[i].x() / kSide);
    fabric.setState(q, std::vector<Vec3>(q.size(), Vec3::Zero()));
    fabric.setPinTargets(std::vector<Vec3>{{0.5 * kCloser * kSide, kSide, 0},
                                           {(1 - 0.5 * kCloser) * kSide, kSide, 0}});
    Monitor monitor;
    fabric.advanceFrame(0.5, 100, monitor);
    fabric.settle(0.05, 20, 1e-7, monitor);
    double low = 1;
    for (const Vec3& x : fabric.x()) low = std::min(low, x.y());
    return {kSide - fabric.x()[left + kYarns / 2].y(), kSide - low};
}

Sag triangles() {
    const CrossingMaterial y = yarn();
    ClothMaterial m;
    m.areaDensity = 2 * y.density / kSpacing;
    m.stretchWarp = m.stretchWeft = y.stretch / kSpacing;
    m.shear = 4 * y.shear / kSpacing;
    m.poisson = 0;
    m.bendWarp = m.bendWeft = y.bend / kSpacing;
    FlatSheet sheet = rectangleSheet(30, 34, kSide, kSide);
    for (Vec3& x : sheet.x) {
        x = Vec3(x.x() + 0.5 * kSide, -x.z() + 0.5 * kSide, 0);
        x.z() = 1e-3 * std::sin(3.14159265 * x.x() / kSide);
    }
    std::vector<std::unique_ptr<ClothEnergy>> list;
    list.push_back(makeInPlane(InPlaneModel::StVK, sheet.mesh, m));
    list.push_back(makeBending(BendingModel::DiscreteShells, sheet.mesh, m));
    ClothSettings settings;
    settings.forces.drag = false;
    ClothSolver cloth(sheet.mesh, sheet.x, std::vector<double>{m.areaDensity}, std::move(list),
                      settings);
    const auto nearest = [&](double x, double yy) {
        Index best = 0;
        for (Index i = 0; i < static_cast<Index>(sheet.x.size()); ++i)
            if ((sheet.x[i] - Vec3(x, yy, 0)).norm() < (sheet.x[best] - Vec3(x, yy, 0)).norm())
                best = i;
        return best;
    };
    const Index left = nearest(0, kSide), right = nearest(kSide, kSide),
                middle = nearest(0.5 * kSide, kSide);
    cloth.setPins({left, right});
    std::vector<Vec3> to{{0.5 * kCloser * kSide, kSide, 0},
                         {(1 - 0.5 * kCloser) * kSide, kSide, 0}};
    if (left > right) std::swap(to[0], to[1]);
    cloth.setPinTargets(to);
    Monitor monitor;
    cloth.advanceFrame(0.5, 100, monitor);
    for (int k = 0; k < 3; ++k) cloth.advanceFrame(0.5, 50, monitor);
    DrapeSettings drape;
    cloth.drape(drape, monitor);
    double low = 1;
    for (const Vec3& x : cloth.x()) low = std::min(low, x.y());
    return {kSide - cloth.x()[middle].y(), kSide - low};
}

TEST(HungPatch, SagsAsTriangleClothOfItsModuli) {
    const Sag a = woven(), b = triangles();
    EXPECT_GT(a.middle, 0.1 * kSide);
    EXPECT_NEAR(a.middle, b.middle, 0.05 * b.middle);
    EXPECT_NEAR(a.bottom, b.bottom, 0.05 * b.bottom);
    RecordProperty("middle", std::to_string(a.middle / b.middle));
    RecordProperty("bottom", std::to_string(a.bottom / b.bottom));
}

} // namespace
} // namespace purl
