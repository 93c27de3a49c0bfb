// Which pairs of quadrature points never count as contact: near along the same yarn, or near a
// weld (physics 3.4). The same rule as Neighbours::allowed, asked for whole segments.
#pragma once

#include "purl/contact/pair_bits.h"
#include "purl/geometry/curves.h"
#include "purl/model/weld.h"

namespace purl {

class Exclusion {
public:
    Exclusion() = default;
    Exclusion(const Curves& rest, const std::vector<Weld>& welds, int pointsPerSegment);

    // The excluded pairs of points of segments a <= b.
    PairBits excluded(Index a, Index b) const;
    // True where a look at the ends of the segments tells that nothing is excluded.
    bool strangers(Index a, Index b) const;
    Index segments() const { return static_cast<Index>(yarn_.size()); }
    Index yarnOf(Index segment) const { return yarn_[segment]; }
    std::size_t bytes() const;

private:
    struct WeldArc {
        double arc, otherArc; // m
        Index otherYarn;
    };
    double arcGap(Index yarn, double s, double t) const;
    template <class Visit>
    void nearWelds(Index a, Index b, Visit&& visit) const;

    int points_ = 0;
    std::vector<Index> yarn_;                // per segment
    std::vector<double> start_, length_;     // m, rest arc length, per segment
    std::vector<double> yarnLength_, reach_; // m, per yarn; reach: excluded below it
    std::vector<std::uint8_t> closed_;       // per yarn
    std::vector<Index> weldStart_;           // per yarn, into ...
    std::vector<WeldArc> weld_;              // ... welds sorted by yarn, then arc
};

} // namespace purl
