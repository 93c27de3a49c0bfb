#include "purl/mixed/line_preconditioner.h"

#include "purl/base/error.h"

#include <Eigen/SparseCholesky>

namespace purl {

struct LinePreconditioner::Factor {
    Eigen::SimplicialLLT<Eigen::SparseMatrix<double>> solver;
    Eigen::SparseMatrix<double> matrix;
    std::vector<Eigen::Triplet<double>> entries;
    Index analysed = -1;
    Eigen::VectorXd rhs;
};

LinePreconditioner::LinePreconditioner(const Embedding& b)
    : b_(&b), factor_(std::make_unique<Factor>()) {}
LinePreconditioner::~LinePreconditioner() = default;

void LinePreconditioner::factor(const Eigen::SparseMatrix<double>& whole,
                                Span<const double> nodeMass, const NodeFilter& held,
                                const Preconditioner& yarns) {
    yarns_ = &yarns;
    held_ = &held;
    Factor& k = *factor_;
    k.entries.clear();
    // S W S + (I - S), block by block; only the lower triangle is read.
    const auto put = [&](Index i, Index j, int a, int b, double value) {
        if (held.isFree(i) && held.isFree(j)) {
            k.entries.emplace_back(static_cast<int>(3 * i + a), static_cast<int>(3 * j + b), value);
            return;
        }
        const Mat3 si = held.at(i), sj = held.at(j);
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c)
                k.entries.emplace_back(static_cast<int>(3 * i + r), static_cast<int>(3 * j + c),
                                       si(r, a) * value * sj(b, c));
    };
    for (int column = 0; column < whole.outerSize(); ++column)
        for (Eigen::SparseMatrix<double>::InnerIterator it(whole, column); it; ++it)
            put(it.row() / 3, column / 3, it.row() % 3, column % 3, it.value());
    const Eigen::SparseMatrix<double> gram = b_->gram(nodeMass);
    for (int column = 0; column < gram.outerSize(); ++column)
        for (Eigen::SparseMatrix<double>::InnerIterator it(gram, column); it; ++it)
            for (int a = 0; a < 3; ++a) put(it.row(), column, a, a, it.value());
    for (Index v = 0; v < b_->vertices(); ++v) {
        const bool nothing = whole.coeff(3 * v, 3 * v) == 0 && gram.coeff(v, v) == 0;
        const Mat3 s = nothing ? Mat3(Mat3::Identity()) : Mat3(Mat3::Identity() - held.at(v));
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b)
                k.entries.emplace_back(static_cast<int>(3 * v + a), static_cast<int>(3 * v + b),
                                       s(a, b));
    }
    k.matrix.resize(whole.rows(), whole.cols());
    k.matrix.setFromTriplets(k.entries.begin(), k.entries.end());
    if (k.analysed != static_cast<Index>(k.matrix.nonZeros())) {
        k.solver.analyzePattern(k.matrix);
        k.analysed = static_cast<Index>(k.matrix.nonZeros());
    }
    k.solver.factorize(k.matrix);
    if (k.solver.info() != Eigen::Success)
        throw Error("mixed preconditioner",
                    "the triangles' matrix is not positive definite, expected positive masses");
    k.rhs.resize(whole.rows());
}

void LinePreconditioner::apply(Span<const Vec3> r, Span<Vec3> z) const {
    Factor& k = *factor_;
    const std::size_t n = static_cast<std::size_t>(b_->vertices());
    yarns_->apply(Span<const Vec3>(r.data() + n, r.size() - n),
                  Span<Vec3>(z.data() + n, z.size() - n));
    for (std::size_t v = 0; v < n; ++v) {
        Vec3 top = r[v];
        held_->applyRow(static_cast<Index>(v), top);
        k.rhs.segment<3>(3 * static_cast<Eigen::Index>(v)) = top;
    }
    const Eigen::VectorXd answer = k.solver.solve(k.rhs);
    for (std::size_t v = 0; v < n; ++v) z[v] = answer.segment<3>(3 * static_cast<Eigen::Index>(v));
}

} // namespace purl
