// Polygons to sheets: shapes, areas and angles against what they are, and every kind of bad input.
#include "purl/cloth/polygons.h"

#include "purl/base/error.h"
#include "purl/cloth/triangulate.h"

#include <Eigen/Geometry>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace purl {
namespace {

double restArea(const ClothMesh& m, Index t) {
    const auto& r = m.rest[t];
    const Vec2 a = r[1] - r[0], b = r[2] - r[0];
    return 0.5 * (a.x() * b.y() - a.y() * b.x());
}

// n x m squares of `size` in the x-z plane, front up, numbered from 100.
Polygons grid(int n, int m, double size = 0.1) {
    Polygons p;
    for (int j = 0; j <= m; ++j)
        for (int i = 0; i <= n; ++i) p.x.emplace_back(size * i, 0, -size * j);
    for (int j = 0; j < m; ++j)
        for (int i = 0; i < n; ++i) {
            const Index a = i + j * (n + 1);
            for (Index q : {a, a + 1, a + n + 2, a + n + 1}) p.point.push_back(q);
            p.first.push_back(static_cast<Index>(p.point.size()));
            p.number.push_back(100 + static_cast<Index>(p.number.size()));
        }
    return p;
}

void add(Polygons& p, std::initializer_list<Index> points) {
    p.point.insert(p.point.end(), points);
    p.first.push_back(static_cast<Index>(p.point.size()));
    p.number.push_back(100 + static_cast<Index>(p.number.size()));
}

ClothInput build(const Polygons& p, RestFrom rest = RestFrom::Auto) {
    ClothBuildSettings s;
    s.rest = rest;
    return buildCloth(p, s, "sheet.geo");
}

bool says(const ClothInput& in, const std::string& words) {
    for (const std::string& w : in.warnings)
        if (w.find(words) != std::string::npos) return true;
    return false;
}

std::string all(const ClothInput& in) {
    std::string s;
    for (const std::string& w : in.warnings) s += w + "\n";
    return s;
}

template <class F>
void refused(const F& f, const std::vector<std::string>& words) {
    try {
        f();
        ADD_FAILURE() << "was taken";
    } catch (const Error& e) {
        for (const std::string& w : words)
            EXPECT_NE(std::string(e.what()).find(w), std::string::npos)
                << "no '" << w << "' in: " << e.what();
    }
}

TEST(Triangulate, ConcavePolygonsAreCoveredOnce) {
    std::mt19937 engine(2);
    std::uniform_real_distribution<double> u(0.2, 1);
    for (int n = 4; n < 40; ++n) {
        std::vector<Vec3> x; // a star in a tilted plane
        const Vec3 e(0.6, 0.8, 0), f(0, 0, 1);
        double area = 0;
        std::vector<double> r;
        for (int i = 0; i < n; ++i) r.push_back(u(engine));
        for (int i = 0; i < n; ++i) {
            const double a = 2 * M_PI * i / n;
            x.push_back(r[i] * (std::cos(a) * e + std::sin(a) * f) + Vec3(5, 2, 1));
            area += 0.5 * r[i] * r[(i + 1) % n] * std::sin(2 * M_PI / n);
        }
        bool simple = false;
        const auto t = triangulate(x, simple);
        EXPECT_TRUE(simple);
        EXPECT_EQ(static_cast<int>(t.size()), n - 2);
        double sum = 0;
        for (const auto& k : t) {
            const double a = 0.5 * (x[k[1]] - x[k[0]]).cross(x[k[2]] - x[k[0]]).dot(e.cross(f));
            EXPECT_GT(a, 0) << n; // none turned over: with the right sum, no overlap
            sum += a;
        }
        EXPECT_NEAR(sum, area, 1e-12);
    }
}

TEST(Triangulate, AQuadTakesTheDiagonalThatLiesInside) {
    // An arrow head: the diagonal from tip to notch is the only one.
    const std::vector<Vec3> x = {{0, 0, 0}, {1, -1, 0}, {0.3, 0, 0}, {1, 1, 0}};
    bool simple = false;
    for (const auto& t : triangulate(x, simple)) {
        EXPECT_TRUE(t[0] == 0 || t[1] == 0 || t[2] == 0);
        EXPECT_TRUE(t[0] == 2 || t[1] == 2 || t[2] == 2);
    }
    EXPECT_TRUE(simple);
}

TEST(Polygons, AGridBecomesASheet) {
    const ClothInput in = build(grid(4, 3));
    EXPECT_EQ(in.mesh.faces(), 24);
    EXPECT_EQ(in.mesh.points, 20);
    EXPECT_EQ(in.warnings.size(), 0u) << all(in);
    EXPECT_EQ(in.mesh.hinges.size(), 4u * 2 + 3 * 3 + 12); // inner edges and diagonals
    double area = 0;
    for (Index t = 0; t < in.mesh.faces(); ++t) {
        EXPECT_GT(restArea(in.mesh, t), 0);
        area += restArea(in.mesh, t);
    }
    EXPECT_NEAR(area, 0.12, 1e-12);
    for (double a : in.mesh.restAngle) EXPECT_NEAR(a, 0, 1e-12);
    for (const auto& h : in.mesh.hinges) EXPECT_NE(h[2], h[3]);
    // The warp is the longest side, x: edges along x have no weft part.
    for (Index t = 0; t < in.mesh.faces(); ++t)
        for (int k = 0; k < 3; ++k) {
            const Vec3 d = in.x[in.mesh.triangles[t][(k + 1) % 3]] - in.x[in.mesh.triangles[t][k]];
            const Vec2 r = in.mesh.rest[t][(k + 1) % 3] - in.mesh.rest[t][k];
            EXPECT_NEAR(std::abs(r.x()), std::abs(d.x()), 1e-12);
            EXPECT_NEAR(std::abs(r.y()), std::abs(d.z()), 1e-12);
        }
}

TEST(Polygons, HingesFollowTheirConventionAndKeepTheFold) {
    Polygons p;
    p.x = {{0, 0, 0}, {1, 0, 0}, {0.5, 1, 0}, {0.5, -0.5, 0.5}};
    add(p, {0, 1, 2});
    add(p, {1, 0, 3});
    const ClothInput in = build(p);
    ASSERT_EQ(in.mesh.hinges.size(), 1u);
    const auto& h = in.mesh.hinges[0];
    const Vec3 e = in.x[h[1]] - in.x[h[0]];
    const Vec3 n1 = e.cross(in.x[h[2]] - in.x[h[0]]), n2 = (in.x[h[3]] - in.x[h[0]]).cross(e);
    EXPECT_NEAR(std::abs(in.mesh.restAngle[0]), std::acos(n1.dot(n2) / n1.norm() / n2.norm()),
                1e-9);
    EXPECT_NEAR(std::abs(in.mesh.restAngle[0]), M_PI / 4, 1e-9);
    const auto& t = in.mesh.triangles[in.mesh.hingeTriangles[0][0]];
    bool found = false; // the first triangle runs from e0 to e1
    for (int k = 0; k < 3; ++k) found = found || (t[k] == h[0] && t[(k + 1) % 3] == h[1]);
    EXPECT_TRUE(found);
    ClothBuildSettings flat;
    flat.flat = true;
    EXPECT_EQ(buildCloth(p, flat, "f").mesh.restAngle[0], 0);
}

TEST(Polygons, RestShapesFromRestUvAndInput) {
    Polygons p = grid(3, 3);
    for (const Vec3& q : p.x) p.rest.push_back(2 * q);
    const auto areaOf = [](const ClothInput& in) {
        double sum = 0;
        for (Index t = 0; t < in.mesh.faces(); ++t) sum += restArea(in.mesh, t);
        return sum;
    };
    EXPECT_NEAR(areaOf(build(p)), 4 * 0.09, 1e-12);
    EXPECT_NEAR(areaOf(build(p, RestFrom::Input)), 0.09, 1e-12);
    p.rest.clear();
    for (Index q : p.point) p.uv.emplace_back(1.1 * p.x[q].z(), 1.1 * p.x[q].x());
    const ClothInput uv = build(p);
    EXPECT_EQ(uv.restFrom, RestFrom::Uv); // in metres: 1.21 of the area
    EXPECT_NEAR(areaOf(uv), 1.21 * 0.09, 1e-12);
    // u runs along z: so does the warp.
    const Vec3 d = uv.x[uv.mesh.triangles[0][1]] - uv.x[uv.mesh.triangles[0][0]];
    const Vec2 r = uv.mesh.rest[0][1] - uv.mesh.rest[0][0];
    EXPECT_NEAR(std::abs(r.x()), 1.1 * std::abs(d.z()), 1e-12);
    for (Vec2& q : p.uv) q *= 10; // a texture's layout: direction only
    const ClothInput texture = build(p);
    EXPECT_EQ(texture.restFrom, RestFrom::Input);
    EXPECT_TRUE(says(texture, "times the area")) << all(texture);
    EXPECT_NEAR(areaOf(texture), 0.09, 1e-12);
    ClothBuildSettings scaled;
    scaled.rest = RestFrom::Uv;
    scaled.uvScale = 0;
    EXPECT_NEAR(areaOf(buildCloth(p, scaled, "f")), 0.09, 1e-9);
    p.uv.clear();
    refused([&] { build(p, RestFrom::Uv); }, {"sheet.geo", "no uv", "expected"});
    refused([&] { build(p, RestFrom::Rest); }, {"sheet.geo", "rest", "expected"});
}

TEST(Polygons, WarpFromAnAttribute) {
    Polygons p = grid(2, 2);
    for (Index f = 0; f < p.count(); ++f) p.warp.emplace_back(1, 0.5, 1); // in the plane: x + z
    const ClothInput in = build(p);
    for (Index t = 0; t < in.mesh.faces(); ++t)
        for (int k = 0; k < 3; ++k) {
            const Vec3 d = in.x[in.mesh.triangles[t][(k + 1) % 3]] - in.x[in.mesh.triangles[t][k]];
            const Vec2 r = in.mesh.rest[t][(k + 1) % 3] - in.mesh.rest[t][k];
            EXPECT_NEAR(r.x(), (d.x() + d.z()) / std::sqrt(2.0), 1e-12);
        }
}

TEST(Polygons, WarpIsCarriedOverWhereTheSheetTurnsAway) {
    // A strip along x that turns up at right angles to x: the warp goes on along the strip.
    Polygons p;
    for (int i = 0; i <= 8; ++i)
        for (int j = 0; j < 2; ++j)
            p.x.emplace_back(i < 4 ? 0.1 * i : 0.3999 + 0.0001 * (i - 4), i < 4 ? 0 : 0.1 * (i - 3),
                             -0.1 * j);
    for (Index i = 0; i < 8; ++i) add(p, {2 * i, 2 * i + 2, 2 * i + 3, 2 * i + 1});
    const ClothInput in = build(p);
    for (Index t = 0; t < in.mesh.faces(); ++t)
        for (int k = 0; k < 3; ++k) {
            const Vec3 d = in.x[in.mesh.triangles[t][(k + 1) % 3]] - in.x[in.mesh.triangles[t][k]];
            const Vec2 r = in.mesh.rest[t][(k + 1) % 3] - in.mesh.rest[t][k];
            EXPECT_NEAR(std::abs(r.y()), std::abs(d.z()), 1e-6) << t;
        }
}

TEST(Polygons, BadPolygonsAreNamedAndRepaired) {
    Polygons p = grid(3, 3);
    add(p, {0, 1, 5, 4});      // 109: again primitive 100
    add(p, {0, 1, 1});         // 110: two points
    add(p, {0, 1, 2});         // 111: on a line
    p.x.emplace_back(9, 9, 9); // 16: a point in no polygon
    add(p, {1, 2, 16});        // no longer loose, and the third on edge 1-2? no: the second
    p.x.emplace_back(8, 8, 8); // 17: loose
    const ClothInput in = build(p);
    EXPECT_TRUE(says(in, "primitive 109 lies on the same points")) << all(in);
    EXPECT_TRUE(says(in, "primitive 110 uses a point twice")) << all(in);
    EXPECT_TRUE(says(in, "2 primitives have no area (the first is primitive 110)")) << all(in);
    EXPECT_TRUE(says(in, "point 17 is in no polygon")) << all(in);
    EXPECT_EQ(in.mesh.points, 17);
    EXPECT_EQ(in.nodeOf[17], -1);
    EXPECT_EQ(in.mesh.faces(), 19);
}

TEST(Polygons, ThreeOnAnEdgeBendFreelyThere) {
    Polygons p = grid(2, 1);
    p.x.emplace_back(0.1, 0.1, 0);
    p.x.emplace_back(0.1, 0.1, -0.1);
    add(p, {1, 4, 7, 6});
    const ClothInput in = build(p);
    EXPECT_TRUE(says(in, "primitive 102 is the third on one edge")) << all(in);
    EXPECT_EQ(in.mesh.hinges.size(), 3u); // the diagonals only
    EXPECT_EQ(in.mesh.faces(), 6);
}

TEST(Polygons, NeighboursAreTurnedTheSameWay) {
    Polygons p = grid(3, 3);
    std::reverse(p.point.begin() + 4, p.point.begin() + 8);
    std::reverse(p.point.begin() + 20, p.point.begin() + 24);
    const ClothInput in = build(p);
    EXPECT_TRUE(says(in, "2 primitives run the other way round")) << all(in);
    EXPECT_TRUE(says(in, "the first is primitive 101")) << all(in);
    for (const auto& t : in.mesh.triangles) // the many decide: all face up
        EXPECT_GT((in.x[t[1]] - in.x[t[0]]).cross(in.x[t[2]] - in.x[t[0]]).y(), 0);
}

TEST(Polygons, AMoebiusStripIsKept) {
    Polygons p;
    const int n = 24;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < 2; ++j) {
            const double a = 2 * M_PI * i / n, w = 0.1 * (2 * j - 1);
            p.x.emplace_back((1 + w * std::cos(a / 2)) * std::cos(a), w * std::sin(a / 2),
                             (1 + w * std::cos(a / 2)) * std::sin(a));
        }
    for (Index i = 0; i < n; ++i) {
        const Index a = 2 * i, b = 2 * ((i + 1) % n), twist = i + 1 == n;
        add(p, {a, b + twist, b + 1 - twist, a + 1});
    }
    const ClothInput in = build(p);
    EXPECT_TRUE(says(in, "one side only")) << all(in);
    EXPECT_EQ(in.mesh.hinges.size(), 2u * n);
    for (double a : in.mesh.restAngle) EXPECT_LT(std::abs(a), 0.6);
}

