// Woven fabric on patches: against closed forms, and against the same cloth on other triangles.
#include "crossing/patches.h"
#include "purl/base/error.h"
#include "purl/base/hash.h"
#include "purl/base/parallel.h"
#include "purl/crossing/fabric_pins.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <chrono>
#include <gtest/gtest.h>
#include <map>

using namespace purl;
using namespace purl::test;

namespace {

// Per crossing: by its place in the plane, in spacings.
std::map<std::pair<long, long>, Index> byPlace(const FabricLayout& l, double spacing) {
    std::map<std::pair<long, long>, Index> out;
    for (Index i = 0; i < l.network.nodes(); ++i)
        if (l.network.kind[i] == NodeKind::Woven)
            out[{std::lround(l.plane[i].x() / spacing - 0.5),
                 std::lround(l.plane[i].y() / spacing - 0.5)}] = i;
    return out;
}

bool has(const std::vector<std::string>& warnings, const std::string& part) {
    for (const std::string& w : warnings)
        if (w.find(part) != std::string::npos) return true;
    return false;
}

void expectSound(const Laid& a) {
    const CrossingNetwork& net = a.layout.network;
    ASSERT_EQ(a.layout.triangle.size(), static_cast<std::size_t>(net.nodes()));
    ASSERT_EQ(a.layout.yarns.size(), static_cast<std::size_t>(net.yarns()));
    for (Index i = 0; i < net.nodes(); ++i) {
        const auto& w = a.layout.weights[i];
        EXPECT_NEAR(w.sum(), 1, 1e-12);
        EXPECT_GE(w.minCoeff(), -1e-12);
        EXPECT_NEAR((a.patch.at(a.layout.triangle[i], w) - net.x[i]).norm(), 0, 1e-12);
        const auto& c = a.patch.plane[a.layout.triangle[i]];
        EXPECT_NEAR((w[0] * c[0] + w[1] * c[1] + w[2] * c[2] - a.layout.plane[i]).norm(), 0, 1e-9);
    }
    for (Index y = 0; y < net.yarns(); ++y) {
        EXPECT_EQ(net.id[y], y);
        for (Index v = net.first[y] + 1; v < net.first[y + 1]; ++v)
            EXPECT_GT(net.slide[v], net.slide[v - 1]);
    }
}

} // namespace

TEST(Layout, ARectangleHasItsThreadsAtTheirPlaces) {
    const double L = 1e-3;
    const Laid a = lay(rectangle(20 * L, 12 * L, 7, 5), "twill2/2", spaced(L));
    EXPECT_TRUE(a.warnings.empty());
    expectSound(a);
    const CrossingNetwork& net = a.layout.network;
    EXPECT_EQ(a.layout.crossings, 20 * 12);
    EXPECT_EQ(net.yarns(), 20 + 12); // 12 warps along u, 20 wefts along v
    EXPECT_EQ(net.nodes(), 20 * 12 + 2 * (20 + 12));
    const Draft draft = draftByName("twill2/2");
    for (Index y = 0; y < net.yarns(); ++y) {
        const bool warp = a.layout.yarns[y].family == YarnFamily::Warp;
        const Index thread = a.layout.yarns[y].thread, n = net.first[y + 1] - net.first[y];
        EXPECT_EQ(n, (warp ? 20 : 12) + 2);
        for (Index k = 0; k < n; ++k) {
            const Index v = net.first[y] + k;
            const double along = k == 0 ? 0 : k == n - 1 ? (warp ? 20 : 12) * L : (k - 0.5) * L;
            const double across = (thread + 0.5) * L;
            EXPECT_NEAR(
                (net.x[net.node[v]] - (warp ? Vec3(along, across, 0) : Vec3(across, along, 0)))
                    .norm(),
                0, 1e-12);
            EXPECT_NEAR(net.slide[v], along, 1e-12);
            if (k == 0 || k == n - 1) {
                EXPECT_EQ(net.kind[net.node[v]], NodeKind::End);
                continue;
            }
            EXPECT_EQ(net.side[v], warp ? 0 : 1);
            const int over =
                warp ? draft.field.at(k - 1, thread) : 1 - draft.field.at(thread, k - 1);
            EXPECT_EQ(net.lift[v], over ? 1 : -1);
        }
    }
}

