#include "purl/solve/mpcg.h"

#include "purl/base/error.h"
#include "purl/base/parallel.h"

#include <cmath>
#include <string>

namespace purl {

namespace {
constexpr Index kBlock = 2048; // nodes a partial sum: part of the answer's bits, not of the threads

// Filters a and returns a . b, in one pass.
double filterDot(const Filter& s, Span<Vec3> a, Span<const Vec3> b) {
    s.apply(a);
    return orderedSum(static_cast<Index>(a.size()), kBlock, [&](Index i0, Index i1) {
        double sum = 0;
        for (Index i = i0; i < i1; ++i) sum += a[i].dot(b[i]);
        return sum;
    });
}
} // namespace

const char* name(SolveOutcome o) {
    switch (o) {
    case SolveOutcome::Converged:
        return "converged";
    case SolveOutcome::Stalled:
        return "stalled";
    case SolveOutcome::Indefinite:
        return "indefinite";
    case SolveOutcome::NotFinite:
        return "not finite";
    }
    return "";
}

SolveReport Mpcg::solve(const LinearOperator& a, const Preconditioner& pre, const Filter& s,
                        Span<const Vec3> b, Span<const Vec3> z, Span<Vec3> x,
                        const SolveSettings& settings) {
    const Index n = a.size();
    if (b.size() != static_cast<std::size_t>(n) || x.size() != b.size() || s.size() != n ||
        (!z.empty() && z.size() != b.size()))
        throw Error("linear solve", "vectors of " + std::to_string(b.size()) + " and " +
                                        std::to_string(x.size()) + " nodes, expected " +
                                        std::to_string(n));
    r_.resize(b.size()), q_.resize(b.size()), p_.resize(b.size()), s_.resize(b.size());
    SolveReport report;
    const bool euclid = settings.norm == SolveSettings::Norm::Euclidean;

    // The residual of the prescribed part alone is what the tolerance is measured against.
    std::copy(x.begin(), x.end(), p_.begin());
    s.apply(p_); // S x0
    bool guessed = false;
    for (const Vec3& p : p_) guessed = guessed || p != Vec3::Zero();
    if (z.empty()) {
        std::fill(x.begin(), x.end(), Vec3::Zero());
    } else {
        std::copy(z.begin(), z.end(), x.begin());
        s.apply(x);
        for (Index i = 0; i < n; ++i) x[i] = z[i] - x[i];
    }
    a.apply(x, q_);
    for (Index i = 0; i < n; ++i) r_[i] = b[i] - q_[i];
    s.apply(r_);
    pre.apply(r_, s_);
    double delta = filterDot(s, s_, r_);
    const double scale = euclid ? filterDot(s, r_, r_) : delta;
    if (!std::isfinite(scale)) {
        report.outcome = SolveOutcome::NotFinite;
        return report;
    }
    if (scale < 0) {
        report.outcome = SolveOutcome::Indefinite;
        report.residual = 1;
        return report;
    }
    if (scale == 0) { // nothing to do: the prescribed part is the answer
        return report;
    }
    if (guessed) {
        a.apply(p_, q_);
        for (Index i = 0; i < n; ++i) {
            x[i] += p_[i];
            r_[i] -= q_[i];
        }
        s.apply(r_);
        pre.apply(r_, s_);
        delta = filterDot(s, s_, r_);
    }
    std::copy(s_.begin(), s_.end(), p_.begin());
    double size = euclid ? filterDot(s, r_, r_) : delta; // squared
    const double goal = settings.tolerance * settings.tolerance * scale;
    double best = size;
    int sinceBest = 0;
    while (size > goal) {
        if (report.iterations >= settings.maxIterations || sinceBest >= settings.patience) {
            report.outcome = SolveOutcome::Stalled;
            break;
        }
        a.apply(p_, q_);
        const double curvature = filterDot(s, q_, p_);
        if (!(curvature > 0) || !(delta > 0)) {
            report.outcome = std::isfinite(curvature) && std::isfinite(delta)
                                 ? SolveOutcome::Indefinite
                                 : SolveOutcome::NotFinite;
            break;
        }
        const double alpha = delta / curvature;
        const double r2 = orderedSum(n, kBlock, [&](Index i0, Index i1) {
            double sum = 0;
            for (Index i = i0; i < i1; ++i) {
                x[i] += alpha * p_[i];
                r_[i] -= alpha * q_[i];
                sum += r_[i].squaredNorm();
            }
            return sum;
        });
        ++report.iterations;
        if (settings.history && euclid) settings.history->push_back(std::sqrt(r2 / scale));
        if (euclid && r2 <= goal) { // saves the last preconditioning
            size = r2;
            break;
        }
        pre.apply(r_, s_);
        const double next = filterDot(s, s_, r_);
        const double beta = next / delta;
        delta = next;
        size = euclid ? r2 : delta;
        if (settings.history && !euclid)
            settings.history->push_back(std::sqrt(std::max(0.0, delta) / scale));
        if (size < best) {
            best = size;
            sinceBest = 0;
        } else {
            ++sinceBest;
        }
        parallelFor(n, kBlock, [&](Index i0, Index i1) {
            for (Index i = i0; i < i1; ++i) p_[i] = s_[i] + beta * p_[i];
        });
    }
    report.residual = std::sqrt(std::max(0.0, size) / scale);
    if (!std::isfinite(report.residual)) report.outcome = SolveOutcome::NotFinite;
    return report;
}

} // namespace purl
