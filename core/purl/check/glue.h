// Places where yarns are joined on purpose: course ends welded at a selvedge, a bind-off. There the
// yarns go on into each other as one would, so near the weld they are no contact (physics 3.4).
#pragma once

#include "purl/check/fine_curves.h"

namespace purl {

using GluedPoints = std::pair<Index, Index>; // two vertices, as indices into Curves::x

class GluedPlaces {
public:
    GluedPlaces() = default;
    // Vertices glued to one vertex are glued to each other.
    GluedPlaces(const Curves& curves, const FineLayout& layout,
                const std::vector<GluedPoints>& pairs);

    bool empty() const { return places_.empty(); }
    // Whether both places are within `apart` (m along their yarns) of one weld.
    bool joins(const FineLayout& layout, Index yarnA, double arcA, Index yarnB, double arcB,
               double apart) const;

private:
    struct Place {
        Index other;          // the yarn it joins this one to
        double arc, otherArc; // m
    };
    std::vector<std::vector<Place>> places_; // per yarn; empty if there is no glue
};

// Ends of open yarns that lie on a vertex of another yarn, or of their own, to within `tolerance`
// of the radius: files keep welds as points at one place.
std::vector<GluedPoints> coincidentEnds(const Curves& curves, const std::vector<std::uint8_t>& ok,
                                        double tolerance);

} // namespace purl
