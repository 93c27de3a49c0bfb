#include "purl/mixed/solver.h"

#include "purl/base/parallel.h"
#include "purl/crossing/compression.h"
#include "purl/mixed/solver_parts.h"
#include "purl/solve/asking_operator.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace purl {

namespace {
constexpr Index kBlock = 2048;

double dot(Span<const Vec3> a, Span<const Vec3> b) {
    return orderedSum(static_cast<Index>(a.size()), kBlock, [&](Index i0, Index i1) {
        double sum = 0;
        for (Index i = i0; i < i1; ++i) sum += a[i].dot(b[i]);
        return sum;
    });
}
} // namespace

void MixedSolver::expand(Span<Vec3> d) const {
    patch_.embedding.addBase(Span<const Vec3>(d.data(), static_cast<std::size_t>(nv_)),
                             Span<Vec3>(d.data() + nv_, static_cast<std::size_t>(n_)));
}

// rhs = S (r_v + B^T r_p, r_p), r = -(M (v1 - v0) + h c M v1 + h dE) on either side (physics 8.3).
double MixedSolver::residual(double h) {
    const std::size_t nv = static_cast<std::size_t>(nv_), m = y_.size() - nv;
    const Span<const Vec3> q1(y1_.data() + nv, m), q0(y_.data() + nv, m);
    const Span<Vec3> rv(rhs_.data(), nv), rp(rhs_.data() + nv, m);
    const double yarn = fabric_.evaluate(q1, rp);
    if (!std::isfinite(yarn)) return std::numeric_limits<double>::infinity();
    const double sheet = parts_->triangles.evaluate(Span<const Vec3>(y1_.data(), nv),
                                                    Span<const Vec3>(r1_.data(), nv), rv);
    if (!std::isfinite(sheet)) return std::numeric_limits<double>::infinity();
    parts_->touches.addGradient(Span<const Vec3>(y1_.data() + nv, static_cast<std::size_t>(n_)),
                                Span<const Vec3>(r1_.data() + nv, static_cast<std::size_t>(n_)),
                                rp);
    const double c = settings_.forces.velocityDamping;
    parallelFor(static_cast<Index>(y_.size()), kBlock, [&](Index i0, Index i1) {
        for (Index i = i0; i < i1; ++i) scratch_[i] = (1 + h * c) * r1_[i] - r_[i];
    });
    applyMass(fabric_, q0, Span<const Vec3>(scratch_.data() + nv, m), Span<Vec3>(d_.data(), m));
    const YarnLinks& l = fabric_.links();
    parallelFor(n_, kBlock, [&](Index i0, Index i1) {
        for (Index i = i0; i < i1; ++i) {
            rp[i] = -d_[i] - h * rp[i];
            Vec3& s = rp[n_ + i];
            s = -d_[n_ + i] - h * s;
            for (Index k = l.first[i]; k < l.first[i + 1]; ++k)
                s[l.side[k]] -= h * fabric_.nodeWeight(i) * fabric_.materialOf(k).frictionDamping *
                                r1_[nv_ + n_ + i][l.side[k]];
        }
    });
    const Span<const double> mass = parts_->triangles.mass();
    const Vec3 g = settings_.forces.gravity;
    for (Index v = 0; v < nv_; ++v) rv[v] = mass[v] * (h * g - scratch_[v]) - h * rv[v];
    for (std::size_t i = 0; i < external_.size(); ++i) rhs_[i] += h * external_[i];
    patch_.embedding.gather(rp, rv);
    parts_->filter.apply(rhs_);
    return std::sqrt(dot(rhs_, rhs_));
}

void MixedSolver::linearise(double h) {
    const std::size_t nv = static_cast<std::size_t>(nv_);
    const double c = settings_.forces.velocityDamping;
    parts_->yarns.linearise(Span<const Vec3>(y1_.data() + nv, y1_.size() - nv), h, c);
    parts_->touches.linearise(Span<const Vec3>(y1_.data() + nv, static_cast<std::size_t>(n_)));
    parts_->triangles.linearise(Span<const Vec3>(y1_.data(), nv), Span<const Vec3>(r1_.data(), nv),
                                h, c);
}

