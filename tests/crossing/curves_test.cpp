// Yarns as curves: they meet where they cross, keep clear of each other, and carry frames.
#include "crossing/patches.h"
#include "purl/crossing/curves_out.h"
#include "purl/crossing/stitch_field.h"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

using namespace purl;
using namespace purl::test;

namespace {

// The smallest distance of two different yarns' centre lines, by brute force over points and the
// segments between them, in radii. Points near the border of the patch are left out.
double clearance(const FabricCurves& c, const Vec2& lo, const Vec2& hi) {
    const auto inside = [&](const Vec3& x) {
        return x.x() > lo.x() && x.y() > lo.y() && x.x() < hi.x() && x.y() < hi.y();
    };
    double best = 1e300;
    for (Index a = 0; a < c.curves.yarns(); ++a)
        for (Index b = 0; b < c.curves.yarns(); ++b) {
            if (a == b) continue;
            for (Index i = c.curves.first[a]; i < c.curves.first[a + 1]; ++i) {
                const Vec3& x = c.curves.x[i];
                if (!inside(x)) continue;
                for (Index j = c.curves.first[b]; j + 1 < c.curves.first[b + 1]; ++j) {
                    const Vec3 e = c.curves.x[j + 1] - c.curves.x[j], d = x - c.curves.x[j];
                    if (d.squaredNorm() > 25 * c.curves.radius[b] * c.curves.radius[b]) continue;
                    const double t = std::clamp(d.dot(e) / e.squaredNorm(), 0.0, 1.0);
                    best = std::min(best, (d - t * e).norm() / c.curves.radius[b]);
                }
            }
        }
    return best;
}

FabricCurveSettings fine(int n) {
    FabricCurveSettings s;
    s.perCrossing = n;
    return s;
}

} // namespace

TEST(FabricCurves, YarnsTouchAtTheirCrossings) {
    const double L = 1e-3, R = 2.2e-4;
    const Laid a = lay(rectangle(12 * L, 10 * L, 3, 3), "twill2/1", spaced(L, R));
    const CrossingNetwork& net = a.layout.network;
    const FabricCurves c = fabricCurves(net, {}, {}, fine(4));
    std::vector<std::vector<Index>> at(net.nodes());
    for (Index i = 0; i < c.curves.points(); ++i)
        if (c.node[i] >= 0) at[c.node[i]].push_back(i);
    for (Index n = 0; n < net.nodes(); ++n) {
        if (net.kind[n] != NodeKind::Woven) continue;
        ASSERT_EQ(at[n].size(), 2u);
        const Vec3 d = c.curves.x[at[n][0]] - c.curves.x[at[n][1]];
        EXPECT_NEAR(d.norm(), 2 * R, 1e-12);
        EXPECT_NEAR(std::abs(d.z()), 2 * R, 1e-9);
        const double upper = net.lift[net.visits[n][0]] * d.z(); // warps come first
        EXPECT_GT(upper, 0);
    }
    for (Index y = 0; y < net.yarns(); ++y) {
        EXPECT_EQ(c.curves.size(y), (net.first[y + 1] - net.first[y] - 1) * 4 + 1);
        EXPECT_EQ(c.curves.radius[y], R);
    }
}

