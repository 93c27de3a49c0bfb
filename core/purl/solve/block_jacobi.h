// The 3x3 blocks on the diagonal, inverted over the free directions of each node.
#pragma once

#include "purl/solve/block_matrix.h"
#include "purl/solve/filter.h"

namespace purl {

class BlockJacobi final : public Preconditioner {
public:
    // Of S A S + sigma (I - S), sigma of the block's own size (physics 6.9, Boxerman). A block that
    // is not positive is replaced by the absolute values of its diagonal.
    void factor(const BlockMatrix& a, const NodeFilter& s);
    void apply(Span<const Vec3> r, Span<Vec3> z) const override;

private:
    std::vector<Mat3> inverse_;
};

// The diagonal block as both preconditioners use it: filtered, positive definite.
Mat3 freeDiagonal(const Mat3& a, const Mat3& s);
// Whether a symmetric block is positive definite by a margin of `share` of its trace.
bool isPositive(const Mat3& a, double share = 1e-10);

} // namespace purl
