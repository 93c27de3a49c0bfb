// A direct solver for sheets: A = L L^T of a block matrix, front by front (multifrontal, Duff and
// Reid 1983) in an order of nested dissection. For systems that conjugate gradients do badly: a
// drape at rest, where bending is a thousand times softer than stretch and no inertia helps, and
// for telling whether a matrix is positive definite.
#pragma once

#include "purl/solve/block_matrix.h"
#include "purl/solve/filter.h"
#include "purl/solve/nested_order.h"

namespace purl {

class BlockCholesky {
public:
    explicit BlockCholesky(std::shared_ptr<const BlockPattern> pattern);
    ~BlockCholesky();

    // Of S A S + sigma (I - S). False if that is not positive definite: nothing can be solved then.
    bool factor(const BlockMatrix& a, const NodeFilter& s);
    // x = A^-1 b, both in rows of the pattern; they may be the same.
    void solve(Span<const Vec3> b, Span<Vec3> x) const;
    std::size_t nonZeros() const { return nonZeros_; } // of L

private:
    struct Front;
    bool eliminate(Index front, const BlockMatrix& a, const NodeFilter& s);

    std::shared_ptr<const BlockPattern> pattern_;
    NestedOrder order_;
    std::vector<std::unique_ptr<Front>> fronts_;
    std::size_t nonZeros_ = 0;
};

} // namespace purl
