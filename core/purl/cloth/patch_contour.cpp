#include "purl/cloth/patch_contour.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace purl {

namespace {

constexpr double kCone = 0.75; // rad, half the opening of a cone that is flat enough (43 degrees)
constexpr double kDisc = 0.1;  // the disc's radius over the largest distance of the outline

struct Side { // a directed edge of an outline
    Index edge, from, to;
    bool bad; // three or more triangles share it
};

// The outline of two patches together: sides that both have, in opposite directions, cancel.
std::vector<Side> merged(const std::vector<Side>& a, const std::vector<Side>& b) {
    std::vector<Side> out;
    out.reserve(a.size() + b.size());
    std::size_t i = 0, j = 0;
    while (i < a.size() || j < b.size()) {
        if (j == b.size() || (i < a.size() && a[i].edge < b[j].edge)) {
            out.push_back(a[i++]);
        } else if (i == a.size() || b[j].edge < a[i].edge) {
            out.push_back(b[j++]);
        } else { // a bad edge, or one run the same way twice, never cancels
            if (a[i].bad || a[i].from != b[j].to) {
                out.push_back(a[i]);
                out.push_back(b[j]);
                out.back().bad = true;
            }
            ++i;
            ++j;
        }
    }
    return out;
}

// The sides as one loop of points; empty if they are not one simple loop.
std::vector<Index> loopOf(std::vector<Side> sides) {
    std::sort(sides.begin(), sides.end(),
              [](const Side& p, const Side& q) { return p.from < q.from; });
    for (std::size_t i = 0; i < sides.size(); ++i)
        if (sides[i].bad || (i > 0 && sides[i].from == sides[i - 1].from)) return {};
    std::vector<Index> loop;
    if (sides.empty()) return loop;
    Index at = sides[0].from;
    do {
        loop.push_back(at);
        const auto next = std::lower_bound(sides.begin(), sides.end(), at,
                                           [](const Side& s, Index p) { return s.from < p; });
        if (next == sides.end() || next->from != at) return {};
        at = next->to;
    } while (at != sides[0].from && loop.size() <= sides.size());
    if (loop.size() != sides.size()) loop.clear();
    return loop;
}

struct Outliner {
    const ClothMesh& mesh;
    const MeshFeatures& features;
    const PatchTree& tree;
    std::vector<std::vector<Index>> loops; // per node

    std::vector<Side> sides(Index node) {
        std::vector<Side> out;
        if (tree.isLeaf(node)) {
            const Index t = tree.triangle(tree.begin(node));
            for (int k = 0; k < 3; ++k) {
                const Index e = features.triangleEdges[t][k];
                out.push_back({e, mesh.triangles[t][k], mesh.triangles[t][(k + 1) % 3],
                               features.facesOf[e] > 2});
            }
            std::sort(out.begin(), out.end(),
                      [](const Side& p, const Side& q) { return p.edge < q.edge; });
            return out;
        }
        out = merged(sides(tree.left(node)), sides(tree.right(node)));
        loops[node] = loopOf(out);
        return out;
    }
};

} // namespace

PatchContours::PatchContours(const ClothMesh& mesh, const MeshFeatures& features,
                             const PatchTree& tree) {
    Outliner o{mesh, features, tree, std::vector<std::vector<Index>>(tree.nodes())};
    if (tree.nodes() > 0) o.sides(0);
    first_.assign(1, 0);
    for (const auto& loop : o.loops) {
        points_.insert(points_.end(), loop.begin(), loop.end());
        first_.push_back(static_cast<Index>(points_.size()));
    }
}

bool PatchContours::cannotMeetItself(const PatchTree& tree, Index node, Span<const Vec3> x0,
                                     Span<const Vec3> x1) const {
    const NormalCone& cone = tree.cone(node);
    const Index from = first_[node], n = first_[node + 1] - from;
    if (n == 0 || cone.angle > kCone) return false;
    const Vec3 u = cone.axis.unitOrthogonal(), v = cone.axis.cross(u);
    Vec3 c0 = Vec3::Zero(), c1 = Vec3::Zero();
    for (Index i = 0; i < n; ++i) {
        c0 += x0[points_[from + i]];
        c1 += x1[points_[from + i]];
    }
    c0 /= n;
    c1 /= n;
    const auto flat = [&](const Vec3& p) { return Vec2(p.dot(u), p.dot(v)); };
    const auto cross = [](const Vec2& p, const Vec2& q) { return p.x() * q.y() - p.y() * q.x(); };
    double reach = 0, worst = 1e300;
    int turns = 0;
    Vec2 a0 = flat(x0[points_[from + n - 1]] - c0), a1 = flat(x1[points_[from + n - 1]] - c1);
    for (Index i = 0; i < n; ++i) {
        const Index p = points_[from + i];
        const Vec2 b0 = flat(x0[p] - c0), b1 = flat(x1[p] - c1);
        reach = std::max({reach, b0.squaredNorm(), b1.squaredNorm()});
        // Twice the area of the triangle (centre, a, b), a quadratic in time: its Bernstein
        // coefficients bound it; over the longest the side gets, a distance from the centre.
        const double least =
            std::min({cross(a0, b0), 0.5 * (cross(a0, b1) + cross(a1, b0)), cross(a1, b1)});
        const double side = std::sqrt(std::max((b0 - a0).squaredNorm(), (b1 - a1).squaredNorm()));
        if (!(least > 0)) return false;
        worst = std::min(worst, least / side);
        turns += a0.y() < 0 && b0.y() >= 0; // it runs round once: one way up through the x axis
        a0 = b0;
        a1 = b1;
    }
    return turns == 1 && worst >= kDisc * std::sqrt(reach);
}

} // namespace purl
