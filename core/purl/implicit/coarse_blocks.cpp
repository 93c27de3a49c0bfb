#include "purl/implicit/coarse_blocks.h"

#include "purl/base/parallel.h"

#include <algorithm>

namespace purl {

namespace {
constexpr Index kSlots = 2048; // a task; fixed, so that sums do not depend on the threads
}

CoarseBlocks::CoarseBlocks(const BlockDamping& blocks, const Layout& layout,
                           const YarnMatrix& matrix, const std::vector<double>& inverseMass)
    : layout_(&layout), blocks_(blocks.blocks()), blockOfNode_(inverseMass.size(), -1),
      blockOfSlot_(layout.padded() + SlotBand::kReach, -1), row_(blocks_),
      work_((layout.slots() + kSlots - 1) / kSlots), move_(blocks_) {
    for (Index b = 0; b < blocks_; ++b)
        for (Index i : blocks.block(b))
            if (inverseMass[i] > 0) blockOfNode_[i] = b;
    const Index n = static_cast<Index>(inverseMass.size());
    first_.assign(blocks_ + 1, 0);
    for (Index i = 0; i < n; ++i) { // what is welded goes with the node that answers
        blockOfNode_[i] = blockOfNode_[matrix.master(i)];
        if (matrix.answers(i) && blockOfNode_[i] >= 0) ++first_[blockOfNode_[i] + 1];
    }
    for (Index b = 0; b < blocks_; ++b) first_[b + 1] += first_[b];
    member_.resize(first_.back());
    std::vector<Index> put(first_.begin(), first_.end() - 1);
    for (Index i = 0; i < n; ++i) {
        if (blockOfNode_[i] < 0) continue;
        blockOfSlot_[layout.slotOf[i]] = blockOfNode_[i];
        if (matrix.answers(i)) member_[put[blockOfNode_[i]]++] = i;
    }
    for (Index y = 0; y < layout.yarns(); ++y) { // ghosts go with the ends they continue
        const Index b = layout.base[y], m = layout.size[y];
        const bool ring = layout.closed[y];
        blockOfSlot_[b] = blockOfSlot_[ring ? b + m : b + 1];
        blockOfSlot_[b + m + 1] = blockOfSlot_[ring ? b + 1 : b + m];
        blockOfSlot_[b + m + 2] = blockOfSlot_[ring ? b + 2 : b + m];
    }
    for (Index b = 0; b < blocks_; ++b) row_[b].push_back({b, Mat3::Zero()});
}

Mat3& CoarseBlocks::entry(Index p, Index q) {
    auto& row = row_[p];
    for (Coupling& c : row)
        if (c.q == q) return c.k;
    row.push_back({q, Mat3::Zero()});
    grown_ = true;
    return row.back().k;
}

// What the band couples: blocks with themselves, summed over runs of slots, and with each other.
void CoarseBlocks::sumSlots(const SlotBand& band, Index first, Index last, Work& w) const {
    using Block = Eigen::Matrix<float, 3, 3, Eigen::RowMajor>;
    w.own.clear();
    w.between.clear();
    for (Index s = first; s < last; ++s) {
        const Index p = blockOfSlot_[s];
        if (p < 0) continue;
        const float* r = band.row(s);
        Mat3 d;
        d << r[0], r[1], r[2], r[1], r[3], r[4], r[2], r[4], r[5];
        for (int k = 1; k <= SlotBand::kReach; ++k) {
            const Index q = blockOfSlot_[s + k];
            if (q < 0) continue;
            const Mat3 b = Eigen::Map<const Block>(r + SlotBand::off(k)).cast<double>();
            if (q == p)
                d += b + b.transpose();
            else if (p < q)
                w.between.push_back({{p, q}, b});
            else
                w.between.push_back({{q, p}, b.transpose()});
        }
        if (w.own.empty() || w.own.back().first != p)
            w.own.push_back({p, d});
        else
            w.own.back().second += d;
    }
}

void CoarseBlocks::factor(const YarnMatrix& matrix, AclMatrix* contacts, const BlockDrag* drag,
                          const std::vector<double>& mass) {
    for (auto& row : row_)
        for (Coupling& c : row) c.k.setZero();
    const auto* regions = contacts ? &contacts->byPiece(blockOfSlot_) : nullptr;
    parallelFor(static_cast<Index>(work_.size()), 1, [&](Index a, Index b) {
        for (Index w = a; w < b; ++w)
            sumSlots(matrix.band(), w * kSlots, std::min(layout_->slots(), (w + 1) * kSlots),
                     work_[w]);
    });
    for (const Work& w : work_) {
        for (const auto& [p, k] : w.own) row_[p].front().k += k;
        for (const auto& [pq, k] : w.between) entry(pq.first, pq.second) += k;
    }
    if (contacts)
        for (const auto& region : *regions)
            for (const auto& s : region) {
                Mat3 k;
                k << s.k[0], s.k[1], s.k[2], s.k[1], s.k[3], s.k[4], s.k[2], s.k[4], s.k[5];
                if (s.p == s.q)
                    row_[s.p].front().k += 2 * k;
                else
                    entry(s.p, s.q) += k;
            }
    if (drag)
        for (std::size_t i = 0; i < blockOfNode_.size(); ++i)
            if (blockOfNode_[i] >= 0)
                row_[blockOfNode_[i]].front().k.diagonal().array() -=
                    drag->held(static_cast<Index>(i)) * mass[i];
    double largest = 0;
    for (auto& row : row_) largest = std::max(largest, row.front().k.diagonal().maxCoeff());
    if (grown_) {
        for (auto& row : row_)
            std::sort(row.begin(), row.end(),
                      [](const Coupling& a, const Coupling& b) { return a.q < b.q; });
        factor_.analyse(row_);
        grown_ = false;
    }
    used_ = factor_.factor(row_, 1e-7 * largest); // a little: blocks whose nodes are all held
}

void CoarseBlocks::solve(Span<const Vec3> r) const {
    for (Index p = 0; p < blocks_; ++p) {
        Vec3 sum = Vec3::Zero();
        for (Index k = first_[p]; k < first_[p + 1]; ++k) sum += r[member_[k]];
        move_[p] = sum;
    }
    factor_.solve(move_);
}

void CoarseBlocks::add(Span<Vec3> z) const {
    parallelFor(blocks_, 16, [&](Index a, Index b) {
        for (Index p = a; p < b; ++p)
            for (Index k = first_[p]; k < first_[p + 1]; ++k) z[member_[k]] += move_[p];
    });
}

} // namespace purl
