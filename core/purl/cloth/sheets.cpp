#include "purl/cloth/sheets.h"

#include "purl/base/error.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>

namespace purl {

namespace {
constexpr double kPi = 3.14159265358979323846;

struct HalfEdge {
    Index low, high; // points
    Index from;      // the triangle runs from here to the other
    Index triangle, opposite;
};

// Triangulates the strip between two rows of points whose first coordinates ascend.
void joinRows(const std::vector<Vec2>& flat, Index a0, Index a1, Index b0, Index b1,
              std::vector<std::array<Index, 3>>& out) {
    Index a = a0, b = b0;
    while (a + 1 < a1 || b + 1 < b1) {
        const bool lower = b + 1 >= b1 || (a + 1 < a1 && flat[a + 1].x() + flat[a].x() <=
                                                             flat[b + 1].x() + flat[b].x());
        if (lower) {
            out.push_back({a, a + 1, b});
            ++a;
        } else {
            out.push_back({a, b + 1, b});
            ++b;
        }
    }
}

FlatSheet flatSheet(const std::vector<Vec2>& flat, std::vector<std::array<Index, 3>> triangles) {
    FlatSheet s;
    s.mesh.points = static_cast<Index>(flat.size());
    s.mesh.triangles = std::move(triangles);
    for (const auto& t : s.mesh.triangles)
        s.mesh.rest.push_back({flat[t[0]], flat[t[1]], flat[t[2]]});
    for (const Vec2& p : flat) s.x.emplace_back(p.x(), 0, -p.y());
    findHinges(s.mesh);
    return s;
}
} // namespace

void findHinges(ClothMesh& mesh) {
    std::vector<HalfEdge> half;
    half.reserve(mesh.triangles.size() * 3);
    for (Index t = 0; t < mesh.faces(); ++t)
        for (int k = 0; k < 3; ++k) {
            const Index a = mesh.triangles[t][k], b = mesh.triangles[t][(k + 1) % 3];
            half.push_back({std::min(a, b), std::max(a, b), a, t, mesh.triangles[t][(k + 2) % 3]});
        }
    std::sort(half.begin(), half.end(), [](const HalfEdge& a, const HalfEdge& b) {
        return std::tie(a.low, a.high, a.triangle) < std::tie(b.low, b.high, b.triangle);
    });
    // In the order of the first triangle, so that neighbours in the list are neighbours in space.
    struct Found {
        std::array<Index, 4> points;
        std::array<Index, 2> triangles;
    };
    std::vector<Found> found;
    for (std::size_t k = 0; k < half.size();) {
        std::size_t end = k + 1;
        while (end < half.size() && half[end].low == half[k].low && half[end].high == half[k].high)
            ++end;
        if (end - k > 2)
            throw Error("cloth mesh: triangle " + std::to_string(half[k + 2].triangle),
                        "the edge of points " + std::to_string(half[k].low) + " and " +
                            std::to_string(half[k].high) + " has " + std::to_string(end - k) +
                            " triangles, expected at most 2");
        if (end - k == 2) {
            const HalfEdge &a = half[k], &b = half[k + 1];
            if (a.from == b.from)
                throw Error("cloth mesh: triangle " + std::to_string(b.triangle),
                            "is turned the other way round than its neighbour " +
                                std::to_string(a.triangle) + ", expected one side");
            const Index to = a.from == a.low ? a.high : a.low;
            found.push_back({{a.from, to, a.opposite, b.opposite}, {a.triangle, b.triangle}});
        }
        k = end;
    }
    std::sort(found.begin(), found.end(),
              [](const Found& a, const Found& b) { return a.triangles < b.triangles; });
    mesh.hinges.clear();
    mesh.hingeTriangles.clear();
    for (const Found& f : found) {
        mesh.hinges.push_back(f.points);
        mesh.hingeTriangles.push_back(f.triangles);
    }
    mesh.restAngle.assign(found.size(), 0.0);
}

FlatSheet rectangleSheet(Index nx, Index ny, double width, double height) {
    std::vector<Vec2> flat;
    std::vector<std::array<Index, 3>> triangles;
    const double dx = width / nx, dy = height / ny;
    Index before = 0;
    for (Index j = 0; j <= ny; ++j) {
        const Index first = static_cast<Index>(flat.size());
        const double y = j * dy - 0.5 * height;
        if (j % 2 == 0) {
            for (Index i = 0; i <= nx; ++i) flat.emplace_back(i * dx - 0.5 * width, y);
        } else {
            flat.emplace_back(-0.5 * width, y);
            for (Index i = 0; i < nx; ++i) flat.emplace_back((i + 0.5) * dx - 0.5 * width, y);
            flat.emplace_back(0.5 * width, y);
        }
        if (j > 0) joinRows(flat, before, first, first, static_cast<Index>(flat.size()), triangles);
        before = first;
    }
    return flatSheet(flat, std::move(triangles));
}

FlatSheet squareSheet(Index triangles, double side) {
    // n edges a row, rows of height sqrt(3)/2 edge: 2 n rows triangles.
    const double n = std::sqrt(0.5 * triangles * std::sqrt(0.75));
    const Index nx = std::max<Index>(1, static_cast<Index>(std::lround(n)));
    const Index ny = std::max<Index>(1, static_cast<Index>(std::lround(n / std::sqrt(0.75))));
    return rectangleSheet(nx, ny, side, side);
}

FlatSheet discSheet(Index rings, double radius) {
    std::vector<Vec2> flat{Vec2::Zero()};
    std::vector<std::array<Index, 3>> triangles;
    const auto first = [](Index r) { return r == 0 ? 0 : 1 + 3 * r * (r - 1); };
    for (Index r = 1; r <= rings; ++r)
        for (Index k = 0; k < 6 * r; ++k) {
            const double angle = 2 * kPi * k / (6.0 * r);
            flat.push_back(radius * r / rings * Vec2(std::cos(angle), std::sin(angle)));
        }
    for (Index r = 1; r <= rings; ++r) {
        // Each of six sectors is a strip of r outer and r - 1 inner edges.
        const Index inner = std::max<Index>(1, 6 * (r - 1)), outer = 6 * r;
        for (Index s = 0; s < 6; ++s)
            for (Index k = 0; k < r; ++k) {
                const Index o = s * r + k, i = s * (r - 1) + k;
                const Index a = first(r) + o, b = first(r) + (o + 1) % outer;
                const Index c = first(r - 1) + i % inner;
                triangles.push_back({a, b, c});
                if (k + 1 < r) triangles.push_back({b, first(r - 1) + (i + 1) % inner, c});
            }
    }
    return flatSheet(flat, std::move(triangles));
}

FlatSheet tubeSheet(Index around, Index along, double radius, double length) {
    FlatSheet s;
    const double da = 2 * kPi / around, dx = length / along;
    for (Index j = 0; j <= along; ++j)
        for (Index i = 0; i < around; ++i) {
            const double a = (i + 0.5 * (j % 2)) * da;
            s.x.emplace_back(j * dx, radius * std::cos(a), radius * std::sin(a));
        }
    s.mesh.points = static_cast<Index>(s.x.size());
    const auto at = [&](Index i, Index j) { return j * around + i % around; };
    const auto rest = [&](Index i, Index j) {
        return Vec2(j * dx, radius * da * (i + 0.5 * (j % 2)));
    };
    const auto add = [&](Index i0, Index j0, Index i1, Index j1, Index i2, Index j2) {
        s.mesh.triangles.push_back({at(i0, j0), at(i1, j1), at(i2, j2)});
        s.mesh.rest.push_back({rest(i0, j0), rest(i1, j1), rest(i2, j2)});
    };
    for (Index j = 0; j < along; ++j)
        for (Index i = 0; i < around; ++i) {
            if (j % 2 == 0) {
                add(i, j, i, j + 1, i + 1, j);
                add(i + 1, j, i, j + 1, i + 1, j + 1);
            } else {
                add(i, j, i, j + 1, i + 1, j + 1);
                add(i, j, i + 1, j + 1, i + 1, j);
            }
        }
    findHinges(s.mesh);
    return s;
}

} // namespace purl
