#include "purl/cloth/patch_tree.h"

#include "purl/base/parallel.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace purl {

namespace {

constexpr Index kPiece = 256; // leaves of a subtree that one thread refits

// A cone around two cones; none if it would be wider than a half space.
NormalCone around(const NormalCone& a, const NormalCone& b) {
    NormalCone c;
    const Vec3 sum = a.axis + b.axis;
    const double length = sum.norm();
    if (a.angle >= 1.6 || b.angle >= 1.6 || !(length > 1e-6)) return c;
    c.axis = sum / length;
    const double half = std::acos(std::min(1.0, 0.5 * length)); // |a+b| = 2 cos(angle/2)
    c.angle = half + std::max(a.angle, b.angle) + 1e-9;
    if (c.angle > 1.6) c.angle = NormalCone::kNone;
    return c;
}

// All normals of a triangle during the step: n(t) = (x1-x0)(t) x (x2-x0)(t) is a quadratic whose
// three Bernstein coefficients hold it in their cone (Tang et al. 2009).
NormalCone coneOf(const Vec3* a, const Vec3* b) {
    const Vec3 n0 = (a[1] - a[0]).cross(a[2] - a[0]);
    const Vec3 n2 = (b[1] - b[0]).cross(b[2] - b[0]);
    const Vec3 n1 = 0.5 * ((a[1] - a[0]).cross(b[2] - b[0]) + (b[1] - b[0]).cross(a[2] - a[0]));
    NormalCone c;
    Vec3 unit[3] = {n0, n1, n2};
    for (Vec3& n : unit) {
        const double length = n.norm();
        if (!(length > 1e-24)) return c;
        n /= length;
    }
    const Vec3 sum = unit[0] + unit[1] + unit[2];
    const double length = sum.norm();
    if (!(length > 0.1)) return c;
    c.axis = sum / length;
    double least = 1;
    for (const Vec3& n : unit) least = std::min(least, n.dot(c.axis));
    c.angle = least > 0 ? std::acos(std::min(1.0, least)) + 1e-9 : NormalCone::kNone;
    return c;
}

} // namespace

void PatchBox::grow(const PatchBox& o) {
    for (int d = 0; d < 3; ++d) {
        lo[d] = std::min(lo[d], o.lo[d]);
        hi[d] = std::max(hi[d], o.hi[d]);
    }
}

PatchTree::PatchTree(const ClothMesh& mesh, Span<const Vec3> x) {
    const Index n = mesh.faces();
    order_.resize(n);
    std::iota(order_.begin(), order_.end(), 0);
    if (n == 0) return;
    std::vector<Vec3> centre(n);
    for (Index t = 0; t < n; ++t)
        centre[t] =
            (x[mesh.triangles[t][0]] + x[mesh.triangles[t][1]] + x[mesh.triangles[t][2]]) / 3;
    begin_.resize(2 * static_cast<std::size_t>(n) - 1);
    end_.resize(begin_.size());
    split(0, 0, n, centre);
    box_.resize(begin_.size());
    cone_.resize(begin_.size());
    moved_.assign(begin_.size(), 1);
    for (Index at = 0; at < nodes();) {
        if (size(at) <= kPiece) {
            subtrees_.push_back(at);
            at += 2 * size(at) - 1;
        } else {
            top_.push_back(at++);
        }
    }
}

void PatchTree::split(Index node, Index begin, Index end, const std::vector<Vec3>& centre) {
    begin_[node] = begin;
    end_[node] = end;
    if (end - begin == 1) return;
    Vec3 lo = centre[order_[begin]], hi = lo;
    for (Index i = begin; i < end; ++i) {
        lo = lo.cwiseMin(centre[order_[i]]);
        hi = hi.cwiseMax(centre[order_[i]]);
    }
    int axis = 0;
    (hi - lo).maxCoeff(&axis);
    const Index middle = begin + (end - begin) / 2;
    std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end,
                     [&](Index p, Index q) {
                         const double a = centre[p][axis], b = centre[q][axis];
                         return a != b ? a < b : p < q;
                     });
    split(node + 1, begin, middle, centre);
    split(node + 2 * (middle - begin), middle, end, centre);
}

void PatchTree::refitLeaf(Index node, const ClothMesh& mesh, const Motion& m) {
    const auto& t = mesh.triangles[order_[begin_[node]]];
    moved_[node] = m.moved.empty() || m.moved[t[0]] || m.moved[t[1]] || m.moved[t[2]];
    if (!moved_[node]) return;
    Vec3 a[3], b[3];
    double reach = 0;
    for (int k = 0; k < 3; ++k) {
        a[k] = m.x0[t[k]];
        b[k] = m.x1[t[k]] - m.drift;
        reach = std::max(reach, 0.5 * m.thickness[t[k]]);
    }
    reach *= 1 + 1e-9;
    PatchBox& box = box_[node];
    for (int d = 0; d < 3; ++d) {
        box.lo[d] = std::min({a[0][d], a[1][d], a[2][d], b[0][d], b[1][d], b[2][d]}) - reach;
        box.hi[d] = std::max({a[0][d], a[1][d], a[2][d], b[0][d], b[1][d], b[2][d]}) + reach;
    }
    cone_[node] = m.cones ? coneOf(a, b) : NormalCone{};
}

void PatchTree::refitInner(Index node, bool cones) {
    const Index l = left(node), r = right(node);
    moved_[node] = moved_[l] || moved_[r];
    if (!moved_[node]) return;
    box_[node] = box_[l];
    box_[node].grow(box_[r]);
    cone_[node] = cones ? around(cone_[l], cone_[r]) : NormalCone{};
}

void PatchTree::refit(const ClothMesh& mesh, const Motion& motion) {
    parallelFor(static_cast<Index>(subtrees_.size()), 1, [&](Index from, Index to) {
        for (Index s = from; s < to; ++s) {
            const Index root = subtrees_[s];
            for (Index at = root + 2 * size(root) - 2; at >= root; --at) {
                if (isLeaf(at))
                    refitLeaf(at, mesh, motion);
                else
                    refitInner(at, motion.cones);
            }
        }
    });
    for (std::size_t i = top_.size(); i-- > 0;) refitInner(top_[i], motion.cones);
}

} // namespace purl
