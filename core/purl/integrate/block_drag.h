// Block damping (block_damping.h, physics 5.3) as a force for implicit steps: a node is dragged
// towards the rigid motion of its block, -mu m (v - rigid(v)), which keeps linear and angular
// momentum of the block. Inside the solve, so that contact answers to it (applied after the solve
// it crushes gaps).
#pragma once

#include "purl/integrate/block_damping.h"

namespace purl {

class BlockDrag {
public:
    BlockDrag() = default;
    BlockDrag(const BlockDamping& blocks, Index nodes);

    // Shapes of the blocks at x, and rates from v: mu_prop, or what stops by mu_const. For steps
    // whose unknown u acts for h (s) and is v = V + weight u (sim/implicit_parts.h): the drag is
    // then held m (u - rigid(u)) in the matrix, held = weight h mu, and h mu m (V - rigid(V)) on
    // the right-hand side. A block has the weight of its first node.
    void prepare(const std::vector<Vec3>& x, const std::vector<Vec3>& v,
                 const std::vector<double>& mass, const std::vector<double>& inverseMass, double dt,
                 double h, const std::vector<double>& weight);
    double held(Index node) const { return held_[node]; } // of the node's mass, on the diagonal
    void subtractHeld(Span<const Vec3> u, Span<Vec3> y) const; // y -= held m rigid(u)
    void addDamping(Span<const Vec3> v, Span<Vec3> y) const;   // y -= h mu m (v - rigid(v))
    bool empty() const { return shape_.empty(); }

private:
    struct Shape {
        Vec3 centre;
        double mass;
        Mat3 inverseInertia;
        double held, damp; // of a node's mass; 0: too small to have a shape
    };
    RigidVelocity rigid(Index block, Span<const Vec3> v) const;

    DampingSettings settings_;
    std::vector<Index> start_{0}, node_;
    std::vector<Shape> shape_;
    std::vector<double> held_, mass_; // per node; mass 0 where pinned
    std::vector<Vec3> x_;
};

} // namespace purl
