// The linear system of the mixed model (physics 8.3). Unknowns stand side by side: triangle
// vertices, then yarn nodes (displacements where they ride, positions where they do not), then
// whatever else the yarns have (sliding coordinates, packed by three).
//   A (v, x) = (A_v v + B^T r, r),  r = A_p (B v + x);   S filters x by F and holds pins.
#pragma once

#include "purl/mixed/yarn_filter.h"
#include "purl/solve/filter.h"
#include "purl/solve/operator.h"

namespace purl {

class MixedOperator final : public LinearOperator {
public:
    // triangles: over vertices. yarns: over nodes and the rest. Both outlive this.
    MixedOperator(const Embedding& b, const LinearOperator& triangles, const LinearOperator& yarns);
    Index size() const override { return triangles_->size() + yarns_->size(); }
    void apply(Span<const Vec3> x, Span<Vec3> y) const override;

private:
    const Embedding* b_;
    const LinearOperator *triangles_, *yarns_;
    mutable std::vector<Vec3> p_;
};

class MixedFilter final : public Filter {
public:
    // `extra`: unknowns after the yarn nodes. Nodes that ride must stay free in `held`: what is
    // pinned there is held through its triangle, or by a goal.
    MixedFilter(const Embedding& b, const YarnFilter& f, Index extra);
    NodeFilter held; // over all unknowns
    Index size() const override { return held.size(); }
    void apply(Span<Vec3> x) const override;

private:
    Index vertices_, nodes_;
    const YarnFilter* f_;
};

} // namespace purl
