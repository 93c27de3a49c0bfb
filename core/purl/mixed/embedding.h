// Yarn nodes that ride on triangles: the matrix B of physics 8.2, at most three barycentric weights
// a row. A row without a triangle is a node of the full-yarn region: it rides on nothing, and its
// unknown is its position.
#pragma once

#include "purl/base/types.h"

#include <Eigen/SparseCore>
#include <array>

namespace purl {

class Embedding {
public:
    struct Row {
        std::array<Index, 3> vertex{-1, -1, -1}; // vertex[0] < 0: on no triangle
        std::array<double, 3> weight{};          // their sum is 1
        bool riding() const { return vertex[0] >= 0; }
    };

    Embedding() = default;
    // Throws Error that names the row if weights do not add up to 1 or a vertex is not there.
    Embedding(Index vertices, std::vector<Row> rows);

    Index vertices() const { return vertices_; }
    Index nodes() const { return static_cast<Index>(rows_.size()); }
    const Row& row(Index i) const { return rows_[i]; }
    bool riding(Index i) const { return rows_[i].riding(); }
    // Vertices that carry a yarn node, in order.
    const std::vector<Index>& carriers() const { return carriers_; }

    void addBase(Span<const Vec3> v, Span<Vec3> p) const; // p += B v
    void gather(Span<const Vec3> p, Span<Vec3> v) const;  // v += B^T p
    // Sum over nodes of weight_i weight_j w(node), for scalar weights w of nodes: B^T diag(w) B,
    // over all vertices. Empty w: ones.
    Eigen::SparseMatrix<double> gram(Span<const double> w) const;

    // Entries of a column: nodes that ride on the vertex, in order, with their weights.
    struct Entry {
        Index node;
        double weight;
    };
    Span<const Entry> column(Index vertex) const {
        return {entries_.data() + first_[vertex],
                static_cast<std::size_t>(first_[vertex + 1] - first_[vertex])};
    }

private:
    Index vertices_ = 0;
    std::vector<Row> rows_;
    std::vector<Index> first_;
    std::vector<Entry> entries_;
    std::vector<Index> carriers_;
};

} // namespace purl
