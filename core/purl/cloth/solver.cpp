#include "purl/cloth/solver.h"

#include "purl/base/error.h"
#include "purl/base/hash.h"
#include "purl/base/parallel.h"
#include "purl/cloth/layer_set.h"

#include <algorithm>
#include <cmath>

namespace purl {

namespace {
constexpr int kColliderTurns = 1; // solves after which what slides may come to rest
constexpr int kContactTurns = 6;  // solves again for whatever meets, at most
constexpr double kTurned = 0.2;   // growth of a strain by which a linear answer is too coarse
constexpr int kLettingGo = 2;     // solves after which what pulls is worth another
constexpr double kPulled = 1;     // radii: an error of a term that pulls, worth a solve
} // namespace

// Where pins and goals are at t1 in [0, 1] of the frame; the velocity that takes the pins there.
void ClothSolver::holdForStep(double dt, double t1) {
    std::fill(heldV_.begin(), heldV_.end(), Vec3::Zero());
    for (std::size_t k = 0; k < pins_.size(); ++k) {
        const Vec3 target = pinStart_[k] + t1 * (pinEnd_[k] - pinStart_[k]);
        heldV_[pins_[k]] = (target - x_[pins_[k]]) / dt;
    }
    if (!goals_) return;
    for (std::size_t k = 0; k < goalEnd_.size(); ++k)
        goalNow_[k] = goalStart_[k] + t1 * (goalEnd_[k] - goalStart_[k]);
    goals_->setTargets(goalNow_);
}

double ClothSolver::strainChange() const {
    return orderedMax(static_cast<Index>(edges_.size()), 4096, [&](Index e0, Index e1) {
        double largest = 0;
        for (Index e = e0; e < e1; ++e) {
            const Edge& k = edges_[e];
            const double before = (x_[k.b] - x_[k.a]).norm(), after = (x1_[k.b] - x1_[k.a]).norm();
            // Only what leaves the rest length counts: a sheet that a collider has squeezed may
            // spring back at once.
            largest = std::max(largest,
                               std::abs(after * k.perRest - 1) - std::abs(before * k.perRest - 1));
        }
        return largest;
    });
}

// Colliders correct the velocity of the step's straight way; then the sheet against itself. What
// they change of the way they change of the end velocity.
CollisionFigures ClothSolver::collide(double dt, double t1) {
    CollisionFigures figures;
    const Index n = mesh_.points;
    if (!bodies_.empty()) {
        parallelFor(n, 2048, [&](Index i0, Index i1) {
            for (Index i = i0; i < i1; ++i) {
                start_[i] = x_[i];
                mean_[i] = (x1_[i] - x_[i]) / dt;
            }
        });
        figures = response_->apply(bodies_, start_, mean_, inverseMass_, dt, t1);
        if (figures.touching > 0)
            parallelFor(n, 2048, [&](Index i0, Index i1) {
                for (Index i = i0; i < i1; ++i) {
                    const Vec3 was = (x1_[i] - x_[i]) / dt;
                    if (mean_[i] == was && start_[i] == x_[i]) continue;
                    v1_[i] += mean_[i] - was;
                    x1_[i] = start_[i] + dt * mean_[i];
                    if (state_[i] == Touch::None) state_[i] = Touch::Slide;
                }
            });
    }
    anyContact_ = figures.touching > 0 || !contacts_.empty();
    if (hook_) hook_->resolve(x_, x1_, v1_, inverseMass_, dt);
    return figures;
}

// What a step begins with: what is near in its terms.
void ClothSolver::beginMeetings(double h, double t0) {
    forgetMeetings();
    dynamics_->layers.list.clear();
    if (!contactInSolve()) return;
    beginFaces(h, t0);
    if (hook_) hook_->begin(x_, v_, inverseMass_, h, dynamics_->layers);
}

// After a solve: what lets go, what meets. True if the step is to be solved again.
bool ClothSolver::meet(double h, double t0, double t1, int turn) {
    if (!contactInSolve()) return turn == 0 && dropContacts(h, true);
    const bool last = turn == kContactTurns;
    bool again = false;
    if (!last) {
        again =
            settle(x1_, {x_, v_, inverseMass_, h}, kPulled * settings_.radius, dynamics_->layers);
        again = dropContacts(h, turn < kColliderTurns) || again;
        again = again && turn < kLettingGo; // from then on for what meets alone
        again = meetColliders(h, t0, t1) || again;
        again = meetFaces(h, t0, t1) || again;
    }
    if (hook_) again = hook_->refine(x_, x1_, inverseMass_, h, last, dynamics_->layers) || again;
    return again && !last;
}

// Terms of contact are as stiff as a step is long: for schemes that take forces from its end.
bool ClothSolver::contactInSolve() const {
    const Scheme s = settings_.integrator.scheme;
    return s == Scheme::LinearImplicit || s == Scheme::BackwardEuler || s == Scheme::Bdf2;
}

ClothStepReport ClothSolver::step(double dt, double t0, double t1) {
    ClothStepReport report;
    const Scheme scheme = settings_.integrator.scheme;
    if (!(dt > 0) || !std::isfinite(dt))
        throw Error("cloth", "a step of " + std::to_string(dt) + " s, expected > 0");
    double done = 0;
    while (done < dt) {
        const double left = dt - done, h = settings_.adaptive ? control_.next(dt, left) : left;
        const bool last = h >= left * (1 - 1e-12);
        const double end = last ? t1 : t0 + (t1 - t0) * (done + h) / dt;
        StepReport r;
        const double begin = t0 + (t1 - t0) * done / dt;
        bool thorough = false;
        beginMeetings(h, begin);
        for (int turn = 0;; ++turn) {
            integrator_->setThorough(thorough);
            holdForStep(h, end);
            beginContacts(begin);
            const StepReport once = integrator_->step(*dynamics_, x_, v_, heldV_, h, x1_, v1_);
            const int before = r.linear.iterations, solves = r.solves;
            r = once;
            r.linear.iterations += before;
            r.solves += solves;
            ++report.turns;
            if (!r.finite) break;
            const bool coarse = !thorough && scheme == Scheme::LinearImplicit &&
                                turn < kContactTurns && strainChange() > kTurned;
            thorough = thorough || coarse;
            if (!meet(h, begin, end, turn) && !coarse) break;
        }
        report.solve.linear.iterations += r.linear.iterations;
        report.solve.linear.residual = std::max(report.solve.linear.residual, r.linear.residual);
        report.solve.solves += r.solves;
        report.solve.evaluations += r.evaluations;
        report.solve.halvings += r.halvings;
        const double change = r.finite ? strainChange() : 0;
        const bool wild = !r.finite || !(change <= settings_.largestStrainChange);
        const bool solved = thorough || r.good(); // Newton may end early here
        if (wild || (settings_.adaptive && !solved)) {
            if (settings_.adaptive && control_.reject()) {
                ++report.rejected;
                continue;
            }
            // Nothing shorter to try: a solve that only stalled is kept, a blow-up is not.
            if (!r.finite || change > 4 * settings_.largestStrainChange) {
                report.broken = true;
                report.solve.finite = r.finite;
                return report;
            }
        } else if (settings_.adaptive) {
            control_.accept();
        }
        if (!r.linear.good()) report.solve.linear.outcome = r.linear.outcome;
        report.solve.converged = report.solve.converged && r.converged;
        report.strainChange = std::max(report.strainChange, change);
        endContacts(h);
        const CollisionFigures c = collide(h, end);
        report.collision.touching = c.touching;
        report.collision.followed += c.followed;
        report.collision.deepest = std::max(report.collision.deepest, c.deepest);
        report.collision.frictionHeat += c.frictionHeat;
        if (settings_.forces.velocityDamping > 0) {
            const double keep = 1 / (1 + h * settings_.forces.velocityDamping);
            for (Index i = 0; i < mesh_.points; ++i)
                if (inverseMass_[i] > 0) v1_[i] *= keep;
        }
        integrator_->commit(x1_, v1_);
        x_.swap(x1_);
        v_.swap(v1_);
        for (const auto& e : energies_) e->endStep(x_);
        ++report.steps;
        time_ += h;
        done = last ? dt : done + h;
    }
    return report;
}

ClothStepReport ClothSolver::advanceFrame(double seconds, int substeps, Monitor& monitor) {
    ClothStepReport all;
    substeps = std::max(1, substeps);
    if (stepsDone_ > 0 && stepsWanted_ != substeps)
        throw Error("frame", "was left after " + std::to_string(stepsDone_) + " of " +
                                 std::to_string(stepsWanted_) +
                                 " steps, expected it to go on with as many, but there are " +
                                 std::to_string(substeps) +
                                 " now; branch from a checkpoint between frames");
    stepsWanted_ = substeps;
    for (int k = stepsDone_; k < substeps; ++k) {
        if (k > 0 && monitor.interrupted()) return all;
        const double t0 = static_cast<double>(k) / substeps, t1 = (k + 1.0) / substeps;
        const ClothStepReport r = step(seconds / substeps, t0, t1);
        all.steps += r.steps;
        all.rejected += r.rejected;
        all.turns += r.turns;
        all.broken = r.broken;
        all.strainChange = std::max(all.strainChange, r.strainChange);
        const int iterations = all.solve.linear.iterations + r.solve.linear.iterations;
        const int solves = all.solve.solves + r.solve.solves;
        all.solve = r.solve;
        all.solve.linear.iterations = iterations;
        all.solve.solves = solves;
        const double heat = all.collision.frictionHeat + r.collision.frictionHeat;
        const double deepest = std::max(all.collision.deepest, r.collision.deepest);
        all.collision = r.collision;
        all.collision.frictionHeat = heat;
        all.collision.deepest = deepest;
        monitor.progress(t1);
        if (r.broken) break;
        stepsDone_ = k + 1;
    }
    stepsDone_ = 0;
    pinStart_ = pinEnd_;
    goalStart_ = goalEnd_;
    return all;
}

double ClothSolver::energy() { return dynamics_->force(x_, {}, mean_); }

double ClothSolver::kineticEnergy() const {
    const Span<const double> mass = dynamics_->mass();
    double sum = 0;
    for (Index i = 0; i < mesh_.points; ++i) sum += 0.5 * mass[i] * v_[i].squaredNorm();
    return sum;
}

std::uint64_t ClothSolver::hash() const {
    Hash h;
    h.add(x_);
    h.add(v_);
    h.bytes(state_.data(), state_.size());
    h.add(grip_);
    for (const auto& e : energies_) {
        const Span<double> memory = e->memory();
        h.bytes(memory.data(), memory.size() * sizeof(double));
    }
    return h.value();
}

} // namespace purl
