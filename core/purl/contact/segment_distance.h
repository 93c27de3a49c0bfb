// The true smallest distance between the quadrature points of two segments: what the schedule does
// when bounds are used up. Points are made on demand from four control points, in single precision
// around the first segment; what may touch is then decided in double.
#pragma once

#include "purl/contact/lanes.h"
#include "purl/contact/pair_bits.h"
#include "purl/contact/point_box.h"
#include "purl/model/layout.h"

namespace purl {

class SegmentDistance {
public:
    SegmentDistance() = default;
    explicit SegmentDistance(int pointsPerSegment);

    struct Points { // of one segment, relative to `origin`; lanes beyond the last are NaN
        alignas(32) float x[16], y[16], z[16];
        float size; // m, largest coordinate: what rounding is proportional to
    };
    // place: slot of the first of the four control points.
    void evaluate(const Padded3& x, Index place, const Vec3& origin, Points& out) const;

    // A lower bound, off by rounding only, of the distance of pairs whose bit in `dead` is not
    // set; infinite if there is none, or if the positions are not numbers.
    float smallest(const Points& a, const Points& b, const PairBits& dead) const;

    // The pairs nearer than `reach`, dead ones left out, in order; numbered from the segments'
    // first points on.
    void touching(const Padded3& x, Index placeA, Index placeB, double reach, const PairBits& dead,
                  Index firstA, Index firstB, std::vector<PointPair>& out) const;

private:
    int points_ = 0;
    alignas(32) float weight_[4][16] = {};
    double exact_[4][16] = {};
};

} // namespace purl