const Preconditioner& MixedSolver::preconditioner(MixedPreconditioner kind, double h) {
    Parts& p = *parts_;
    const double factor = 1 + h * settings_.forces.velocityDamping;
    p.heavy.resize(static_cast<std::size_t>(n_));
    for (Index i = 0; i < n_; ++i) p.heavy[i] = factor * nodeMass_[i];
    const auto slideMass = [&] { // a sliding coordinate weighs what the yarn at its node does
        std::vector<double> all(p.heavy);
        all.insert(all.end(), p.heavy.begin(), p.heavy.end());
        return all;
    };
    switch (kind) {
    case MixedPreconditioner::Lines:
        p.twoLevel.factor(p.triangles.sparse(), p.pinned, p.yarns, p.yarnHeld, p.farHeld, p.system,
                          p.filter);
        return p.twoLevel;
    case MixedPreconditioner::Enriched: {
        p.blocks.resize(static_cast<std::size_t>(n_));
        for (Index i = 0; i < n_; ++i) p.blocks[i] = p.heavy[i] * Mat3::Identity();
        Eigen::SparseMatrix<double> mass(3 * nv_, 3 * nv_);
        for (Index v = 0; v < 3 * nv_; ++v) mass.insert(v, v) = p.triangles.mass()[v / 3];
        p.divide.divisor = slideMass();
        p.enriched.factor(mass, p.blocks, p.filter.held, &p.divide);
        return p.enriched;
    }
    case MixedPreconditioner::Woodbury:
        p.woodbury = std::make_unique<WoodburyPreconditioner>(patch_.embedding, p.yarnFilter,
                                                              p.triangles.mass(), slideMass());
        return *p.woodbury;
    case MixedPreconditioner::Diagonal: {
        // The diagonal of the mass matrix of physics 8.3, M_v + B^T M_p B and M_p.
        p.divide.divisor.assign(p.triangles.mass().begin(), p.triangles.mass().end());
        for (Index i = 0; i < n_; ++i)
            if (patch_.embedding.riding(i))
                for (int k = 0; k < 3; ++k) {
                    const double w = patch_.embedding.row(i).weight[k];
                    p.divide.divisor[patch_.embedding.row(i).vertex[k]] += w * w * p.heavy[i];
                }
        for (double& d : p.divide.divisor) d = d > 0 ? d : 1;
        const std::vector<double> yarn = slideMass();
        p.divide.divisor.insert(p.divide.divisor.end(), yarn.begin(), yarn.end());
        return p.divide;
    }
    case MixedPreconditioner::None:
        break;
    }
    p.divide.divisor.assign(y_.size(), 1);
    return p.divide;
}

// The first guess of a step: motion goes on, or (if that cannot be) stops.
double MixedSolver::begin(double h, bool moving) {
    const Index m = static_cast<Index>(y_.size());
    for (Index i = 0; i < m; ++i) {
        r1_[i] = moving ? r_[i] : Vec3(Vec3::Zero());
        parts_->filter.held.applyRow(i, r1_[i]);
        d_[i].setZero();
    }
    // What pins do to vertices, the nodes that ride there do with them.
    for (const Pin& p : pins_)
        if (p.vertex)
            d_[p.unknown] =
                (p.now - y_[p.unknown]) / h - (moving ? r_[p.unknown] : Vec3(Vec3::Zero()));
    expand(d_);
    parallelFor(m, kBlock, [&](Index i0, Index i1) {
        for (Index i = i0; i < i1; ++i) r1_[i] += d_[i];
    });
    for (const Pin& p : pins_) r1_[p.unknown] = (p.now - y_[p.unknown]) / h;
    parallelFor(m, kBlock, [&](Index i0, Index i1) {
        for (Index i = i0; i < i1; ++i) y1_[i] = y_[i] + h * r1_[i];
    });
    return residual(h);
}

// d = the solution for rhs.
SolveReport MixedSolver::solveLinear(double h) {
    const Preconditioner& pre = preconditioner(settings_.preconditioner, h);
    const AskingOperator a(parts_->system, asked_);
    std::fill(d_.begin(), d_.end(), Vec3::Zero());
    if (settings_.preconditioner != MixedPreconditioner::Lines)
        return parts_->solver.solve(a, pre, parts_->filter, rhs_, {}, d_, settings_.linear);
    parts_->twoLevel.begin(rhs_, scratch_, back_);
    const SolveReport s =
        parts_->solver.solve(a, pre, parts_->filter, back_, {}, d_, settings_.linear);
    for (std::size_t i = 0; i < d_.size(); ++i) d_[i] += scratch_[i];
    return s;
}

