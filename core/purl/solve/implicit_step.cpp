#include "purl/solve/implicit_step.h"

#include <algorithm>

namespace purl {

namespace {
constexpr int kThorough = 3;             // Newton steps after a linear answer that is too coarse
constexpr int kThoroughIterations = 200; // of each, at most
bool remembers(Scheme s) { return s == Scheme::Bdf2 || s == Scheme::AdamsMoulton2; }
bool needsStartForce(Scheme s) {
    return s == Scheme::CrankNicolson || s == Scheme::Newmark || s == Scheme::AdamsMoulton2;
}
double dot(Span<const Vec3> a, Span<const Vec3> b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i].dot(b[i]);
    return sum;
}
} // namespace

// X, V, p and q of the scheme.
void ImplicitStep::prepare(Dynamics& d, Span<const Vec3> x0, Span<const Vec3> v0, double dt) {
    const std::size_t n = x0.size();
    X_.assign(x0.begin(), x0.end());
    V_.assign(v0.begin(), v0.end());
    p_ = q_ = 1;
    Scheme scheme = settings_.scheme;
    if (needsStartForce(scheme)) {
        a0_.resize(n);
        d.force(x0, v0, a0_);
        const Span<const double> mass = d.mass();
        for (std::size_t i = 0; i < n; ++i) a0_[i] /= mass[i];
        d.filter().apply(a0_);
    }
    // Without a past, a method of order 2 begins.
    if (remembers(scheme) && past_.dt == 0) {
        if (!needsStartForce(scheme)) return; // BDF2 by backward Euler: one step does not spoil it
        scheme = Scheme::CrankNicolson;
    }
    switch (scheme) {
    case Scheme::Bdf2: { // of two unequal steps, r their ratio
        const double r = dt / past_.dt, c0 = (1 + r) * (1 + r) / (1 + 2 * r),
                     c1 = r * r / (1 + 2 * r);
        p_ = q_ = (1 + r) / (1 + 2 * r);
        for (std::size_t i = 0; i < n; ++i) {
            const Vec3 px = past_.fresh[i] ? Vec3(x0[i] - past_.dt * v0[i]) : past_.x[i];
            const Vec3 pv = past_.fresh[i] ? v0[i] : past_.v[i];
            X_[i] = c0 * x0[i] - c1 * px;
            V_[i] = c0 * v0[i] - c1 * pv;
        }
        break;
    }
    case Scheme::CrankNicolson:
        p_ = q_ = 0.5;
        for (std::size_t i = 0; i < n; ++i) {
            X_[i] += 0.5 * dt * v0[i];
            V_[i] += 0.5 * dt * a0_[i];
        }
        break;
    case Scheme::Newmark: { // a1 = (v1 - V)/(gamma h) put into x1
        const double gamma = settings_.newmarkGamma, g = gamma + 0.5, beta = 0.25 * g * g;
        q_ = gamma;
        p_ = beta / gamma;
        for (std::size_t i = 0; i < n; ++i) {
            V_[i] += (1 - gamma) * dt * a0_[i];
            X_[i] += dt * v0[i] + dt * dt * (0.5 - beta) * a0_[i] - p_ * dt * V_[i];
        }
        break;
    }
    case Scheme::AdamsMoulton2: { // 5/12, 2/3, -1/12 at equal steps
        const double r = dt / past_.dt, now = (3 + 2 * r) / (6 * (1 + r)), start = (3 + r) / 6,
                     before = -r * r / (6 * (1 + r));
        p_ = q_ = now;
        for (std::size_t i = 0; i < n; ++i) {
            const Vec3 &pv = past_.fresh[i] ? v0[i] : past_.v[i],
                       &pa = past_.fresh[i] ? a0_[i] : past_.a[i];
            X_[i] += dt * (start * v0[i] + before * pv);
            V_[i] += dt * (start * a0_[i] + before * pa);
        }
        break;
    }
    default:
        break;
    }
}

// Solves for dv; false if the answer is not to be used.
bool ImplicitStep::solveOnce(Dynamics& d, StepReport& report, bool guessed) {
    if (!guessed) std::fill(dv_.begin(), dv_.end(), Vec3::Zero());
    SolveSettings linear = settings_.linear;
    if (thorough_) linear.maxIterations = std::min(linear.maxIterations, kThoroughIterations);
    const SolveReport r = d.solve(rhs_, z_, dv_, linear);
    ++report.solves;
    report.linear.iterations += r.iterations;
    report.linear.residual = std::max(report.linear.residual, r.residual);
    if (!r.good()) report.linear.outcome = r.outcome;
    return r.outcome != SolveOutcome::NotFinite && allFinite(dv_);
}

