// How near the centre lines of yarns come to each other, as a part of the sum of their radii: 1 is
// touching, 0 is crossing. A reference for tests and for the judge; it shares nothing with contact.
#pragma once

#include "purl/check/box_tree.h"
#include "purl/check/fine_curves.h"
#include "purl/check/glue.h"

namespace purl {

struct ClosePlace {
    Index yarnA = -1, yarnB = -1; // -1: nothing nearer than asked for
    Index segA = -1, segB = -1; // segments of the two yarns, counted over all yarns of a FineLayout
    double uA = 0, uB = 0;      // curveu: 0..1 along the yarns by length
    double arcA = 0, arcB = 0;  // m, along the yarns
    double distance = 0;        // m, between the centre lines
    double ratio = 0;           // distance / (radius a + radius b)
    Vec3 at = Vec3::Zero();     // m, half way between the two
    bool found() const { return yarnA >= 0; }
};

// The smallest ratio below `reach` over all pairs of yarns, and of a yarn with itself further apart
// along the yarn than max(2 segments, 1.1 pi r). Exact on the splines to about 1e-5 of a segment.
// Yarns with non-finite points or without a positive radius are left out; `glued` are
// vertices held together on purpose, near which nothing counts.
ClosePlace minCentreDistance(const Curves& curves, double reach = 1.0,
                             const std::vector<GluedPoints>& glued = {});

// Every place below `ratio`, one a contact (places nearer along both yarns than the sum of the
// radii are one), deepest first.
std::vector<ClosePlace> closePlaces(const Curves& curves, double ratio,
                                    const std::vector<GluedPoints>& glued = {});

// The pieces of the above, for a caller that has the fine curves and the tree already.
class DistanceSearch {
public:
    DistanceSearch(const Curves& curves, const FineLayout& layout, const std::vector<Vec3>& fine,
                   const GluedPlaces& glue)
        : curves_(curves), layout_(layout), fine_(fine), glue_(glue) {}
    // The nearest places of two segments, if below `reach`.
    ClosePlace pair(Index segA, Index segB, double reach) const;
    ClosePlace deepest(const BoxTree& tree, const std::vector<Index>& segments, double reach) const;
    std::vector<ClosePlace> all(const BoxTree& tree, const std::vector<Index>& segments,
                                double ratio) const;

private:
    void refine(ClosePlace& place, double s, double t) const;

    const Curves& curves_;
    const FineLayout& layout_;
    const std::vector<Vec3>& fine_;
    const GluedPlaces& glue_;
};

// The boxes of the segments of usable yarns over a motion, and which segments they are.
struct SegmentBoxes {
    std::vector<Index> segments;
    std::vector<MovingBox> boxes;
    SegmentBoxes(const FineLayout& layout, const std::vector<Vec3>& start,
                 const std::vector<Vec3>& end, const std::vector<std::uint8_t>& ok);
};

} // namespace purl
