// The integrators of physics 6.8 behind one face. A step never changes its own start: a caller that
// does not like the end tries again with a shorter step, and tells commit() what it kept.
#pragma once

#include "purl/solve/dynamics.h"

#include <memory>
#include <string>

namespace purl {

enum class Scheme {
    SymplecticEuler, // explicit, order 1
    Leapfrog,        // kick-drift-kick, 2
    Midpoint,        // 2
    RungeKutta4,     // 4
    AdamsBashforth2, // 2, remembers a step
    LinearImplicit,  // Baraff and Witkin: backward Euler in one solve, 1
    BackwardEuler,   // with Newton and line search, 1
    Bdf2,            // 2, damps what it cannot resolve; remembers a step
    CrankNicolson,   // 2, keeps energy: rings where it cannot resolve
    Newmark,         // 2 at (1/4, 1/2), 1 and damped beyond
    AdamsMoulton2    // two steps, order 3; not for stiff cloth: stable to omega dt < 2.4 only
};
const std::vector<Scheme>& schemes();
const char* name(Scheme);
Scheme schemeOf(const std::string& name, const std::string& where); // throws Error with the names
bool isImplicit(Scheme);

struct IntegratorSettings {
    Scheme scheme = Scheme::LinearImplicit;
    SolveSettings linear;
    int newtonIterations = 12;     // of schemes with Newton's method
    double newtonTolerance = 1e-3; // of the residual, against the first one
    bool oneSolve = false;         // a single linearised solve for those schemes as well
    double newmarkGamma = 0.5;     // >= 1/2; beta is (gamma + 1/2)^2 / 4
};

struct StepReport {
    SolveReport linear; // the worst of the step's solves; iterations are their sum
    int solves = 0, evaluations = 0;
    int halvings = 0;      // by the line search
    bool converged = true; // Newton reached its tolerance
    bool finite = true;    // x1 and v1 are numbers
    bool good() const { return linear.good() && converged && finite; }
};

class Integrator {
public:
    virtual ~Integrator() = default;
    // From x0, v0 over dt (s) to x1, v1. `held` (m/s): velocities in the directions that the filter
    // has taken, empty for rest; x1 is there exactly x0 + dt held.
    virtual StepReport step(Dynamics& d, Span<const Vec3> x0, Span<const Vec3> v0,
                            Span<const Vec3> held, double dt, Span<Vec3> x1, Span<Vec3> v1) = 0;
    // Until the next call: schemes of one linearised solve go on with Newton's method, for steps in
    // which edges turn so far that a linear answer stretches them.
    virtual void setThorough(bool) {}
    // The last step is kept and ended, after collisions, at x1 and v1. Nodes whose velocity was
    // changed start anew: a kick is no part of a smooth past.
    virtual void commit(Span<const Vec3> /*x1*/, Span<const Vec3> /*v1*/) {}
    virtual void forget() {} // of the past, after a jump of the state
    // The past that the next step uses; schemes of one step have none.
    virtual void save(class SnapshotWriter&) const {}
    virtual void load(class SnapshotReader&) {}
};

std::unique_ptr<Integrator> makeIntegrator(const IntegratorSettings& settings);

} // namespace purl