// Mesh lines through crossings, two triangles, or skew ones: the fabric does not know.
TEST(Layout, TheTrianglesDoNotMatter) {
    const double L = 1e-3;
    const PatchInput skew = gridPatch(
        13, 9,
        [&](Index i, Index j) {
            const bool inner = i > 0 && i < 13 && j > 0 && j < 9;
            return Vec2(20 * L * i / 13 + (inner ? 0.3 * L * std::sin(3.0 * i + 5 * j) : 0),
                        12 * L * j / 9 + (inner ? 0.3 * L * std::cos(7.0 * i + j) : 0));
        },
        [](const Vec2& q) { return Vec3(q.x(), q.y(), 0); });
    const Laid two = lay(rectangle(20 * L, 12 * L, 1, 1), "plain", spaced(L));
    for (const PatchInput& p : {skew, rectangle(20 * L, 12 * L, 40, 24), // lines through crossings
                                rectangle(20 * L, 12 * L, 20, 12)}) {
        const Laid other = lay(p, "plain", spaced(L));
        expectSound(other);
        ASSERT_EQ(other.layout.network.nodes(), two.layout.network.nodes());
        EXPECT_EQ(other.layout.network.node, two.layout.network.node);
        EXPECT_EQ(other.layout.network.lift, two.layout.network.lift);
        for (Index i = 0; i < two.layout.network.nodes(); ++i)
            EXPECT_NEAR((other.layout.network.x[i] - two.layout.network.x[i]).norm(), 0, 1e-12);
    }
}

TEST(Layout, ARingIsTrimmedAtBothBorders) {
    const double L = 1e-3, inner = 10.3 * L, outer = 30.2 * L;
    const Laid a = lay(ring(inner, outer, 160, 6), "plain", spaced(L));
    expectSound(a);
    // Every place of the grid by brute force: inside is inside.
    const auto at = byPlace(a.layout, L);
    Index expected = 0;
    for (long i = -40; i < 40; ++i)
        for (long j = -40; j < 40; ++j) {
            const double r = std::hypot((i + 0.5) * L, (j + 0.5) * L);
            const bool there = at.count({i, j}) > 0;
            if (r < inner * std::cos(0.02) - 1e-9 || r > outer) {
                EXPECT_FALSE(there);
            }
            if (r > inner + 0.8 * L && r < outer - 1.2 * L) {
                EXPECT_TRUE(there) << i << " " << j;
            }
            expected += there;
        }
    EXPECT_EQ(a.layout.crossings, expected);
    // A thread through the hole is two yarns, and each is as long as its chord.
    const CrossingNetwork& net = a.layout.network;
    std::map<std::pair<int, Index>, Index> pieces;
    for (Index y = 0; y < net.yarns(); ++y) {
        const FabricYarn& yarn = a.layout.yarns[y];
        ++pieces[{static_cast<int>(yarn.family), yarn.thread}];
        const double off = std::abs((yarn.thread + 0.5) * L);
        const double full = std::sqrt(outer * outer - off * off),
                     hole = off < inner ? std::sqrt(inner * inner - off * off) : 0;
        if (std::abs(off - inner) < 0.05 * inner) continue; // grazes the hole's corners
        const double length = net.slide[net.first[y + 1] - 1];
        EXPECT_NEAR(length, off < inner ? full - hole : 2 * full, 3e-3 * outer);
    }
    for (const auto& [key, n] : pieces) {
        const double off = std::abs((key.second + 0.5) * L);
        if (std::abs(off - inner) < 0.5 * L) continue;
        EXPECT_EQ(n, off < inner ? 2 : 1) << key.second;
    }
}

