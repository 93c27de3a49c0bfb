// The filter S of physics 6.9: a symmetric projector onto what the solver may change. The one of
// cloth works per node, and what it takes away is prescribed: pins, sliding planes and lines,
// contact directions. That of the mixed model takes out of the yarns what triangles say.
#pragma once

#include "purl/base/types.h"

namespace purl {

class Filter {
public:
    virtual ~Filter() = default;
    virtual Index size() const = 0;             // nodes
    virtual void apply(Span<Vec3> x) const = 0; // x = S x
};

class NodeFilter final : public Filter {
public:
    explicit NodeFilter(Index nodes = 0) { reset(nodes); }

    void reset(Index nodes); // all free
    Index size() const override { return static_cast<Index>(slot_.size()); }
    bool isFree(Index i) const { return slot_[i] < 0; }
    Index constrained() const { return static_cast<Index>(nodes_.size()); }

    // Each takes directions away from what is left of the node; repeated calls add up.
    void pin(Index i);                        // all three
    void holdDirection(Index i, const Vec3&); // it slides in the plane across; need not be a unit
    void holdAllBut(Index i, const Vec3&);    // it slides on a line
    void set(Index i, const Mat3& s);         // any symmetric projector, in place of what was

    Mat3 at(Index i) const {
        if (slot_[i] < 0) return Mat3::Identity();
        return projector_[slot_[i]];
    }
    void apply(Span<Vec3> x) const override;
    void applyRow(Index i, Vec3& x) const {
        if (slot_[i] >= 0) x = projector_[slot_[i]] * x;
    }
    // The same filter over nodes in another order: node i is `position[i]` there.
    void permuted(Span<const Index> position, NodeFilter& out) const;
    bool operator==(const NodeFilter& o) const;

private:
    Mat3& own(Index i);

    std::vector<Index> slot_;  // per node: its projector, -1 if free
    std::vector<Index> nodes_; // of each projector
    std::vector<Mat3> projector_;
};

} // namespace purl
