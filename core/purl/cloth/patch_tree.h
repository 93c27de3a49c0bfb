// A binary tree of boxes over the triangles of a sheet, in flat arrays: built once, refitted every
// step. A node is a patch of the sheet. It knows the box its triangles sweep in the step, whether
// anything in it has moved since it was last looked at, and a cone around all normals that its
// triangles have during the step.
//
// Depth-first layout: a node over leaves [begin, end) is followed by its left subtree; node `at`
// has its right child at + 2 * (middle - begin).
#pragma once

#include "purl/cloth/mesh.h"

namespace purl {

struct PatchBox {
    double lo[3], hi[3]; // m
    void grow(const PatchBox& o);
};

inline bool overlap(const PatchBox& a, const PatchBox& b) {
    return a.lo[0] <= b.hi[0] && b.lo[0] <= a.hi[0] && a.lo[1] <= b.hi[1] && b.lo[1] <= a.hi[1] &&
           a.lo[2] <= b.hi[2] && b.lo[2] <= a.hi[2];
}

struct NormalCone {
    Vec3 axis{0, 0, 1};
    double angle = kNone; // rad, half of the opening
    static constexpr double kNone = 10;
};

class PatchTree {
public:
    // Sorts the triangles by halving along the longest side of their bounds at x.
    PatchTree(const ClothMesh& mesh, Span<const Vec3> x);

    struct Motion {
        Span<const Vec3> x0, x1;        // m
        Vec3 drift{0, 0, 0};            // m, taken off all motion: only relative motion matters
        Span<const double> thickness;   // m, per point
        Span<const std::uint8_t> moved; // per point; empty: all have
        bool cones = true;
    };
    void refit(const ClothMesh& mesh, const Motion& motion);

    Index leaves() const { return static_cast<Index>(order_.size()); }
    Index nodes() const { return static_cast<Index>(begin_.size()); }
    Index begin(Index node) const { return begin_[node]; }
    Index end(Index node) const { return end_[node]; }
    Index size(Index node) const { return end_[node] - begin_[node]; }
    bool isLeaf(Index node) const { return size(node) == 1; }
    Index left(Index node) const { return node + 1; }
    Index right(Index node) const { return node + 2 * (size(node) / 2); }
    Index triangle(Index leafPosition) const { return order_[leafPosition]; }
    const PatchBox& box(Index node) const { return box_[node]; }
    const NormalCone& cone(Index node) const { return cone_[node]; }
    bool moved(Index node) const { return moved_[node] != 0; }

private:
    void split(Index node, Index begin, Index end, const std::vector<Vec3>& centre);
    void refitLeaf(Index node, const ClothMesh& mesh, const Motion& motion);
    void refitInner(Index node, bool cones);

    std::vector<Index> order_;          // triangles
    std::vector<Index> begin_, end_;    // per node
    std::vector<Index> subtrees_, top_; // roots of pieces for threads, and the nodes above them
    std::vector<PatchBox> box_;
    std::vector<NormalCone> cone_;
    std::vector<std::uint8_t> moved_;
};

} // namespace purl
