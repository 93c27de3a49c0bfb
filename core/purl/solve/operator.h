// What the linear solver sees of a system: a matrix it can multiply with, a preconditioner it can
// apply. Both work on flat arrays of three numbers a node and may be assembled or matrix-free;
// cloth, yarns and the mixed model share the solver through this face.
#pragma once

#include "purl/base/types.h"

namespace purl {

class LinearOperator {
public:
    virtual ~LinearOperator() = default;
    virtual Index size() const = 0; // nodes
    // y = A x, A symmetric. x and y do not overlap.
    virtual void apply(Span<const Vec3> x, Span<Vec3> y) const = 0;
};

class Preconditioner {
public:
    virtual ~Preconditioner() = default;
    // z = P^-1 r, P symmetric and positive definite. r and z do not overlap.
    virtual void apply(Span<const Vec3> r, Span<Vec3> z) const = 0;
};

} // namespace purl
