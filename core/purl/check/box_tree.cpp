#include "purl/check/box_tree.h"

#include <algorithm>
#include <numeric>

namespace purl {

MovingBox MovingBox::around(const Vec3* start, const Vec3* end, Index count, double margin,
                            double yarnRadius) {
    MovingBox box;
    box.radius = yarnRadius;
    for (int d = 0; d < 3; ++d) {
        box.lo0[d] = box.hi0[d] = start[0][d];
        box.lo1[d] = box.hi1[d] = end[0][d];
        for (Index i = 1; i < count; ++i) {
            box.lo0[d] = std::min(box.lo0[d], start[i][d]);
            box.hi0[d] = std::max(box.hi0[d], start[i][d]);
            box.lo1[d] = std::min(box.lo1[d], end[i][d]);
            box.hi1[d] = std::max(box.hi1[d], end[i][d]);
        }
        box.lo0[d] -= margin;
        box.lo1[d] -= margin;
        box.hi0[d] += margin;
        box.hi1[d] += margin;
    }
    return box;
}

void MovingBox::grow(const MovingBox& other) {
    for (int d = 0; d < 3; ++d) {
        lo0[d] = std::min(lo0[d], other.lo0[d]);
        lo1[d] = std::min(lo1[d], other.lo1[d]);
        hi0[d] = std::max(hi0[d], other.hi0[d]);
        hi1[d] = std::max(hi1[d], other.hi1[d]);
    }
    radius = std::max(radius, other.radius);
}

namespace {
// Spreads the low 21 bits of v to every third bit.
std::uint64_t spread(std::uint64_t v) {
    v &= 0x1FFFFF;
    v = (v | v << 32) & 0x1F00000000FFFFull;
    v = (v | v << 16) & 0x1F0000FF0000FFull;
    v = (v | v << 8) & 0x100F00F00F00F00Full;
    v = (v | v << 4) & 0x10C30C30C30C30C3ull;
    v = (v | v << 2) & 0x1249249249249249ull;
    return v;
}
} // namespace

BoxTree::BoxTree(std::vector<MovingBox> leaves) {
    const Index n = static_cast<Index>(leaves.size());
    order_.resize(n);
    std::iota(order_.begin(), order_.end(), 0);
    if (n == 0) return;
    MovingBox all = leaves[0];
    for (const MovingBox& b : leaves) all.grow(b);
    double extent = 0;
    for (int d = 0; d < 3; ++d) extent = std::max(extent, all.hi1[d] - all.lo1[d]);
    const double toGrid = extent > 0 ? 2097151.0 / extent : 0.0;
    std::vector<std::uint64_t> key(n);
    for (Index i = 0; i < n; ++i) {
        key[i] = 0;
        for (int d = 0; d < 3; ++d) {
            const double c = 0.5 * (leaves[i].lo1[d] + leaves[i].hi1[d]) - all.lo1[d];
            key[i] |= spread(static_cast<std::uint64_t>(std::max(0.0, c * toGrid))) << d;
        }
    }
    std::sort(order_.begin(), order_.end(),
              [&](Index a, Index b) { return key[a] != key[b] ? key[a] < key[b] : a < b; });
    sorted_.reserve(n);
    for (Index i : order_) sorted_.push_back(leaves[i]);
    nodes_.resize(2 * static_cast<std::size_t>(n) - 1);
    build(0, 0, n);
}

void BoxTree::build(Index at, Index begin, Index end) {
    Node& node = nodes_[at];
    node.begin = begin;
    node.end = end;
    if (end - begin == 1) {
        node.box = sorted_[begin];
        return;
    }
    const Index middle = (begin + end) / 2, right = at + 2 * (middle - begin);
    build(at + 1, begin, middle);
    build(right, middle, end);
    node.box = nodes_[at + 1].box;
    node.box.grow(nodes_[right].box);
}

} // namespace purl