TEST(Layout, NothingIsShorterThanItsMargin) {
    const double L = 1e-3;
    PatchSettings turned;
    turned.angle = 0.61;
    const Laid a = lay(ring(4 * L, 30 * L, 90, 5), "satin5", spaced(L), turned);
    expectSound(a);
    const CrossingNetwork& net = a.layout.network;
    for (Index y = 0; y < net.yarns(); ++y) {
        EXPECT_GE(net.first[y + 1] - net.first[y], 4); // two crossings and two ends
        for (Index v = net.first[y] + 1; v < net.first[y + 1]; ++v)
            EXPECT_GE(net.slide[v] - net.slide[v - 1], 0.25 * L - 1e-9);
    }
}

TEST(Layout, AThreadsOwnSpacingAndThickness) {
    std::vector<std::string> warnings;
    const FabricPatch p = flattenPatch(rectangle(0.03, 0.03, 3, 3), {}, "p.geo", warnings);
    Draft d = draftByName("plain");
    d.warpSpacing = {1e-3, 2e-3};
    d.warpDiameter = {4e-4, 8e-4};
    LayoutSettings s;
    FabricLayout l = layFabric(p, d, s, "p.geo", warnings);
    EXPECT_NEAR(l.warpSpacing, 1.5e-3, 1e-12);
    std::vector<double> y;
    for (Index k = 0; k < l.network.yarns(); ++k)
        if (l.yarns[k].family == YarnFamily::Warp) {
            y.push_back(l.network.x[l.network.node[l.network.first[k]]].y());
            const double r = l.network.materials[l.network.material[k]].radius;
            EXPECT_NEAR(r, l.yarns[k].thread % 2 == 0 ? 2e-4 : 4e-4, 1e-12);
        }
    ASSERT_EQ(y.size(), 20u);
    for (std::size_t k = 1; k < y.size(); ++k)
        EXPECT_NEAR(y[k] - y[k - 1], k % 2 == 1 ? 1e-3 : 2e-3, 1e-12);
    // One spacing that is given: all else in proportion.
    d.weftSpacing = {3e-3, 3e-3};
    s.warpSpacing = 0.75e-3;
    l = layFabric(p, d, s, "p.geo", warnings);
    EXPECT_NEAR(l.weftSpacing, 1.5e-3, 1e-12);
    EXPECT_NEAR(l.radius, 1.5e-4, 1e-12);
    for (Index k = 0; k < l.network.yarns(); ++k)
        if (l.yarns[k].family == YarnFamily::Warp) {
            EXPECT_NEAR(l.network.materials[l.network.material[k]].radius,
                        l.yarns[k].thread % 2 == 0 ? 1e-4 : 2e-4, 1e-12);
        }
}

TEST(Layout, TextureUvIsScaledAndMirroredUvIsTurned) {
    const double L = 1e-3;
    PatchInput p = rectangle(20 * L, 12 * L, 4, 4);
    for (auto& t : p.uv)
        for (Vec2& q : t) q = Vec2(q.x(), -q.y()) * 40; // in other units, and mirrored
    const Laid a = lay(p, "twill2/2", spaced(L));
    EXPECT_TRUE(has(a.warnings, "taken for a texture's"));
    EXPECT_TRUE(has(a.warnings, "uv pieces are mirrored (the first has primitive 0)"));
    EXPECT_EQ(a.layout.crossings, 20 * 12);
    // Seen from the front (+z here) warp x weft looks at you, as lifts are counted.
    const CrossingNetwork& net = a.layout.network;
    for (Index i = 0; i < net.nodes(); ++i) {
        if (net.kind[i] != NodeKind::Woven) continue;
        const auto tangent = [&](Index v) {
            return Vec3(net.x[net.node[v + 1]] - net.x[net.node[v - 1]]);
        };
        EXPECT_GT(tangent(net.visits[i][0]).cross(tangent(net.visits[i][1])).z(), 0);
    }
}

