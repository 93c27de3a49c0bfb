// Self-collision by spheres at the nodes, as the paper has it: nodes that are not neighbours in the
// cloth do not come closer than their two radii. What approaches is stopped, with Coulomb friction
// on what slides, over a few sweeps in which every node looks at its own neighbours only: the same
// bits at every thread count.
#pragma once

#include "purl/crossing/fabric.h"

namespace purl {

class NodeSpheres {
public:
    // share of the spacing: a sphere's radius, at least the yarn's and at most so large that
    // neighbours at rest in the network, two apart along their yarns, are clear of each other.
    NodeSpheres(const Fabric& fabric, Span<const Vec3> q, double share, double friction);

    // x0, x1 (m): start and wanted end of the step; v (m/s) is changed. Nodes of inverseMass 0
    // stay. scratch: a vector a node. Returns the pairs that touched.
    Index resolve(Span<const Vec3> x0, Span<const Vec3> x1, Span<Vec3> v,
                  Span<const double> inverseMass, double h, Span<Vec3> scratch);
    std::size_t bytes() const;

private:
    static constexpr int kSweeps = 4;
    void build(Span<const Vec3> x, double skin);
    bool related(Index i, Index j) const; // close along the yarns

    const Fabric& fabric_;
    double friction_;
    std::vector<float> radius_; // m, per node
    double largest_ = 0;
    std::vector<Vec3> at_;             // where the lists were made
    double skin_ = 0;                  // m
    std::vector<Index> first_, other_; // per node: near ones that are not related
    std::vector<std::uint64_t> key_;
    std::vector<Index> order_;
};

} // namespace purl
