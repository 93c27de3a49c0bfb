// Patches of triangles for the tests of layouts.
#pragma once

#include "purl/crossing/fabric_layout.h"

#include <cmath>

namespace purl::test {

// Triangles over a grid of points; at(i, j) gives the place in the plane, lift(p) in space.
template <class Plane, class Space>
PatchInput gridPatch(Index columns, Index rows, const Plane& plane, const Space& space) {
    PatchInput p;
    const auto id = [&](Index i, Index j) { return i + j * (columns + 1); };
    for (Index j = 0; j <= rows; ++j)
        for (Index i = 0; i <= columns; ++i) p.x.push_back(space(plane(i, j)));
    for (Index j = 0; j < rows; ++j)
        for (Index i = 0; i < columns; ++i)
            for (int h = 0; h < 2; ++h) {
                const Index c[3][2] = {
                    {i, j}, {i + 1, h == 0 ? j : j + 1}, {h == 0 ? i + 1 : i, j + 1}};
                p.triangles.push_back(
                    {id(c[0][0], c[0][1]), id(c[1][0], c[1][1]), id(c[2][0], c[2][1])});
                p.uv.push_back(
                    {plane(c[0][0], c[0][1]), plane(c[1][0], c[1][1]), plane(c[2][0], c[2][1])});
                p.number.push_back(i + j * columns);
            }
    return p;
}

inline PatchInput rectangle(double width, double height, Index columns, Index rows) {
    return gridPatch(
        columns, rows,
        [&](Index i, Index j) { return Vec2(width * i / columns, height * j / rows); },
        [](const Vec2& q) { return Vec3(q.x(), q.y(), 0); });
}

// A ring of `sides` sides between two radii around the origin, `rings` rings of triangles; closed.
inline PatchInput ring(double inner, double outer, Index sides, Index rings) {
    PatchInput p;
    const auto at = [&](Index i, Index j) {
        const double r = inner + (outer - inner) * j / rings;
        const double a = 2 * 3.14159265358979323846 * (i % sides) / sides + 0.01;
        return Vec2(r * std::cos(a), r * std::sin(a));
    };
    const auto id = [&](Index i, Index j) { return (i % sides) + j * sides; };
    for (Index j = 0; j <= rings; ++j)
        for (Index i = 0; i < sides; ++i) p.x.push_back({at(i, j).x(), at(i, j).y(), 0});
    for (Index j = 0; j < rings; ++j)
        for (Index i = 0; i < sides; ++i) {
            p.triangles.push_back({id(i, j), id(i, j + 1), id(i + 1, j + 1)});
            p.uv.push_back({at(i, j), at(i, j + 1), at(i + 1, j + 1)});
            p.triangles.push_back({id(i, j), id(i + 1, j + 1), id(i + 1, j)});
            p.uv.push_back({at(i, j), at(i + 1, j + 1), at(i + 1, j)});
            p.number.push_back(i + j * sides);
            p.number.push_back(i + j * sides);
        }
    return p;
}

struct Laid {
    FabricPatch patch;
    FabricLayout layout;
    std::vector<std::string> warnings;
};

inline Laid lay(const PatchInput& in, const std::string& draft, const LayoutSettings& s,
                const PatchSettings& ps = {}) {
    Laid out;
    out.patch = flattenPatch(in, ps, "p.geo", out.warnings);
    out.layout = layFabric(out.patch, draftByName(draft), s, "p.geo", out.warnings);
    return out;
}

inline LayoutSettings spaced(double spacing, double radius = 0) {
    LayoutSettings s;
    s.warpSpacing = s.weftSpacing = spacing;
    s.radius = radius;
    return s;
}

template <class F>
std::string messageOf(F&& f) {
    try {
        f();
    } catch (const std::exception& e) {
        return e.what();
    }
    return "";
}

} // namespace purl::test
