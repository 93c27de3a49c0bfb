// The one face of every cloth model, in plane or bending: stencils of equal width, each with an
// energy, its gradient and a positive semidefinite Hessian, written to slots of its own. The solver
// gathers slots in a fixed order, so results do not depend on the threads.
#pragma once

#include "purl/base/types.h"

namespace purl {

struct Stencils {
    int width = 0;            // nodes a stencil: 2 springs, 3 triangles, 4 hinges, 12 Loop patches
    std::vector<Index> nodes; // width a stencil
    Index count() const { return width ? static_cast<Index>(nodes.size()) / width : 0; }
};

// Slots of one energy; an empty span is not asked for. Written, not added to.
struct EnergySlots {
    Span<double> energy; // J, one a stencil
    Span<Vec3> gradient; // N, width a stencil: dE/dx, and minus the damping force
    Span<Mat3> hessian;  // N/m, width * width a stencil, row by row: of E, made positive
    Span<Mat3> damping;  // N s/m, likewise: minus the derivative of the damping force by v
};

class ClothEnergy {
public:
    virtual ~ClothEnergy() = default;
    virtual const Stencils& stencils() const = 0;
    // Stencils [begin, end) at positions x and velocities v (empty: at rest, no damping).
    virtual void evaluate(Index begin, Index end, Span<const Vec3> x, Span<const Vec3> v,
                          const EnergySlots& out) const = 0;
    // The full derivative of the gradient by x, not made positive: for tests and Newton's method.
    virtual void exactHessian(Index begin, Index end, Span<const Vec3> x, Span<Mat3> out) const = 0;
    // Per triangle: all its points are pinned. It does not bend, so a hinge on its border has only
    // the other triangle to bend over: without this a clamp is half an edge too soft.
    virtual void setRigid(Span<const std::uint8_t> /*triangle*/) {}
    virtual void endStep(Span<const Vec3>) {} // plastic rest shapes
    // What endStep changes: for checkpoints, rollback and the state's hash. Empty: nothing.
    virtual Span<double> memory() { return {}; }
};

} // namespace purl
