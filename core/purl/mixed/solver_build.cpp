// Setting a MixedSolver up, and what goes in and out of it between steps.
#include "purl/base/error.h"
#include "purl/base/hash.h"
#include "purl/base/parallel.h"
#include "purl/crossing/compression.h"
#include "purl/mixed/solver_parts.h"
#include "purl/solve/asking_operator.h"

#include <algorithm>

namespace purl {

const char* name(MixedPreconditioner p) {
    switch (p) {
    case MixedPreconditioner::Lines:
        return "lines";
    case MixedPreconditioner::Woodbury:
        return "woodbury";
    case MixedPreconditioner::Enriched:
        return "enriched";
    case MixedPreconditioner::Diagonal:
        return "diagonal";
    case MixedPreconditioner::None:
        return "none";
    }
    return "";
}

MixedSolver::~MixedSolver() = default;

MixedSolver::MixedSolver(const ClothMesh& mesh, std::vector<Vec3> vertices,
                         const FabricLayout& layout, const Regions& regions,
                         const MixedSettings& settings)
    : mesh_(mesh), regions_(regions),
      patch_(enrich(mesh, regions, layout, settings.triangles.areaDensity, settings.riding)),
      settings_(settings), fabric_(patch_.network), nv_(mesh.points), n_(patch_.network.nodes()),
      control_(settings.control) {
    if (static_cast<Index>(vertices.size()) != nv_)
        throw Error("mixed cloth", "has " + std::to_string(vertices.size()) +
                                       " positions, expected " + std::to_string(nv_));
    const YarnLinks& l = fabric_.links();
    fabric_.gravity = settings.forces.gravity;
    fabric_.weights.node = patch_.nodeWeight;
    fabric_.weights.piece.assign(static_cast<std::size_t>(l.links()), 0);
    for (std::size_t k = 0; k < patch_.visitWeight.size(); ++k)
        fabric_.weights.piece[l.ofVisit[k]] = patch_.visitWeight[k];
    std::vector<Embedding::Row> rows(static_cast<std::size_t>(n_));
    for (Index i = 0; i < n_; ++i) {
        rows[i].vertex = mesh_.triangles[layout.triangle[patch_.nodeOf[i]]];
        for (int k = 0; k < 3; ++k) rows[i].weight[k] = layout.weights[patch_.nodeOf[i]][k];
    }
    parts_ = std::make_unique<Parts>(mesh_, settings_, patch_, fabric_,
                                     Embedding(nv_, std::move(rows)), layout);

    y_ = std::move(vertices);
    const std::vector<Vec3> q = unknownsOf(patch_.network);
    y_.insert(y_.end(), q.begin(), q.end());
    for (Index i = 0; i < n_; ++i) { // where the layout put them on the triangles
        const Embedding::Row& row = patch_.embedding.row(i);
        if (!row.riding()) continue;
        Vec3 p = Vec3::Zero();
        for (int k = 0; k < 3; ++k) p += row.weight[k] * y_[row.vertex[k]];
        y_[nv_ + i] = p;
    }
    r_.assign(y_.size(), Vec3::Zero());
    for (auto* v : {&y1_, &r1_, &rhs_, &d_, &back_, &move_, &scratch_})
        v->assign(y_.size(), Vec3::Zero());
    nodeMass_.resize(static_cast<std::size_t>(n_));
    fabric_.mass(Span<const Vec3>(y_.data() + nv_, y_.size() - nv_), nodeMass_);
    radius_ = patch_.network.materials[0].radius;
    for (const CrossingMaterial& m : patch_.network.materials)
        radius_ = std::min(radius_, m.radius);
    if (settings_.friction) {
        fabric_.friction.anchor.resize(static_cast<std::size_t>(l.links()));
        fabric_.friction.limit.assign(static_cast<std::size_t>(l.links()), 0);
        for (Index k = 0; k < l.links(); ++k)
            fabric_.friction.anchor[k] =
                l.slide(Span<const Vec3>(y_.data() + nv_, y_.size() - nv_), k);
        refreshFriction();
    }
    parts_->unknownVertex.resize(static_cast<std::size_t>(nv_));
    for (Index v = 0; v < nv_; ++v)
        parts_->unknownVertex[v] = regions_.free[v] || parts_->yarnFilter.keptIndex(v) >= 0;
    rebuildFilter();
}

// What the preconditioner may move: what the filter leaves free. Where the triangles below are
// held, so are the yarns, to lines.
void MixedSolver::holdPreconditioner() {
    const NodeFilter& held = parts_->filter.held;
    NodeFilter &pinned = parts_->pinned, &far = parts_->farHeld, &lines = parts_->yarnHeld;
    pinned.reset(nv_), far.reset(2 * n_), lines.reset(2 * n_);
    for (Index v : pinnedVertices_) pinned.pin(v);
    for (Index v = 0; v < nv_; ++v)
        if (parts_->unknownVertex[v] && !held.isFree(v)) pinned.pin(v);
    for (Index i = 0; i < n_; ++i) {
        const Embedding::Row& row = patch_.embedding.row(i);
        double share = 0;
        for (int k = 0; row.riding() && k < 3; ++k)
            if (!pinned.isFree(row.vertex[k])) share += row.weight[k];
        const bool fixed = !held.isFree(nv_ + i);
        if (fixed) far.pin(i);
        if (fixed || share > 0.5) lines.pin(i);
        if (!held.isFree(nv_ + n_ + i)) lines.set(n_ + i, held.at(nv_ + n_ + i));
    }
}

void MixedSolver::rebuildFilter() {
    NodeFilter& held = parts_->filter.held;
    held.reset(static_cast<Index>(y_.size()));
    for (Index v = 0; v < nv_; ++v)
        if (!parts_->unknownVertex[v]) held.pin(v);
    for (const Pin& p : pins_) held.pin(p.unknown);
    const CrossingNetwork& net = patch_.network;
    for (Index i = 0; i < n_; ++i) {
        Mat3 free = Mat3::Identity();
        bool any = false;
        bool pinned = !held.isFree(nv_ + i);
        for (int s = 0; s < 3; ++s)
            if (pinned || !settings_.sliding || net.visits[i][s] == CrossingNetwork::kNone ||
                net.frozen[i] & (1u << s)) {
                free(s, s) = 0;
                any = true;
            }
        if (!any) continue;
        held.set(nv_ + n_ + i, free);
    }
    holdPreconditioner();
    // What the response below moves: vertices of triangles alone. Nodes touch inside the step.
    inverseMass_.assign(static_cast<std::size_t>(nv_ + n_), 0);
    for (Index v = 0; v < nv_; ++v)
        if (held.isFree(v) && parts_->yarnFilter.keptIndex(v) < 0)
            inverseMass_[v] = 1 / parts_->triangles.mass()[v];
    for (Index i = 0; i < n_; ++i)
        if (held.isFree(nv_ + i)) inverseMass_[nv_ + i] = 1 / nodeMass_[i];
}

void MixedSolver::setPins(Span<const Index> vertices, Span<const Index> nodes) {
    pins_.clear();
    pinnedVertices_.assign(vertices.begin(), vertices.end());
    for (Index v : vertices)
        if (parts_->unknownVertex[v]) pins_.push_back({v, v, true, y_[v], y_[v], y_[v]});
    for (Index from : nodes) {
        const Index i = patch_.indexOf[from];
        if (i < 0 || patch_.embedding.riding(i)) continue;
        const Vec3 x = y_[nv_ + i];
        pins_.push_back({nv_ + i, from, false, x, x, x});
    }
    rebuildFilter();
}

void MixedSolver::setPinTargets(Span<const Vec3> vertexTargets, Span<const Vec3> nodeTargets) {
    for (Pin& p : pins_) {
        p.from = y_[p.unknown];
        p.to = p.vertex ? vertexTargets[p.target] : nodeTargets[p.target];
    }
}

void MixedSolver::hold(double t1) {
    for (Pin& p : pins_) p.now = p.from + t1 * (p.to - p.from);
}

void MixedSolver::setColliders(std::vector<CollisionBody> bodies) {
    bodies_ = std::move(bodies);
    if (response_) return;
    const std::vector<double> radius(static_cast<std::size_t>(nv_), 2 * radius_);
    response_ = std::make_unique<CollisionResponse>(radius, std::vector<YarnPoint>());
}

void MixedSolver::setExternal(std::vector<Vec3> newtons) {
    if (!newtons.empty() && newtons.size() != static_cast<std::size_t>(nv_ + n_))
        throw Error("mixed forces", std::to_string(newtons.size()) +
                                        " vertices and nodes, expected " +
                                        std::to_string(nv_ + n_));
    external_ = std::move(newtons);
}

std::vector<double> MixedSolver::masses() const {
    std::vector<double> out(static_cast<std::size_t>(nv_), 0.0);
    for (Index v = 0; v < nv_; ++v)
        if (parts_->unknownVertex[v]) out[v] = parts_->triangles.mass()[v];
    out.insert(out.end(), nodeMass_.begin(), nodeMass_.end());
    return out;
}

void MixedSolver::startTouches(double h, double t1) {
    const std::size_t nv = static_cast<std::size_t>(nv_), n = static_cast<std::size_t>(n_);
    parts_->touches.begin(nodes(), nodeRates(), bodies_,
                          Span<const double>(inverseMass_.data() + nv, n), h, t1);
}

void MixedSolver::collide(double h, double t1, MixedReport& report) {
    report.touching = parts_->touches.bodyTouching();
    report.selfTouching = parts_->touches.selfTouching();
    if (bodies_.empty()) return;
    const std::size_t nv = static_cast<std::size_t>(nv_);
    std::copy(y_.begin(), y_.begin() + nv_, scratch_.begin());
    const Span<Vec3> start(scratch_.data(), nv), rates(r1_.data(), nv);
    const CollisionFigures f =
        response_->apply(bodies_, start, rates, Span<const double>(inverseMass_.data(), nv), h, t1);
    report.touching += f.touching;
    for (Index v = 0; v < nv_; ++v)
        if (inverseMass_[v] > 0) y1_[v] = start[v] + h * r1_[v];
}

void MixedSolver::refreshFriction() {
    if (!settings_.friction) return;
    frictionLimits(fabric_, Span<const Vec3>(y_.data() + nv_, y_.size() - nv_),
                   Span<Vec3>(scratch_.data(), static_cast<std::size_t>(n_)),
                   fabric_.friction.limit);
}

// Keeps y1_, r1_: anchors follow what has slipped, and the next step's pressures are taken.
void MixedSolver::accept(double h, MixedReport& report) {
    std::swap(y_, y1_);
    std::swap(r_, r1_);
    time_ += h;
    ++report.steps;
    if (!settings_.friction) return;
    const YarnLinks& l = fabric_.links();
    const Span<const Vec3> q(y_.data() + nv_, y_.size() - nv_);
    Friction& f = fabric_.friction;
    Index slipped = 0;
    for (Index k = 0; k < l.links(); ++k) {
        const double before = f.anchor[k];
        f.anchor[k] =
            dragAnchor(l.slide(q, k), before, fabric_.materialOf(k).frictionStiffness, f.limit[k]);
        slipped += f.anchor[k] != before;
    }
    report.slipping = slipped;
    refreshFriction();
}

void MixedSolver::setState(Span<const Vec3> state, Span<const Vec3> rates,
                           Span<const double> anchors) {
    if (state.size() != y_.size() || rates.size() != r_.size() ||
        anchors.size() != fabric_.friction.anchor.size())
        throw Error("mixed cloth", "a state of " + std::to_string(state.size()) +
                                       " vectors, expected " + std::to_string(y_.size()));
    std::copy(state.begin(), state.end(), y_.begin());
    std::copy(rates.begin(), rates.end(), r_.begin());
    std::copy(anchors.begin(), anchors.end(), fabric_.friction.anchor.begin());
    refreshFriction();
}

MixedReport MixedSolver::advanceFrame(double seconds, int substeps, Monitor& monitor) try {
    const AskedWhile asked(asked_, monitor);
    MixedReport all;
    for (int s = 0; s < substeps && !all.broken; ++s) {
        if (monitor.interrupted()) {
            all.interrupted = true;
            break;
        }
        const MixedReport r =
            step(seconds / substeps, double(s) / substeps, double(s + 1) / substeps);
        all.steps += r.steps, all.rejected += r.rejected, all.newton += r.newton;
        all.linear += r.linear, all.halvings += r.halvings;
        all.broken = r.broken;
        all.converged = all.converged && r.converged;
        all.slipping = r.slipping;
        all.touching = r.touching, all.selfTouching = r.selfTouching;
        monitor.progress(double(s + 1) / substeps);
    }
    for (Pin& p : pins_) p.from = y_[p.unknown];
    refreshVertices();
    return all;
} catch (const Interrupted&) {
    MixedReport stopped;
    stopped.interrupted = true;
    return stopped;
}

MixedReport MixedSolver::settle(double dt, int steps, Monitor& monitor) try {
    const AskedWhile asked(asked_, monitor);
    MixedReport all;
    for (int s = 0; s < steps && !all.broken; ++s) {
        if (monitor.interrupted()) {
            all.interrupted = true;
            break;
        }
        const MixedReport r = step(dt, 0, 0);
        std::fill(r_.begin(), r_.end(), Vec3::Zero());
        all.steps += r.steps, all.newton += r.newton, all.linear += r.linear;
        all.broken = r.broken;
        monitor.progress(double(s + 1) / steps);
    }
    refreshVertices();
    return all;
} catch (const Interrupted&) {
    MixedReport stopped;
    stopped.interrupted = true;
    return stopped;
}

std::uint64_t MixedSolver::hash() const {
    Hash h;
    h.add(y_);
    h.add(r_);
    h.add(fabric_.friction.anchor);
    return h.value();
}

} // namespace purl
