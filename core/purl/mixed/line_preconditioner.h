// A preconditioner of two levels, as the mixed model itself is: the triangles see what is far, the
// yarns what is near. It works on positions p of yarn nodes, not on what they differ by from their
// triangles: the filtered residual (r_v, r_x) is that of p, g = r_x + B (B^T B)^-1 r_v, and an
// answer p is v = (B^T B)^-1 B^T p with x = F p. Every yarn is then one line from the yarn region
// through the ring, and is solved as one (crossing/yarn_lines.h); filtered before and after, its
// answer would break at the region's border, where yarns are stiffest.
//   far: all vertices of the mesh, those under paint too, every node moved by its triangle: the
//   triangles' own matrix and the yarns' as those motions see it (Galerkin), factored sparsely.
// Near first, then far of what near leaves (deflation, "A-DEF2" of Tang et al. 2009): summed up
// instead, what both see was counted twice, and the ring's vertices had eigenvalues of 30.
#pragma once

#include "purl/crossing/yarn_lines.h"
#include "purl/mixed/yarn_filter.h"
#include "purl/solve/filter.h"
#include "purl/solve/operator.h"

#include <memory>

namespace purl {

class LinePreconditioner final : public Preconditioner {
public:
    // under: every node on its triangle, riding or not.
    LinePreconditioner(const Fabric& fabric, const Embedding& b, const YarnFilter& f,
                       const Embedding& under);
    ~LinePreconditioner() override;
    // triangles: 3 rows a vertex. pinned: over vertices, whose hats are left out. yarnHeld,
    // farHeld: over the yarns' unknowns, what lines and hats do not move. All have to stay until
    // the next call; farHeld and pinned have to hold what the filter holds.
    void factor(const Eigen::SparseMatrix<double>& triangles, const NodeFilter& pinned,
                const Stiffness& yarns, const NodeFilter& yarnHeld, const NodeFilter& farHeld,
                const LinearOperator& system, const Filter& filter);
    // Symmetric to residuals in which nothing far is left, as begin() leaves them and iterations
    // keep them: x of A x = b is this x and the solution for `left`.
    void begin(Span<const Vec3> b, Span<Vec3> x, Span<Vec3> left) const;
    void apply(Span<const Vec3> r, Span<Vec3> z) const override;
    std::size_t bytes() const;

private:
    void addFar(Span<const Vec3> r, Span<Vec3> z) const; // z += Z (Z^T A Z)^-1 Z^T r
    void tie(const Eigen::SparseMatrix<double>& triangles);
    struct Factor;
    const Embedding *b_, *under_;
    const YarnFilter* f_;
    YarnLines lines_;
    FabricCoarse hats_;        // a vertex' share of each node
    std::vector<Mat3> ground_; // per node
    const NodeFilter* pinned_ = nullptr;
    const LinearOperator* system_ = nullptr;
    const Filter* filter_ = nullptr;
    std::unique_ptr<Factor> factor_;
};

} // namespace purl
