#include "purl/solve/explicit_step.h"

namespace purl {

void ExplicitStep::accelerate(Dynamics& d, Span<const Vec3> x, Span<const Vec3> v,
                              std::vector<Vec3>& a) {
    a.resize(x.size());
    d.force(x, v, a);
    const Span<const double> mass = d.mass();
    for (std::size_t i = 0; i < a.size(); ++i) a[i] /= mass[i];
    d.filter().apply(a);
    ++report_.evaluations;
}

StepReport ExplicitStep::step(Dynamics& d, Span<const Vec3> x0, Span<const Vec3> v0,
                              Span<const Vec3> held, double dt, Span<Vec3> x1, Span<Vec3> v1) {
    report_ = {};
    const std::size_t n = x0.size();
    xs_.resize(n), vs_.resize(n);
    // The stage x0 + h u, v0 + h a.
    const auto stage = [&](double h, const auto& u, const std::vector<Vec3>& a) {
        for (std::size_t i = 0; i < n; ++i) {
            xs_[i] = x0[i] + h * u[i];
            vs_[i] = v0[i] + h * a[i];
        }
    };
    accelerate(d, x0, v0, a_[0]);
    switch (scheme_) {
    case Scheme::Leapfrog: { // kick, drift, kick; the half kick's velocity is what f sees at the
                             // end
        for (std::size_t i = 0; i < n; ++i) {
            vs_[i] = v0[i] + 0.5 * dt * a_[0][i];
            xs_[i] = x0[i] + dt * vs_[i];
        }
        // Forces that depend on v would make the last kick implicit: predict it to second order.
        std::vector<Vec3>& predicted = a_[2];
        predicted.resize(n);
        for (std::size_t i = 0; i < n; ++i) predicted[i] = v0[i] + dt * a_[0][i];
        accelerate(d, xs_, predicted, a_[1]);
        for (std::size_t i = 0; i < n; ++i) {
            v1[i] = vs_[i] + 0.5 * dt * a_[1][i];
            x1[i] = xs_[i];
        }
        break;
    }
    case Scheme::Midpoint:
        stage(0.5 * dt, v0, a_[0]);
        accelerate(d, xs_, vs_, a_[1]);
        for (std::size_t i = 0; i < n; ++i) {
            x1[i] = x0[i] + dt * vs_[i];
            v1[i] = v0[i] + dt * a_[1][i];
        }
        break;
    case Scheme::RungeKutta4: {
        std::vector<Vec3> sum(v0.begin(), v0.end()); // of the velocities of the stages, weighted
        const double at[3] = {0.5 * dt, 0.5 * dt, dt}, weight[3] = {2, 2, 1};
        for (int k = 0; k < 3; ++k) {
            if (k == 0) {
                stage(at[k], v0, a_[k]);
            } else {
                const std::vector<Vec3> u = vs_;
                stage(at[k], u, a_[k]);
            }
            for (std::size_t i = 0; i < n; ++i) sum[i] += weight[k] * vs_[i];
            accelerate(d, xs_, vs_, a_[k + 1]);
        }
        for (std::size_t i = 0; i < n; ++i) {
            x1[i] = x0[i] + dt / 6 * sum[i];
            v1[i] = v0[i] + dt / 6 * (a_[0][i] + 2 * a_[1][i] + 2 * a_[2][i] + a_[3][i]);
        }
        break;
    }
    case Scheme::AdamsBashforth2:
        if (past_.dt > 0) { // of two unequal steps: 1 + r/2 and -r/2
            const double r = dt / past_.dt;
            for (std::size_t i = 0; i < n; ++i) {
                const Vec3 &pv = past_.fresh[i] ? v0[i] : past_.v[i],
                           &pa = past_.fresh[i] ? a_[0][i] : past_.a[i];
                x1[i] = x0[i] + dt * ((1 + 0.5 * r) * v0[i] - 0.5 * r * pv);
                v1[i] = v0[i] + dt * ((1 + 0.5 * r) * a_[0][i] - 0.5 * r * pa);
            }
        } else { // the first step by the midpoint rule
            stage(0.5 * dt, v0, a_[0]);
            accelerate(d, xs_, vs_, a_[1]);
            for (std::size_t i = 0; i < n; ++i) {
                x1[i] = x0[i] + dt * vs_[i];
                v1[i] = v0[i] + dt * a_[1][i];
            }
        }
        break;
    default: // symplectic Euler
        for (std::size_t i = 0; i < n; ++i) {
            v1[i] = v0[i] + dt * a_[0][i];
            x1[i] = x0[i] + dt * v1[i];
        }
    }
    holdEnd(d.filter(), x0, held, dt, x1, v1);
    report_.finite = allFinite(x1) && allFinite(v1);
    if (scheme_ == Scheme::AdamsBashforth2) {
        next_.x.assign(x0.begin(), x0.end());
        next_.v.assign(v0.begin(), v0.end());
        next_.a = a_[0];
        next_.dt = dt;
        endV_.assign(v1.begin(), v1.end());
    }
    return report_;
}

void ExplicitStep::commit(Span<const Vec3>, Span<const Vec3> v1) {
    if (scheme_ != Scheme::AdamsBashforth2) return;
    std::swap(past_, next_);
    past_.fresh.resize(v1.size());
    for (std::size_t i = 0; i < v1.size(); ++i) past_.fresh[i] = v1[i] != endV_[i];
}

} // namespace purl
