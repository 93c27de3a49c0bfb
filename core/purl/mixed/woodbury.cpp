#include "purl/mixed/woodbury.h"

#include "purl/base/error.h"

#include <Eigen/LU>
#include <Eigen/SparseCholesky>
#include <cmath>
#include <string>

namespace purl {

struct WoodburyPreconditioner::Factors {
    Eigen::SimplicialLLT<Eigen::SparseMatrix<double>> w; // M_v + B^T M_p B, at the columns of B
    Eigen::PartialPivLU<Eigen::MatrixXd> c;              // of C, equilibrated
    Eigen::VectorXd rowScale, columnScale;               // of C
    Eigen::SparseMatrix<double> b;                       // nodes x columns
    Eigen::VectorXd mass;                                // kg, of nodes
};

WoodburyPreconditioner::~WoodburyPreconditioner() = default;

WoodburyPreconditioner::WoodburyPreconditioner(const Embedding& b, const YarnFilter& f,
                                               Span<const double> vertexMass,
                                               Span<const double> nodeMass)
    : b_(&b), columns_(f.kept()), vertexMass_(vertexMass.begin(), vertexMass.end()),
      nodeMass_(nodeMass.begin(), nodeMass.end()), factors_(std::make_unique<Factors>()) {
    if (!f.dropped().empty())
        throw Error("mixed preconditioner",
                    "vertex " + std::to_string(f.dropped()[0]) +
                        " carries too few yarn nodes, expected a column of B that is independent");
    const Index n = static_cast<Index>(columns_.size()), m = b.nodes();
    Factors& k = *factors_;
    std::vector<Eigen::Triplet<double>> t;
    double logs = 0;
    Index riding = 0;
    for (Index i = 0; i < m; ++i) {
        const Embedding::Row& r = b.row(i);
        if (!r.riding()) continue;
        for (int a = 0; a < 3; ++a)
            t.emplace_back(static_cast<int>(i), static_cast<int>(f.keptIndex(r.vertex[a])),
                           r.weight[a]);
        logs += std::log(nodeMass_[i]);
        ++riding;
    }
    if (n == 0) return;
    sigma_ = std::exp(logs / static_cast<double>(riding)); // geometric mean: C stays well scaled
    k.b.resize(m, n);
    k.b.setFromTriplets(t.begin(), t.end());
    k.mass = Eigen::Map<const Eigen::VectorXd>(nodeMass_.data(), m);
    const Eigen::SparseMatrix<double> btb = k.b.transpose() * k.b;
    const Eigen::SparseMatrix<double> btmb = k.b.transpose() * k.mass.asDiagonal() * k.b;
    const Eigen::SparseMatrix<double> btib =
        k.b.transpose() * k.mass.cwiseInverse().asDiagonal() * k.b;
    Eigen::SparseMatrix<double> w = btmb;
    for (Index c = 0; c < n; ++c) w.coeffRef(c, c) += vertexMass_[columns_[c]];
    k.w.compute(w);
    const Eigen::MatrixXd id = Eigen::MatrixXd::Identity(n, n), wi = k.w.solve(id);
    const Eigen::MatrixXd g = btb, gm = btmb, gi = btib;
    Eigen::MatrixXd c(3 * n, 3 * n);
    c << sigma_ * gi, sigma_ * g - gm, -gm * wi, //
        g, gm, id,                               //
        Eigen::MatrixXd::Zero(n, n), id, wi;
    k.rowScale = c.cwiseAbs().rowwise().maxCoeff().cwiseInverse();
    c = k.rowScale.asDiagonal() * c;
    k.columnScale = c.cwiseAbs().colwise().maxCoeff().cwiseInverse().transpose();
    k.c.compute(c * k.columnScale.asDiagonal());
}

void WoodburyPreconditioner::apply(Span<const Vec3> r, Span<Vec3> z) const {
    const Index n = static_cast<Index>(columns_.size()), m = b_->nodes(), nv = b_->vertices();
    for (Index v = 0; v < nv; ++v) z[v] = vertexMass_[v] > 0 ? Vec3(r[v] / vertexMass_[v]) : r[v];
    for (std::size_t i = 0; i < nodeMass_.size(); ++i) z[nv + i] = r[nv + i] / nodeMass_[i];
    if (n == 0) return;
    const Factors& k = *factors_;
    Eigen::VectorXd rv(n), yx(m), g(3 * n);
    for (int axis = 0; axis < 3; ++axis) {
        for (Index c = 0; c < n; ++c) rv[c] = r[columns_[c]][axis];
        for (Index i = 0; i < m; ++i) yx[i] = b_->riding(i) ? z[nv + i][axis] : 0;
        const Eigen::VectorXd yv = k.w.solve(rv);
        const Eigen::VectorXd my = k.mass.cwiseProduct(yx);
        const Eigen::VectorXd mb = k.mass.cwiseProduct(k.b * yv);
        g << k.b.transpose() * (sigma_ * yx - mb - my), k.b.transpose() * my, yv;
        const Eigen::VectorXd c = k.columnScale.cwiseProduct(k.c.solve(k.rowScale.cwiseProduct(g)));
        const Eigen::VectorXd zv = yv - k.w.solve(c.tail(n));
        const Eigen::VectorXd zx =
            yx - (k.b * c.head(n)).cwiseQuotient(k.mass) - k.b * c.segment(n, n);
        for (Index j = 0; j < n; ++j) z[columns_[j]][axis] = zv[j];
        for (Index i = 0; i < m; ++i)
            if (b_->riding(i)) z[nv + i][axis] = zx[i];
    }
}

} // namespace purl
