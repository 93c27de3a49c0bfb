// Newly touching point pairs -> boxes (physics 4.8): a flood fill joins pairs that are near each
// other on both yarns; each lot becomes a box, padded; a lot too long for one set is cut up.
#pragma once

#include "purl/contact/linear_model.h"

namespace purl {

constexpr Index kSetPadding = 3; // points, alpha of physics 4.5

struct NewBox {
    PointBox box;
    std::vector<PointPair> pairs; // that must end up in a set
};

class Coalescer {
public:
    Coalescer() = default;
    Coalescer(const ModelBuilder&, const Quadrature&);

    // `found` is sorted. Boxes may overlap each other.
    void boxes(const std::vector<PointPair>& found, std::vector<NewBox>& out) const;
    // True if a set may be as large as this.
    bool fits(const PointBox& b) const {
        return b.u1 / points_ - b.u0 / points_ < kMaxSide &&
               b.v1 / points_ - b.v0 / points_ < kMaxSide;
    }
    // The box of these pairs, padded and clipped to the yarns.
    PointBox around(const std::vector<PointPair>& pairs) const;
    // Cuts a box that does not fit at segment bounds; pieces without pairs are dropped.
    void cut(const NewBox&, std::vector<NewBox>& out) const;

private:
    Index cell(Index point) const;
    const ModelBuilder* builder_ = nullptr;
    std::vector<Index> yarnShift_; // keeps cells of different yarns apart
    int points_ = 11;
};

// a without b, as up to four boxes.
int subtract(const PointBox& a, const PointBox& b, PointBox out[4]);

} // namespace purl
