#include "purl/cloth/rest_shape.h"

#include "purl/cloth/polygon_repair.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace purl {

namespace {

constexpr double kSteep = 0.3; // a direction less than this in the triangle's plane is not its own

double uvTwice(const std::array<Vec2, 3>& t) {
    const Vec2 a = t[1] - t[0], b = t[2] - t[0];
    return a.x() * b.y() - a.y() * b.x();
}

bool thin(const std::array<Vec2, 3>& t) {
    const double longest = std::max(
        {(t[1] - t[0]).squaredNorm(), (t[2] - t[1]).squaredNorm(), (t[0] - t[2]).squaredNorm()});
    return !(std::abs(uvTwice(t)) > 1e-8 * longest);
}

Vec3 normalOf(const std::array<Vec3, 3>& c) {
    return (c[1] - c[0]).cross(c[2] - c[0]).normalized();
}

std::vector<std::vector<std::pair<Index, std::array<int, 2>>>> neighbours(const ClothMesh& mesh) {
    std::vector<std::vector<std::pair<Index, std::array<int, 2>>>> out(mesh.triangles.size());
    std::map<std::array<Index, 2>, std::vector<std::pair<Index, int>>> users;
    for (Index t = 0; t < mesh.faces(); ++t)
        for (int k = 0; k < 3; ++k) {
            const Index a = mesh.triangles[t][k], b = mesh.triangles[t][(k + 1) % 3];
            users[{std::min(a, b), std::max(a, b)}].emplace_back(t, k);
        }
    for (const auto& entry : users) {
        const auto& u = entry.second;
        if (u.size() != 2) continue;
        out[u[0].first].push_back({u[1].first, {u[0].second, u[1].second}});
        out[u[1].first].push_back({u[0].first, {u[1].second, u[0].second}});
    }
    return out;
}

// Pieces of the uv layout: triangles joined by edges whose two ends have the same uv on both sides.
std::vector<Index> islands(const ClothMesh& mesh, const RestShape& s) {
    const auto next = neighbours(mesh);
    std::vector<Index> island(mesh.triangles.size(), -1);
    Index count = 0;
    for (Index seed = 0; seed < mesh.faces(); ++seed) {
        if (island[seed] >= 0) continue;
        std::vector<Index> queue{seed};
        island[seed] = count;
        for (std::size_t q = 0; q < queue.size(); ++q)
            for (const auto& [n, side] : next[queue[q]]) {
                if (island[n] >= 0) continue;
                const auto &a = s.uv[queue[q]], &b = s.uv[n];
                const auto uvAt = [&](const std::array<Vec2, 3>& uv, Index t, Index point) {
                    for (int k = 0; k < 3; ++k)
                        if (mesh.triangles[t][k] == point) return uv[k];
                    return uv[0];
                };
                const Index p = mesh.triangles[n][side[1]],
                            r = mesh.triangles[n][(side[1] + 1) % 3];
                if (uvAt(a, queue[q], p) != uvAt(b, n, p) || uvAt(a, queue[q], r) != uvAt(b, n, r))
                    continue;
                island[n] = count;
                queue.push_back(n);
            }
        ++count;
    }
    return island;
}

// Warp directions in the planes of the corners.
std::vector<Vec3> warpOf(const ClothMesh& mesh, const RestShape& s) {
    const Index n = mesh.faces();
    std::vector<Vec3> dir(n, Vec3::Zero());
    Vec3 lo = Vec3::Constant(1e300), hi = -lo;
    for (const auto& c : s.corner)
        for (const Vec3& p : c) {
            lo = lo.cwiseMin(p);
            hi = hi.cwiseMax(p);
        }
    int axis = 0;
    for (int d = 1; d < 3; ++d)
        if ((hi - lo)[d] > 1.001 * (hi - lo)[axis]) axis = d;
    std::vector<Index> queue;
    const auto lay = [&](Index t, const Vec3& wanted, double least) { // into the triangle's plane
        const Vec3 normal = normalOf(s.corner[t]), flat = wanted - normal.dot(wanted) * normal;
        if (!(flat.norm() > least * wanted.norm()) || !(wanted.norm() > 0)) return false;
        dir[t] = flat.normalized();
        queue.push_back(t);
        return true;
    };
    for (Index t = 0; t < n; ++t) {
        if (lay(t, s.warp[t], 1e-3)) continue;
        if (!s.uv.empty() && !thin(s.uv[t])) { // dx/du
            const Vec2 a = s.uv[t][1] - s.uv[t][0], b = s.uv[t][2] - s.uv[t][0];
            const Vec3 e = s.corner[t][1] - s.corner[t][0], f = s.corner[t][2] - s.corner[t][0];
            if (lay(t, (b.y() * e - a.y() * f) / uvTwice(s.uv[t]), 1e-6)) continue;
        }
        lay(t, Vec3::Unit(axis), kSteep);
    }
    // The rest by parallel transport over edges: the angle to the shared edge stays.
    const auto next = neighbours(mesh);
    for (std::size_t q = 0; q < queue.size(); ++q)
        for (const auto& [m, side] : next[queue[q]]) {
            if (dir[m].squaredNorm() > 0) continue;
            const Index t = queue[q];
            const Vec3 e = (s.corner[t][(side[0] + 1) % 3] - s.corner[t][side[0]]).normalized();
            const Vec3 across = normalOf(s.corner[t]).cross(e);
            const bool same = mesh.triangles[t][side[0]] == mesh.triangles[m][side[1]];
            const Vec3 over = (same ? -1.0 : 1.0) * normalOf(s.corner[m]).cross(e);
            lay(m, dir[t].dot(e) * e + dir[t].dot(across) * over, 0);
        }
    for (Index t = 0; t < n; ++t) // a piece that has none at all
        if (!(dir[t].squaredNorm() > 0)) dir[t] = (s.corner[t][1] - s.corner[t][0]).normalized();
    return dir;
}

} // namespace

