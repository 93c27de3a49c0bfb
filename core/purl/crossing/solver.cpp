#include "purl/crossing/solver.h"

#include "purl/base/parallel.h"
#include "purl/crossing/assembled.h"
#include "purl/crossing/compression.h"
#include "purl/crossing/yarn_lines.h"
#include "purl/solve/asking_operator.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace purl {

namespace {
constexpr Index kBlock = 2048;
constexpr double kMostLoss = 0.7;   // of a piece's rest length in one Newton step
constexpr double kRounding = 1e-11; // of a yarn's stretch stiffness: force on a node that is none

double dot(Span<const Vec3> a, Span<const Vec3> b) {
    return orderedSum(static_cast<Index>(a.size()), kBlock, [&](Index i0, Index i1) {
        double sum = 0;
        for (Index i = i0; i < i1; ++i) sum += a[i].dot(b[i]);
        return sum;
    });
}
} // namespace

void FabricSolver::holdForStep(double h, double t1) {
    for (std::size_t k = 0; k < pins_.size(); ++k) {
        const Vec3 target = pinStart_[k] + t1 * (pinEnd_[k] - pinStart_[k]);
        heldV_[k] = (target - q_[pins_[k]]) / h;
    }
}

// rhs = -(M (v1 - v0) + h c M v1 + h dE/dq + h d_f s' - h f), M at the step's start: its change
// with sliding is left out, as in the paper (physics 7.1).
double FabricSolver::residual(double h) {
    const Index n = nodes();
    const double energy = fabric_.evaluate(q1_, rhs_);
    touches_->addGradient(Span<const Vec3>(q1_.data(), n), Span<const Vec3>(v1_.data(), n), rhs_);
    if (!std::isfinite(energy)) return std::numeric_limits<double>::infinity();
    const double c = settings_.forces.velocityDamping;
    applyMass(fabric_, q_, 1 + h * c, v1_, v_, scratch_);
    const YarnLinks& l = fabric_.links();
    parallelFor(n, kBlock, [&](Index i0, Index i1) {
        for (Index i = i0; i < i1; ++i) {
            rhs_[i] = -scratch_[i] - h * rhs_[i];
            if (!external_.empty()) rhs_[i] += h * external_[i];
            Vec3& s = rhs_[n + i];
            s = -scratch_[n + i] - h * s;
            for (Index k = l.first[i]; k < l.first[i + 1]; ++k)
                s[l.side[k]] -= h * fabric_.nodeWeight(i) * fabric_.materialOf(k).frictionDamping *
                                v1_[n + i][l.side[k]];
        }
    });
    filter_.apply(rhs_);
    return std::sqrt(dot(rhs_, rhs_));
}

bool FabricSolver::solveLinear(double h, FabricReport& report) {
    stiffness_->linearise(q1_, h, settings_.forces.velocityDamping);
    touches_->linearise(q1_);
    std::fill(dv_.begin(), dv_.end(), Vec3::Zero());
    SolveReport r;
    if (assembled_) {
        assembled_->assemble(*stiffness_, filter_);
        r = solver_.solve(AskingOperator(*assembled_, asked_), assembled_->factor(), filter_, rhs_,
                          {}, dv_, settings_.linear);
    } else {
        lines_->factor(*stiffness_, filter_);
        r = solver_.solve(AskingOperator(*stiffness_, asked_), *lines_, filter_, rhs_, {}, dv_,
                          settings_.linear);
    }
    report.linear += r.iterations;
    return r.outcome == SolveOutcome::Converged || r.outcome == SolveOutcome::Stalled;
}

// How much of the step dv_ may be taken: no rest length loses more than most of itself.
double FabricSolver::longestShare(double h) const {
    const YarnLinks& l = fabric_.links();
    const double worst = orderedMax(l.links(), kBlock, [&](Index k0, Index k1) {
        double most = 0;
        for (Index k = k0; k < k1; ++k) {
            const Index a = l.after[k];
            if (a < 0) continue;
            const double loss = h * (l.slide(dv_, k) - l.slide(dv_, a));
            most = std::max(most, loss / (kMostLoss * (l.slide(q1_, a) - l.slide(q1_, k))));
        }
        return most;
    });
    return worst > 1 ? 1 / worst : 1;
}

