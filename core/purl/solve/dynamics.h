// What is integrated in time: nodes with masses, forces and a filter, M x'' = f(x, v). Cloth is
// one; the oscillators of the tests are others.
#pragma once

#include "purl/solve/mpcg.h"

namespace purl {

class Dynamics {
public:
    virtual ~Dynamics() = default;
    virtual Index nodes() const = 0;
    virtual Span<const double> mass() const = 0;  // kg, > 0
    virtual const NodeFilter& filter() const = 0; // which directions of a node are free

    // Forces (N) at x (m) and v (m/s); returns the potential energy, J.
    virtual double force(Span<const Vec3> x, Span<const Vec3> v, Span<Vec3> f) = 0;
    // The same forces, and keeps A = M + damping D + stiffness K for solve(), with K = -df/dx made
    // positive semidefinite and D = -df/dv. kw = K w, if w is given.
    virtual void linearise(Span<const Vec3> x, Span<const Vec3> v, double damping /*s*/,
                           double stiffness /*s2*/, Span<const Vec3> w, Span<Vec3> f,
                           Span<Vec3> kw) = 0;
    // S(A y - b) = 0, (I - S) y = (I - S) z.
    virtual SolveReport solve(Span<const Vec3> b, Span<const Vec3> z, Span<Vec3> y,
                              const SolveSettings& settings) = 0;
};

} // namespace purl
