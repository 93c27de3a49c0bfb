#include "purl/mixed/enriched_preconditioner.h"

#include "purl/base/error.h"
#include "purl/base/parallel.h"

#include <Eigen/LU>
#include <Eigen/SparseCholesky>

namespace purl {

struct EnrichedPreconditioner::Factors {
    Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> solver;
    Eigen::SparseMatrix<double> matrix; // lower triangle
    std::vector<Eigen::Triplet<double>> entries;
    Index analysed = -1; // entries of the pattern that was analysed
    Eigen::VectorXd rhs, answer;
    std::vector<Vec3> rest, restOut; // yarn unknowns that do not ride
};

EnrichedPreconditioner::EnrichedPreconditioner(const Embedding& b, const YarnFilter& f)
    : b_(&b), f_(&f), inverse_(static_cast<std::size_t>(b.nodes()), Mat3::Identity()),
      factors_(std::make_unique<Factors>()) {}
EnrichedPreconditioner::~EnrichedPreconditioner() = default;

Index EnrichedPreconditioner::factorEntries() const {
    return static_cast<Index>(factors_->solver.matrixL().nestedExpression().nonZeros());
}

void EnrichedPreconditioner::factor(const Eigen::SparseMatrix<double>& triangles,
                                    Span<const Mat3> nodes, const NodeFilter& held,
                                    const Preconditioner* others) {
    held_ = &held;
    others_ = others;
    Factors& k = *factors_;
    const Index nv = b_->vertices(), nk = static_cast<Index>(f_->kept().size());
    k.entries.clear();
    const auto put = [&](Index row, Index column, const Mat3& block) {
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                if (3 * row + i >= 3 * column + j)
                    k.entries.emplace_back(static_cast<int>(3 * row + i),
                                           static_cast<int>(3 * column + j), block(i, j));
    };
    // What the riding nodes weigh at a vertex, to judge what is nothing there.
    std::vector<double> weight(static_cast<std::size_t>(nv), 0);
    for (Index i = 0; i < b_->nodes(); ++i) {
        if (!b_->riding(i)) continue;
        inverse_[i] = nodes[i].inverse();
        const Embedding::Row& r = b_->row(i);
        const double size = nodes[i].trace() / 3;
        for (int a = 0; a < 3; ++a) {
            const double w = r.weight[a];
            weight[r.vertex[a]] += w * w * size;
            for (int c = 0; c < 3; ++c) {
                const double wc = r.weight[c];
                const Index kc = f_->keptIndex(r.vertex[c]);
                if (kc < 0) continue;
                put(nv + kc, r.vertex[a], w * wc * held.at(r.vertex[a])); // B^T B, held rows out
                const Index ka = f_->keptIndex(r.vertex[a]);
                if (ka >= kc) put(nv + ka, nv + kc, -w * wc * inverse_[i]);
            }
        }
    }
    for (Index v = 0; v < nv; ++v) {
        // I where the filter holds; and where the triangles weigh nothing (all yarn) a millionth of
        // what the yarns do, which no iteration feels and which keeps the pivots apart from zero.
        Mat3 diagonal = Mat3::Identity() - held.at(v);
        const double own = triangles.coeff(3 * v, 3 * v);
        if (own <= 1e-6 * weight[v]) diagonal += 1e-6 * weight[v] * held.at(v);
        if (own == 0 && weight[v] == 0) diagonal = Mat3::Identity();
        put(v, v, diagonal);
    }
    for (int column = 0; column < triangles.outerSize(); ++column)
        for (Eigen::SparseMatrix<double>::InnerIterator it(triangles, column); it; ++it) {
            const Index i = it.row() / 3, j = column / 3;
            if (held.isFree(i) && held.isFree(j)) {
                if (it.row() >= column)
                    k.entries.emplace_back(static_cast<int>(it.row()), column, it.value());
                continue;
            }
            const Mat3 si = held.at(i), sj = held.at(j); // S A S, element by element
            for (int a = 0; a < 3; ++a)
                for (int c = 0; c < 3; ++c) {
                    const double value = si(a, it.row() % 3) * it.value() * sj(column % 3, c);
                    if (3 * i + a >= 3 * j + c)
                        k.entries.emplace_back(static_cast<int>(3 * i + a),
                                               static_cast<int>(3 * j + c), value);
                }
        }
    const Index size = 3 * (nv + nk);
    k.matrix.resize(size, size);
    k.matrix.setFromTriplets(k.entries.begin(), k.entries.end());
    const Index entries = static_cast<Index>(k.matrix.nonZeros());
    if (entries != k.analysed) {
        k.solver.analyzePattern(k.matrix);
        k.analysed = entries;
    }
    k.solver.factorize(k.matrix);
    if (k.solver.info() != Eigen::Success)
        throw Error("mixed preconditioner",
                    "its factorization met a zero pivot, expected triangles "
                    "and yarns of positive mass");
    k.rhs.resize(size);
}

void EnrichedPreconditioner::apply(Span<const Vec3> r, Span<Vec3> z) const {
    Factors& k = *factors_;
    const Index nv = b_->vertices(), m = b_->nodes(), nk = static_cast<Index>(f_->kept().size());
    const Span<const Vec3> rp(r.data() + nv, r.size() - nv);
    const Span<Vec3> zp(z.data() + nv, z.size() - nv);
    // D^-1 r_x of riding nodes into z, the others aside.
    if (others_) {
        k.rest.resize(rp.size()), k.restOut.resize(rp.size());
        parallelFor(static_cast<Index>(rp.size()), 1024, [&](Index i0, Index i1) {
            for (Index i = i0; i < i1; ++i)
                k.rest[i] = i < m && b_->riding(i) ? Vec3(Vec3::Zero()) : rp[i];
        });
        others_->apply(k.rest, k.restOut);
    }
    parallelFor(static_cast<Index>(rp.size()), 1024, [&](Index i0, Index i1) {
        for (Index i = i0; i < i1; ++i) {
            if (i < m && b_->riding(i))
                zp[i] = inverse_[i] * rp[i];
            else
                zp[i] = others_ ? k.restOut[i] : rp[i];
        }
    });
    parallelFor(nv, 256, [&](Index v0, Index v1) {
        for (Index v = v0; v < v1; ++v) {
            Vec3 top = r[v], bottom = Vec3::Zero();
            for (const Embedding::Entry& e : b_->column(v)) {
                top -= e.weight * rp[e.node];
                bottom += e.weight * zp[e.node];
            }
            held_->applyRow(v, top);
            k.rhs.segment<3>(3 * v) = top;
            const Index c = f_->keptIndex(v);
            if (c >= 0) k.rhs.segment<3>(3 * (nv + c)) = bottom;
        }
    });
    k.answer = k.solver.solve(k.rhs);
    for (Index v = 0; v < nv; ++v) z[v] = k.answer.segment<3>(3 * v);
    if (nk == 0) return;
    parallelFor(m, 1024, [&](Index i0, Index i1) {
        for (Index i = i0; i < i1; ++i) {
            const Embedding::Row& row = b_->row(i);
            if (!row.riding()) continue;
            Vec3 c = Vec3::Zero(), base = Vec3::Zero();
            for (int a = 0; a < 3; ++a) {
                const Index kept = f_->keptIndex(row.vertex[a]);
                if (kept >= 0) c += row.weight[a] * k.answer.segment<3>(3 * (nv + kept));
                base += row.weight[a] * z[row.vertex[a]];
            }
            zp[i] += inverse_[i] * c - base;
        }
    });
}

} // namespace purl
