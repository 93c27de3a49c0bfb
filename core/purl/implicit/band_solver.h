// The preconditioner of yarns (physics 4.9 P2): the band of each yarn, factored exactly by block
// Cholesky. Yarns are cut into pieces, eight pieces at a time are factored and solved in the lanes
// of a register, groups of eight on the threads. Pieces of unequal length share a group; what a
// short one lacks is filled with the identity. What couples two pieces is left to the iterations.
// Cuts depend on the yarns alone, never on the threads.
#pragma once

#include "purl/base/simd8.h"
#include "purl/model/slot_band.h"
#include "purl/solve/operator.h"

namespace purl {

class BandSolver final : public Preconditioner {
public:
    BandSolver() = default;
    BandSolver(const Curves& yarns, const Layout&, Index longest = 512 /*nodes a piece*/);

    // Nodes that are fixed (pinned, or welded to another that answers for them) are taken out.
    // Without `band` only the blocks on the diagonal are used: block Jacobi, the baseline.
    void factor(const SlotBand&, const std::vector<std::uint8_t>& fixed, bool band = true);
    void apply(Span<const Vec3> r, Span<Vec3> z) const override;
    Index pieces() const { return pieces_; }

private:
    static constexpr int kRow =
        33; // inverse of the pivot (6), L to the three nodes before (9 each)
    void factorGroup(Index g, const SlotBand&, const std::vector<std::uint8_t>& fixed, bool band);
    void solveGroup(Index g, Span<const Vec3> r, Span<Vec3> z) const;

    const Layout* layout_ = nullptr;
    Index pieces_ = 0;
    std::vector<Index> start_{0};  // first place of each group; a place is a node in each lane
    std::vector<Index> node_;      // eight a place, -1: none
    std::vector<Pack8> row_;       // kRow a place
    mutable std::vector<Pack8> y_; // three a place
};

} // namespace purl
