#include "purl/base/error.h"
#include "purl/base/hash.h"
#include "purl/base/parallel.h"
#include "purl/crossing/assembled.h"
#include "purl/crossing/solver.h"
#include "purl/crossing/yarn_lines.h"
#include "purl/solve/asking_operator.h"

#include <algorithm>
#include <cmath>

namespace purl {

FabricSolver::FabricSolver(const CrossingNetwork& net, const FabricSolverSettings& settings)
    : fabric_(net), settings_(settings), control_(settings.control), q_(unknownsOf(net)),
      frozen_(net.frozen) {
    if (net.visits.size() != net.x.size())
        throw Error("fabric", "the network is not connected, expected connect() to be called");
    const std::size_t n = net.x.size();
    v_.assign(2 * n, Vec3::Zero());
    q1_ = q_, v1_ = v_, rhs_ = v_, dv_ = v_, scratch_ = v_;
    fabric_.gravity = settings_.forces.gravity;
    stiffness_ = std::make_unique<Stiffness>(fabric_);
    if (settings_.matrix == FabricMatrix::Assembled)
        assembled_ = std::make_unique<AssembledStiffness>(fabric_);
    else
        lines_ = std::make_unique<YarnLines>(fabric_);
    radius_ = fabric_.materials()[0].radius;
    for (const CrossingMaterial& m : fabric_.materials()) {
        radius_ = std::min(radius_, m.radius);
        stiffest_ = std::max(stiffest_, m.stretch);
    }
    touches_ = std::make_unique<Touches>(fabric_, q_, settings_.touch);
    stiffness_->setTouches(touches_.get());
    mass_.resize(n), inverseMass_.resize(n);
    fabric_.mass(q_, mass_);
    rebuildFilter();
    setFrictionOn(settings_.friction);
}

FabricSolver::~FabricSolver() = default;

void FabricSolver::setFrictionOn(bool on) {
    settings_.friction = on;
    Friction& f = fabric_.friction;
    f.limit.assign(on ? fabric_.links().node.size() : 0, 0);
    f.anchor.resize(f.limit.size());
    for (Index k = 0; k < static_cast<Index>(f.anchor.size()); ++k)
        f.anchor[k] = fabric_.links().slide(q_, k);
    refreshFriction();
}

void FabricSolver::rebuildFilter() {
    const Index n = nodes();
    filter_.reset(2 * n);
    for (Index i = 0; i < n; ++i) inverseMass_[i] = mass_[i] > 0 ? 1 / mass_[i] : 0;
    std::vector<std::uint8_t> held = frozen_;
    for (Index i : pins_) {
        filter_.pin(i);
        inverseMass_[i] = 0;
        if (grip_) held[i] = 7;
    }
    for (Index i = 0; i < n; ++i) {
        if (!settings_.sliding) held[i] = 7;
        for (int s = 0; s < 3; ++s)
            if (held[i] >> s & 1) filter_.holdDirection(n + i, Vec3::Unit(s));
    }
}

void FabricSolver::setPins(std::vector<Index> points, bool grip) {
    std::sort(points.begin(), points.end());
    points.erase(std::unique(points.begin(), points.end()), points.end());
    for (Index i : points)
        if (i < 0 || i >= nodes())
            throw Error("fabric pins", "node " + std::to_string(i) + ", expected 0 to " +
                                           std::to_string(nodes() - 1));
    pins_ = std::move(points);
    grip_ = grip;
    pinStart_.clear();
    for (Index i : pins_) pinStart_.push_back(q_[i]);
    pinEnd_ = pinStart_;
    heldV_.assign(pins_.size(), Vec3::Zero());
    rebuildFilter();
}

void FabricSolver::setPinTargets(Span<const Vec3> targets) {
    if (targets.size() != pins_.size())
        throw Error("fabric pins", std::to_string(targets.size()) + " targets, expected " +
                                       std::to_string(pins_.size()));
    pinEnd_.assign(targets.begin(), targets.end());
}

void FabricSolver::setFrozen(Span<const std::uint8_t> bits) {
    if (bits.size() != frozen_.size())
        throw Error("fabric sliding", std::to_string(bits.size()) + " nodes, expected " +
                                          std::to_string(frozen_.size()));
    frozen_.assign(bits.begin(), bits.end());
    rebuildFilter();
}

void FabricSolver::setColliders(std::vector<CollisionBody> bodies) { bodies_ = std::move(bodies); }

void FabricSolver::setExternal(std::vector<Vec3> newtons) {
    if (!newtons.empty() && newtons.size() != x().size())
        throw Error("fabric forces", std::to_string(newtons.size()) + " nodes, expected " +
                                         std::to_string(x().size()));
    external_ = std::move(newtons);
}

void FabricSolver::setWeights(ElementWeights weights) {
    const YarnLinks& l = fabric_.links();
    if ((!weights.piece.empty() && weights.piece.size() != l.node.size()) ||
        (!weights.node.empty() && weights.node.size() != x().size()))
        throw Error("fabric weights", std::to_string(weights.piece.size()) + " links and " +
                                          std::to_string(weights.node.size()) +
                                          " nodes, expected " + std::to_string(l.links()) +
                                          " and " + std::to_string(nodes()));
    fabric_.weights = std::move(weights);
    fabric_.mass(q_, mass_);
    rebuildFilter();
}

void FabricSolver::setState(Span<const Vec3> unknowns, Span<const Vec3> rates) {
    if (unknowns.size() != q_.size() || rates.size() != v_.size())
        throw Error("fabric", "a state of " + std::to_string(unknowns.size()) +
                                  " unknowns, expected " + std::to_string(q_.size()));
    q_.assign(unknowns.begin(), unknowns.end());
    v_.assign(rates.begin(), rates.end());
    for (std::size_t k = 0; k < pins_.size(); ++k) pinStart_[k] = pinEnd_[k] = q_[pins_[k]];
    control_ = StepControl(settings_.control);
    refreshFriction();
}

void FabricSolver::setAnchors(Span<const double> anchors) {
    if (anchors.size() != fabric_.friction.anchor.size())
        throw Error("fabric friction", std::to_string(anchors.size()) + " anchors, expected " +
                                           std::to_string(fabric_.friction.anchor.size()));
    fabric_.friction.anchor.assign(anchors.begin(), anchors.end());
}

FabricReport FabricSolver::advanceFrame(double seconds, int substeps, Monitor& monitor) try {
    const AskedWhile asked(asked_, monitor);
    FabricReport total;
    for (int s = 0; s < substeps; ++s) {
        if (monitor.interrupted()) {
            total.interrupted = true;
            return total;
        }
        const FabricReport r = step(seconds / substeps, static_cast<double>(s) / substeps,
                                    static_cast<double>(s + 1) / substeps);
        total.steps += r.steps;
        total.rejected += r.rejected;
        total.newton += r.newton;
        total.linear += r.linear;
        total.halvings += r.halvings;
        total.converged = total.converged && r.converged;
        total.slipping = r.slipping;
        total.selfTouching = r.selfTouching;
        total.touching = r.touching;
        total.broken = r.broken;
        if (r.broken) return total;
        monitor.progress((s + 1.0) / substeps);
    }
    pinStart_ = pinEnd_;
    fabric_.mass(q_, mass_);
    for (Index i = 0; i < nodes(); ++i)
        if (inverseMass_[i] > 0) inverseMass_[i] = 1 / mass_[i];
    return total;
} catch (const Interrupted&) {
    FabricReport stopped;
    stopped.interrupted = true;
    return stopped;
}

FabricReport FabricSolver::settle(double dt, int steps, double tolerance, Monitor& monitor) try {
    const AskedWhile asked(asked_, monitor);
    FabricReport total;
    const Index n = nodes();
    for (int s = 0; s < steps; ++s) {
        if (monitor.interrupted()) {
            total.interrupted = true;
            break;
        }
        const FabricReport r = step(dt);
        total.steps += r.steps;
        total.rejected += r.rejected;
        total.newton += r.newton;
        total.linear += r.linear;
        total.halvings += r.halvings;
        total.broken = r.broken;
        std::fill(v_.begin(), v_.end(), Vec3::Zero());
        gradient(rhs_);
        filter_.apply(rhs_);
        total.residual = orderedMax(2 * n, 2048, [&](Index i0, Index i1) {
            double most = 0;
            for (Index i = i0; i < i1; ++i) most = std::max(most, rhs_[i].norm());
            return most;
        });
        total.converged = total.residual <= tolerance;
        if (total.converged || r.broken) break;
        monitor.progress((s + 1.0) / steps);
    }
    pinStart_ = pinEnd_;
    return total;
} catch (const Interrupted&) {
    FabricReport stopped;
    stopped.interrupted = true;
    return stopped;
}

void FabricSolver::gradient(Span<Vec3> out) {
    fabric_.evaluate(q_, out);
    for (std::size_t i = 0; i < external_.size(); ++i) out[i] -= external_[i];
}

double FabricSolver::energy() { return fabric_.evaluate(q_, {}); }

double FabricSolver::kineticEnergy() const {
    std::vector<Vec3> p(v_.size());
    applyMass(fabric_, q_, v_, p);
    double sum = 0;
    for (std::size_t i = 0; i < p.size(); ++i) sum += 0.5 * p[i].dot(v_[i]);
    return sum;
}

std::uint64_t FabricSolver::hash() const {
    Hash h;
    h.add(q_);
    h.add(v_);
    h.add(fabric_.friction.anchor);
    h.add(time_);
    return h.value();
}

std::size_t FabricSolver::matrixBytes() const {
    return stiffness_->bytes() + (lines_ ? lines_->bytes() : 0) +
           (assembled_ ? assembled_->bytes() : 0);
}

std::size_t FabricSolver::bytes() const {
    std::size_t sum = fabric_.bytes() + matrixBytes() + touches_->bytes();
    for (const auto* v : {&q_, &v_, &q1_, &v1_, &rhs_, &dv_, &scratch_, &external_})
        sum += bytesOf(*v);
    sum += 4 * bytesOf(q_); // of the linear solver
    return sum + bytesOf(mass_) + bytesOf(inverseMass_) + bytesOf(frozen_) + bytesOf(pins_) +
           3 * bytesOf(pinStart_) + sizeof(Index) * q_.size() +
           static_cast<std::size_t>(filter_.constrained()) * (sizeof(Mat3) + sizeof(Index));
}

} // namespace purl