TEST(Polygons, TJunctionsAreSewn) {
    // One square beside two halves: the middle point of the halves lies on its edge.
    Polygons p;
    p.x = {{0, 0, 0},   {1, 0, 0}, {1, 1, 0},   {0, 1, 0},
           {1, 0.5, 0}, {2, 0, 0}, {2, 0.5, 0}, {2, 1, 0}};
    add(p, {0, 1, 2, 3});
    add(p, {1, 5, 6, 4});
    add(p, {4, 6, 7, 2});
    for (Index q : p.point) p.uv.emplace_back(p.x[q].x(), p.x[q].y());
    const ClothInput in = build(p);
    EXPECT_TRUE(says(in, "primitive 100 has points of its neighbours on an edge")) << all(in);
    EXPECT_EQ(in.mesh.faces(), 3 + 2 + 2);
    EXPECT_EQ(in.mesh.hinges.size(), 2u + 1 + 1 + 2 + 1); // nothing open between them
    double area = 0;
    for (Index t = 0; t < in.mesh.faces(); ++t) area += restArea(in.mesh, t);
    EXPECT_NEAR(area, 2, 1e-12);
    // A separate sheet whose point only touches the edge stays separate.
    Polygons q;
    q.x = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {1, 0.5, 0}, {2, 0, 0}, {2, 1, 0}};
    add(q, {0, 1, 2, 3});
    add(q, {4, 5, 6});
    EXPECT_FALSE(says(build(q), "T-junction"));
}

