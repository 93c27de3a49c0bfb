// Explicit integrators: one file, since each is a few lines over a = S M^-1 f.
#pragma once

#include "purl/solve/integrator.h"
#include "purl/solve/step_parts.h"

namespace purl {

class ExplicitStep final : public Integrator {
public:
    explicit ExplicitStep(Scheme scheme) : scheme_(scheme) {}
    StepReport step(Dynamics& d, Span<const Vec3> x0, Span<const Vec3> v0, Span<const Vec3> held,
                    double dt, Span<Vec3> x1, Span<Vec3> v1) override;
    void commit(Span<const Vec3> x1, Span<const Vec3> v1) override;
    void forget() override { past_.dt = 0; }
    void save(SnapshotWriter& w) const override { past_.save(w); }
    void load(SnapshotReader& r) override { past_.load(r); }

private:
    void accelerate(Dynamics& d, Span<const Vec3> x, Span<const Vec3> v, std::vector<Vec3>& a);

    Scheme scheme_;
    StepPast past_, next_;
    std::vector<Vec3> endV_;           // of the last step, to see kicks
    std::vector<Vec3> a_[4], xs_, vs_; // stages
    StepReport report_;
};

} // namespace purl
