#include "purl/mixed/embedding.h"

#include "purl/base/error.h"
#include "purl/base/parallel.h"

#include <cmath>
#include <string>

namespace purl {

namespace {
constexpr Index kRows = 1024, kColumns = 16; // a task
}

Embedding::Embedding(Index vertices, std::vector<Row> rows)
    : vertices_(vertices), rows_(std::move(rows)),
      first_(static_cast<std::size_t>(vertices) + 1, 0) {
    for (Index i = 0; i < nodes(); ++i) {
        const Row& r = rows_[i];
        if (!r.riding()) continue;
        double sum = 0;
        for (int k = 0; k < 3; ++k) {
            if (r.vertex[k] < 0 || r.vertex[k] >= vertices)
                throw Error("yarn node " + std::to_string(i),
                            "rides on vertex " + std::to_string(r.vertex[k]) + ", expected 0 to " +
                                std::to_string(vertices - 1));
            sum += r.weight[k];
        }
        if (!(std::abs(sum - 1) < 1e-9))
            throw Error("yarn node " + std::to_string(i),
                        "has barycentric weights that add up to " + std::to_string(sum) +
                            ", expected 1");
        for (Index v : r.vertex) ++first_[v + 1];
    }
    for (Index v = 0; v < vertices; ++v) {
        if (first_[v + 1] > 0) carriers_.push_back(v);
        first_[v + 1] += first_[v];
    }
    entries_.resize(static_cast<std::size_t>(first_[vertices]));
    std::vector<Index> next(first_.begin(), first_.end() - 1);
    for (Index i = 0; i < nodes(); ++i)
        if (rows_[i].riding())
            for (int k = 0; k < 3; ++k)
                entries_[next[rows_[i].vertex[k]]++] = {i, rows_[i].weight[k]};
}

void Embedding::addBase(Span<const Vec3> v, Span<Vec3> p) const {
    parallelFor(nodes(), kRows, [&](Index i0, Index i1) {
        for (Index i = i0; i < i1; ++i) {
            const Row& r = rows_[i];
            if (!r.riding()) continue;
            p[i] += r.weight[0] * v[r.vertex[0]] + r.weight[1] * v[r.vertex[1]] +
                    r.weight[2] * v[r.vertex[2]];
        }
    });
}

void Embedding::gather(Span<const Vec3> p, Span<Vec3> v) const {
    const Index n = static_cast<Index>(carriers_.size());
    parallelFor(n, kColumns, [&](Index c0, Index c1) {
        for (Index c = c0; c < c1; ++c) {
            Vec3 sum = Vec3::Zero();
            for (const Entry& e : column(carriers_[c])) sum += e.weight * p[e.node];
            v[carriers_[c]] += sum;
        }
    });
}

Eigen::SparseMatrix<double> Embedding::gram(Span<const double> w) const {
    std::vector<Eigen::Triplet<double>> t;
    for (Index i = 0; i < nodes(); ++i) {
        const Row& r = rows_[i];
        if (!r.riding()) continue;
        const double scale = w.empty() ? 1 : w[i];
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b)
                t.emplace_back(r.vertex[a], r.vertex[b], scale * r.weight[a] * r.weight[b]);
    }
    Eigen::SparseMatrix<double> g(vertices_, vertices_);
    g.setFromTriplets(t.begin(), t.end());
    return g;
}

} // namespace purl
