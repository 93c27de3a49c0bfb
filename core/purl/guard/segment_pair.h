// Two segments of yarn looked at closely: how near their centre lines are, and whether one went
// through the other (physics 4.10, steps 2 and 3). Centre lines are the same polygons of four
// pieces a segment that `purl check` judges frames by.
#pragma once

#include "purl/check/crossing.h"
#include "purl/contact/lanes.h"
#include "purl/model/layout.h"
#include "purl/model/weld.h"

namespace purl {

struct FineSegment {
    Vec3 p[FineLayout::kPieces + 1]; // m
};

// The same for a quick look: four pieces side by side, in single precision about some origin.
struct NearSegment {
    V4f x, y, z;    // m, where the pieces start
    V4f ux, uy, uz; // m, along them
    NearSegment() = default;
    explicit NearSegment(const Float4* control /*four, about the origin*/);
};

constexpr double kNearError = 2e-4;

// Which of the 4 x 4 pairs of pieces count: bit 4 i + j for piece i of the first segment.
using PieceMask = std::uint16_t;

class SegmentPairs {
public:
    SegmentPairs() = default;
    SegmentPairs(const Curves& rest, const Layout& layout, const std::vector<Weld>& welds);

    Index segments() const { return fine_.segments(); }
    Index yarnOf(Index seg) const { return fine_.segYarn[seg]; }
    // The slot of a segment's first control point.
    Index place(Index seg) const { return place_[seg]; }
    const FineLayout& layout() const { return fine_; }

    // Pairs that lie near along one yarn, or near a weld, are no contact (physics 3.4).
    PieceMask counted(Index a, Index b) const;
    void points(const Padded3& x, Index seg, FineSegment& out) const;
    // m, smallest distance of pieces that count; `best` if none is nearer.
    static double distance(const FineSegment& a, const FineSegment& b, PieceMask, double best);
    // The same in single precision: off by no more than kNearError of the largest coordinate.
    static float distance(const NearSegment& a, const NearSegment& b, PieceMask, float best);
    // Appends the crossings of centre lines when both go straight from 0 to 1.
    void crossings(Index a, Index b, PieceMask, const FineSegment& a0, const FineSegment& a1,
                   const FineSegment& b0, const FineSegment& b1, std::vector<Crossing>& out) const;
    // The points of all yarns, as judgeCrossings wants them.
    std::vector<Vec3> allPoints(const Padded3& x) const;

private:
    FineLayout fine_;
    GluedPlaces glue_;
    std::vector<Index> place_;           // per segment
    std::vector<std::uint8_t> nearGlue_; // per segment: some of it may be near a weld
};

} // namespace purl
