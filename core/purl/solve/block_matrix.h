// A symmetric matrix of 3x3 blocks over a BlockPattern, in the order of the pattern's rows.
#pragma once

#include "purl/solve/block_pattern.h"
#include "purl/solve/operator.h"

#include <memory>

namespace purl {

class BlockMatrix final : public LinearOperator {
public:
    explicit BlockMatrix(std::shared_ptr<const BlockPattern> pattern);

    const BlockPattern& pattern() const { return *pattern_; }
    // The pattern's blocks; those of another part's column are there twice, once a row, and the
    // writer keeps them each other's transpose.
    Span<Mat3> blocks() { return {block_.data(), block_.size() - 1}; }
    Span<const Mat3> blocks() const { return {block_.data(), block_.size() - 1}; }
    const Mat3& diagonal(Index i) const { return block_[pattern_->row[i]]; }

    Index size() const override { return pattern_->size(); }
    void apply(Span<const Vec3> x, Span<Vec3> y) const override;

private:
    void applyPart(Index p, const double* x, double* y) const;

    std::shared_ptr<const BlockPattern> pattern_;
    std::vector<Mat3> block_; // and one more, for reads of four numbers
};

} // namespace purl
