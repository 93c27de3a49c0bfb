#include "purl/contact/coalesce.h"

#include <algorithm>
#include <numeric>

namespace purl {

namespace {
constexpr Index kCell = 4; // points; pairs in neighbouring cells have overlapping padded boxes
}

Coalescer::Coalescer(const ModelBuilder& builder, const Quadrature& q)
    : builder_(&builder), points_(q.pointsPerSegment()) {
    const int per = q.blocksPerSegment();
    for (Index s = 0; s < q.segments(); ++s)
        if (yarnShift_.size() <= static_cast<std::size_t>(q.yarnOf[s * per]))
            yarnShift_.push_back(2 * static_cast<Index>(yarnShift_.size()));
}

Index Coalescer::cell(Index point) const {
    return point / kCell + yarnShift_[builder_->yarnOf(point)];
}

PointBox Coalescer::around(const std::vector<PointPair>& pairs) const {
    PointBox b{pairs[0].u, pairs[0].u, pairs[0].v, pairs[0].v};
    for (const PointPair& p : pairs)
        b = {std::min(b.u0, p.u), std::max(b.u1, p.u), std::min(b.v0, p.v), std::max(b.v1, p.v)};
    return builder_->clip(
        {b.u0 - kSetPadding, b.u1 + kSetPadding, b.v0 - kSetPadding, b.v1 + kSetPadding});
}

void Coalescer::boxes(const std::vector<PointPair>& found, std::vector<NewBox>& out) const {
    out.clear();
    if (found.empty()) return;
    struct Cell {
        std::uint64_t key; // cell of u, cell of v
        Index pair;
    };
    std::vector<Cell> cells(found.size());
    for (std::size_t i = 0; i < found.size(); ++i)
        cells[i] = {static_cast<std::uint64_t>(cell(found[i].u)) << 32 |
                        static_cast<std::uint32_t>(cell(found[i].v)),
                    static_cast<Index>(i)};
    std::sort(cells.begin(), cells.end(), [](const Cell& a, const Cell& b) {
        return a.key != b.key ? a.key < b.key : a.pair < b.pair;
    });
    std::vector<std::uint64_t> key; // distinct
    std::vector<Index> start;
    for (std::size_t i = 0; i < cells.size(); ++i)
        if (i == 0 || cells[i].key != key.back()) {
            key.push_back(cells[i].key);
            start.push_back(static_cast<Index>(i));
        }
    start.push_back(static_cast<Index>(cells.size()));
    const Index n = static_cast<Index>(key.size());
    std::vector<Index> root(n);
    std::iota(root.begin(), root.end(), 0);
    auto find = [&](Index i) {
        while (root[i] != i) i = root[i] = root[root[i]];
        return i;
    };
    auto join = [&](Index a, Index b) {
        a = find(a);
        b = find(b);
        root[std::max(a, b)] = std::min(a, b);
    };
    Index ahead = 0; // first cell not before (u + 1, v - 1)
    for (Index i = 0; i < n; ++i) {
        if (i + 1 < n && key[i + 1] == key[i] + 1) join(i, i + 1);
        const std::uint64_t next = key[i] + (1ull << 32);
        while (ahead < n && key[ahead] + 1 < next) ++ahead;
        for (Index j = ahead; j < n && key[j] <= next + 1; ++j) join(i, j);
    }
    std::vector<Index> lot(n, -1);
    std::vector<NewBox> lots;
    for (Index i = 0; i < n; ++i) {
        const Index r = find(i);
        if (lot[r] < 0) {
            lot[r] = static_cast<Index>(lots.size());
            lots.emplace_back();
        }
        for (Index c = start[i]; c < start[i + 1]; ++c)
            lots[lot[r]].pairs.push_back(found[cells[c].pair]);
    }
    for (NewBox& l : lots) {
        l.box = around(l.pairs);
        if (fits(l.box))
            out.push_back(std::move(l));
        else
            cut(l, out);
    }
}

void Coalescer::cut(const NewBox& whole, std::vector<NewBox>& out) const {
    // Three segments a side cost least in all (physics 4.1: controls grow by three a side).
    const Index step = (kMaxSide - 1) * points_;
    const Index u0 = whole.box.u0 / points_ * points_, v0 = whole.box.v0 / points_ * points_;
    std::vector<PointPair> pairs = whole.pairs;
    auto tile = [&](const PointPair& p) {
        return std::pair<Index, Index>((p.u - u0) / step, (p.v - v0) / step);
    };
    std::stable_sort(pairs.begin(), pairs.end(),
                     [&](const PointPair& a, const PointPair& b) { return tile(a) < tile(b); });
    for (std::size_t i = 0; i < pairs.size();) {
        std::size_t j = i;
        while (j < pairs.size() && tile(pairs[j]) == tile(pairs[i])) ++j;
        NewBox piece;
        piece.pairs.assign(pairs.begin() + i, pairs.begin() + j);
        piece.box = around(piece.pairs);
        const Index tu = u0 + tile(pairs[i]).first * step, tv = v0 + tile(pairs[i]).second * step;
        piece.box = {std::max({piece.box.u0, tu, whole.box.u0}),
                     std::min({piece.box.u1, tu + step - 1, whole.box.u1}),
                     std::max({piece.box.v0, tv, whole.box.v0}),
                     std::min({piece.box.v1, tv + step - 1, whole.box.v1})};
        out.push_back(std::move(piece));
        i = j;
    }
}

int subtract(const PointBox& a, const PointBox& b, PointBox out[4]) {
    if (!a.overlaps(b)) {
        out[0] = a;
        return 1;
    }
    int n = 0;
    if (a.u0 < b.u0) out[n++] = {a.u0, b.u0 - 1, a.v0, a.v1};
    if (b.u1 < a.u1) out[n++] = {b.u1 + 1, a.u1, a.v0, a.v1};
    const Index u0 = std::max(a.u0, b.u0), u1 = std::min(a.u1, b.u1);
    if (a.v0 < b.v0) out[n++] = {u0, u1, a.v0, b.v0 - 1};
    if (b.v1 < a.v1) out[n++] = {u0, u1, b.v1 + 1, a.v1};
    return n;
}

} // namespace purl
