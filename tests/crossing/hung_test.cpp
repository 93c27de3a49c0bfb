// A woven patch and triangle cloth of the moduli that physics 8.5 derives from the yarns, hung by
// two edges (bending) and by four corners (shear as well): they must sag alike.
#include "purl/cloth/models.h"
#include "purl/cloth/sheets.h"
#include "purl/cloth/solver.h"
#include "purl/crossing/samples.h"
#include "purl/crossing/solver.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace purl {
namespace {

constexpr Index kYarns = 31;
constexpr double kSpacing = 3e-3, kSide = (kYarns - 1) * kSpacing; // m
constexpr double kCloser = 0.1; // of the side: how far the held edges have been brought together

// How a patch is hung.
struct Hung {
    bool corners; // else by the edges x = 0 and x = side
    bool held(const Vec3& x) const {
        const auto end = [](double v) { return v < 1e-6 || v > kSide - 1e-6; };
        return end(x.x()) && (!corners || end(x.y()));
    }
    // Where what is held goes: nearer together.
    Vec3 target(const Vec3& x) const {
        const auto nearer = [](double v) {
            return v < 0.5 * kSide ? 0.5 * kCloser * kSide : (1 - 0.5 * kCloser) * kSide;
        };
        return {nearer(x.x()), corners ? nearer(x.y()) : x.y(), 0};
    }
    // A breath of sag, so that it knows where down is.
    double breath(const Vec3& x) const {
        const double s = 3.14159265358979 / kSide;
        return -2e-3 * std::sin(s * x.x()) * (corners ? std::sin(s * x.y()) : 1);
    }
};

CrossingMaterial yarn() {
    CrossingMaterial m;
    m.radius = 6e-4;
    m.density = 2e-4;
    m.stretch = 3;
    m.bend = 3e-8;
    m.shear = 8e-3;
    return m;
}

// Sag (m) of the lowest point and of the free edges' middle.
struct Sag {
    double lowest = 0, edge = 0;
};
Sag sagOf(Span<const Vec3> x, Span<const Vec3> flat) {
    Sag s;
    double nearest = 1;
    for (std::size_t i = 0; i < flat.size(); ++i) {
        s.lowest = std::max(s.lowest, -x[i].z());
        const double off = (flat[i] - Vec3(0.5 * kSide, 0, 0)).norm();
        if (off < nearest) {
            nearest = off;
            s.edge = -x[i].z();
        }
    }
    return s;
}

Sag woven(const Hung& how) {
    WovenSample s;
    s.warps = s.wefts = kYarns;
    s.warpSpacing = s.weftSpacing = kSpacing;
    s.tail = 0;
    FabricSolverSettings settings;
    settings.touch.self = false;
    settings.forces.gravity = {0, 0, -9.80665};
    const CrossingNetwork net = wovenSample(s, yarn());
    FabricSolver fabric(net, settings);
    std::vector<Vec3> q(fabric.unknowns().begin(), fabric.unknowns().end()), to;
    std::vector<Index> pins;
    for (Index i = 0; i < net.nodes(); ++i) {
        q[i].z() = how.breath(q[i]);
        if (!how.held(net.x[i])) continue;
        pins.push_back(i);
        to.push_back(how.target(net.x[i]));
    }
    fabric.setPins(pins);
    fabric.setState(q, std::vector<Vec3>(q.size(), Vec3::Zero()));
    fabric.setPinTargets(to);
    Monitor monitor;
    fabric.advanceFrame(0.2, 40, monitor);
    EXPECT_TRUE(fabric.settle(0.05, 20, 1e-7, monitor).converged);
    return sagOf(fabric.x(), net.x);
}

Sag triangles(const Hung& how) {
    const CrossingMaterial y = yarn();
    ClothMaterial m;
    m.areaDensity = 2 * y.density / kSpacing;
    m.stretchWarp = m.stretchWeft = y.stretch / kSpacing;
    m.shear = 4 * y.shear / kSpacing;
    m.poisson = 0;
    m.bendWarp = m.bendWeft = y.bend / kSpacing;
    FlatSheet sheet = rectangleSheet(30, 34, kSide, kSide);
    std::vector<Vec3> to;
    std::vector<Index> pins;
    for (Vec3& x : sheet.x) x = Vec3(x.x() + 0.5 * kSide, -x.z() + 0.5 * kSide, 0);
    const std::vector<Vec3> flat = sheet.x;
    for (Index i = 0; i < static_cast<Index>(flat.size()); ++i) {
        sheet.x[i].z() = how.breath(flat[i]);
        if (!how.held(flat[i])) continue;
        pins.push_back(i);
        to.push_back(how.target(flat[i]));
    }
    std::vector<std::unique_ptr<ClothEnergy>> list;
    list.push_back(makeInPlane(InPlaneModel::StVK, sheet.mesh, m));
    list.push_back(makeBending(BendingModel::DiscreteShells, sheet.mesh, m));
    ClothSettings settings;
    settings.forces.drag = false;
    settings.forces.gravity = {0, 0, -9.80665};
    ClothSolver cloth(sheet.mesh, sheet.x, std::vector<double>{m.areaDensity}, std::move(list),
                      settings);
    cloth.setPins(pins);
    cloth.setPinTargets(to);
    Monitor monitor;
    cloth.advanceFrame(0.2, 40, monitor);
    EXPECT_TRUE(cloth.drape(DrapeSettings(), monitor).converged);
    return sagOf(cloth.x(), flat);
}

void sagAlike(const Hung& how) {
    const Sag a = woven(how), b = triangles(how);
    EXPECT_GT(a.lowest, 0.12 * kSide);
    EXPECT_NEAR(a.lowest, b.lowest, 0.05 * b.lowest);
    EXPECT_NEAR(a.edge, b.edge, 0.05 * b.edge);
    testing::Test::RecordProperty("lowest", std::to_string(a.lowest / b.lowest));
    testing::Test::RecordProperty("edge", std::to_string(a.edge / b.edge));
}

TEST(HungPatch, SagsAsTriangleClothOfItsModuli) { sagAlike({false}); }
TEST(HungPatch, SagsAsItFromFourCornersToo) { sagAlike({true}); }

} // namespace
} // namespace purl