TEST(FabricCurves, YarnsKeepClear) {
    const double R = 1e-4;
    for (const char* name : {"plain", "twill2/2", "satin5", "basket2", "herringbone2/2"}) {
        const double L = 3.6 * R; // a plain weave's own
        const Laid a = lay(rectangle(11 * L, 11 * L, 1, 1), name, spaced(L, R));
        const FabricCurves c = fabricCurves(a.layout.network, {}, {}, fine(6));
        const double gap = clearance(c, Vec2::Constant(2 * L), Vec2::Constant(9 * L));
        EXPECT_GT(gap, 1.85) << name; // of 2
        EXPECT_LT(gap, 2.001) << name;
    }
    for (const char* name : {"stockinette", "rib2x2", "garter", "moss"}) {
        LayoutSettings s;
        s.warpSpacing = 8.3 * R;
        s.weftSpacing = 5.3 * R;
        s.radius = R;
        const Laid a = lay(rectangle(7 * s.warpSpacing, 7 * s.weftSpacing, 1, 1), name, s);
        const FabricCurves c = fabricCurves(a.layout.network, {}, {}, fine(6));
        const double gap = clearance(c, Vec2(2 * s.warpSpacing, 2 * s.weftSpacing),
                                     Vec2(5 * s.warpSpacing, 5 * s.weftSpacing));
        EXPECT_GT(gap, 1.5) << name; // of 2; the unlifted nodes alone gave 0.65
    }
}

TEST(FabricCurves, FramesFollowTheYarnAndItsTwist) {
    const double L = 1e-3;
    const Laid a = lay(rectangle(12 * L, 10 * L, 3, 3), "plain", spaced(L));
    FabricCurveSettings s = fine(4);
    s.twist = 250; // a quarter of a turn each millimetre
    const FabricCurves c = fabricCurves(a.layout.network, {}, {}, s);
    const FabricCurves still = fabricCurves(a.layout.network, {}, {}, fine(4));
    for (Index y = 0; y < c.curves.yarns(); ++y)
        for (Index i = c.curves.first[y] + 1; i + 1 < c.curves.first[y + 1]; ++i) {
            const Eigen::Quaterniond q(c.orient[i][3], c.orient[i][0], c.orient[i][1],
                                       c.orient[i][2]);
            EXPECT_NEAR(q.norm(), 1, 1e-12);
            const Vec3 along = (c.curves.x[i + 1] - c.curves.x[i - 1]).normalized();
            EXPECT_GT((q * Vec3::UnitZ()).dot(along), 0.98);
            const Eigen::Quaterniond r(still.orient[i][3], still.orient[i][0], still.orient[i][1],
                                       still.orient[i][2]);
            const Vec3 up = r * Vec3::UnitY();
            EXPECT_GT(up.z(), 0.5); // the cloth's front
            const double angle = 0.5 * 3.14159265358979 * c.slide[i] / L;
            EXPECT_NEAR(up.dot(q * Vec3::UnitY()), std::cos(angle), 1e-9);
        }
}

TEST(FabricCurves, NothingChangesWhenAllMovesRigidly) {
    const double L = 1e-3;
    for (const char* name : {"plain", "stockinette"}) {
        const Laid a = lay(rectangle(20 * L, 16 * L, 3, 3), name, spaced(1.5 * L));
        const CrossingNetwork& net = a.layout.network;
        const Eigen::Quaterniond turn(Eigen::AngleAxisd(1.1, Vec3(1, 2, 3).normalized()));
        const Vec3 move(0.1, -0.2, 0.3);
        std::vector<Vec3> x;
        for (const Vec3& p : net.x) x.push_back(turn * p + move);
        const FabricCurves before = fabricCurves(net, {}, {}), after = fabricCurves(net, x, {});
        for (Index i = 0; i < before.curves.points(); ++i)
            EXPECT_NEAR((after.curves.x[i] - turn * before.curves.x[i] - move).norm(), 0, 1e-9);
        std::vector<Vec3> v(net.nodes(), Vec3(1, 2, 3));
        const auto along = alongCurves(net, v);
        ASSERT_EQ(along.size(), static_cast<std::size_t>(before.curves.points()));
        for (const Vec3& w : along) EXPECT_NEAR((w - Vec3(1, 2, 3)).norm(), 0, 1e-12);
    }
}

