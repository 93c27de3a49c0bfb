#include "purl/contact/segment_tree.h"

#include "purl/base/parallel.h"

#include <algorithm>
#include <numeric>

namespace purl {

SegmentTree::SegmentTree(Span<const Vec3> centres) : order(centres.size()) {
    std::iota(order.begin(), order.end(), 0);
    if (order.empty()) return;
    node_.reserve(2 * order.size());
    build(centres, 0, segments());
    for (Index i = 0; i < static_cast<Index>(node_.size());) {
        if (node_[i].count <= kPart) {
            part_.push_back(i);
            i += 2 * node_[i].count - 1;
        } else {
            above_.push_back(i++);
        }
    }
    std::reverse(above_.begin(), above_.end());
}

Index SegmentTree::build(Span<const Vec3> centres, Index first, Index end) {
    const Index at = static_cast<Index>(node_.size());
    node_.push_back({{}, first, end - first, -1});
    if (end - first == 1) return at;
    Vec3 low = centres[order[first]], high = low;
    for (Index i = first; i < end; ++i) {
        low = low.cwiseMin(centres[order[i]]);
        high = high.cwiseMax(centres[order[i]]);
    }
    Index axis = 0;
    (high - low).maxCoeff(&axis);
    const Index middle = first + (end - first) / 2;
    // Equal coordinates by number: the tree is the same on every machine.
    std::nth_element(order.begin() + first, order.begin() + middle, order.begin() + end,
                     [&](Index a, Index b) {
                         const double x = centres[a][axis], y = centres[b][axis];
                         return x < y || (x == y && a < b);
                     });
    build(centres, first, middle);
    const Index right = build(centres, middle, end);
    node_[at].right = right;
    return at;
}

void SegmentTree::fitAbove(Index i) {
    const Box &l = node_[i + 1].box, &r = node_[node_[i].right].box;
    Box& b = node_[i].box;
    for (int c = 0; c < 3; ++c) {
        b.low[c] = std::min(l.low[c], r.low[c]);
        b.high[c] = std::max(l.high[c], r.high[c]);
    }
}

void SegmentTree::refit(Span<const Box> boxes) {
    parallelFor(parts(), 1, [&](Index a, Index b) {
        for (Index p = a; p < b; ++p)
            for (Index i = part_[p] + 2 * node_[part_[p]].count - 2; i >= part_[p]; --i) {
                if (node_[i].count == 1)
                    node_[i].box = boxes[node_[i].first];
                else
                    fitAbove(i);
            }
    });
    for (Index i : above_) fitAbove(i);
}

} // namespace purl
