// The matrix of an implicit yarn step, M + h D + h^2 A (physics 4.9), as the solver sees it: a band
// over slots (mass, rods, stretch, the same side of contacts, colliders, goals), the coupling of
// contacts, and the drag of blocks. Welded nodes are one unknown: one of them answers for all, the
// others' rows are empty and their values copies.
#pragma once

#include "purl/contact/acl_matrix.h"
#include "purl/implicit/stretch.h"
#include "purl/integrate/block_drag.h"
#include "purl/model/weld.h"
#include "purl/rod/stiffness.h"
#include "purl/solve/operator.h"

namespace purl {

class YarnMatrix final : public LinearOperator {
public:
    YarnMatrix() = default;
    // A pinned node (inverseMass 0) answers for those welded to it, else the smallest does.
    YarnMatrix(const Curves& yarns, const Layout&, const std::vector<Weld>&,
               const std::vector<double>& inverseMass);

    // First: bending, twist and stretch, times `factor` (s2).
    void setRods(const RodStiffness&, const Stretch&, double factor);
    // Then what is added to the band, in kg; contacts may be null.
    void addDiagonal(Index node, double kg) {
        float* r = band_.row(layout_->slotOf[node]);
        for (int m : {0, 3, 5}) {
            r[m] += static_cast<float>(kg);
            r[SlotBand::kSum + m] += static_cast<float>(kg);
        }
    }
    void addDiagonal(Index node, const Mat3& kg);
    // Last: folds ghosts, joins welds. What apply() uses must live on.
    void finish(const AclMatrix* contacts, const BlockDrag* drag);

    Index size() const override { return static_cast<Index>(master_.size()); }
    void apply(Span<const Vec3> x, Span<Vec3> y) const override;
    const SlotBand& band() const { return band_; }
    Index master(Index node) const { return master_[node]; } // the node that answers for it
    bool answers(Index node) const { return master_[node] == node; }
    // Sums what welded nodes got to those that answer (and clears them), or copies back.
    void gatherWelds(Span<Vec3> y) const;
    void spreadWelds(Span<Vec3> x) const;
    void joinWelds(Span<std::uint8_t> flag) const; // what one of them has, all have

private:
    void foldOpen(Index yarn);
    void foldClosed(Index yarn);
    void fillGhosts(Float4* x) const;
    void foldGhostValues(Float4* y) const;

    const Layout* layout_ = nullptr;
    std::vector<Index> master_;   // per node
    std::vector<Index> follower_; // nodes that answer to another, ascending
    SlotBand band_;
    const AclMatrix* contacts_ = nullptr;
    const BlockDrag* drag_ = nullptr;
    mutable std::vector<Float4> x_, y_; // by slot
    mutable std::vector<Vec3> spread_;
};

} // namespace purl
