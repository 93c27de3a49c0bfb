#include "purl/solve/loose_blocks.h"

#include "purl/base/parallel.h"

#include <algorithm>
#include <tuple>

namespace purl {

void LooseBlocks::clear() {
    entry_.clear();
    block_.clear();
    first_.clear();
}

void LooseBlocks::add(Index i, Index j, const Mat3& b) {
    const Index k = static_cast<Index>(block_.size());
    block_.push_back(b);
    entry_.push_back({i, j, k});
    entry_.push_back({j, i, k});
}

void LooseBlocks::finish() {
    std::sort(entry_.begin(), entry_.end(), [](const Entry& a, const Entry& b) {
        return std::tie(a.row, a.column, a.block) < std::tie(b.row, b.column, b.block);
    });
    first_.clear();
    for (std::size_t k = 0; k < entry_.size(); ++k)
        if (k == 0 || entry_[k].row != entry_[k - 1].row) first_.push_back(static_cast<Index>(k));
    first_.push_back(static_cast<Index>(entry_.size()));
}

void LooseBlocks::addProduct(Span<const Vec3> x, Span<Vec3> y) const {
    if (entry_.empty()) return;
    parallelFor(static_cast<Index>(first_.size()) - 1, 256, [&](Index a, Index b) {
        for (Index k = a; k < b; ++k) {
            Vec3 sum = Vec3::Zero();
            for (Index e = first_[k]; e < first_[k + 1]; ++e)
                sum.noalias() += block_[entry_[e].block] * x[entry_[e].column];
            y[entry_[first_[k]].row] += sum;
        }
    });
}

} // namespace purl
