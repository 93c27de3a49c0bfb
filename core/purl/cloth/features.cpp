#include "purl/cloth/features.h"

#include <algorithm>
#include <cmath>

namespace purl {

MeshFeatures featuresOf(const ClothMesh& mesh) {
    MeshFeatures f;
    const Index faces = mesh.faces();
    struct Side {
        Index a, b, triangle;
        int k;
    };
    std::vector<Side> sides;
    sides.reserve(3 * static_cast<std::size_t>(faces));
    for (Index t = 0; t < faces; ++t)
        for (int k = 0; k < 3; ++k) {
            const Index a = mesh.triangles[t][k], b = mesh.triangles[t][(k + 1) % 3];
            sides.push_back({std::min(a, b), std::max(a, b), t, k});
        }
    std::sort(sides.begin(), sides.end(), [](const Side& p, const Side& q) {
        if (p.a != q.a) return p.a < q.a;
        if (p.b != q.b) return p.b < q.b;
        return p.triangle != q.triangle ? p.triangle < q.triangle : p.k < q.k;
    });
    f.triangleEdges.resize(faces);
    f.ownsEdge.assign(faces, 0);
    f.ownsPoint.assign(faces, 0);
    for (const Side& s : sides) {
        if (f.edges.empty() || f.edges.back() != std::array<Index, 2>{s.a, s.b}) {
            f.edges.push_back({s.a, s.b});
            f.facesOf.push_back(0);
            f.ownsEdge[s.triangle] |= static_cast<std::uint8_t>(1 << s.k);
        }
        ++f.facesOf.back();
        f.triangleEdges[s.triangle][s.k] = static_cast<Index>(f.edges.size()) - 1;
    }
    f.across.assign(faces, {-1, -1, -1});
    f.onBorder.assign(mesh.points, 0);
    for (std::size_t i = 0; i < sides.size();) {
        std::size_t j = i;
        while (j < sides.size() && sides[j].a == sides[i].a && sides[j].b == sides[i].b) ++j;
        if (j - i == 2) {
            for (int k = 0; k < 2; ++k) {
                const Side &mine = sides[i + k], &other = sides[i + 1 - k];
                f.across[mine.triangle][mine.k] = mesh.triangles[other.triangle][(other.k + 2) % 3];
            }
        } else {
            f.onBorder[sides[i].a] = f.onBorder[sides[i].b] = 1;
        }
        i = j;
    }
    std::vector<std::uint8_t> owned(mesh.points, 0);
    for (Index t = 0; t < faces; ++t)
        for (int k = 0; k < 3; ++k)
            if (!owned[mesh.triangles[t][k]]) {
                owned[mesh.triangles[t][k]] = 1;
                f.ownsPoint[t] |= static_cast<std::uint8_t>(1 << k);
            }
    return f;
}

std::vector<double> localThickness(const ClothMesh& mesh, double thickness) {
    std::vector<double> h(mesh.points, thickness);
    for (Index t = 0; t < mesh.faces(); ++t) {
        const auto& r = mesh.rest[t];
        const Vec2 a = r[1] - r[0], b = r[2] - r[0];
        const double twice = std::abs(a.x() * b.y() - a.y() * b.x());
        const double longest = std::max({a.norm(), b.norm(), (b - a).norm()});
        const double half = longest > 0 ? 0.5 * twice / longest : 0.0;
        for (Index p : mesh.triangles[t]) h[p] = std::min(h[p], half);
    }
    return h;
}

} // namespace purl
