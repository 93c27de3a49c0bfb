// L D L^T of a sparse symmetric matrix of 3 x 3 blocks, for the coarse system of implicit steps.
// Whole blocks are what its graph is about: ordering, fill and indices are a ninth of those of the
// scalar matrix (Eigen's factorization took as long as all bands of the yarns together).
#pragma once

#include "purl/base/types.h"

#include <utility>
#include <vector>

namespace purl {

class BlockLdlt {
public:
    struct Coupling {
        Index q; // row p and q >= p: the upper triangle
        Mat3 k;
    };
    // Where there are blocks: rows of the upper triangle, the first of a row its diagonal.
    void analyse(const std::vector<std::vector<Coupling>>& rows);
    // The numbers; `shift` is added to all diagonals. False if the matrix is not positive.
    bool factor(const std::vector<std::vector<Coupling>>& rows, double shift);
    void solve(std::vector<Vec3>& x) const;            // in place
    std::size_t blocks() const { return row_.size(); } // below the diagonal

private:
    Index n_ = 0;
    std::vector<Index> place_;                // of a row, in the order of elimination
    std::vector<Index> start_, row_;          // columns of L: rows below the diagonal, ascending
    std::vector<Index> reachStart_, reach_;   // rows of L: columns before the diagonal, ascending
    std::vector<Mat3> block_, pivot_;         // of L; inverses of D
    std::vector<std::vector<Index>> members_; // couplings of a permuted row
    std::vector<std::pair<Index, Index>> at_; // per coupling: row of `rows`, place in it
    mutable std::vector<Vec3> y_;
    std::vector<Mat3> work_;
    std::vector<Index> filled_;
};

} // namespace purl
