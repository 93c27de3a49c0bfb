// The coarse half of the preconditioner. The band of a yarn knows nothing of the yarns that hold
// it: to it, motion that all share looks as stiff as contact. So whole blocks of cloth (those of
// block damping, about 4 x 4 loops) are also moved as one, by the exact matrix of such motions,
// Z^T A Z, factored sparsely. Gravity, swinging and folding are then right after few iterations.
#pragma once

#include "purl/base/parallel.h"
#include "purl/implicit/block_ldlt.h"
#include "purl/implicit/yarn_matrix.h"

namespace purl {

class CoarseBlocks {
public:
    CoarseBlocks() = default;
    CoarseBlocks(const BlockDamping&, const Layout&, const YarnMatrix&,
                 const std::vector<double>& inverseMass);

    // From a finished matrix; may run beside other work. drag (may be null) does not resist what
    // blocks do as one.
    void factor(const YarnMatrix&, AclMatrix* contacts, const BlockDrag* drag,
                const std::vector<double>& mass);
    // z += Z (Z^T A Z)^-1 Z^T r, in two parts: the first does not touch z.
    void solve(Span<const Vec3> r) const;
    void add(Span<Vec3> z) const;
    Index size() const { return blocks_; }
    bool used() const { return used_; } // false if it could not be factored

private:
    using Coupling = BlockLdlt::Coupling;
    struct Work { // of a stretch of slots
        std::vector<std::pair<Index, Mat3>> own;
        std::vector<std::pair<std::pair<Index, Index>, Mat3>> between;
    };
    Mat3& entry(Index p, Index q); // p <= q
    void sumSlots(const SlotBand&, Index first, Index last, Work&) const;

    const Layout* layout_ = nullptr;
    Index blocks_ = 0;
    bool used_ = false, grown_ = true;
    std::vector<Index> blockOfNode_, blockOfSlot_; // -1: held
    std::vector<Index> first_, member_;            // nodes that answer, by block
    std::vector<std::vector<Coupling>> row_;       // the first is the diagonal; zero, never removed
    std::vector<Work> work_;
    BlockLdlt factor_;
    mutable std::vector<Vec3> move_; // m/s, of the blocks
};

// Band and blocks together, as the solver sees them.
class YarnPreconditioner final : public Preconditioner {
public:
    YarnPreconditioner(const Preconditioner& band, const CoarseBlocks* blocks)
        : band_(band), blocks_(blocks) {}
    void apply(Span<const Vec3> r, Span<Vec3> z) const override {
        if (!blocks_ || !blocks_->used()) return band_.apply(r, z);
        parallelFor(2, 1, [&](Index a, Index b) { // the blocks' solve is one task
            for (Index i = a; i < b; ++i)
                if (i == 0)
                    blocks_->solve(r);
                else
                    band_.apply(r, z);
        });
        blocks_->add(z);
    }

private:
    const Preconditioner& band_;
    const CoarseBlocks* blocks_;
};

} // namespace purl
