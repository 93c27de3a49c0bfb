#include "purl/contact/segment_grid.h"

#include "purl/base/parallel.h"

#include <algorithm>

namespace purl {

namespace {
constexpr Index kChunk = 1024, kMeetChunk = 32;
constexpr std::size_t kMostLost = 4000000; // pairs
constexpr float kGrow = 1.05f;   // of r, physics 4.8: matches the 2.1 r at which sets are deleted
constexpr double kLinger = 0.02; // of a cell, by which new cells are taken early
constexpr double kBorder = 1 << 20, kLongest = 48; // cells: beyond them a segment is lost

std::uint64_t keyOf(const std::array<std::int32_t, 3>& c) {
    constexpr std::int64_t half = 1 << 20;
    return (static_cast<std::uint64_t>(c[0] + half) << 42 |
            static_cast<std::uint64_t>(c[1] + half) << 21 |
            static_cast<std::uint64_t>(c[2] + half)) +
           1;
}
std::size_t hashOf(std::uint64_t key) {
    key *= 0x9E3779B97F4A7C15ull;
    return static_cast<std::size_t>(key ^ (key >> 29));
}

template <class Visit>
void overCells(const SegmentGrid::Cells& all, const SegmentGrid::Cells& but, Visit&& visit) {
    std::array<std::int32_t, 3> p;
    for (p[0] = all.low[0]; p[0] <= all.high[0]; ++p[0])
        for (p[1] = all.low[1]; p[1] <= all.high[1]; ++p[1])
            for (p[2] = all.low[2]; p[2] <= all.high[2]; ++p[2])
                if (!but.holds(p)) visit(p);
}
} // namespace

SegmentGrid::SegmentGrid(const std::vector<Index>& places, const std::vector<float>& radius,
                         double cell, Index slots)
    : cell_(cell), places_(places), radius_(radius), cells_(slots), moveOf_(slots, -1) {
    // Nobody is inside: the first update moves all in.
    const V4f most = V4f{1, 1, 1, 1} * 3e38f;
    bounds_.assign(slots, {most, -most});
    movesOfChunk_.resize((places.size() + kChunk - 1) / kChunk);
    rehash(1024);
}

SegmentGrid::Cells SegmentGrid::cellsOf(const Box4& box, float radius) const {
    Cells c;
    for (int k = 0; k < 3; ++k) {
        const double grow = kGrow * radius + kLinger * cell_;
        const double low = std::floor((box.low[k] - grow) / cell_);
        const double high = std::floor((box.high[k] + grow) / cell_);
        // Broken positions (NaN, or a segment torn to great length) must not fill the grid.
        if (!(low > -kBorder && high < kBorder && high - low < kLongest)) return {};
        c.low[k] = static_cast<std::int32_t>(low);
        c.high[k] = static_cast<std::int32_t>(high);
    }
    return c;
}

void SegmentGrid::findMoves(const Float4* now) {
    const Index n = static_cast<Index>(places_.size());
    parallelFor(static_cast<Index>(movesOfChunk_.size()), 1, [&](Index c0, Index c1) {
        for (Index c = c0; c < c1; ++c) {
            movesOfChunk_[c].clear();
            for (Index i = c * kChunk; i < std::min(n, (c + 1) * kChunk); ++i) {
                const Index p = places_[i];
                const Box4 box = curveBox(now + p);
                const auto in = (box.low >= bounds_[p].low) & (box.high <= bounds_[p].high);
                if (in[0] & in[1] & in[2]) continue;
                const Cells to = cellsOf(box, radius_[p]);
                V4f low{3e38f, 3e38f, 3e38f, 0}, high = -low;
                for (int k = 0; k < 3 && !to.empty(); ++k) {
                    const double a = to.low[k] * cell_ + kGrow * radius_[p];
                    const double b = (to.high[k] + 1) * cell_ - kGrow * radius_[p];
                    low[k] = static_cast<float>(a + 1e-6 * std::abs(a));
                    high[k] = static_cast<float>(b - 1e-6 * std::abs(b));
                }
                bounds_[p] = {low, high};
                if (to.low != cells_[p].low || to.high != cells_[p].high)
                    movesOfChunk_[c].push_back({p, cells_[p], to});
            }
        }
    });
    moves_.clear();
    for (const auto& m : movesOfChunk_) moves_.insert(moves_.end(), m.begin(), m.end());
}

void SegmentGrid::update(const Float4* now) {
    findMoves(now);
    met_.clear();
    if (moves_.empty()) return;
    for (std::size_t i = 0; i < moves_.size(); ++i) {
        moveOf_[moves_[i].place] = static_cast<Index>(i);
        settle(moves_[i]);
    }
    const Index n = static_cast<Index>(moves_.size());
    const Index chunks = (n + kMeetChunk - 1) / kMeetChunk;
    if (static_cast<Index>(metOfChunk_.size()) < chunks) metOfChunk_.resize(chunks);
    parallelFor(chunks, 1, [&](Index c0, Index c1) {
        for (Index c = c0; c < c1; ++c) {
            metOfChunk_[c].clear();
            for (Index i = c * kMeetChunk; i < std::min(n, (c + 1) * kMeetChunk); ++i)
                meet(i, metOfChunk_[c]);
        }
    });
    for (Index c = 0; c < chunks; ++c)
        met_.insert(met_.end(), metOfChunk_[c].begin(), metOfChunk_[c].end());
    for (const Move& m : moves_) moveOf_[m.place] = -1;
    // A segment that is torn to great length, or not a number, is in no cell: it meets all others,
    // unless so many do that the cloth is lost anyway.
    std::size_t lost = 0;
    for (const Move& m : moves_) lost += m.to.empty();
    if (lost * places_.size() > kMostLost) return;
    for (const Move& m : moves_)
        for (std::size_t i = 0; m.to.empty() && i < places_.size(); ++i)
            if (const Index p = places_[i]; p != m.place)
                met_.push_back({std::min(p, m.place), std::max(p, m.place)});
}

void SegmentGrid::settle(const Move& m) {
    overCells(m.from, m.to, [&](const std::array<std::int32_t, 3>& p) {
        occupants_.remove(listOf(p, false), m.place);
    });
    overCells(m.to, m.from, [&](const std::array<std::int32_t, 3>& p) {
        occupants_.push(listOf(p, true), m.place);
    });
    cells_[m.place] = m.to;
}

// A pair is reported once: in the first cell that both share, by whom that cell is new for (by the
// lower of the two if it is for both). If that is nobody's new cell, they had shared it before.
void SegmentGrid::meet(Index move, std::vector<Pair>& out) const {
    const Move& m = moves_[move];
    overCells(m.to, m.from, [&](const std::array<std::int32_t, 3>& p) {
        const Index list = findList(keyOf(p));
        for (const Index* o = occupants_.begin(list); o != occupants_.end(list); ++o) {
            if (*o == m.place) continue;
            const Cells& other = cells_[*o];
            bool first = true;
            for (int k = 0; k < 3; ++k) first &= p[k] == std::max(m.to.low[k], other.low[k]);
            if (!first) continue;
            const Index otherMove = moveOf_[*o];
            const Cells& before = otherMove < 0 ? other : moves_[otherMove].from;
            if (m.from.meets(before)) continue;
            if (otherMove >= 0 && !before.holds(p) && *o < m.place) continue;
            out.push_back({std::min(*o, m.place), std::max(*o, m.place)});
        }
    });
}

Index SegmentGrid::findList(std::uint64_t key) const {
    const std::size_t mask = key_.size() - 1;
    for (std::size_t h = hashOf(key) & mask; key_[h] != 0; h = (h + 1) & mask)
        if (key_[h] == key) return listAt_[h];
    return -1;
}

Index SegmentGrid::listOf(const std::array<std::int32_t, 3>& cell, bool make) {
    const std::uint64_t key = keyOf(cell);
    const Index found = findList(key);
    if (found >= 0 || !make) return found;
    if (2 * (used_ + 1) > key_.size()) {
        std::size_t inUse = 0;
        for (std::size_t h = 0; h < key_.size(); ++h)
            inUse += key_[h] != 0 && occupants_.count(listAt_[h]) > 0;
        rehash(4 * inUse > key_.size() ? 2 * key_.size() : key_.size());
    }
    Index list;
    if (freeLists_.empty()) {
        list = occupants_.addList();
    } else {
        list = freeLists_.back();
        freeLists_.pop_back();
    }
    const std::size_t mask = key_.size() - 1;
    std::size_t h = hashOf(key) & mask;
    while (key_[h] != 0) h = (h + 1) & mask;
    key_[h] = key;
    listAt_[h] = list;
    ++used_;
    return list;
}

// Cells that nobody is in any more are dropped here, and only here.
void SegmentGrid::rehash(std::size_t buckets) {
    std::vector<std::uint64_t> key(buckets, 0);
    std::vector<Index> list(buckets, -1);
    used_ = 0;
    for (std::size_t i = 0; i < key_.size(); ++i) {
        if (key_[i] == 0) continue;
        if (occupants_.count(listAt_[i]) == 0) {
            freeLists_.push_back(listAt_[i]);
            continue;
        }
        std::size_t h = hashOf(key_[i]) & (buckets - 1);
        while (key[h] != 0) h = (h + 1) & (buckets - 1);
        key[h] = key_[i];
        list[h] = listAt_[i];
        ++used_;
    }
    key_.swap(key);
    listAt_.swap(list);
}

std::size_t SegmentGrid::bytes() const {
    return cells_.size() * (sizeof(Cells) + sizeof(Bounds) + sizeof(Index)) +
           key_.size() * (sizeof(std::uint64_t) + sizeof(Index)) + occupants_.bytes();
}

} // namespace purl