TEST(Layout, UvThatCoversItselfIsRefusedByPrimitive) {
    PatchInput folded = rectangle(0.02, 0.012, 4, 3);
    for (std::size_t t = 0; t < folded.uv.size();
         ++t) // the last column turned back over the others
        for (Vec2& q : folded.uv[t])
            if (q.x() > 0.0199) q.x() = 0.0101;
    EXPECT_NE(messageOf([&] {
                  lay(folded, "plain", spaced(1e-3));
              }).find("p.geo: primitive 3: is folded over in uv"),
              std::string::npos);
    // A strip wound once and a half around: no triangle is folded, but it lies over itself.
    const PatchInput spiral = gridPatch(
        60, 1,
        [](Index i, Index j) {
            const double a = 9.42 * i / 60, r = 0.02 + 0.01 * (1 - j);
            return Vec2(r * std::cos(a), r * std::sin(a));
        },
        [](const Vec2& q) { return Vec3(q.x(), q.y(), 0); });
    PatchInput wound = spiral;
    for (std::size_t i = 0; i < wound.x.size(); ++i) wound.x[i].z() = 0.001 * (i % 61);
    const std::string what = messageOf([&] { lay(wound, "plain", spaced(1e-3)); });
    EXPECT_NE(what.find("p.geo: primitive "), std::string::npos) << what;
    EXPECT_NE(what.find("in uv, expected pieces that do not cover themselves"), std::string::npos)
        << what;
}

TEST(Layout, PiecesMayOverlapEachOtherInUv) {
    PatchInput p = rectangle(0.02, 0.012, 4, 3);
    const PatchInput q = rectangle(0.02, 0.012, 2, 2);
    const Index n = static_cast<Index>(p.x.size());
    for (const Vec3& x : q.x) p.x.push_back(x + Vec3(0, 0, 0.05));
    for (std::size_t t = 0; t < q.triangles.size(); ++t) {
        p.triangles.push_back(
            {q.triangles[t][0] + n, q.triangles[t][1] + n, q.triangles[t][2] + n});
        p.uv.push_back(q.uv[t]);
        p.number.push_back(100 + static_cast<Index>(t));
    }
    const Laid a = lay(p, "plain", spaced(1e-3));
    EXPECT_EQ(a.patch.pieces, 2);
    EXPECT_EQ(a.layout.crossings, 2 * 20 * 12);
}

TEST(Layout, SpacingsThatDoNotFitAreNamed) {
    const PatchInput p = rectangle(0.02, 0.012, 4, 3);
    EXPECT_NE(messageOf([&] { lay(p, "plain", spaced(0.5)); })
                  .find("p.geo: the spacing is 0.5 m along u by 0.5 m along v, expected at most "
                        "half of the patch, which is 0.02 m by 0.012 m"),
              std::string::npos);
    EXPECT_NE(messageOf([&] { lay(p, "stockinette", spaced(0.01)); }).find("expected at most half"),
              std::string::npos);
    try {
        lay(p, "plain", spaced(1e-8));
        FAIL();
    } catch (const Error& e) {
        EXPECT_EQ(e.kind(), Error::Kind::Memory);
        EXPECT_NE(std::string(e.what()).find("2.4e+12 crossings"), std::string::npos) << e.what();
    }
    EXPECT_NE(messageOf([&] { lay(p, "plain", spaced(-1)); }).find("expected a length > 0 m"),
              std::string::npos);
    EXPECT_NE(messageOf([&] { lay(p, "plain", LayoutSettings()); }).find("neither spacing nor"),
              std::string::npos);
    EXPECT_TRUE(
        has(lay(p, "plain", spaced(1e-3, 9e-4)).warnings, "are thicker than there is room"));
}

