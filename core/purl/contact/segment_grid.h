// The broad phase (Kaldor 2010 5.2, physics 4.8): a hashed grid that moves with the centre of mass.
// Each segment occupies the cells under its box grown by 1.05 r; two segments that share no cell
// cannot touch. A segment that comes into a cell is a newcomer there, and only newcomers are
// compared with a cell's occupants. A segment keeps its cells until its box leaves them, so that
// one that trembles over a border does not come and go.
#pragma once

#include "purl/contact/lanes.h"
#include "purl/contact/list_pool.h"

#include <array>

namespace purl {

class SegmentGrid {
public:
    struct Cells { // an inclusive box of cells; empty if low > high
        std::array<std::int32_t, 3> low{0, 0, 0}, high{-1, -1, -1};
        bool empty() const { return high[0] < low[0]; }
        bool meets(const Cells& o) const {
            for (int c = 0; c < 3; ++c)
                if (low[c] > o.high[c] || o.low[c] > high[c]) return false;
            return !empty() && !o.empty();
        }
        bool holds(const std::array<std::int32_t, 3>& p) const {
            for (int c = 0; c < 3; ++c)
                if (p[c] < low[c] || p[c] > high[c]) return false;
            return true;
        }
    };
    struct Pair {
        Index a, b; // places, a < b
    };

    SegmentGrid() = default;
    // places: slots of the first control points of the segments, ascending; radius by place.
    SegmentGrid(const std::vector<Index>& places, const std::vector<float>& radius, double cell,
                Index slots);

    // Moves segments whose boxes have left their cells; `now` are positions by slot. Pairs that
    // came to share a cell, in a fixed order, are in `met`; some may be old acquaintances.
    void update(const Float4* now);
    const std::vector<Pair>& met() const { return met_; }
    long newcomers() const { return static_cast<long>(moves_.size()); } // in the last update

    bool share(Index a, Index b) const { return cells_[a].meets(cells_[b]); }
    double cell() const { return cell_; } // m, gamma
    std::size_t bytes() const;

private:
    struct Bounds { // where the curve may be without leaving the cells, radius taken off
        V4f low, high;
    };
    struct Move {
        Index place;
        Cells from, to;
    };
    void findMoves(const Float4* now);
    Cells cellsOf(const Box4& box, float radius) const;
    void settle(const Move&);
    void meet(Index move, std::vector<Pair>& out) const;
    Index listOf(const std::array<std::int32_t, 3>& cell, bool make);
    Index findList(std::uint64_t key) const;
    void rehash(std::size_t buckets);

    double cell_ = 1;
    std::vector<Index> places_;
    std::vector<float> radius_; // by place
    std::vector<Cells> cells_;
    std::vector<Bounds> bounds_;
    std::vector<Index> moveOf_; // by place: its move in this update, or -1
    std::vector<Move> moves_;
    std::vector<std::vector<Move>> movesOfChunk_;
    std::vector<Pair> met_;
    std::vector<std::vector<Pair>> metOfChunk_;
    std::vector<std::uint64_t> key_; // open addressing, 0 is free
    std::vector<Index> listAt_;
    std::size_t used_ = 0;
    ListPool<Index> occupants_;
    std::vector<Index> freeLists_;
};

} // namespace purl