TEST(Polygons, MirroredAndFoldedUv) {
    Polygons p = grid(4, 2);
    for (Index f = 0; f < p.count(); ++f)
        for (Index v = p.first[f]; v < p.first[f + 1]; ++v) {
            const Vec3& x = p.x[p.point[v]];
            const bool right = f % 4 >= 2; // two islands, the right one mirrored
            p.uv.emplace_back(right ? 5 - x.x() : x.x(), -x.z());
        }
    const ClothInput in = build(p);
    EXPECT_EQ(in.restFrom, RestFrom::Uv);
    EXPECT_TRUE(says(in, "primitive 102 begins a uv island that is mirrored")) << all(in);
    for (Index t = 0; t < in.mesh.faces(); ++t) EXPECT_NEAR(restArea(in.mesh, t), 0.005, 1e-12);
    // One corner of primitive 100 pulled over the others: one of its triangles folds over.
    for (std::size_t v = 0; v < 4; ++v)
        if (p.point[v] == 0) p.uv[v] = Vec2(0.25, 0.25);
    const ClothInput folded = build(p);
    EXPECT_TRUE(says(folded, "primitive 100 is folded over")) << all(folded);
    for (Index t = 0; t < folded.mesh.faces(); ++t) EXPECT_GT(restArea(folded.mesh, t), 0);
    for (std::size_t v = 0; v < 4; ++v) p.uv[v] = Vec2(0.1 * v, 0); // no area at all
    const ClothInput flat = build(p);
    EXPECT_TRUE(says(flat, "have no area in uv (the first is primitive 100)")) << all(flat);
    for (Index t = 0; t < flat.mesh.faces(); ++t) EXPECT_GT(restArea(flat.mesh, t), 0);
}