std::vector<std::array<Vec2, 3>> restTriangles(const ClothMesh& mesh, const RestShape& s,
                                               const std::string& file,
                                               std::vector<std::string>& warnings) {
    const Index n = mesh.faces();
    std::vector<std::array<Vec2, 3>> rest(n);
    const std::vector<Vec3> warp = warpOf(mesh, s);
    for (Index t = 0; t < n; ++t) {
        const Vec3 weft = normalOf(s.corner[t]).cross(warp[t]);
        for (int k = 0; k < 3; ++k) {
            const Vec3 d = s.corner[t][k] - s.corner[t][0];
            rest[t][k] = {d.dot(warp[t]), d.dot(weft)};
        }
    }
    if (s.from != RestFrom::Uv) return rest;
    const std::vector<Index> island = islands(mesh, s);
    const Index count = n > 0 ? *std::max_element(island.begin(), island.end()) + 1 : 0;
    std::vector<double> area(count, 0.0);
    std::vector<std::uint8_t> told(count, 0);
    for (Index t = 0; t < n; ++t) area[island[t]] += uvTwice(s.uv[t]);
    RepairCount mirrored, folded, collapsed;
    for (Index t = 0; t < n; ++t) {
        if (thin(s.uv[t])) { // keeps its shape in space
            collapsed.add(s.number[t]);
            continue;
        }
        const bool flip = uvTwice(s.uv[t]) < 0, whole = area[island[t]] < 0;
        if (flip != whole) folded.add(s.number[t]);
        if (flip && whole && !told[island[t]]) {
            told[island[t]] = 1;
            mirrored.add(s.number[t]);
        }
        // A given warp turns the panel: uv says lengths, the attribute says direction.
        Eigen::Rotation2Dd turn(0);
        if (s.warp[t].squaredNorm() > 0) {
            const Vec3 e = s.corner[t][1] - s.corner[t][0], f = s.corner[t][2] - s.corner[t][0];
            Eigen::Matrix<double, 3, 2> edges;
            edges << e, f;
            const Vec2 in = (edges.transpose() * edges).inverse() * (edges.transpose() * warp[t]);
            Vec2 d = in.x() * (s.uv[t][1] - s.uv[t][0]) + in.y() * (s.uv[t][2] - s.uv[t][0]);
            if (flip) d.y() = -d.y();
            turn = Eigen::Rotation2Dd(-std::atan2(d.y(), d.x()));
        }
        for (int k = 0; k < 3; ++k) {
            Vec2 p = s.uvScale * (s.uv[t][k] - s.uv[t][0]);
            if (flip) p.y() = -p.y();
            rest[t][k] = turn * p;
        }
    }
    mirrored.say(file, "begins a uv island that is mirrored", "begin uv islands that are mirrored",
                 "mirrored back", warnings);
    folded.say(file, "is folded over in its uv island", "are folded over in their uv islands",
               "unfolded", warnings);
    collapsed.say(file, "has no area in uv", "have no area in uv", "given the shape of the input",
                  warnings);
    return rest;
}

} // namespace purl
