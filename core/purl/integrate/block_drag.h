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

    // Shapes of the blocks at x, and rates from v: mu_prop, or what stops by mu_const.
    void prepare(const std::vector<Vec3>& x, const std::vector<Vec3>& v,
                 const std::vector<double>& mass, const std::vector<double>& inverseMass,
                 double dt);
    double rate(Index node) const { return rate_[node]; } // 1/s
    // y -= factor mu m rigid(v): with factor mu m on the diagonal it is the drag's matrix.
    void subtractRigid(double factor, Span<const Vec3> v, Span<Vec3> y) const;
    double power(Span<const Vec3> v) const; // W, that the drag takes
    bool empty() const { return shape_.empty(); }

private:
    struct Shape {
        Vec3 centre;
        double mass;
        Mat3 inverseInertia;
        double rate; // 1/s; 0: too small to have a shape
    };
    RigidVelocity rigid(Index block, Span<const Vec3> v) const;

    DampingSettings settings_;
    std::vector<Index> start_{0}, node_;
    std::vector<Shape> shape_;
    std::vector<double> rate_, mass_; // per node; mass 0 where pinned
    std::vector<Vec3> x_;
};

} // namespace purl