TEST(Polygons, WhatIsNoNumberIsRefused) {
    Polygons p = grid(2, 2);
    p.x[4].y() = std::nan("");
    refused([&] { build(p); }, {"sheet.geo: primitive 100", "point 4", "not finite", "expected"});
    p = grid(2, 2);
    p.rest = p.x;
    p.rest[8].x() = 1.0 / 0.0;
    refused([&] { build(p); }, {"sheet.geo: primitive 103", "rest of point 8", "not finite"});
    p = grid(2, 2);
    p.uv.assign(p.point.size(), Vec2(0, 0));
    p.uv[5].x() = std::nan("");
    refused([&] { build(p); }, {"sheet.geo: primitive 101", "uv", "not finite"});
    p = grid(2, 2);
    p.point[3] = 77;
    refused([&] { build(p); }, {"primitive 100", "point 77", "0 to 8"});
    p = Polygons();
    refused([&] { build(p); }, {"no polygons"});
    p.x = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    add(p, {0, 1, 2});
    refused([&] { build(p); }, {"no polygon with an area"});
}

TEST(Polygons, RandomRubbishNeverCrashes) {
    std::mt19937 engine(9);
    for (int round = 0; round < 400; ++round) {
        Polygons p;
        const int points = 3 + engine() % 12;
        for (int i = 0; i < points; ++i) // few different places: much coincides
            p.x.emplace_back(engine() % 3, engine() % 3, engine() % 2);
        for (int f = engine() % 9; f >= 0; --f) {
            for (int k = engine() % 7; k >= 0; --k) p.point.push_back(engine() % points);
            p.first.push_back(static_cast<Index>(p.point.size()));
            p.number.push_back(static_cast<Index>(p.number.size()));
        }
        if (round % 2)
            for (std::size_t v = 0; v < p.point.size(); ++v)
                p.uv.emplace_back(engine() % 3, engine() % 3);
        try {
            const ClothInput in = build(p, round % 4 == 1 ? RestFrom::Uv : RestFrom::Auto);
            for (Index t = 0; t < in.mesh.faces(); ++t) {
                ASSERT_GT(restArea(in.mesh, t), 0);
                ASSERT_TRUE(in.mesh.rest[t][1].allFinite());
            }
            for (double a : in.mesh.restAngle) ASSERT_TRUE(std::isfinite(a));
        } catch (const Error&) {
        }
    }
}

} // namespace
} // namespace purl
