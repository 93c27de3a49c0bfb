// The stiffness of all contact sets for implicit steps (physics 4.9): turned into the world once a
// step and split. What a set does between control points of the same side reaches three slots and
// goes into a band; what couples its two sides is kept for products, eight sets at a time, in half
// precision. The same bits at every thread count: regions sum for themselves, slots gather.
#pragma once

#include "purl/contact/acl.h"
#include "purl/contact/lanes.h"
#include "purl/model/slot_band.h"

namespace purl {

class AclMatrix {
public:
    // After AclContact::addForce, with models for implicit steps. Entries are multiplied by
    // `factor` (s2 for a matrix of masses). Rows of a set sum to zero to the last of what is kept:
    // a common motion costs nothing. y += A d, all of it, for displacements d by slot.
    void assemble(const AclContact&, double factor);
    void addBand(SlotBand&) const;                // the same sides
    void apply(const Float4* x, Float4* y) const; // y += C x, the coupling of sides; by slot
    // What couples the pieces that slots belong to (-1: none), summed set by set: for coarse
    // systems. Between p and q the sum of blocks (xx xy xz yy yz zz) of their slots; p == q is
    // there twice over, as both triangles are.
    struct PieceSum {
        Index p, q;
        float k[6];
    };
    const std::vector<std::vector<PieceSum>>& byPiece(const std::vector<Index>& pieceOfSlot);
    double bytes() const;

private:
    static constexpr int kBandSlot = 40; // numbers a slot of a region's band: four blocks of 6 + 2,
                                         // and the sum of its row
    struct Region {
        std::vector<std::uint16_t> cross[kSetClasses];
        std::vector<Pack8> scale[kSetClasses]; // one a record
        std::vector<Pack8> total[kSetClasses]; // six a record: the sum of a set's cross blocks
        std::vector<float> band;
    };
    void joinBlocks();
    void gather(Float4* y) const; // y += sum_

    const SetStore* store_ = nullptr;
    std::vector<Region> region_;
    mutable std::vector<std::vector<Float4>> sum_;     // per region; scratch of apply
    std::vector<Index> start_, blockRegion_, blockAt_; // who adds to a block of slots
    std::vector<std::vector<PieceSum>> pieces_;        // per region
};

} // namespace purl
