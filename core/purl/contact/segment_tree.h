// A bounding-volume hierarchy over segments: built once by median splits, refitted to new boxes,
// traversed against itself. What the reference of Kaldor 2010 finds its contacts with; plain scalar
// code on purpose. Segments are known here by their place in the tree's order, so that neighbours
// in the tree are neighbours in memory.
#pragma once

#include "purl/base/types.h"

#include <array>

namespace purl {

class SegmentTree {
public:
    struct Box {
        double low[3], high[3];
        bool meets(const Box& o) const { // false for NaN
            return low[0] <= o.high[0] && o.low[0] <= high[0] && low[1] <= o.high[1] &&
                   o.low[1] <= high[1] && low[2] <= o.high[2] && o.low[2] <= high[2];
        }
    };

    SegmentTree() = default;
    explicit SegmentTree(Span<const Vec3> centres);

    Index segments() const { return static_cast<Index>(order.size()); }
    // Parts are the largest subtrees of at most kPart segments; they share out the work.
    Index parts() const { return static_cast<Index>(part_.size()); }
    Index partFirst(Index part) const { return node_[part_[part]].first; }
    Index partEnd(Index part) const { return node_[part_[part]].first + node_[part_[part]].count; }

    // New boxes, one a segment in tree order.
    void refit(Span<const Box> boxes);

    // Every pair of segments whose boxes meet and of which the first is in `part`, once: pairs
    // inside the part, and pairs with later parts. visit(p, q) with places p < q.
    template <class Visit>
    void pairsOf(Index part, Visit&& visit) const {
        std::vector<std::array<Index, 2>> stack;
        overSelf(part_[part], stack, visit);
        // Later parts: down the whole tree, leaving out what comes before.
        std::vector<Index> open{0};
        const Index end = partEnd(part);
        while (!open.empty()) {
            const Node& n = node_[open.back()];
            const Index at = open.back();
            open.pop_back();
            if (n.first + n.count <= end || !n.box.meets(node_[part_[part]].box)) continue;
            if (n.first >= end && n.count <= kPart) {
                overTwo(part_[part], at, stack, visit);
                continue;
            }
            open.push_back(n.right);
            open.push_back(at + 1);
        }
    }

    std::vector<Index> order; // segment at each place

private:
    static constexpr Index kPart = 128;
    struct Node {
        Box box;
        Index first, count; // places below it; a leaf has one
        Index right;        // right child; the left one follows the node itself
    };

    template <class Visit>
    void overSelf(Index top, std::vector<std::array<Index, 2>>& stack, Visit& visit) const {
        // Nodes of a subtree lie together: 2 count - 1 of them from its top on.
        const Index last = top + 2 * node_[top].count - 1;
        for (Index i = top; i < last; ++i)
            if (node_[i].count > 1) overTwo(i + 1, node_[i].right, stack, visit);
    }
    // Both trees at once, the larger one opened first.
    template <class Visit>
    void overTwo(Index a, Index b, std::vector<std::array<Index, 2>>& stack, Visit& visit) const {
        stack.push_back({a, b});
        while (!stack.empty()) {
            const auto [i, j] = stack.back();
            stack.pop_back();
            const Node &p = node_[i], &q = node_[j];
            if (!p.box.meets(q.box)) continue;
            if (p.count == 1 && q.count == 1) {
                visit(p.first, q.first);
            } else if (p.count >= q.count) {
                stack.push_back({p.right, j});
                stack.push_back({i + 1, j});
            } else {
                stack.push_back({i, q.right});
                stack.push_back({i, j + 1});
            }
        }
    }
    Index build(Span<const Vec3> centres, Index first, Index end);
    void fitAbove(Index node);

    std::vector<Node> node_; // in preorder
    std::vector<Index> part_;
    std::vector<Index> above_; // nodes above the parts, children before parents
};

} // namespace purl
