// Symmetric 3x3 blocks between rows that a fixed pattern does not couple: contacts come and go, the
// pattern stays. Kept by rows, so that a product needs no order among threads.
#pragma once

#include "purl/base/types.h"

namespace purl {

class LooseBlocks {
public:
    void clear();
    bool empty() const { return entry_.empty(); }
    // b and its place in the other row; b is its own transpose. i != j.
    void add(Index i, Index j, const Mat3& b);
    void finish(); // after the last add(), before a product
    // y += B x.
    void addProduct(Span<const Vec3> x, Span<Vec3> y) const;

    struct Entry {
        Index row, column, block;
    };
    Span<const Entry> entries() const { return {entry_.data(), entry_.size()}; } // by rows
    const Mat3& block(const Entry& e) const { return block_[e.block]; }

private:
    std::vector<Entry> entry_;
    std::vector<Mat3> block_;
    std::vector<Index> first_; // entry of each row that has one; and the end
};

} // namespace purl
