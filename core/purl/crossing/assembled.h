// The same matrix as stiffness.h, assembled: 3 x 3 blocks over positions and sliding, with block
// incomplete Cholesky. The reference that the matrix-free form is tested and measured against.
#pragma once

#include "purl/crossing/stiffness.h"
#include "purl/solve/block_ic.h"

#include <memory>

namespace purl {

class AssembledStiffness final : public LinearOperator {
public:
    explicit AssembledStiffness(const Fabric& fabric);

    void assemble(const Stiffness& a, const NodeFilter& s);

    Index size() const override { return matrix_->size(); }
    void apply(Span<const Vec3> x, Span<Vec3> y) const override;
    const Preconditioner& factor() const { return factor_; }
    std::size_t bytes() const;

private:
    struct Factor final : Preconditioner { // in the order of the unknowns
        explicit Factor(const AssembledStiffness& a) : of(a) {}
        void apply(Span<const Vec3> r, Span<Vec3> z) const override;
        const AssembledStiffness& of;
    };
    void assemblePart(Index part, const Stiffness& a);

    const Fabric& fabric_;
    std::shared_ptr<const BlockPattern> pattern_;
    std::unique_ptr<BlockMatrix> matrix_;
    std::unique_ptr<BlockIncompleteCholesky> cholesky_;
    Factor factor_;
    NodeFilter rowFilter_;
    std::vector<Index> firstNode_, partNode_;   // per part: nodes with elements in its rows
    std::vector<Index> firstHinge_, partHinge_; // and wrappings
    mutable std::vector<Vec3> in_, out_;        // in rows
    const Touches* touches_ = nullptr;          // whose pattern changes: multiplied one by one
};

} // namespace purl