TEST(Knit, TheFourNodesOfAStitchAreWhereTwoLoopsMeet) {
    // Both loops by dense sampling: the nearest the two curves come is at the node.
    const auto curve = [](double t) {
        return Vec2((t + 1.3 * std::sin(2 * t)) / 6.283185307179586, 0.8 * std::cos(t));
    };
    for (const Vec2& q : stitchShape().all()) {
        double upper = 1, lower = 1;
        for (int k = 0; k <= 20000; ++k) {
            const double t = -3.141592653589793 + 6.283185307179586 * k / 20000;
            upper = std::min(upper, (curve(t) - q).norm());
            lower = std::min(lower, (curve(t) - Vec2(0, 1) - q).norm());
        }
        EXPECT_LT(upper, 2e-4);
        EXPECT_LT(lower, 2e-4);
    }
    EXPECT_LT(stitchShape().leftFoot.y(), stitchShape().leftLeg.y());
}

TEST(Knit, LoopsHoldEachOtherByFourNodes) {
    LayoutSettings s;
    s.warpSpacing = 2e-3;
    s.weftSpacing = 1.3e-3;
    const Index wales = 12, courses = 9;
    const Laid a = lay(rectangle(wales * 2e-3, courses * 1.3e-3, 4, 3), "rib2x1", s);
    const CrossingNetwork& net = a.layout.network;
    EXPECT_EQ(net.yarns(), courses);
    EXPECT_EQ(a.layout.crossings, 4 * wales * (courses - 1));
    const Draft draft = draftByName("rib2x1");
    Index stitches = 0;
    for (Index i = 0; i < net.nodes(); ++i) {
        if (net.kind[i] != NodeKind::Stitch) continue;
        ++stitches;
        ASSERT_GE(net.visits[i][0], 0);
        ASSERT_GE(net.visits[i][1], 0);
        EXPECT_EQ(net.lift[net.visits[i][0]], -net.lift[net.visits[i][1]]);
        const auto tangent = [&](Index v) {
            return Vec3(net.x[net.node[std::min(v + 1, net.visitCount() - 1)]] -
                        net.x[net.node[v - 1]]);
        };
        if (net.isFirst(net.visits[i][0]) || net.isFirst(net.visits[i][1]) ||
            net.isLast(net.visits[i][0]) || net.isLast(net.visits[i][1]))
            continue;
        EXPECT_GT(tangent(net.visits[i][0]).cross(tangent(net.visits[i][1])).z(), 0);
    }
    EXPECT_EQ(stitches, a.layout.crossings);
    // A contact is passed by both of its yarns, one node after the other.
    EXPECT_GE(static_cast<Index>(net.stitches.size()), 2 * (wales - 2) * (courses - 2));
    for (const StitchContact& c : net.stitches)
        for (Index node : {c.a}) {
            int both = 0;
            for (Index v : net.visits[node]) {
                if (v < 0) continue;
                both += (v + 1 < net.visitCount() && net.node[v + 1] == c.b) ||
                        (v > 0 && net.node[v - 1] == c.b);
            }
            EXPECT_EQ(both, 2);
        }
    // Knit and purl are mirror images: lifts of a purl column are those of a knit one, turned.
    LayoutSettings t = s;
    const Laid k = lay(rectangle(6 * 2e-3, 5 * 1.3e-3, 1, 1), "stockinette", t);
    std::vector<std::string> w;
    Draft reverse = draftByName("stockinette");
    reverse.field.cells[0] = -1;
    const FabricLayout r = layFabric(k.patch, reverse, t, "p", w);
    ASSERT_EQ(r.network.lift.size(), k.layout.network.lift.size());
    for (std::size_t v = 0; v < r.network.lift.size(); ++v)
        EXPECT_EQ(r.network.lift[v], -k.layout.network.lift[v]);
    ASSERT_EQ(r.network.stitches.size(), k.layout.network.stitches.size());
    for (std::size_t n = 0; n < r.network.stitches.size(); ++n)
        EXPECT_EQ(r.network.stitches[n].psi[0], -k.layout.network.stitches[n].psi[0]);
}
