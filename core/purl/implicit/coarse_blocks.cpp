#include "purl/implicit/coarse_blocks.h"

#include "purl/base/parallel.h"

#include <Eigen/SparseCholesky>

#include <algorithm>

namespace purl {

struct CoarseBlocks::System {
    Eigen::SparseMatrix<double> matrix; // lower triangle
    Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>, Eigen::Lower> factor;
    mutable Eigen::VectorXd rhs, answer;
};

CoarseBlocks::CoarseBlocks() = default;
CoarseBlocks::CoarseBlocks(CoarseBlocks&&) noexcept = default;
CoarseBlocks& CoarseBlocks::operator=(CoarseBlocks&&) noexcept = default;
CoarseBlocks::~CoarseBlocks() = default;

CoarseBlocks::CoarseBlocks(const BlockDamping& blocks, const Layout& layout,
                           const YarnMatrix& matrix, const std::vector<double>& inverseMass)
    : layout_(&layout), blocks_(blocks.blocks()), blockOfNode_(inverseMass.size(), -1),
      blockOfSlot_(layout.padded() + SlotBand::kReach, -1), row_(blocks_),
      system_(std::make_unique<System>()) {
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
    system_->rhs.resize(3 * blocks_);
}

Mat3& CoarseBlocks::entry(Index p, Index q) {
    auto& row = row_[p];
    for (Coupling& c : row)
        if (c.q == q) return c.k;
    row.push_back({q, Mat3::Zero()});
    grown_ = true;
    return row.back().k;
}

void CoarseBlocks::factor(const YarnMatrix& matrix, AclMatrix* contacts, const BlockDrag* drag,
                          double dragFactor, const std::vector<double>& mass) {
    for (auto& row : row_)
        for (Coupling& c : row) c.k.setZero();
    const SlotBand& band = matrix.band();
    using Block = Eigen::Matrix<float, 3, 3, Eigen::RowMajor>;
    for (Index s = 0; s < layout_->slots(); ++s) {
        const Index p = blockOfSlot_[s];
        if (p < 0) continue;
        const float* r = band.row(s);
        Mat3 d; // of the block with itself; entry() may move the rows, so it is added last
        d << r[0], r[1], r[2], r[1], r[3], r[4], r[2], r[4], r[5];
        for (int k = 1; k <= SlotBand::kReach; ++k) {
            const Index q = blockOfSlot_[s + k];
            if (q < 0) continue;
            const Mat3 b = Eigen::Map<const Block>(r + SlotBand::off(k)).cast<double>();
            if (q == p)
                d += b + b.transpose();
            else if (p < q)
                entry(p, q) += b;
            else
                entry(q, p) += b.transpose();
        }
        row_[p].front().k += d;
    }
    if (contacts)
        for (const auto& region : contacts->byPiece(blockOfSlot_))
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
                    dragFactor * drag->rate(static_cast<Index>(i)) * mass[i];
    fill();
    system_->factor.factorize(system_->matrix);
    used_ = system_->factor.info() == Eigen::Success && system_->factor.vectorD().minCoeff() > 0;
}

// Coefficients into the sparse matrix; its pattern is made anew only when a coupling was added.
void CoarseBlocks::fill() {
    double largest = 0;
    for (auto& row : row_) largest = std::max(largest, row.front().k.diagonal().maxCoeff());
    if (grown_) {
        for (auto& row : row_)
            std::sort(row.begin(), row.end(),
                      [](const Coupling& a, const Coupling& b) { return a.q < b.q; });
        std::vector<Eigen::Triplet<double>> entries;
        for (Index p = 0; p < blocks_; ++p)
            for (const Coupling& c : row_[p])
                for (int i = 0; i < 3; ++i)
                    for (int j = 0; j < 3; ++j)
                        if (c.q > p || i >= j) entries.emplace_back(3 * c.q + i, 3 * p + j, 1.0);
        system_->matrix.resize(3 * blocks_, 3 * blocks_);
        system_->matrix.setFromTriplets(entries.begin(), entries.end());
        system_->matrix.makeCompressed();
        system_->factor.analyzePattern(system_->matrix);
        grown_ = false;
    }
    double* value = system_->matrix.valuePtr();
    const auto* start = system_->matrix.outerIndexPtr();
    for (Index p = 0; p < blocks_; ++p)
        for (int j = 0; j < 3; ++j) {
            double* at = value + start[3 * p + j];
            for (const Coupling& c : row_[p]) // rows are columns of the lower triangle, transposed
                for (int i = c.q == p ? j : 0; i < 3; ++i) *at++ = c.k(j, i);
            value[start[3 * p + j]] += 1e-7 * largest; // blocks whose nodes are all held
        }
}

void CoarseBlocks::addTo(Span<const Vec3> r, Span<Vec3> z) const {
    const System& s = *system_;
    parallelFor(blocks_, 16, [&](Index a, Index b) {
        for (Index p = a; p < b; ++p) {
            Vec3 sum = Vec3::Zero();
            for (Index k = first_[p]; k < first_[p + 1]; ++k) sum += r[member_[k]];
            s.rhs.segment<3>(3 * p) = sum;
        }
    });
    s.answer = s.factor.solve(s.rhs);
    parallelFor(blocks_, 16, [&](Index a, Index b) {
        for (Index p = a; p < b; ++p) {
            const Vec3 move = s.answer.segment<3>(3 * p);
            for (Index k = first_[p]; k < first_[p + 1]; ++k) z[member_[k]] += move;
        }
    });
}

} // namespace purl
