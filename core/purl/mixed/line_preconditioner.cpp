#include "purl/mixed/line_preconditioner.h"

#include "purl/base/error.h"
#include "purl/base/parallel.h"

#include <Eigen/SparseCholesky>

namespace purl {

namespace {
// More of it serves what moves with the ring's vertices, less what moves between them.
constexpr double kTie = 0.5;
} // namespace

struct LinePreconditioner::Factor {
    Eigen::SimplicialLLT<Eigen::SparseMatrix<double>> solver;
    Eigen::SparseMatrix<double> matrix;
    std::vector<Eigen::Triplet<double>> entries;
    Index analysed = -1;
    Eigen::VectorXd rhs, answer;
    std::vector<Vec3> p, c, left; // residual of positions; match; what lines leave
};

namespace {

FabricCoarse hatsOf(const Fabric& fabric, const Embedding& under) {
    std::vector<Index> first{0}, function;
    std::vector<float> weight;
    for (Index i = 0; i < under.nodes(); ++i) {
        for (int k = 0; k < 3; ++k) {
            function.push_back(under.row(i).vertex[k]);
            weight.push_back(static_cast<float>(under.row(i).weight[k]));
        }
        first.push_back(static_cast<Index>(function.size()));
    }
    return {fabric, under.vertices(), std::move(first), std::move(function), std::move(weight)};
}

} // namespace

LinePreconditioner::LinePreconditioner(const Fabric& fabric, const Embedding& b,
                                       const YarnFilter& f, const Embedding& under)
    : b_(&b), under_(&under), f_(&f), lines_(fabric, YarnLines::Far::Nothing),
      hats_(hatsOf(fabric, under)), factor_(std::make_unique<Factor>()) {}
LinePreconditioner::~LinePreconditioner() = default;

// Lines know nothing of the triangles: what holds a vertex of the ring holds the nodes around it,
// each by its share.
void LinePreconditioner::tie(const Eigen::SparseMatrix<double>& triangles) {
    ground_.assign(static_cast<std::size_t>(b_->nodes()), Mat3::Zero());
    for (Index v : f_->kept()) {
        Mat3 own;
        for (int a = 0; a < 3; ++a)
            for (int c = 0; c < 3; ++c) own(a, c) = triangles.coeff(3 * v + a, 3 * v + c);
        double sum = 0;
        for (const Embedding::Entry& e : b_->column(v)) sum += e.weight;
        for (const Embedding::Entry& e : b_->column(v))
            ground_[e.node] += kTie * e.weight / sum * own;
    }
}

void LinePreconditioner::factor(const Eigen::SparseMatrix<double>& triangles,
                                const NodeFilter& pinned, const Stiffness& yarns,
                                const NodeFilter& yarnHeld, const NodeFilter& farHeld,
                                const LinearOperator& system, const Filter& filter) {
    pinned_ = &pinned, system_ = &system, filter_ = &filter;
    tie(triangles);
    lines_.factor(yarns, yarnHeld, false, ground_);
    Factor& k = *factor_;
    k.entries.clear();
    // S W S + (I - S), lower triangle; pins hold all three directions. Entries stay where they are
    // when values change, so that the order of elimination is found once.
    std::vector<char> something(static_cast<std::size_t>(b_->vertices()), 0);
    for (const Eigen::SparseMatrix<double>* from : {&triangles, &hats_.sum(yarns, farHeld)})
        for (int column = 0; column < from->outerSize(); ++column)
            for (Eigen::SparseMatrix<double>::InnerIterator it(*from, column); it; ++it) {
                if (it.row() < column) continue;
                const bool free = pinned.isFree(it.row() / 3) && pinned.isFree(column / 3);
                k.entries.emplace_back(static_cast<int>(it.row()), column, free ? it.value() : 0);
                if (it.row() == column && free && it.value() > 0) something[column / 3] = 1;
            }
    for (Index v = 0; v < b_->vertices(); ++v)
        for (int a = 0; a < 3; ++a)
            k.entries.emplace_back(static_cast<int>(3 * v + a), static_cast<int>(3 * v + a),
                                   something[v] ? 0 : 1);
    k.matrix.resize(triangles.rows(), triangles.cols());
    k.matrix.setFromTriplets(k.entries.begin(), k.entries.end());
    // Rounding in single precision: a vertex that hardly any yarn holds keeps a positive pivot.
    for (Index r = 0; r < k.matrix.rows(); ++r) k.matrix.coeffRef(r, r) *= 1 + 1e-6;
    if (k.analysed != static_cast<Index>(k.matrix.nonZeros())) {
        k.solver.analyzePattern(k.matrix);
        k.analysed = static_cast<Index>(k.matrix.nonZeros());
    }
    k.solver.factorize(k.matrix);
    if (k.solver.info() != Eigen::Success)
        throw Error("mixed preconditioner",
                    "the triangles' matrix is not positive definite, expected positive masses");
    k.rhs.resize(triangles.rows());
}

std::size_t LinePreconditioner::bytes() const {
    const Factor& k = *factor_;
    const std::size_t own =
        k.analysed < 0 ? 0 : k.solver.matrixL().nestedExpression().nonZeros() + k.matrix.nonZeros();
    return lines_.bytes() + hats_.bytes() + bytesOf(k.entries) + 12 * own +
           16 * static_cast<std::size_t>(k.rhs.size()) + bytesOf(k.p) + bytesOf(k.c) +
           bytesOf(k.left);
}

// What pulls at a node that does not ride pulls at the corners of its triangle.
void LinePreconditioner::addFar(Span<const Vec3> r, Span<Vec3> z) const {
    Factor& k = *factor_;
    const std::size_t n = static_cast<std::size_t>(b_->vertices());
    const Vec3* rp = r.data() + n;
    parallelFor(static_cast<Index>(n), 64, [&](Index v0, Index v1) {
        for (Index v = v0; v < v1; ++v) {
            Vec3 sum = r[v];
            for (const Embedding::Entry& e : under_->column(v))
                if (!b_->riding(e.node)) sum += e.weight * rp[e.node];
            pinned_->applyRow(v, sum);
            k.rhs.segment<3>(3 * v) = sum;
        }
    });
    k.answer = k.solver.solve(k.rhs);
    for (std::size_t v = 0; v < n; ++v)
        z[v] += k.answer.segment<3>(3 * static_cast<Eigen::Index>(v));
    parallelFor(b_->nodes(), 1024, [&](Index i0, Index i1) {
        for (Index i = i0; i < i1; ++i) {
            if (b_->riding(i)) continue;
            const Embedding::Row& row = under_->row(i);
            for (int a = 0; a < 3; ++a)
                z[n + i] += row.weight[a] * k.answer.segment<3>(3 * row.vertex[a]);
        }
    });
    filter_->apply(z);
}

void LinePreconditioner::apply(Span<const Vec3> r, Span<Vec3> z) const {
    Factor& k = *factor_;
    const std::size_t n = static_cast<std::size_t>(b_->vertices()), m = r.size() - n,
                      nodes = static_cast<std::size_t>(b_->nodes());
    const Span<const Vec3> rv(r.data(), n), rp(r.data() + n, m);
    const Span<Vec3> zp(z.data() + n, m);
    k.p.assign(rp.begin(), rp.end());
    f_->spread(rv, Span<Vec3>(k.p.data(), nodes));
    lines_.apply(k.p, zp);
    k.c.resize(f_->kept().size());
    f_->match(Span<const Vec3>(zp.data(), nodes), k.c);
    for (std::size_t v = 0; v < n; ++v) z[v].setZero();
    for (std::size_t i = 0; i < k.c.size(); ++i) z[f_->kept()[i]] = k.c[i];
    filter_->apply(z);
    k.left.resize(r.size());
    system_->apply(z, k.left);
    for (std::size_t i = 0; i < r.size(); ++i) k.left[i] = r[i] - k.left[i];
    filter_->apply(k.left);
    addFar(k.left, z);
}

void LinePreconditioner::begin(Span<const Vec3> b, Span<Vec3> x, Span<Vec3> left) const {
    for (Vec3& v : x) v.setZero();
    addFar(b, x);
    system_->apply(x, left);
    for (std::size_t i = 0; i < b.size(); ++i) left[i] = b[i] - left[i];
    filter_->apply(left);
}

} // namespace purl
