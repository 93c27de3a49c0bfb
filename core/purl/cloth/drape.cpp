// The quasistatic mode: minimises energy (Breen's and Feynman's drape, with a faster minimiser).
//
// A sheet that touches nothing (drapeFreely): Newton's method with a direct solver on the exact
// Hessian, raised by a share of the mass until the factorisation finds it positive definite. What
// it ends in is a minimum: the Hessian itself is positive definite there, or the sheet is pushed
// off the saddle. (The Hessian made positive goes faster at first, but leaps from one equilibrium
// to another.)
//
// In contact: steps of backward Euler from rest over a pseudo time that grows while things go well,
// so far from the end it behaves as heavily damped motion.
#include "purl/cloth/solver.h"

#include "purl/base/parallel.h"

#include <algorithm>
#include <cmath>

namespace purl {

namespace {
constexpr double kLongest = 0.1; // of the sheet's size: how far a step may take a point
constexpr double kSlowest = 100; // s, pseudo time of Newton steps at most: 1e-4 / s2 of mass
constexpr int kPushes = 4;       // off saddles, at most
constexpr double kPush = 1e-3;   // of the sheet's size
} // namespace

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
    std::fill(v_.begin(), v_.end(), Vec3::Zero());
    std::fill(state_.begin(), state_.end(), Touch::None);
    contacts_.clear();
    dynamics_->external.clear();
    dynamics_->layers.list.clear();
    forgetMeetings();
    dynamics_->held = baseFilter_;
    filterHasContacts_ = false;
    for (std::size_t k = 0; k < pins_.size(); ++k) x_[pins_[k]] = pinEnd_[k];
    report.energyBefore = report.energy = energy();
    if (bodies_.empty() && !hook_)
        drapeFreely(settings, monitor, report);
    else
        drapeInContact(settings, monitor, report);
    std::fill(v_.begin(), v_.end(), Vec3::Zero());
    integrator_->forget();
    return report;
}

void ClothSolver::drapeInContact(const DrapeSettings& settings, Monitor& monitor,
                                 DrapeReport& report) {
    double tau = settings.firstStep;
    std::vector<Vec3> f(x_.size()), dx(x_.size()), zero(x_.size(), Vec3::Zero());
    SolveSettings linear = settings_.integrator.linear;
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
        bool better = false;
        double share = 1;
        for (int half = 0; half < 10 && solved.outcome != SolveOutcome::NotFinite; ++half) {
            for (std::size_t i = 0; i < x_.size(); ++i) {
                x1_[i] = x_[i] + share * dx[i];
                v1_[i] = share * dx[i] / tau;
            }
            if (strainChange() <= settings_.largestStrainChange) {
                collide(tau, 1);
                const double there = dynamics_->force(x1_, {}, mean_);
                // With contact the descent promised is not all to be had: no rise is enough.
                if (std::isfinite(there) && there <= report.energy) {
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
            tau = std::min(share == 1 ? 2 * tau : tau, 0.1);
        } else {
            if (tau < 1e-6) break;
            tau *= 0.25;
        }
        // Resting on something: the free force never vanishes, the fall of energy does.
        if (better && settled < 1e-9 * std::abs(report.energyBefore - report.energy)) {
            report.converged = true;
            break;
        }
        monitor.progress(static_cast<double>(report.iterations) / settings.iterations);
    }
}

void ClothSolver::drapeFreely(const DrapeSettings& settings, Monitor& monitor,
                              DrapeReport& report) {
    const std::size_t n = x_.size();
    std::vector<Vec3> f(n), dx(n);
    Vec3 low = x_[0], high = x_[0];
    for (const Vec3& p : x_) low = low.cwiseMin(p), high = high.cwiseMax(p);
    const double size = (high - low).norm();
    double tau = settings.firstStep;
    int pushes = 0;
    for (; report.iterations < settings.iterations && !monitor.interrupted(); ++report.iterations) {
        report.residual = freeResidual();
        if (report.residual < settings.tolerance) {
            if (dynamics_->factorDirectly(x_, kSlowest * kSlowest, true, f) || pushes == kPushes) {
                report.converged = pushes < kPushes;
                break;
            }
            // A saddle: forces balance, but there is a way down. Any push has a part along it.
            std::uint32_t random = 12345u + static_cast<std::uint32_t>(pushes++);
            for (Vec3& d : dx)
                for (double& c : d) {
                    random = random * 1664525u + 1013904223u;
                    c = kPush * size * ((random >> 8) / 16777216.0 - 0.5);
                }
            dynamics_->held.apply(dx);
            for (std::size_t i = 0; i < n; ++i) x_[i] += dx[i];
            report.energy = energy();
            tau = settings.firstStep;
            continue;
        }
        bool better = false;
        for (int attempt = 0; attempt < 30 && !better; ++attempt, tau *= better ? 1 : 0.5) {
            // (M + tau^2 K) dx = tau^2 f
            if (!dynamics_->factorDirectly(x_, tau * tau, true, f)) continue;
            dynamics_->solveDirectly(f, dx);
            double slope = 0, far = 0;
            for (std::size_t i = 0; i < n; ++i) {
                dx[i] *= tau * tau;
                slope += f[i].dot(dx[i]);
                far = std::max(far, dx[i].norm());
            }
            if (!(far <= kLongest * size)) continue;
            for (double share = 1; share > 0.1 && !better; share *= 0.5) {
                for (std::size_t i = 0; i < n; ++i) x1_[i] = x_[i] + share * dx[i];
                if (!(strainChange() <= settings_.largestStrainChange)) continue;
                const double there = dynamics_->force(x1_, {}, mean_);
                // Near the end the fall of energy is less than its rounding.
                better =
                    there <= report.energy - 1e-4 * share * slope ||
                    (far < 1e-6 * size && there <= report.energy + 1e-12 * std::abs(report.energy));
                if (!better) continue;
                report.energy = there;
                if (share == 1) tau = std::min(2 * tau, kSlowest);
            }
        }
        if (!better) break;
        x_.swap(x1_);
        monitor.progress(static_cast<double>(report.iterations) / settings.iterations);
    }
}

} // namespace purl
