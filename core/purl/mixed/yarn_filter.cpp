#include "purl/mixed/yarn_filter.h"

#include "purl/base/parallel.h"

#include <Eigen/SparseCholesky>

namespace purl {

struct YarnFilter::Factor {
    Eigen::SimplicialLLT<Eigen::SparseMatrix<double>> solver;
    Eigen::MatrixX3d c; // scratch, one a filter: it is applied by one thread at a time
    std::vector<Vec3> base;
};

YarnFilter::~YarnFilter() = default;
YarnFilter::YarnFilter(YarnFilter&&) noexcept = default;
YarnFilter& YarnFilter::operator=(YarnFilter&&) noexcept = default;

namespace {
// A column is kept if a share of it is new to the columns kept so far: squared sine of the angle.
constexpr double kIndependent = 1e-6;

// Columns of the Gram matrix that are independent, by Cholesky with the worst column put aside. The
// matrix is small (hybrid vertices) and this runs once a paint.
std::vector<char> independent(const Eigen::SparseMatrix<double>& g,
                              const std::vector<Index>& columns) {
    const Index n = static_cast<Index>(columns.size());
    std::vector<char> keep(n, 1);
    // Columns without an own node to speak of first: their diagonal says it.
    Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>, Eigen::Lower, Eigen::NaturalOrdering<int>>
        ldl;
    for (;;) {
        std::vector<int> where(g.cols(), -1), back;
        for (Index k = 0; k < n; ++k)
            if (keep[k]) {
                where[columns[k]] = static_cast<int>(back.size());
                back.push_back(static_cast<int>(k));
            }
        if (back.empty()) return keep;
        std::vector<Eigen::Triplet<double>> t;
        for (int k : back)
            for (Eigen::SparseMatrix<double>::InnerIterator it(g, columns[k]); it; ++it)
                if (where[it.row()] >= 0)
                    t.emplace_back(where[it.row()], where[columns[k]], it.value());
        Eigen::SparseMatrix<double> s(back.size(), back.size());
        s.setFromTriplets(t.begin(), t.end());
        ldl.compute(s);
        const Eigen::VectorXd d = ldl.vectorD();
        Index worst = -1;
        double least = kIndependent;
        for (Index i = 0; i < static_cast<Index>(back.size()); ++i) {
            const double share = d[i] / s.coeff(i, i);
            if (!(share >= least)) {
                worst = i, least = share;
                break; // what follows was divided by it
            }
        }
        if (worst < 0) return keep;
        keep[back[worst]] = 0;
    }
}
} // namespace

YarnFilter::YarnFilter(const Embedding& b)
    : b_(&b), index_(static_cast<std::size_t>(b.vertices()), -1),
      factor_(std::make_unique<Factor>()) {
    const Eigen::SparseMatrix<double> g = b.gram({});
    const std::vector<char> keep = independent(g, b.carriers());
    for (std::size_t k = 0; k < keep.size(); ++k) {
        const Index v = b.carriers()[k];
        if (keep[k]) {
            index_[v] = static_cast<Index>(kept_.size());
            kept_.push_back(v);
        } else {
            dropped_.push_back(v);
        }
    }
    std::vector<Eigen::Triplet<double>> t;
    for (Index v : kept_)
        for (Eigen::SparseMatrix<double>::InnerIterator it(g, v); it; ++it)
            if (index_[it.row()] >= 0)
                t.emplace_back(static_cast<int>(index_[it.row()]), static_cast<int>(index_[v]),
                               it.value());
    Eigen::SparseMatrix<double> s(kept_.size(), kept_.size());
    s.setFromTriplets(t.begin(), t.end());
    if (!kept_.empty()) factor_->solver.compute(s);
    factor_->c.resize(kept_.size(), 3);
}

void YarnFilter::match(Span<const Vec3> y, Span<Vec3> c) const {
    const Index n = static_cast<Index>(kept_.size());
    if (n == 0) return;
    Eigen::MatrixX3d& rhs = factor_->c;
    parallelFor(n, 16, [&](Index k0, Index k1) {
        for (Index k = k0; k < k1; ++k) {
            Vec3 sum = Vec3::Zero();
            for (const Embedding::Entry& e : b_->column(kept_[k])) sum += e.weight * y[e.node];
            rhs.row(k) = sum;
        }
    });
    rhs = factor_->solver.solve(rhs).eval();
    for (Index k = 0; k < n; ++k) c[k] = rhs.row(k);
}

void YarnFilter::spread(Span<const Vec3> v, Span<Vec3> y) const {
    const Index n = static_cast<Index>(kept_.size());
    if (n == 0) return;
    Eigen::MatrixX3d& c = factor_->c;
    for (Index k = 0; k < n; ++k) c.row(k) = v[kept_[k]];
    c = factor_->solver.solve(c).eval();
    parallelFor(b_->nodes(), 1024, [&](Index i0, Index i1) {
        for (Index i = i0; i < i1; ++i) {
            const Embedding::Row& r = b_->row(i);
            if (!r.riding()) continue;
            for (int k = 0; k < 3; ++k)
                if (const Index at = index_[r.vertex[k]]; at >= 0)
                    y[i] += r.weight[k] * Vec3(c.row(at));
        }
    });
}

void YarnFilter::apply(Span<Vec3> y) const {
    if (kept_.empty()) return;
    std::vector<Vec3>& c = factor_->base;
    c.resize(kept_.size());
    match(y, c);
    parallelFor(b_->nodes(), 1024, [&](Index i0, Index i1) {
        for (Index i = i0; i < i1; ++i) {
            const Embedding::Row& r = b_->row(i);
            if (!r.riding()) continue;
            for (int k = 0; k < 3; ++k)
                if (index_[r.vertex[k]] >= 0) y[i] -= r.weight[k] * c[index_[r.vertex[k]]];
        }
    });
}

} // namespace purl
