#include "purl/mixed/enriched_preconditioner.h"
#include "purl/mixed/system.h"
#include "purl/mixed/woodbury.h"
#include "purl/solve/mpcg.h"

#include "mixed/small_patch.h"

#include <gtest/gtest.h>

namespace purl {
namespace {
using test::randomVectors;
using test::rows;
using test::SmallPatch;

Eigen::SparseMatrix<double> diagonal(const std::vector<double>& mass) {
    Eigen::SparseMatrix<double> m(3 * mass.size(), 3 * mass.size());
    for (std::size_t i = 0; i < mass.size(); ++i)
        for (int k = 0; k < 3; ++k) m.insert(3 * i + k, 3 * i + k) = mass[i];
    return m;
}

std::vector<Mat3> blocks(const std::vector<double>& mass) {
    std::vector<Mat3> d;
    for (double m : mass) d.push_back(m * Mat3::Identity());
    return d;
}

class Jacobi final : public Preconditioner { // the "naive" one of the paper's Figure 2
public:
    explicit Jacobi(std::vector<double> d) : d_(std::move(d)) {}
    void apply(Span<const Vec3> r, Span<Vec3> z) const override {
        for (std::size_t i = 0; i < r.size(); ++i) z[i] = r[i] / d_[i];
    }

private:
    std::vector<double> d_;
};

// A chain of springs through all nodes, with masses: A_p.
class Chain final : public LinearOperator {
public:
    Chain(std::vector<double> mass, double k) : mass_(std::move(mass)), k_(k) {}
    Index size() const override { return static_cast<Index>(mass_.size()); }
    void apply(Span<const Vec3> x, Span<Vec3> y) const override {
        for (Index i = 0; i < size(); ++i) {
            y[i] = mass_[i] * x[i];
            if (i > 0) y[i] += k_ * (x[i] - x[i - 1]);
            if (i + 1 < size()) y[i] += k_ * (x[i] - x[i + 1]);
        }
    }

private:
    std::vector<double> mass_;
    double k_;
};

TEST(Woodbury, EqualsTheDenseInverse) { // oracle 26
    const SmallPatch patch;
    const YarnFilter f(patch.b);
    const WoodburyPreconditioner p(patch.b, f, patch.vertexMass, patch.nodeMass);
    const Eigen::MatrixXd s = patch.denseS(), id = Eigen::MatrixXd::Identity(s.rows(), s.rows());
    const Eigen::MatrixXd dense = s * patch.denseMass() + p.sigma() * (id - s);
    const std::vector<Vec3> r = randomVectors(s.rows(), 3);
    std::vector<Vec3> z(r.size());
    p.apply(r, z);
    const Eigen::MatrixX3d expected = dense.fullPivLu().solve(rows(r));
    EXPECT_LT((rows(z) - expected).cwiseAbs().maxCoeff(), 1e-12 * expected.cwiseAbs().maxCoeff());
}

TEST(Enriched, EqualsWoodburyOnFilteredVectors) {
    const SmallPatch patch;
    const YarnFilter f(patch.b);
    MixedFilter s(patch.b, f, 0);
    const WoodburyPreconditioner w(patch.b, f, patch.vertexMass, patch.nodeMass);
    EnrichedPreconditioner e(patch.b, f);
    e.factor(diagonal(patch.vertexMass), blocks(patch.nodeMass), s.held, nullptr);
    std::vector<Vec3> r = randomVectors(s.size(), 3), a(r.size()), b(r.size());
    s.apply(r);
    w.apply(r, a), e.apply(r, b);
    s.apply(a), s.apply(b);
    EXPECT_LT((rows(a) - rows(b)).cwiseAbs().maxCoeff(), 1e-12 * rows(a).cwiseAbs().maxCoeff());
}

TEST(Enriched, InvertsTheFilteredSystemWithBlocksAndPins) {
    const SmallPatch patch;
    const YarnFilter f(patch.b);
    MixedFilter s(patch.b, f, 0);
    s.held.pin(4);
    s.held.holdDirection(2, Vec3(1, 2, 3));
    std::srand(4);
    std::vector<Mat3> d;
    for (double m : patch.nodeMass) {
        const Mat3 q = Mat3::Random();
        d.push_back(m * (Mat3::Identity() + 3 * q * q.transpose()));
    }
    const Index nv = SmallPatch::kVertices, n = nv + patch.b.nodes();
    Eigen::MatrixXd v = Eigen::MatrixXd::Random(3 * nv, 3 * nv);
    v = 1e-6 * (v * v.transpose() + Eigen::MatrixXd::Identity(3 * nv, 3 * nv));
    EnrichedPreconditioner e(patch.b, f);
    e.factor(v.sparseView(), d, s.held, nullptr);
    // The dense system in three coordinates.
    Eigen::MatrixXd b3 = Eigen::MatrixXd::Zero(3 * patch.b.nodes(), 3 * nv),
                    dp = Eigen::MatrixXd::Zero(3 * patch.b.nodes(), 3 * patch.b.nodes());
    const Eigen::MatrixXd b1 = patch.dense();
    for (Index i = 0; i < patch.b.nodes(); ++i) {
        dp.block<3, 3>(3 * i, 3 * i) = d[i];
        for (Index j = 0; j < nv; ++j) b3.block<3, 3>(3 * i, 3 * j) = b1(i, j) * Mat3::Identity();
    }
    Eigen::MatrixXd a(3 * n, 3 * n);
    a << v + b3.transpose() * dp * b3, b3.transpose() * dp, dp * b3, dp;
    std::vector<Vec3> r = randomVectors(n, 12), z(n);
    s.apply(r);
    e.apply(r, z);
    s.apply(z);
    std::vector<Vec3> back(n);
    Eigen::Map<Eigen::VectorXd>(back[0].data(), 3 * n) =
        a * Eigen::Map<Eigen::VectorXd>(z[0].data(), 3 * n);
    s.apply(back);
    EXPECT_LT((rows(back) - rows(r)).cwiseAbs().maxCoeff(), 1e-10 * rows(r).cwiseAbs().maxCoeff());
}

TEST(Mixed, AllHybridWithWeightlessTrianglesIsThePureYarnSolve) { // physics 8.3
    SmallPatch patch;
    const YarnFilter f(patch.b);
    MixedFilter s(patch.b, f, 0);
    std::vector<double> none(SmallPatch::kVertices, 0);
    const Chain yarns(patch.nodeMass, 5e-6);
    const Chain triangles(none, 0);
    const MixedOperator a(patch.b, triangles, yarns);
    EnrichedPreconditioner e(patch.b, f);
    e.factor(diagonal(none), blocks(patch.nodeMass), s.held, nullptr);
    const std::vector<Vec3> fp = randomVectors(patch.b.nodes(), 9);
    // Right hand side (B^T f, f), as forces on yarns give.
    std::vector<Vec3> rhs(s.size(), Vec3::Zero()), x(s.size(), Vec3::Zero());
    std::copy(fp.begin(), fp.end(), rhs.begin() + SmallPatch::kVertices);
    patch.b.gather(fp, Span<Vec3>(rhs.data(), SmallPatch::kVertices));
    SolveSettings tight;
    tight.tolerance = 1e-12;
    const SolveReport report = Mpcg().solve(a, e, s, rhs, {}, x, tight);
    EXPECT_TRUE(report.good()) << name(report.outcome) << " " << report.residual;
    std::vector<Vec3> p(x.begin() + SmallPatch::kVertices, x.end());
    patch.b.addBase(Span<const Vec3>(x.data(), SmallPatch::kVertices), p);
    // The yarns alone.
    std::vector<Vec3> q(p.size(), Vec3::Zero());
    Mpcg().solve(yarns, Jacobi(patch.nodeMass), NodeFilter(yarns.size()), fp, {}, q, tight);
    EXPECT_LT((rows(p) - rows(q)).cwiseAbs().maxCoeff(), 1e-8 * rows(q).cwiseAbs().maxCoeff());
}

TEST(Mixed, OursNeedsFewerIterationsThanNoneAndDiagonal) {
    // Disparate masses: yarn nodes of 1e-8 kg times alpha on triangles of 3e-6 kg.
    SmallPatch patch(120, 8, 1e-8);
    for (double& m : patch.vertexMass) m += 3e-6;
    const YarnFilter f(patch.b);
    MixedFilter s(patch.b, f, 0);
    const Chain yarns(patch.nodeMass, 2e-10), triangles(patch.vertexMass, 0);
    const MixedOperator a(patch.b, triangles, yarns);
    EnrichedPreconditioner e(patch.b, f);
    std::vector<double> d = patch.nodeMass;
    for (double& m : d) m += 4e-10;
    e.factor(diagonal(patch.vertexMass), blocks(d), s.held, nullptr);
    std::vector<double> diag = patch.vertexMass;
    diag.insert(diag.end(), patch.nodeMass.begin(), patch.nodeMass.end());
    std::vector<Vec3> u = randomVectors(s.size(), 10), rhs(u.size());
    s.apply(u);
    a.apply(u, rhs);
    SolveSettings settings;
    settings.tolerance = 1e-8;
    const auto iterations = [&](const Preconditioner& p) {
        std::vector<Vec3> x(u.size(), Vec3::Zero());
        const SolveReport r = Mpcg().solve(a, p, s, rhs, {}, x, settings);
        return r.good() ? r.iterations : 1000;
    };
    const int none = iterations(Jacobi(std::vector<double>(u.size(), 1.0))),
              naive = iterations(Jacobi(diag)), ours = iterations(e);
    EXPECT_LT(ours, naive);
    EXPECT_LT(3 * ours, none);
}

} // namespace
} // namespace purl
