// Pairs of quadrature points by number: point p is point p % b of segment p / b, where b points lie
// on each segment (Quadrature::pointsPerSegment) and segments are numbered through all yarns.
#pragma once

#include "purl/base/types.h"

namespace purl {

struct PointPair {
    Index u, v; // u < v
};

// An inclusive box of point pairs, [u0, u1] on one yarn and [v0, v1] on one yarn (maybe the same,
// then only pairs with u < v count). Never over the seam of a closed yarn.
struct PointBox {
    Index u0, u1, v0, v1;
    bool overlaps(const PointBox& o) const {
        return u0 <= o.u1 && o.u0 <= u1 && v0 <= o.v1 && o.v0 <= v1;
    }
    bool holds(Index u, Index v) const { return u0 <= u && u <= u1 && v0 <= v && v <= v1; }
};

} // namespace purl
