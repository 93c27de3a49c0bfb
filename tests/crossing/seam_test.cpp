// Seams: yarns of pieces that meet in space are joined to a thread along the seam.
#include "crossing/patches.h"
#include "purl/crossing/seam.h"

#include <gtest/gtest.h>
#include <set>

using namespace purl;
using namespace purl::test;

namespace {

// Two panels that share the points of a line in space, x = 0.02, but lie apart in uv; the second
// one is laid the other way (its u grows downwards), and by `stretch` longer along the seam.
PatchInput panels(double stretch) {
    PatchInput p = rectangle(0.04, 0.02, 8, 5);
    for (std::size_t t = 0; t < p.triangles.size(); ++t) {
        double middle = 0;
        for (const Vec2& q : p.uv[t]) middle += q.x() / 3;
        if (middle < 0.02) continue;
        for (Vec2& q : p.uv[t]) q = Vec2(1 - stretch * q.y(), 0.5 + q.x()); // turned by 90 degrees
    }
    return p;
}

std::vector<Index> seamYarns(const FabricLayout& l) {
    std::vector<Index> out;
    for (std::size_t y = 0; y < l.yarns.size(); ++y)
        if (l.yarns[y].family == YarnFamily::Seam) out.push_back(static_cast<Index>(y));
    return out;
}

void expectSewn(const Laid& a, double reach) {
    const CrossingNetwork& net = a.layout.network;
    // Each end on the seam is at a node that the seam's thread visits, and near where it was cut.
    for (Index i = 0; i < net.nodes(); ++i) {
        if (net.kind[i] != NodeKind::Sewn) continue;
        EXPECT_GE(net.visits[i][2], 0);
        EXPECT_TRUE(net.visits[i][0] >= 0 || net.visits[i][1] >= 0);
        EXPECT_EQ(net.frozen[i], 7);
    }
    for (Index y : seamYarns(a.layout))
        for (Index v = net.first[y] + 1; v < net.first[y + 1]; ++v) {
            const double rest = net.slide[v] - net.slide[v - 1];
            EXPECT_GT(rest, 0.29 * reach);
        }
}

} // namespace

TEST(Seam, TwoPanelsAreSewnTogether) {
    const double L = 1e-3;
    const Laid a = lay(panels(1), "plain", spaced(L));
    EXPECT_EQ(a.patch.pieces, 2);
    const auto seams = seamYarns(a.layout);
    ASSERT_EQ(seams.size(), 1u);
    const CrossingNetwork& net = a.layout.network;
    expectSewn(a, L);
    // Twenty warps end on the seam from the left; from the right twenty wefts, at the same places.
    Index ends = 0, joined = 0;
    for (Index i = 0; i < net.nodes(); ++i) {
        if (net.kind[i] != NodeKind::Sewn) continue;
        EXPECT_NEAR(net.x[i].x(), 0.02, 1e-12);
        EXPECT_NEAR(net.x[i].z(), 0, 1e-12);
        ends += (net.visits[i][0] >= 0) + (net.visits[i][1] >= 0);
        joined += net.visits[i][0] >= 0 && net.visits[i][1] >= 0;
    }
    EXPECT_EQ(ends, 40);
    EXPECT_EQ(joined, 20);
    const Index y = seams[0];
    EXPECT_EQ(net.first[y + 1] - net.first[y], 20);
    EXPECT_NEAR(net.slide[net.first[y + 1] - 1], 19 * L, 1e-9);
    // Free borders are not sewn, and without seams nothing is.
    LayoutSettings off = spaced(L);
    off.seams = false;
    const Laid b = lay(panels(1), "plain", off);
    EXPECT_TRUE(seamYarns(b.layout).empty());
    EXPECT_EQ(b.layout.crossings, a.layout.crossings);
}

