// Implicit integrators. All of physics 6.8 have one form: with X and V made of the past,
//   x1 = X + p h v1,   M (v1 - V) = q h f(x1, v1).
// Newton's method on v1; its first iteration is linearised at the start of the step (x0, v0), as
// Baraff and Witkin do, and for one-solve schemes it is the only one.
#pragma once

#include "purl/solve/integrator.h"
#include "purl/solve/step_parts.h"

namespace purl {

class ImplicitStep final : public Integrator {
public:
    explicit ImplicitStep(const IntegratorSettings& settings) : settings_(settings) {}
    StepReport step(Dynamics& d, Span<const Vec3> x0, Span<const Vec3> v0, Span<const Vec3> held,
                    double dt, Span<Vec3> x1, Span<Vec3> v1) override;
    void commit(Span<const Vec3> x1, Span<const Vec3> v1) override;
    void setThorough(bool on) override { thorough_ = on; }
    void forget() override { past_.dt = again_ = 0; }
    void save(SnapshotWriter& w) const override { past_.save(w); }
    void load(SnapshotReader& r) override { past_.load(r); }

private:
    void prepare(Dynamics& d, Span<const Vec3> x0, Span<const Vec3> v0, double dt);
    bool solveOnce(Dynamics& d, StepReport& report, bool guessed);
    void newton(Dynamics& d, double dt, double first, Span<Vec3> x1, Span<Vec3> v1,
                StepReport& report);

    IntegratorSettings settings_;
    bool thorough_ = false;
    double p_ = 1, q_ = 1;
    std::vector<Vec3> X_, V_, a0_; // of the present step
    std::vector<Vec3> f_, kw_, rhs_, z_, dv_, xt_, vt_;
    double again_ = 0; // s, of the last step if it was not committed and dv_ is its answer
    StepPast past_, next_;
    std::vector<Vec3> endV_; // of the last step, to see kicks
};

} // namespace purl
