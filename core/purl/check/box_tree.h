// A tree of moving boxes. A box has its extent at the start and at the end of a frame and runs
// linearly between: what it holds, moving linearly, never leaves it. Pieces that move far but
// together thus stay apart, where boxes swept over the whole motion would all overlap.
#pragma once

#include "purl/base/types.h"

#include <array>

namespace purl {

struct MovingBox {
    std::array<double, 3> lo0, hi0, lo1, hi1; // m, start and end of the motion
    double radius = 0;                        // m, the largest radius inside

    static MovingBox around(const Vec3* start, const Vec3* end, Index count, double margin,
                            double yarnRadius);
    void grow(const MovingBox& other);
};

// Whether the boxes overlap at some time of the motion.
inline bool meet(const MovingBox& a, const MovingBox& b) {
    double from = 0, to = 1;
    for (int d = 0; d < 3; ++d) {
        const double gap0[2] = {b.hi0[d] - a.lo0[d], a.hi0[d] - b.lo0[d]};
        const double gap1[2] = {b.hi1[d] - a.lo1[d], a.hi1[d] - b.lo1[d]};
        for (int k = 0; k < 2; ++k) {
            if (gap0[k] >= 0) {
                if (gap1[k] >= 0) continue;
                const double t = gap0[k] / (gap0[k] - gap1[k]);
                if (t < to) to = t;
            } else {
                if (gap1[k] < 0) return false;
                const double t = gap0[k] / (gap0[k] - gap1[k]);
                if (t > from) from = t;
            }
        }
        if (from > to) return false;
    }
    return true;
}

// The squared distance of the boxes at the end of the motion; 0 if they overlap.
inline double squaredGapAtEnd(const MovingBox& a, const MovingBox& b) {
    double sum = 0;
    for (int d = 0; d < 3; ++d) {
        const double g = a.lo1[d] > b.hi1[d] ? a.lo1[d] - b.hi1[d]
                                             : (b.lo1[d] > a.hi1[d] ? b.lo1[d] - a.hi1[d] : 0.0);
        sum += g * g;
    }
    return sum;
}

class BoxTree {
public:
    // Sorts the leaves along a space-filling curve through their places at the end of the motion.
    explicit BoxTree(std::vector<MovingBox> leaves);

    Index size() const { return static_cast<Index>(order_.size()); }
    Index leaf(Index position) const { return order_[position]; } // the caller's index
    const MovingBox& box(Index position) const { return sorted_[position]; }

    // Calls visit(other position) for every leaf after `position` in the tree's order that is not
    // below a node for which near(box) is false. Each unordered pair is thus seen once.
    template <class Near, class Visit>
    void later(Index position, const Near& near, const Visit& visit) const {
        if (order_.empty()) return;
        Index stack[64];
        int top = 0;
        stack[top++] = 0;
        while (top > 0) {
            const Index at = stack[--top];
            const Node& node = nodes_[at];
            if (node.end <= position + 1 || !near(node.box)) continue;
            if (node.end - node.begin == 1) {
                visit(node.begin);
                continue;
            }
            const Index middle = (node.begin + node.end) / 2;
            stack[top++] = at + 2 * (middle - node.begin); // right
            stack[top++] = at + 1;                         // left
        }
    }

private:
    struct Node {
        MovingBox box;
        Index begin, end; // positions of its leaves
    };
    void build(Index at, Index begin, Index end);
    std::vector<MovingBox> sorted_;
    std::vector<Index> order_;
    std::vector<Node> nodes_; // preorder: the left child follows its parent
};

} // namespace purl
