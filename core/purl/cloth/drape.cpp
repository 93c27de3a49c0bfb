// The quasistatic mode: damped Newton steps on the energy (Breen's and Feynman's drape, with a
// faster minimiser). Each step is backward Euler from rest over a pseudo time that grows while
// things go well, so far from the end it behaves as heavily damped motion and near it as Newton's
// method.
#include "purl/cloth/solver.h"

#include <algorithm>
#include <cmath>

namespace purl {

// The largest free force over the largest weight of a node; touching nodes are left out by the
// caller, since a collider may press on them.
double ClothSolver::freeResidual() {
    const Span<const double> mass = dynamics_->mass();
    double heaviest = 0;
    for (double m : mass) heaviest = std::max(heaviest, m);
    const double g = dynamics_->gravity.norm();
    const double weight = heaviest * (g > 0 ? g : 1.0);
    dynamics_->force(x_, {}, mean_);
    dynamics_->held.apply(mean_);
    double largest = 0;
    for (const Vec3& f : mean_) largest = std::max(largest, f.norm());
    return largest / weight;
}

DrapeReport ClothSolver::drape(const DrapeSettings& settings, Monitor& monitor) {
    DrapeReport report;
    report.energyBefore = report.energy = energy();
    const bool contact = !bodies_.empty() || hook_;
    double tau = settings.firstStep;
    std::vector<Vec3> f(x_.size()), dx(x_.size()), zero(x_.size(), Vec3::Zero());
    SolveSettings linear = settings_.integrator.linear;
    std::fill(v_.begin(), v_.end(), Vec3::Zero());
    std::fill(state_.begin(), state_.end(), Touch::None);
    contacts_.clear();
    dynamics_->external.clear();
    dynamics_->held = baseFilter_;
    for (std::size_t k = 0; k < pins_.size(); ++k) x_[pins_[k]] = pinEnd_[k];
    double settled = 0; // how far the last steps went, relative to their pseudo time
    for (; report.iterations < settings.iterations && !monitor.interrupted(); ++report.iterations) {
        report.residual = freeResidual();
        if (report.residual < settings.tolerance) {
            report.converged = true;
            break;
        }
        // (M + tau^2 K) dx = tau^2 f
        dynamics_->linearise(x_, {}, 0, tau * tau, {}, f, {});
        for (Vec3& force : f) force *= tau * tau;
        std::fill(dx.begin(), dx.end(), Vec3::Zero());
        const SolveReport solved = dynamics_->solve(f, zero, dx, linear);
        double slope = 0;
        for (std::size_t i = 0; i < x_.size(); ++i) slope += f[i].dot(dx[i]) / (tau * tau);
        bool better = false;
        double share = 1;
        for (int half = 0; half < 10 && solved.outcome != SolveOutcome::NotFinite; ++half) {
            for (std::size_t i = 0; i < x_.size(); ++i) {
                x1_[i] = x_[i] + share * dx[i];
                v1_[i] = share * dx[i] / tau;
            }
            if (strainChange() <= settings_.largestStrainChange) {
                if (contact) collide(tau, 1);
                const double there = dynamics_->force(x1_, {}, mean_);
                // With contact the descent promised is not all to be had: no rise is enough.
                const double wanted = contact ? 0 : 1e-4 * share * slope;
                if (std::isfinite(there) && there <= report.energy - wanted) {
                    settled = report.energy - there;
                    report.energy = there;
                    better = true;
                    break;
                }
            }
            share *= 0.5;
        }
        if (better) {
            x_.swap(x1_);
            tau = std::min(share == 1 ? 2 * tau : tau, contact ? 0.1 : 100.0);
        } else {
            if (tau < 1e-6) break;
            tau *= 0.25;
        }
        // Resting on something: the free force never vanishes, the fall of energy does.
        if (contact && better && settled < 1e-9 * std::abs(report.energyBefore - report.energy)) {
            report.converged = true;
            break;
        }
        monitor.progress(static_cast<double>(report.iterations) / settings.iterations);
    }
    std::fill(v_.begin(), v_.end(), Vec3::Zero());
    integrator_->forget();
    return report;
}

} // namespace purl
