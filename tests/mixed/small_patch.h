// A 3 x 3 grid of vertices with yarn nodes strewn on its triangles, and dense matrices of it.
#pragma once

#include "purl/mixed/embedding.h"

#include <Eigen/Dense>
#include <random>

namespace purl::test {

struct SmallPatch {
    static constexpr Index kVertices = 9;
    Embedding b;
    std::vector<double> vertexMass, nodeMass;

    explicit SmallPatch(Index nodes = 120, unsigned seed = 8, double scale = 1e-6,
                        Index loose = 0) {
        std::mt19937 r(seed);
        std::uniform_real_distribution<double> u(0, 1);
        std::vector<std::array<Index, 3>> triangles;
        for (Index i = 0; i < 2; ++i)
            for (Index j = 0; j < 2; ++j) {
                const Index a = i * 3 + j;
                triangles.push_back({a, a + 3, a + 1});
                triangles.push_back({a + 1, a + 3, a + 4});
            }
        std::vector<Embedding::Row> rows(nodes + loose);
        std::vector<double> other(kVertices, 0);
        for (Index k = 0; k < nodes + loose; ++k) {
            const double alpha = 0.01 + 0.98 * u(r);
            nodeMass.push_back(scale * alpha);
            if (k >= nodes) continue; // rides on nothing
            rows[k].vertex = triangles[r() % triangles.size()];
            double s = 0;
            for (double& w : rows[k].weight) s += w = -std::log(1 - u(r));
            for (double& w : rows[k].weight) w /= s;
            rows[k].weight[2] = 1 - rows[k].weight[0] - rows[k].weight[1];
            for (int c = 0; c < 3; ++c)
                other[rows[k].vertex[c]] += scale * (1 - alpha) * rows[k].weight[c];
        }
        for (double m : other) vertexMass.push_back(m + scale / 10);
        b = Embedding(kVertices, rows);
    }

    Eigen::MatrixXd dense() const { // B, one coordinate
        Eigen::MatrixXd d = Eigen::MatrixXd::Zero(b.nodes(), kVertices);
        for (Index i = 0; i < b.nodes(); ++i)
            if (b.riding(i))
                for (int k = 0; k < 3; ++k) d(i, b.row(i).vertex[k]) += b.row(i).weight[k];
        return d;
    }
    Eigen::MatrixXd denseFilter() const {
        const Eigen::MatrixXd d = dense();
        return Eigen::MatrixXd::Identity(b.nodes(), b.nodes()) -
               d * (d.transpose() * d).ldlt().solve(d.transpose());
    }
    Eigen::MatrixXd denseMass() const { // of (v, x), physics 8.3
        const Eigen::MatrixXd d = dense();
        const Eigen::VectorXd mp = Eigen::Map<const Eigen::VectorXd>(nodeMass.data(), b.nodes());
        const Eigen::VectorXd mv = Eigen::Map<const Eigen::VectorXd>(vertexMass.data(), kVertices);
        Eigen::MatrixXd m(kVertices + b.nodes(), kVertices + b.nodes());
        m << Eigen::MatrixXd(mv.asDiagonal()) + d.transpose() * mp.asDiagonal() * d,
            d.transpose() * mp.asDiagonal(), mp.asDiagonal() * d, Eigen::MatrixXd(mp.asDiagonal());
        return m;
    }
    Eigen::MatrixXd denseS() const {
        Eigen::MatrixXd s = Eigen::MatrixXd::Identity(kVertices + b.nodes(), kVertices + b.nodes());
        s.bottomRightCorner(b.nodes(), b.nodes()) = denseFilter();
        return s;
    }
};

inline std::vector<Vec3> randomVectors(Index n, unsigned seed) {
    std::mt19937 r(seed);
    std::normal_distribution<double> g;
    std::vector<Vec3> x(n);
    for (Vec3& v : x) v = Vec3(g(r), g(r), g(r));
    return x;
}

inline Eigen::MatrixX3d rows(const std::vector<Vec3>& x) {
    Eigen::MatrixX3d m(x.size(), 3);
    for (std::size_t i = 0; i < x.size(); ++i) m.row(i) = x[i];
    return m;
}

} // namespace purl::test
