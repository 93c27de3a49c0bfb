// The coarse half of the preconditioner. The band of a yarn knows nothing of the yarns that hold
// it: to it, motion that all share looks as stiff as contact. So whole blocks of cloth (those of
// block damping, about 4 x 4 loops) are also moved as one, by the exact matrix of such motions,
// Z^T A Z, factored sparsely. Gravity, swinging and folding are then right after few iterations.
#pragma once

#include "purl/implicit/yarn_matrix.h"

#include <memory>

namespace purl {

class CoarseBlocks {
public:
    CoarseBlocks();
    CoarseBlocks(const BlockDamping&, const Layout&, const YarnMatrix&,
                 const std::vector<double>& inverseMass);
    CoarseBlocks(CoarseBlocks&&) noexcept;
    CoarseBlocks& operator=(CoarseBlocks&&) noexcept;
    ~CoarseBlocks();

    // From a finished matrix. drag (may be null) does not resist what blocks do as one; dragFactor
    // as in YarnMatrix::finish.
    void factor(const YarnMatrix&, AclMatrix* contacts, const BlockDrag* drag, double dragFactor,
                const std::vector<double>& mass);
    void addTo(Span<const Vec3> r, Span<Vec3> z) const; // z += Z (Z^T A Z)^-1 Z^T r
    Index size() const { return blocks_; }
    bool used() const { return used_; } // false if it could not be factored

private:
    struct System;
    struct Coupling {
        Index q;
        Mat3 k;
    };
    Mat3& entry(Index p, Index q); // p <= q
    void fill();

    const Layout* layout_ = nullptr;
    Index blocks_ = 0;
    bool used_ = false, grown_ = true;
    std::vector<Index> blockOfNode_, blockOfSlot_; // -1: held
    std::vector<Index> first_, member_;            // nodes that answer, by block
    std::vector<std::vector<Coupling>> row_;       // the first is the diagonal; zero, never removed
    std::unique_ptr<System> system_;
};

// Band and blocks together, as the solver sees them.
class YarnPreconditioner final : public Preconditioner {
public:
    YarnPreconditioner(const Preconditioner& band, const CoarseBlocks* blocks)
        : band_(band), blocks_(blocks) {}
    void apply(Span<const Vec3> r, Span<Vec3> z) const override {
        band_.apply(r, z);
        if (blocks_ && blocks_->used()) blocks_->addTo(r, z);
    }

private:
    const Preconditioner& band_;
    const CoarseBlocks* blocks_;
};

} // namespace purl