// Fills q1_, v1_.
FabricSolver::Outcome FabricSolver::newton(double h, FabricReport& report) {
    const Index n = nodes(), m = 2 * n;
    const auto begin = [&](bool moving) {
        parallelFor(m, kBlock, [&](Index i0, Index i1) {
            for (Index i = i0; i < i1; ++i) v1_[i] = moving ? v_[i] : Vec3::Zero();
        });
        filter_.apply(v1_);
        for (std::size_t k = 0; k < pins_.size(); ++k) v1_[pins_[k]] = heldV_[k];
        parallelFor(m, kBlock, [&](Index i0, Index i1) {
            for (Index i = i0; i < i1; ++i) q1_[i] = q_[i] + h * v1_[i];
        });
        return residual(h);
    };
    double size = begin(true);
    if (!std::isfinite(size)) size = begin(false);
    if (!std::isfinite(size)) return Outcome::Failed;
    // What rounding leaves of forces that cancel: yarns are stiff.
    const double first = size, floor = h * kRounding * stiffest_ * std::sqrt(n);
    for (int k = 0; k < settings_.newtonIterations; ++k) {
        if (size <= floor) return Outcome::Good;
        if (!solveLinear(h, report)) return Outcome::Failed;
        ++report.newton;
        const double slope = dot(rhs_, dv_);
        if (!(slope > 0)) return Outcome::Failed;
        const double reach = orderedMax(n, kBlock, [&](Index i0, Index i1) {
            double most = 0;
            for (Index i = i0; i < i1; ++i)
                most = std::max(
                    {most, dv_[i].cwiseAbs().maxCoeff(), dv_[n + i].cwiseAbs().maxCoeff()});
            return most;
        });
        if (!std::isfinite(reach)) return Outcome::Failed;
        // As solve/implicit_step: a step is kept if the merit whose slope the residual is falls
        // still at its end, or has not begun to rise as steeply as it fell.
        double share = longestShare(h), moved = 0;
        for (int half = 0;; ++half) {
            const double by = share - moved;
            moved = share;
            parallelFor(m, kBlock, [&](Index i0, Index i1) {
                for (Index i = i0; i < i1; ++i) {
                    v1_[i] += by * dv_[i];
                    q1_[i] = q_[i] + h * v1_[i];
                }
            });
            size = residual(h);
            if (std::isfinite(size) && dot(rhs_, dv_) > -0.9 * slope) break;
            if (half == 10) return Outcome::Failed;
            share *= 0.5;
            ++report.halvings;
        }
        if (size <= settings_.newtonTolerance * first && h * reach < settings_.nearMove * radius_)
            return Outcome::Good;
        if (share == 1 && h * reach < settings_.stillMove * radius_) return Outcome::Good;
    }
    return Outcome::Slow;
}

void FabricSolver::refreshFriction() {
    if (!settings_.friction) return;
    frictionLimits(fabric_, q_, Span<Vec3>(scratch_.data(), nodes()), fabric_.friction.limit);
}

// Keeps q1_, v1_: anchors follow what has slipped, and the next step's pressures are taken.
void FabricSolver::accept(double h, FabricReport& report) {
    std::swap(q_, q1_);
    std::swap(v_, v1_);
    time_ += h;
    ++report.steps;
    report.touching = touches_->bodyTouching();
    report.selfTouching = touches_->selfTouching();
    if (!settings_.friction) return;
    const YarnLinks& l = fabric_.links();
    Friction& f = fabric_.friction;
    const double slipped = orderedSum(l.links(), kBlock, [&](Index k0, Index k1) {
        double count = 0;
        for (Index k = k0; k < k1; ++k) {
            const double before = f.anchor[k];
            f.anchor[k] = dragAnchor(l.slide(q_, k), before,
                                     fabric_.materialOf(k).frictionStiffness, f.limit[k]);
            count += f.anchor[k] != before;
        }
        return count;
    });
    report.slipping = static_cast<Index>(slipped);
    refreshFriction();
}

// Whether spheres may have gone through each other: neighbours on a yarn bound how differently
// near parts move, so only what moves against the fabric's mean can meet.
bool FabricSolver::tooFar() const {
    const Index n = nodes();
    Vec3 mean = Vec3::Zero();
    for (Index i = 0; i < n; ++i) mean += q1_[i] - q_[i];
    mean /= n;
    const double most = orderedMax(n, kBlock, [&](Index i0, Index i1) {
        double m = 0;
        for (Index i = i0; i < i1; ++i) m = std::max(m, (q1_[i] - q_[i] - mean).squaredNorm());
        return m;
    });
    return most > 4 * touches_->safeMove() * touches_->safeMove();
}

FabricReport FabricSolver::step(double dt, double t0, double t1) {
    FabricReport report;
    double left = dt;
    while (left > 1e-12 * dt) {
        const double h = control_.next(dt, left), end = t1 - (t1 - t0) * (left - h) / dt;
        holdForStep(h, end);
        touches_->begin(x(), v(), bodies_, inverseMass_, h, end);
        Outcome outcome = newton(h, report);
        if (outcome == Outcome::Good && settings_.touch.self && tooFar()) outcome = Outcome::Slow;
        if (outcome != Outcome::Good && settings_.adaptive && control_.reject()) {
            ++report.rejected;
            continue;
        }
        // Slow is kept where there is no shorter step: each iteration has come nearer.
        const bool good = outcome == Outcome::Good;
        report.converged = report.converged && good;
        if (outcome == Outcome::Failed) {
            report.broken = true;
            return report;
        }
        accept(h, report);
        if (good) control_.accept();
        left -= h;
    }
    return report;
}

} // namespace purl
