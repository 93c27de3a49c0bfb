// A preconditioner of two levels, as the mixed model itself is: the triangles see what is far, the
// yarns what is near. It works on positions p of yarn nodes, not on what they differ by from their
// triangles: the filtered residual (r_v, r_x) is that of p, g = r_x + B (B^T B)^-1 r_v, and an
// answer p is v = (B^T B)^-1 B^T p with x = F p. Every yarn is then one line from the yarn region
// through the ring, and is solved as one (crossing/yarn_lines.h); filtered before and after, its
// answer would break at the region's border, where yarns are stiffest.
//   far: all vertices of the mesh, those under paint too, every node moved by its triangle: the
//   triangles' own matrix and the yarns' as those motions see it (Galerkin), factored sparsely.
#pragma once

#include "purl/crossing/yarn_lines.h"
#include "purl/mixed/yarn_filter.h"
#include "purl/solve/filter.h"
#include "purl/solve/operator.h"

#include <memory>

namespace purl {

class LinePreconditioner final : public Preconditioner {
public:
    // under: every node on its triangle, riding or not. outer: per vertex, whether triangles go on
    // beyond it that no yarn rides on.
    LinePreconditioner(const Fabric& fabric, const Embedding& b, const YarnFilter& f,
                       const Embedding& under, std::vector<char> outer);
    ~LinePreconditioner() override;
    // triangles: 3 rows a vertex. pinned: over vertices. yarnHeld: over the yarns' unknowns.
    void factor(const Eigen::SparseMatrix<double>& triangles, const NodeFilter& pinned,
                const Stiffness& yarns, const NodeFilter& yarnHeld);
    void apply(Span<const Vec3> r, Span<Vec3> z) const override;
    std::size_t bytes() const;

private:
    void tie(const Eigen::SparseMatrix<double>& triangles);
    struct Factor;
    const Embedding *b_, *under_;
    const YarnFilter* f_;
    std::vector<char> outer_;
    YarnLines lines_;
    FabricCoarse hats_;        // a vertex' share of each node
    std::vector<Mat3> ground_; // per node
    const NodeFilter* pinned_ = nullptr;
    std::unique_ptr<Factor> factor_;
};

} // namespace purl
