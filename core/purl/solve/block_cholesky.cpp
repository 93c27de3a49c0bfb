#include "purl/solve/block_cholesky.h"

#include "purl/base/parallel.h"
#include "purl/solve/block_jacobi.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <atomic>

namespace purl {

// A dense piece: the rows it eliminates, above those they are coupled to.
struct BlockCholesky::Front {
    std::vector<Index> children;
    std::vector<Index> inParent;             // per border row: its place in the parent's front
    std::vector<std::array<Index, 4>> entry; // block of the matrix, places of row and column here;
                                             // 1: transposed
    Eigen::MatrixXd lower;                   // L of own rows, and under it that of the border
    Eigen::MatrixXd update; // what elimination leaves to the border; lower triangle
};

BlockCholesky::BlockCholesky(std::shared_ptr<const BlockPattern> pattern)
    : pattern_(pattern), order_(nestedOrder(*pattern)) {
    const BlockPattern& q = *pattern_;
    std::vector<Index> frontOf(static_cast<std::size_t>(q.size())), place(frontOf.size(), -1);
    for (std::size_t f = 0; f < order_.fronts.size(); ++f) {
        fronts_.push_back(std::make_unique<Front>());
        for (Index i : order_.fronts[f].own) frontOf[i] = static_cast<Index>(f);
    }
    // Each block belongs to the front that eliminates the earlier of its rows.
    std::vector<std::vector<std::array<Index, 3>>> mine(fronts_.size());
    for (Index i = 0; i < q.size(); ++i)
        for (Index k = q.row[i]; k < q.row[i + 1]; ++k) {
            const Index j = q.column[k];
            if (q.partOf(i) != q.partOf(j) && order_.rank[j] > order_.rank[i]) continue; // once
            const Index first = order_.rank[i] < order_.rank[j] ? i : j;
            mine[frontOf[first]].push_back({k, i, j});
        }
    for (std::size_t f = 0; f < fronts_.size(); ++f) {
        const NestedOrder::Front& o = order_.fronts[f];
        Front& front = *fronts_[f];
        Index at = 0;
        for (const auto* list : {&o.own, &o.border})
            for (Index i : *list) place[i] = at++;
        for (const auto& [k, i, j] : mine[f]) {
            const bool flip = place[i] < place[j];
            front.entry.push_back(
                {k, flip ? place[j] : place[i], flip ? place[i] : place[j], flip});
        }
        const std::size_t own = o.own.size(), all = own + o.border.size();
        nonZeros_ += 9 * (all * own - own * (own - 1) / 2);
        for (Index c = 0; c < static_cast<Index>(f); ++c)
            if (order_.fronts[c].parent == static_cast<Index>(f)) {
                front.children.push_back(c);
                for (Index i : order_.fronts[c].border) fronts_[c]->inParent.push_back(place[i]);
            }
    }
}

BlockCholesky::~BlockCholesky() = default;

bool BlockCholesky::eliminate(Index f, const BlockMatrix& a, const NodeFilter& s) {
    Front& front = *fronts_[f];
    const Index own = 3 * static_cast<Index>(order_.fronts[f].own.size());
    const Index border = 3 * static_cast<Index>(order_.fronts[f].border.size());
    front.lower.setZero(own + border, own);
    front.update.setZero(border, border);
    const auto part = [&](Index row, Index column) -> Eigen::Block<Eigen::MatrixXd, 3, 3> {
        if (column < own) return front.lower.block<3, 3>(row, column);
        return front.update.block<3, 3>(row - own, column - own);
    };
    const auto rowAt = [&](Index place) {
        const auto& o = order_.fronts[f];
        const auto n = static_cast<Index>(o.own.size());
        return place < n ? o.own[place] : o.border[place - n];
    };
    for (const auto& [k, r, c, flip] : front.entry) {
        const Index i = rowAt(r), j = rowAt(c);
        Mat3 b = flip ? Mat3(a.blocks()[k].transpose()) : a.blocks()[k];
        if (i == j)
            b = s.isFree(i) ? Mat3(0.5 * (b + b.transpose())) : freeDiagonal(b, s.at(i));
        else if (!s.isFree(i) || !s.isFree(j))
            b = s.at(i) * b * s.at(j);
        part(3 * r, 3 * c) += b;
    }
    for (Index child : front.children) {
        const Front& from = *fronts_[child];
        const auto n = static_cast<Index>(from.inParent.size());
        for (Index y = 0; y < n; ++y)
            for (Index x = y; x < n; ++x) // places ascend along the border
                part(3 * from.inParent[x], 3 * from.inParent[y]) +=
                    from.update.block<3, 3>(3 * x, 3 * y);
        fronts_[child]->update.resize(0, 0);
    }
    if (own == 0) return true;
    auto top = front.lower.topRows(own);
    if (!(top.diagonal().minCoeff() > 0)) return false;
    Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> llt(top);
    if (llt.info() != Eigen::Success) return false;
    if (border == 0) return true;
    auto below = front.lower.bottomRows(border);
    top.triangularView<Eigen::Lower>().transpose().solveInPlace<Eigen::OnTheRight>(below);
    front.update.selfadjointView<Eigen::Lower>().rankUpdate(below, -1);
    return true;
}

bool BlockCholesky::factor(const BlockMatrix& a, const NodeFilter& s) {
    std::atomic<bool> good{true};
    for (const std::vector<Index>& level : order_.levels)
        parallelFor(static_cast<Index>(level.size()), 1, [&](Index b, Index e) {
            for (Index k = b; k < e && good; ++k)
                if (!eliminate(level[k], a, s)) good = false;
        });
    return good;
}

void BlockCholesky::solve(Span<const Vec3> b, Span<Vec3> x) const {
    std::vector<Vec3> y(b.begin(), b.end());
    Eigen::VectorXd piece;
    const auto gather = [&](const std::vector<Index>& rows, Index from) {
        for (std::size_t k = 0; k < rows.size(); ++k)
            piece.segment<3>(from + 3 * static_cast<Index>(k)) = y[rows[k]];
    };
    for (std::size_t f = 0; f < fronts_.size(); ++f) {
        const auto& o = order_.fronts[f];
        const Front& front = *fronts_[f];
        const Index own = front.lower.cols(), border = front.lower.rows() - own;
        piece.resize(own);
        gather(o.own, 0);
        front.lower.topRows(own).triangularView<Eigen::Lower>().solveInPlace(piece);
        for (std::size_t k = 0; k < o.own.size(); ++k) y[o.own[k]] = piece.segment<3>(3 * k);
        if (border == 0) continue;
        const Eigen::VectorXd rest = front.lower.bottomRows(border) * piece;
        for (std::size_t k = 0; k < o.border.size(); ++k)
            y[o.border[k]] -= rest.segment<3>(3 * static_cast<Index>(k));
    }
    for (std::size_t f = fronts_.size(); f-- > 0;) {
        const auto& o = order_.fronts[f];
        const Front& front = *fronts_[f];
        const Index own = front.lower.cols(), border = front.lower.rows() - own;
        piece.resize(border);
        gather(o.border, 0);
        Eigen::VectorXd mine(own);
        for (std::size_t k = 0; k < o.own.size(); ++k)
            mine.segment<3>(3 * static_cast<Index>(k)) = y[o.own[k]];
        if (border > 0) mine.noalias() -= front.lower.bottomRows(border).transpose() * piece;
        front.lower.topRows(own).triangularView<Eigen::Lower>().transpose().solveInPlace(mine);
        for (std::size_t k = 0; k < o.own.size(); ++k)
            y[o.own[k]] = mine.segment<3>(3 * static_cast<Index>(k));
    }
    std::copy(y.begin(), y.end(), x.begin());
}

} // namespace purl
