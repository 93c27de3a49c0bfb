// Which nodes of a fabric may touch each other: spheres at the nodes (the paper's self-collision),
// found with a hashed grid and kept in lists until something has moved far enough. Nodes that are
// near each other along the yarns are no pair.
#pragma once

#include "purl/crossing/fabric.h"

namespace purl {

class SpherePairs {
public:
    // share of the spacing: a sphere's radius, at least the yarn's.
    SpherePairs(const Fabric& fabric, Span<const Vec3> q, double share);

    // Lists for a step from x0 in which no node moves further than `reach` (m).
    void update(Span<const Vec3> x0, double reach);
    bool empty() const { return other_.empty(); }
    Span<const Index> near(Index i) const {
        return {other_.data() + first_[i], static_cast<std::size_t>(first_[i + 1] - first_[i])};
    }
    Index firstOf(Index i) const { return first_[i]; } // place of node i's list in all lists
    std::size_t size() const { return other_.size(); }
    double radius(Index i) const { return radius_[i]; }
    double smallest() const { return smallest_; } // m
    std::size_t bytes() const;

private:
    void build(Span<const Vec3> x, double skin);
    bool related(Index i, Index j) const;

    const Fabric& fabric_;
    std::vector<float> radius_; // m, per node
    double largest_ = 0, smallest_ = 0;
    std::vector<Vec3> at_;             // where the lists were made
    double skin_ = 0;                  // m
    std::vector<Index> first_, other_; // per node
    std::vector<std::uint64_t> key_;
    std::vector<Index> order_;
};

} // namespace purl