// Mean square of a velocity of vertices and nodes, by mass.
double MixedSolver::massMean(Span<const Vec3> u) const {
    const Span<const double> mass = parts_->triangles.mass();
    double sum = 0, all = 0;
    for (Index v = 0; v < nv_; ++v)
        if (parts_->unknownVertex[v]) sum += mass[v] * u[v].squaredNorm(), all += mass[v];
    for (Index i = 0; i < n_; ++i)
        sum += nodeMass_[i] * u[nv_ + i].squaredNorm(), all += nodeMass_[i];
    return sum / all;
}

// Fills y1_, r1_; false if the step is not to be kept.
bool MixedSolver::newton(double h, MixedReport& report) {
    const Index m = static_cast<Index>(y_.size());
    double size = begin(h, true);
    if (!std::isfinite(size)) size = begin(h, false);
    if (!std::isfinite(size)) return false;
    const double first = size;
    for (int k = 0; k < settings_.newtonIterations; ++k) {
        if (size == 0) return true;
        linearise(h);
        const SolveReport s = solveLinear(h);
        report.linear += s.iterations;
        if (s.outcome != SolveOutcome::Converged && s.outcome != SolveOutcome::Stalled)
            return false;
        ++report.newton;
        const double slope = dot(rhs_, d_);
        if (!(slope > 0)) return false;
        back_.assign(d_.begin(), d_.end()); // in the unknowns, for slopes
        expand(d_);                         // in positions
        move_.assign(d_.begin(), d_.end()); // residual() uses d_
        const double reach = orderedMax(m, kBlock, [&](Index i0, Index i1) {
            double most = 0;
            for (Index i = i0; i < i1; ++i) most = std::max(most, move_[i].cwiseAbs().maxCoeff());
            return most;
        });
        if (!std::isfinite(reach)) return false;
        double share = 1, moved = 0;
        for (int half = 0;; ++half) {
            const double by = share - moved;
            moved = share;
            parallelFor(m, kBlock, [&](Index i0, Index i1) {
                for (Index i = i0; i < i1; ++i) {
                    r1_[i] += by * move_[i];
                    y1_[i] = y_[i] + h * r1_[i];
                }
            });
            size = residual(h);
            if (std::isfinite(size) && dot(rhs_, back_) > -0.9 * slope) break;
            if (half == 10) return false;
            share *= 0.5;
            ++report.halvings;
        }
        const double mean = h * std::sqrt(massMean(move_));
        if (size <= settings_.newtonTolerance * first && mean < settings_.meanMove * radius_ &&
            h * reach < settings_.nearMove * radius_)
            return true;
        if (share == 1 && h * reach < settings_.stillMove * radius_) return true;
    }
    return false;
}

std::vector<double> MixedSolver::convergence(MixedPreconditioner kind, double h, int iterations) {
    std::vector<double> out;
    hold(1);
    startTouches(h, 1);
    begin(h, true);
    linearise(h);
    const Preconditioner& p = preconditioner(kind, h);
    std::fill(d_.begin(), d_.end(), Vec3::Zero());
    SolveSettings s;
    s.tolerance = 1e-14;
    s.maxIterations = iterations;
    s.patience = iterations;
    s.norm = SolveSettings::Norm::Euclidean;
    s.history = &out;
    if (kind == MixedPreconditioner::Lines) {
        const double first = std::sqrt(dot(rhs_, rhs_));
        parts_->twoLevel.begin(rhs_, scratch_, back_);
        const double left = std::sqrt(dot(back_, back_));
        parts_->solver.solve(parts_->system, p, parts_->filter, back_, {}, d_, s);
        for (double& r : out) r *= left / first;
        return out;
    }
    parts_->solver.solve(parts_->system, p, parts_->filter, rhs_, {}, d_, s);
    return out;
}

MixedReport MixedSolver::step(double dt, double t0, double t1) {
    MixedReport report;
    double left = dt;
    while (left > 1e-12 * dt) {
        const double h = control_.next(dt, left), end = t1 - (t1 - t0) * (left - h) / dt;
        hold(end);
        startTouches(h, end);
        const bool good = newton(h, report);
        if (!good && settings_.adaptive && control_.reject()) {
            ++report.rejected;
            continue;
        }
        if (!good) {
            report.converged = false;
            if (!std::isfinite(residual(h))) {
                report.broken = true;
                return report;
            }
        }
        collide(h, end, report);
        accept(h, report);
        if (good) control_.accept();
        left -= h;
    }
    return report;
}

} // namespace purl
