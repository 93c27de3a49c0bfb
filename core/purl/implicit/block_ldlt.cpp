#include "purl/implicit/block_ldlt.h"

#include <Eigen/LU>
#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>

#include <algorithm>
#include <utility>

namespace purl {

void BlockLdlt::analyse(const std::vector<std::vector<Coupling>>& rows) {
    n_ = static_cast<Index>(rows.size());
    std::vector<Eigen::Triplet<double>> entries;
    for (Index p = 0; p < n_; ++p)
        for (const Coupling& c : rows[p]) {
            entries.emplace_back(p, c.q, 1.0);
            if (c.q != p) entries.emplace_back(c.q, p, 1.0);
        }
    Eigen::SparseMatrix<double> graph(n_, n_);
    graph.setFromTriplets(entries.begin(), entries.end());
    Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
    Eigen::AMDOrdering<int>()(graph, order);
    place_.resize(n_); // AMD tells who is eliminated when
    for (Index k = 0; k < n_; ++k) place_[order.indices()[k]] = k;
    // Of each row of the lower triangle, in the order of elimination: its couplings.
    members_.assign(n_, {});
    at_.clear();
    for (Index p = 0; p < n_; ++p)
        for (Index i = 0; i < static_cast<Index>(rows[p].size()); ++i) {
            members_[std::max(place_[p], place_[rows[p][i].q])].push_back(
                static_cast<Index>(at_.size()));
            at_.push_back({p, i});
        }
    // The elimination tree, and with it which columns reach a row (Liu).
    std::vector<Index> parent(n_, -1), mark(n_, -1), count(n_ + 1, 0);
    reachStart_.assign(1, 0);
    reach_.clear();
    for (Index k = 0; k < n_; ++k) {
        mark[k] = k;
        for (Index m : members_[k]) {
            const auto [p, i] = at_[m];
            Index c = std::min(place_[p], place_[rows[p][i].q]);
            for (; mark[c] != k; c = parent[c]) {
                if (parent[c] < 0) parent[c] = k;
                mark[c] = k;
                reach_.push_back(c);
                ++count[c + 1];
            }
        }
        std::sort(reach_.begin() + reachStart_.back(), reach_.end());
        reachStart_.push_back(static_cast<Index>(reach_.size()));
    }
    for (Index k = 0; k < n_; ++k) count[k + 1] += count[k];
    start_ = count;
    row_.resize(reach_.size());
    block_.resize(reach_.size());
    pivot_.resize(n_);
    work_.assign(n_, Mat3::Zero());
    y_.resize(n_);
    filled_.resize(n_);
}

// Row by row (Davis, LDL): what a row of L has in a column, columns to the right of it lose.
bool BlockLdlt::factor(const std::vector<std::vector<Coupling>>& rows, double shift) {
    std::copy(start_.begin(), start_.end() - 1, filled_.begin());
    for (Index k = 0; k < n_; ++k) {
        Mat3 d = Mat3::Zero();
        for (Index m : members_[k]) {
            const auto [p, i] = at_[m];
            const Coupling& c = rows[p][i];
            if (c.q == p) {
                d += c.k;
                d.diagonal().array() += shift;
            } else if (place_[p] == k) {
                work_[place_[c.q]] += c.k;
            } else {
                work_[place_[p]] += c.k.transpose();
            }
        }
        for (Index r = reachStart_[k]; r < reachStart_[k + 1]; ++r) {
            const Index i = reach_[r];
            const Mat3 y = work_[i];
            work_[i].setZero();
            for (Index e = start_[i]; e < filled_[i]; ++e)
                work_[row_[e]].noalias() -= y * block_[e].transpose();
            const Mat3 l = y * pivot_[i];
            d.noalias() -= l * y.transpose();
            row_[filled_[i]] = k;
            block_[filled_[i]++] = l;
        }
        // Positive: its leading minors are.
        const double minor = d(0, 0) * d(1, 1) - d(0, 1) * d(1, 0), all = d.determinant();
        if (!(d(0, 0) > 0) || !(minor > 0) || !(all > 0)) {
            for (Mat3& w : work_) w.setZero();
            return false;
        }
        pivot_[k] = d.inverse();
    }
    return true;
}

void BlockLdlt::solve(std::vector<Vec3>& x) const {
    for (Index p = 0; p < n_; ++p) y_[place_[p]] = x[p];
    for (Index i = 0; i < n_; ++i) {
        const Vec3 v = y_[i];
        for (Index e = start_[i]; e < start_[i + 1]; ++e) y_[row_[e]].noalias() -= block_[e] * v;
        y_[i] = pivot_[i] * v;
    }
    for (Index i = n_ - 1; i >= 0; --i) {
        Vec3 v = y_[i];
        for (Index e = start_[i]; e < start_[i + 1]; ++e)
            v.noalias() -= block_[e].transpose() * y_[row_[e]];
        y_[i] = v;
    }
    for (Index p = 0; p < n_; ++p) x[p] = y_[place_[p]];
}

} // namespace purl
