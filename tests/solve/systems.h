// Random symmetric systems over the graph of a sheet, and their dense twins.
#pragma once

#include "purl/solve/block_matrix.h"

#include <Eigen/Dense>
#include <random>

namespace purl::test {

// Triangles and hinges of a sheet of nx by ny nodes, nodes shuffled if asked.
struct SheetGraph {
    Index nodes;
    std::vector<Index> triangles, hinges;
    std::vector<StencilView> views() const {
        return {{3, {triangles.data(), triangles.size()}}, {4, {hinges.data(), hinges.size()}}};
    }
};

inline SheetGraph sheetGraph(Index nx, Index ny, bool shuffled = false) {
    SheetGraph g;
    g.nodes = nx * ny;
    std::vector<Index> name(g.nodes);
    for (Index i = 0; i < g.nodes; ++i) name[i] = i;
    std::mt19937 random(7);
    if (shuffled) std::shuffle(name.begin(), name.end(), random);
    const auto at = [&](Index i, Index j) { return name[j * nx + i]; };
    for (Index j = 0; j + 1 < ny; ++j)
        for (Index i = 0; i + 1 < nx; ++i) {
            for (Index k : {at(i, j), at(i + 1, j), at(i + 1, j + 1)}) g.triangles.push_back(k);
            for (Index k : {at(i, j), at(i + 1, j + 1), at(i, j + 1)}) g.triangles.push_back(k);
            for (Index k : {at(i, j), at(i + 1, j + 1), at(i, j + 1), at(i + 1, j)})
                g.hinges.push_back(k);
        }
    return g;
}

inline Eigen::MatrixXd dense(const BlockMatrix& a) {
    const BlockPattern& p = a.pattern();
    Eigen::MatrixXd d = Eigen::MatrixXd::Zero(3 * a.size(), 3 * a.size());
    for (Index i = 0; i < a.size(); ++i)
        for (Index k = p.row[i]; k < p.row[i + 1]; ++k) {
            const Index j = p.column[k];
            d.block<3, 3>(3 * i, 3 * j) = a.blocks()[k];
            if (p.partOf(i) == p.partOf(j)) d.block<3, 3>(3 * j, 3 * i) = a.blocks()[k].transpose();
        }
    return d;
}

// mass I + sum over pairs of w (e_i - e_j)(e_i - e_j)^T (x) K: like springs, positive definite.
inline void fillSprings(BlockMatrix& a, double mass, double stiffness, unsigned seed = 3) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> u(-1, 1);
    const BlockPattern& p = a.pattern();
    for (Mat3& b : a.blocks()) b.setZero();
    for (Index i = 0; i < a.size(); ++i)
        a.blocks()[p.row[i]] += mass * (1 + 0.5 * u(random)) * Mat3::Identity();
    for (Index i = 0; i < a.size(); ++i)
        for (Index k = p.row[i] + 1; k < p.row[i + 1]; ++k) {
            const Index j = p.column[k];
            if (j < i) continue;
            const Vec3 n(u(random), u(random), u(random));
            const Mat3 w = stiffness * (n * n.transpose() + 0.01 * Mat3::Identity());
            a.blocks()[k] -= w;
            if (p.partOf(i) != p.partOf(j)) a.blocks()[p.find(j, i)] -= w.transpose();
            a.blocks()[p.row[i]] += w;
            a.blocks()[p.row[j]] += w;
        }
}

inline std::vector<Vec3> randomVector(Index n, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> u(-1, 1);
    std::vector<Vec3> x(n);
    for (Vec3& v : x) v = Vec3(u(random), u(random), u(random));
    return x;
}

inline Eigen::Map<const Eigen::VectorXd> flat(const std::vector<Vec3>& x) {
    return {x[0].data(), static_cast<Eigen::Index>(3 * x.size())};
}

} // namespace purl::test
