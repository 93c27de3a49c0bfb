#include "purl/mixed/loop_places.h"

#include "purl/crossing/links.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>

namespace purl {

namespace {

constexpr int kLevels = 2;
constexpr double kPi = 3.14159265358979323846;

using Row = std::vector<std::pair<Index, double>>; // vertices of the mesh, and their shares

Row blend(std::initializer_list<std::pair<const Row*, double>> parts) {
    Row out;
    for (const auto& [row, w] : parts)
        for (const auto& e : *row) out.emplace_back(e.first, w * e.second);
    std::sort(out.begin(), out.end());
    std::size_t n = 0;
    for (std::size_t k = 0; k < out.size(); ++k)
        if (n > 0 && out[n - 1].first == out[k].first)
            out[n - 1].second += out[k].second;
        else
            out[n++] = out[k];
    out.resize(n);
    return out;
}

struct Level {
    std::vector<Row> row; // per point
    std::vector<std::array<Index, 3>>
        triangles; // the four of triangle t are 4 t ..: corners, middle
};

Level subdivide(const Level& from) {
    struct Edge {
        Index opposite[2] = {-1, -1};
        int faces = 0;
        Index middle = -1;
    };
    std::map<std::pair<Index, Index>, Edge> edges;
    const auto key = [](Index a, Index b) { return std::pair(std::min(a, b), std::max(a, b)); };
    for (const auto& t : from.triangles)
        for (int k = 0; k < 3; ++k) {
            Edge& e = edges[key(t[k], t[(k + 1) % 3])];
            if (e.faces < 2) e.opposite[e.faces] = t[(k + 2) % 3];
            ++e.faces;
        }
    Level out;
    std::vector<std::vector<Index>> near(from.row.size()), border(from.row.size());
    for (const auto& [ends, e] : edges) {
        near[ends.first].push_back(ends.second), near[ends.second].push_back(ends.first);
        if (e.faces != 2)
            border[ends.first].push_back(ends.second), border[ends.second].push_back(ends.first);
    }
    for (std::size_t p = 0; p < from.row.size(); ++p) {
        const Row& own = from.row[p];
        if (border[p].size() == 2) {
            out.row.push_back(blend({{&own, 0.75},
                                     {&from.row[border[p][0]], 0.125},
                                     {&from.row[border[p][1]], 0.125}}));
            continue;
        }
        const double n = static_cast<double>(near[p].size());
        if (!border[p].empty() || n < 3) { // where more than one border meets
            out.row.push_back(own);
            continue;
        }
        const double c = 0.375 + 0.25 * std::cos(2 * kPi / n), beta = (0.625 - c * c) / n;
        Row all = blend({{&own, 1 - n * beta}});
        for (Index q : near[p]) all = blend({{&all, 1}, {&from.row[q], beta}});
        out.row.push_back(std::move(all));
    }
    for (auto& [ends, e] : edges) {
        e.middle = static_cast<Index>(out.row.size());
        const Row &a = from.row[ends.first], &b = from.row[ends.second];
        if (e.faces == 2)
            out.row.push_back(blend({{&a, 0.375},
                                     {&b, 0.375},
                                     {&from.row[e.opposite[0]], 0.125},
                                     {&from.row[e.opposite[1]], 0.125}}));
        else
            out.row.push_back(blend({{&a, 0.5}, {&b, 0.5}}));
    }
    for (const auto& t : from.triangles) {
        const Index ab = edges[key(t[0], t[1])].middle, bc = edges[key(t[1], t[2])].middle,
                    ca = edges[key(t[2], t[0])].middle;
        out.triangles.push_back({t[0], ab, ca});
        out.triangles.push_back({ab, t[1], bc});
        out.triangles.push_back({ca, bc, t[2]});
        out.triangles.push_back({ab, bc, ca});
    }
    return out;
}

} // namespace

LoopPlaces::LoopPlaces(const ClothMesh& mesh, Span<const Index> triangle, Span<const Vec3> weights,
                       Span<const char> wanted)
    : mesh_(mesh), triangle_(triangle.begin(), triangle.end()),
      weights_(weights.begin(), weights.end()), first_{0} {
    Level level;
    for (Index v = 0; v < mesh.points; ++v) level.row.push_back({{v, 1.0}});
    level.triangles = mesh.triangles;
    const bool any = std::find(wanted.begin(), wanted.end(), 1) != wanted.end();
    for (int k = 0; any && k < kLevels; ++k) level = subdivide(level);
    for (std::size_t i = 0; i < triangle_.size(); ++i) {
        if (wanted[i]) {
            Index t = triangle_[i];
            Vec3 w = weights_[i];
            for (int k = 0; k < kLevels; ++k) {
                int part = 3;
                for (int c = 0; c < 3; ++c)
                    if (w[c] >= 0.5) part = c;
                if (part < 3) {
                    w *= 2;
                    w[part] -= 1;
                } else { // of the middle one, whose corners are those of ab, bc, ca
                    w = Vec3(1 - 2 * w[2], 1 - 2 * w[0], 1 - 2 * w[1]);
                }
                t = 4 * t + part;
            }
            const auto& corner = level.triangles[t];
            for (const auto& e : blend({{&level.row[corner[0]], w[0]},
                                        {&level.row[corner[1]], w[1]},
                                        {&level.row[corner[2]], w[2]}})) {
                vertex_.push_back(e.first);
                share_.push_back(static_cast<float>(e.second));
            }
        }
        first_.push_back(static_cast<Index>(vertex_.size()));
    }
}

Vec3 LoopPlaces::flat(Index i, Span<const Vec3> v) const {
    const auto& t = mesh_.triangles[triangle_[i]];
    const Vec3& w = weights_[i];
    return w[0] * v[t[0]] + w[1] * v[t[1]] + w[2] * v[t[2]];
}

// Against the first of the row's vertices, so that single precision costs nothing far from 0.
Vec3 LoopPlaces::smooth(Index i, Span<const Vec3> v) const {
    const Vec3 base = v[vertex_[first_[i]]];
    Vec3 sum = base;
    for (Index e = first_[i]; e < first_[i + 1]; ++e) sum += share_[e] * (v[vertex_[e]] - base);
    return sum;
}

Vec3 LoopPlaces::normal(Index i, Span<const Vec3> v) const {
    const auto& t = mesh_.triangles[triangle_[i]];
    return (v[t[1]] - v[t[0]]).cross(v[t[2]] - v[t[0]]).stableNormalized();
}

Vec3 LoopPlaces::at(Index i, Span<const Vec3> v) const {
    const Vec3 p = flat(i, v);
    if (first_[i] == first_[i + 1]) return p;
    const Vec3 n = normal(i, v);
    return p + n * n.dot(smooth(i, v) - p);
}

Vec3 LoopPlaces::rate(Index i, Span<const Vec3> v, Span<const Vec3> rates) const {
    const Vec3 p = flat(i, rates);
    if (first_[i] == first_[i + 1]) return p;
    const Vec3 n = normal(i, v);
    return p + n * n.dot(smooth(i, rates) - p);
}

std::size_t LoopPlaces::bytes() const {
    return bytesOf(triangle_) + bytesOf(weights_) + bytesOf(first_) + bytesOf(vertex_) +
           bytesOf(share_);
}

} // namespace purl