StepReport ImplicitStep::step(Dynamics& d, Span<const Vec3> x0, Span<const Vec3> v0,
                              Span<const Vec3> held, double dt, Span<Vec3> x1, Span<Vec3> v1) {
    const std::size_t n = x0.size();
    const Span<const double> mass = d.mass();
    const NodeFilter& s = d.filter();
    StepReport report;
    for (auto* v : {&f_, &kw_, &rhs_, &z_, &dv_, &xt_, &vt_}) v->resize(n);
    prepare(d, x0, v0, dt);
    // What is held ends where it is told to, in the forces of the step as well. V stays: the
    // reaction has to account for what holding does to the momentum.
    std::fill(z_.begin(), z_.end(), Vec3::Zero());
    for (Index i = 0; i < s.size(); ++i) {
        if (s.isFree(i)) continue;
        const Mat3 p = s.at(i);
        const Vec3 h = held.empty() ? Vec3::Zero() : held[i];
        const Vec3 start = x0[i] + dt * (1 - p_) * h;
        X_[i] = start + p * (X_[i] - start);
        z_[i] = h - v0[i];
    }
    // M(V - v0) + q h (f(x0, v0) - K (X + p h v0 - x0)), physics 6.8.
    for (std::size_t i = 0; i < n; ++i) xt_[i] = X_[i] + p_ * dt * v0[i] - x0[i];
    d.linearise(x0, v0, q_ * dt, p_ * q_ * dt * dt, xt_, f_, kw_);
    ++report.evaluations;
    for (std::size_t i = 0; i < n; ++i)
        rhs_[i] = mass[i] * (V_[i] - v0[i]) + q_ * dt * (f_[i] - kw_[i]);
    std::copy(rhs_.begin(), rhs_.end(), vt_.begin());
    s.apply(vt_);
    const double first = std::sqrt(dot(vt_, vt_));
    // The same step once more, with other contacts: its last answer is a good first guess.
    report.finite = solveOnce(d, report, again_ == dt);
    again_ = report.finite && settings_.scheme == Scheme::LinearImplicit && !thorough_ ? dt : 0;
    if (report.finite) {
        for (std::size_t i = 0; i < n; ++i) {
            v1[i] = v0[i] + dv_[i];
            x1[i] = X_[i] + p_ * dt * v1[i];
        }
        if (thorough_ || (settings_.scheme != Scheme::LinearImplicit && !settings_.oneSolve))
            newton(d, dt, first, x1, v1, report);
        holdEnd(s, x0, held, dt, x1, v1);
        report.finite = report.finite && allFinite(x1) && allFinite(v1);
    }
    if (remembers(settings_.scheme)) {
        next_.x.assign(x0.begin(), x0.end());
        next_.v.assign(v0.begin(), v0.end());
        next_.a = a0_;
        next_.dt = dt;
        endV_.assign(v1.begin(), v1.end());
    }
    return report;
}

// From the linearised answer on. The line search asks for the slope of the merit whose gradient the
// residual is: a step that leaves it less steep, or falling still, is kept. It needs no energy, so
// damping and drag are no exception.
void ImplicitStep::newton(Dynamics& d, double dt, double first, Span<Vec3> x1, Span<Vec3> v1,
                          StepReport& report) {
    const std::size_t n = x1.size();
    const Span<const double> mass = d.mass();
    const NodeFilter& s = d.filter();
    // From f_ to rhs_, whole: the reactions of the last solve then are those of the step.
    std::vector<Vec3> freePart(n);
    const auto residual = [&](Span<const Vec3> v) {
        for (std::size_t i = 0; i < n; ++i) {
            rhs_[i] = mass[i] * (V_[i] - v[i]) + q_ * dt * f_[i];
            freePart[i] = rhs_[i];
        }
        s.apply(freePart);
    };
    std::fill(z_.begin(), z_.end(), Vec3::Zero()); // v1 holds what is held
    report.converged = false;
    for (int k = 0;; ++k) {
        d.linearise(x1, v1, q_ * dt, p_ * q_ * dt * dt, {}, f_, {});
        ++report.evaluations;
        residual(v1);
        const double size = std::sqrt(dot(freePart, freePart));
        double terms = 0; // what cancels in the residual: no answer is nearer than its rounding
        for (std::size_t i = 0; i < n; ++i)
            terms +=
                mass[i] * mass[i] * v1[i].squaredNorm() + q_ * q_ * dt * dt * f_[i].squaredNorm();
        if (!std::isfinite(size)) {
            report.finite = false;
            return;
        }
        if (size <= std::max(settings_.newtonTolerance * first, 4e-15 * std::sqrt(terms))) {
            report.converged = true;
            return;
        }
        if (k >= (thorough_ ? kThorough : settings_.newtonIterations)) return;
        report.finite = solveOnce(d, report, false);
        if (!report.finite) return;
        const double slope = dot(freePart, dv_);
        if (!(slope > 0)) return;
        double share = 1;
        for (int half = 0;; ++half) {
            for (std::size_t i = 0; i < n; ++i) {
                vt_[i] = v1[i] + share * dv_[i];
                xt_[i] = X_[i] + p_ * dt * vt_[i];
            }
            d.force(xt_, vt_, f_);
            ++report.evaluations;
            residual(vt_);
            const double there = dot(freePart, dv_);
            if (std::isfinite(there) && there > -0.9 * slope) break;
            if (half == 12) return;
            share *= 0.5;
            ++report.halvings;
        }
        std::copy(vt_.begin(), vt_.end(), v1.begin());
        std::copy(xt_.begin(), xt_.end(), x1.begin());
    }
}

void ImplicitStep::commit(Span<const Vec3>, Span<const Vec3> v1) {
    again_ = 0;
    if (!remembers(settings_.scheme)) return;
    std::swap(past_, next_);
    past_.fresh.resize(v1.size());
    for (std::size_t i = 0; i < v1.size(); ++i) past_.fresh[i] = v1[i] != endV_[i];
}

} // namespace purl
