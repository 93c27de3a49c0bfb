// Which blocks of quadrature points may touch: a half list (a < b) with a skin, found by a hashed
// grid and kept until relative motion could have used the skin up. Pairs that are partly excluded
// (near along the same yarn, or near a weld) carry a mask of their 16 point pairs.
#pragma once

#include "purl/contact/exclusion.h"
#include "purl/contact/motion_bound.h"
#include "purl/contact/quadrature.h"

namespace purl {

class Neighbours {
public:
    Neighbours() = default;
    Neighbours(const Quadrature&, Exclusion exclusion, double skin);

    // Rebuilds the lists if they could have become incomplete; true if it did.
    bool update(const Quadrature&, const Padded3& x);

    struct Box {
        Vec3 low, high;
    };
    std::vector<Index> start;   // blocks + 1: pairs of block a are start[a] .. start[a+1]-1
    std::vector<Index> other;   // b of each pair
    std::vector<Index> inStart; // blocks + 1: pairs in which a block is b, ...
    std::vector<Index> inPair;  // ... as pair numbers, ascending
    struct Masked {
        Index a, b;
        std::uint16_t mask; // bit 4 i + j: point i of a with point j of b may touch
    };
    std::vector<Masked> masked; // sorted by a, then b
    long rebuilds = 0;

private:
    void boxes(const Quadrature&);
    void findSegments(const Quadrature&);
    void findBlocks(const Quadrature&);
    void nearSegments(const Quadrature&, Index segment, std::vector<Index>& near) const;
    double skin_ = 0;
    double reach_ = 0; // m, largest 2r
    MotionBound motion_, wideMotion_;
    std::vector<Index> segmentStart_, segmentOther_; // near segments, far-sighted
    Exclusion exclusion_;
    std::vector<Index> cellStart_, cellItem_;
    std::vector<std::uint64_t> cell_;
    std::uint32_t buckets_ = 1;
    std::vector<Box> box_, segmentBox_;
};

} // namespace purl