TEST(Seam, APanelThatIsLongerKeepsItsLength) { // seam puckering, physics 8.6: 1 : 1.1
    const double L = 1e-3;
    const Laid a = lay(panels(1.1), "plain", spaced(L));
    const auto seams = seamYarns(a.layout);
    ASSERT_EQ(seams.size(), 1u);
    const CrossingNetwork& net = a.layout.network;
    expectSewn(a, L);
    Index ends = 0;
    for (Index i = 0; i < net.nodes(); ++i)
        if (net.kind[i] == NodeKind::Sewn)
            ends += (net.visits[i][0] >= 0) + (net.visits[i][1] >= 0);
    EXPECT_EQ(ends, 20 + 22);
    // The thread is as long as the mean of both sides, from its first end to its last.
    const double length = net.slide[net.first[seams[0] + 1] - 1];
    EXPECT_NEAR(length, 0.021 - L, 0.5 * L);
    // Where an end was cut and where it is sewn: along the seam, a third of a spacing apart or so.
    for (Index y = 0; y < net.yarns(); ++y) {
        if (a.layout.yarns[y].family == YarnFamily::Seam) continue;
        for (Index v : {net.first[y], net.first[y + 1] - 1}) {
            if (net.kind[net.node[v]] != NodeKind::Sewn) continue;
            const Index next = v == net.first[y] ? v + 1 : v - 1;
            EXPECT_LT(std::abs(net.x[net.node[v]].y() - net.x[net.node[next]].y()), 0.5 * L);
        }
    }
}

TEST(Seam, ADartInsideOnePiece) {
    // A fan from the origin with a wedge of 0.4 rad cut out of its uv, closed in space.
    const double open = 0.4, R = 0.03;
    const Index sides = 60;
    PatchInput p;
    const auto flat = [&](Index i, double r) {
        const double a = 0.5 * open + (6.283185307179586 - open) * i / sides;
        return Vec2(r * std::cos(a), r * std::sin(a));
    };
    const auto solid = [&](Index i, double r) {
        const double a = 6.283185307179586 * i / sides, s = 1 - open / 6.283185307179586;
        return Vec3(r * s * std::cos(a), r * s * std::sin(a), r * std::sqrt(1 - s * s));
    };
    p.x.push_back({0, 0, 0});
    for (Index j = 1; j <= 4; ++j)
        for (Index i = 0; i < sides; ++i) p.x.push_back(solid(i, R * j / 4));
    const auto id = [&](Index i, Index j) { return j == 0 ? 0 : 1 + (j - 1) * sides + i % sides; };
    const auto at = [&](Index i, Index j) { return flat(i, R * j / 4); };
    for (Index j = 0; j < 4; ++j)
        for (Index i = 0; i < sides; ++i) {
            p.triangles.push_back({id(i, j), id(i, j + 1), id(i + 1, j + 1)});
            p.uv.push_back({at(i, j), at(i, j + 1), at(i + 1, j + 1)});
            p.number.push_back(i);
            if (j == 0) continue;
            p.triangles.push_back({id(i, j), id(i + 1, j + 1), id(i + 1, j)});
            p.uv.push_back({at(i, j), at(i + 1, j + 1), at(i + 1, j)});
            p.number.push_back(i);
        }
    const Laid a = lay(p, "plain", spaced(1e-3));
    EXPECT_EQ(a.patch.pieces, 1);
    const auto seams = seamYarns(a.layout);
    ASSERT_EQ(seams.size(), 1u);
    expectSewn(a, 1e-3);
    // Its thread runs along the dart, from the tip to the rim.
    const CrossingNetwork& net = a.layout.network;
    double last = -1;
    std::set<double> radii;
    for (Index v = net.first[seams[0]]; v < net.first[seams[0] + 1]; ++v) {
        const Vec3& x = net.x[net.node[v]];
        EXPECT_NEAR(x.y(), 0, 1e-9);
        radii.insert(x.norm());
        if (last >= 0) {
            EXPECT_NEAR(std::abs(x.norm() - last), net.slide[v] - net.slide[v - 1], 1e-6);
        }
        last = x.norm();
    }
    EXPECT_LT(*radii.begin(), 0.15 * R);
    EXPECT_GT(*radii.rbegin(), 0.95 * R);
}

TEST(Seam, KnitsAreSewnByTheirEndsAndTheirLoops) {
    LayoutSettings s = spaced(2e-3);
    s.weftSpacing = 1.3e-3;
    const Laid a = lay(panels(1), "stockinette", s);
    const auto seams = seamYarns(a.layout);
    ASSERT_EQ(seams.size(), 1u);
    const CrossingNetwork& net = a.layout.network;
    Index ends = 0, loops = 0;
    for (Index i = 0; i < net.nodes(); ++i) {
        if (net.kind[i] != NodeKind::Sewn) continue;
        for (int side = 0; side < 2; ++side) {
            const Index v = net.visits[i][side];
            if (v < 0) continue;
            (net.isFirst(v) || net.isLast(v) ? ends : loops) += 1;
        }
    }
    EXPECT_GT(ends, 10); // courses of the left panel run into the seam
    EXPECT_GT(loops, 5); // loops of the right one hang on it
}
