// Block incomplete Cholesky without fill, each part of the pattern by itself: parts are factored
// and solved in parallel, and are the same parts whatever the threads. The factor is kept and
// applied in single precision: it only steers the solver, which keeps its residual in double.
#pragma once

#include "purl/solve/block_matrix.h"
#include "purl/solve/filter.h"

namespace purl {

class BlockIncompleteCholesky final : public Preconditioner {
public:
    explicit BlockIncompleteCholesky(std::shared_ptr<const BlockPattern> pattern);

    // P = (I + U)^T D (I + U) of S A S + sigma (I - S), its diagonal raised a little, without what
    // couples parts. A pivot that elimination left not positive is replaced by the block it came
    // from.
    void factor(const BlockMatrix& a, const NodeFilter& s);
    void apply(Span<const Vec3> r, Span<Vec3> z) const override;
    // Of one part alone; r and z are of all rows.
    void solvePart(Index p, const double* r, double* z) const;
    Index replacedPivots() const { return replaced_; } // of the last factor()
    std::size_t bytes() const; // all that is kept

private:
    // Row k's blocks a and b (a <= b) change block `target`: A_target -= U_a^T D_k U_b.
    struct Update {
        Index a, b, target; // in blocks of the part; target of a == b is a diagonal
    };
    Index factorPart(Index p, const BlockMatrix& a, const NodeFilter& s, double shift);
    bool isStable(Index p, const BlockMatrix& a) const;

    std::shared_ptr<const BlockPattern> pattern_;
    std::vector<Index> first_;       // per row: first block of U; rows + 1
    std::vector<Index> column_;      // per block of U, row inside the part
    std::vector<Index> firstUpdate_; // per row; rows + 1
    std::vector<Update> update_;
    std::vector<float> upper_;   // 9 a block, and padding
    std::vector<float> inverse_; // of D, 9 a row, and padding
    Index replaced_ = 0;
};

} // namespace purl