TEST(Layout, WithoutUvThePatchHasToBeFlat) {
    PatchInput p = rectangle(0.02, 0.012, 4, 3);
    p.uv.clear();
    for (Vec3& x : p.x) x = Vec3(x.x(), 0.3, -x.y()); // lies on a table, front up
    const Laid a = lay(p, "plain", spaced(1e-3));
    EXPECT_EQ(a.layout.crossings, 20 * 12);
    for (const Vec3& x : a.layout.network.x) EXPECT_NEAR(x.y(), 0.3, 1e-12);
    p.x[7].y() += 0.004;
    EXPECT_NE(messageOf([&] { lay(p, "plain", spaced(1e-3)); }).find("the patch is not flat"),
              std::string::npos);
    p.rest = p.x;
    p.rest[7].y() = 0.3; // flat at rest will do
    EXPECT_EQ(lay(p, "plain", spaced(1e-3)).layout.crossings, 20 * 12);
}

TEST(Layout, ABareCornerAndAPieceTooSmallAreSaid) {
    PatchInput p = rectangle(0.02, 0.012, 4, 3);
    const Index n = static_cast<Index>(p.x.size());
    for (const Vec2& q : {Vec2(0, 0), Vec2(5e-4, 0), Vec2(0, 5e-4)})
        p.x.push_back({q.x(), q.y(), 1});
    p.triangles.push_back({n, n + 1, n + 2});
    p.uv.push_back({Vec2(0, 0), Vec2(5e-4, 0), Vec2(0, 5e-4)});
    p.number.push_back(77);
    EXPECT_TRUE(has(lay(p, "plain", spaced(1e-3)).warnings,
                    "1 of 2 pieces are too small for the spacing (the first has primitive 77)"));
}

TEST(Layout, PinsHoldTheYarnsBesideThem) {
    const double L = 1e-3;
    const Laid a = lay(rectangle(20 * L, 12 * L, 5, 3), "plain", spaced(L));
    std::vector<std::uint8_t> held(a.patch.x.size(), 0);
    for (std::size_t i = 0; i < held.size(); ++i) held[i] = a.patch.x[i].y() > 11.99 * L;
    const auto top = heldNodes(a.patch, a.layout, held, 0.75 * L);
    for (Index i = 0; i < a.layout.network.nodes(); ++i) {
        const bool in = std::binary_search(top.begin(), top.end(), i);
        EXPECT_EQ(in, a.layout.plane[i].y() >= 11.25 * L - 1e-9);
    }
    // One corner, and nothing within reach: the nearest.
    std::fill(held.begin(), held.end(), 0);
    held[0] = 1;
    const auto corner = heldNodes(a.patch, a.layout, held, 0.01 * L);
    ASSERT_EQ(corner.size(), 1u);
    EXPECT_LT(a.layout.plane[corner[0]].norm(), 0.6 * L);
    // Vectors of points at nodes: linear fields are exact.
    std::vector<Vec3> field;
    for (const Vec3& x : a.patch.x) field.push_back({2 * x.x() - x.y(), 1, x.y()});
    const auto at = atNodes(a.patch, a.layout, field);
    for (Index i = 0; i < a.layout.network.nodes(); ++i) {
        const Vec3& x = a.layout.network.x[i];
        EXPECT_NEAR((at[i] - Vec3(2 * x.x() - x.y(), 1, x.y())).norm(), 0, 1e-12);
    }
}

// The paper's puckering patch: a quarter of a million crossings, in seconds and with the same bits
// on every number of threads.
TEST(Layout, AQuarterMillionCrossings) {
    const double L = 1e-3;
    const PatchInput p = rectangle(500 * L, 500 * L, 60, 60);
    std::vector<std::uint64_t> hashes;
    for (int threads : {1, 2, 3}) {
        const ThreadLimit limit(threads);
        const auto start = std::chrono::steady_clock::now();
        const Laid a = lay(p, "plain", spaced(L));
        const double seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        EXPECT_EQ(a.layout.crossings, 250000);
        EXPECT_LT(seconds, 20);
        RecordProperty("seconds", std::to_string(seconds));
        Hash h;
        h.add(a.layout.network.x);
        h.add(a.layout.network.slide);
        h.add(a.layout.network.node);
        hashes.push_back(h.value());
    }
    EXPECT_EQ(hashes[0], hashes[1]);
    EXPECT_EQ(hashes[0], hashes[2]);
}
