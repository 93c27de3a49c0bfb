// What meets a collider within the step, so that the step can be solved again with it: nodes are
// held to end on the surface, middles of triangles are pressed off it by terms of the system (as
// layers are, layer_terms.h): a triangle over a sharp edge stands on it and is not stretched to let
// its corners lie down.
#include "purl/base/parallel.h"
#include "purl/cloth/layer_set.h"
#include "purl/cloth/solver.h"

#include <algorithm>

namespace purl {

namespace {
constexpr double kDeep = 0.5;    // of the gap: what is deeper in a collider meets it
constexpr double kNear = 1.5;    // gaps: what is nearer at the start is looked at from there on
constexpr double kPushOut = 0.2; // of a gap that is missing at the start, a step gives back
// Of the gap of nodes: middles of triangles on a ball are deeper than their corners.
constexpr double kFaceGap = 0.5;
constexpr Index kNone = -1, kMeets = 0;
} // namespace

// Where the way from `from` to `to` goes into the collider; false if it was inside before.
bool ClothSolver::entry(const CollisionBody& body, double gap, const Vec3& from, const Vec3& to,
                        double h, double t0, double t1, Entry& e) const {
    const auto at = [&](double s) { // a part of the way
        return body.collider->sampleAt(from + s * (to - from), t0 + s * (t1 - t0));
    };
    double out = 0, in = 1;
    e.at = at(0);
    if (e.at.phi < kDeep * gap) return false;
    for (int k = 0; k < 8; ++k) {
        const double s = 0.5 * (out + in);
        const ColliderSample there = at(s);
        if (there.phi < gap) {
            in = s;
        } else {
            out = s;
            e.at = there;
        }
    }
    e.to =
        from + out * (to - from) + (gap - e.at.phi) * e.at.normal + (1 - out) * h * e.at.velocity;
    return true;
}

// Nodes that end the step inside of a collider: they are to end where they go in, as far as the
// collider's normal there is concerned. True if there are any that were not known.
bool ClothSolver::meetColliders(double h, double t0, double t1) {
    const std::size_t before = meetings_.size();
    phi_.resize(x1_.size());
    for (const CollisionBody& body : bodies_) {
        const double gap = settings_.radius + body.settings.thickness;
        parallelFor(mesh_.points, 1024, [&](Index i0, Index i1) {
            const std::size_t n = static_cast<std::size_t>(i1 - i0);
            body.collider->distance({x1_.data() + i0, n}, t1, {phi_.data() + i0, n});
        });
        for (Index i = 0; i < mesh_.points; ++i) {
            Entry e;
            if (phi_[i] > kDeep * gap || inverseMass_[i] == 0 || meetingOf_[i] != kNone ||
                state_[i] != Touch::None || !entry(body, gap, x_[i], x1_[i], h, t0, t1, e))
                continue;
            const Vec3& n = e.at.normal;
            Meeting m{{i, n, e.at.velocity, body.settings.friction}, e.at.velocity};
            m.velocity += (n.dot(e.to - x_[i]) / h - n.dot(e.at.velocity)) * n;
            meetingOf_[i] = kMeets;
            meetings_.push_back(m);
        }
    }
    return meetings_.size() > before;
}

// Triangles whose middle is near a collider at the start.
void ClothSolver::beginFaces(double h, double t0) {
    const std::size_t faces = mesh_.triangles.size();
    faceTerm_.assign(faces * bodies_.size(), kNone);
    phi_.resize(std::max(faces, phi_.size()));
    middle_.resize(faces);
    std::vector<LayerTerm>& list = dynamics_->layers.list;
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
        const CollisionBody& body = bodies_[b];
        const double gap = kFaceGap * (settings_.radius + body.settings.thickness);
        parallelFor(mesh_.faces(), 1024, [&](Index i0, Index i1) {
            for (Index t = i0; t < i1; ++t) {
                const auto& n = mesh_.triangles[t];
                middle_[t] = (x_[n[0]] + x_[n[1]] + x_[n[2]]) / 3;
            }
            const std::size_t n = static_cast<std::size_t>(i1 - i0);
            body.collider->distance({middle_.data() + i0, n}, t0, {phi_.data() + i0, n});
        });
        for (std::size_t t = 0; t < faces; ++t) {
            if (phi_[t] > kNear * gap) continue;
            const ColliderSample s = body.collider->sampleAt(middle_[t], t0);
            const double wanted = std::min(gap, s.phi + kPushOut * (gap - s.phi));
            const auto& n = mesh_.triangles[t];
            LayerTerm term;
            term.node = {n[0], n[1], n[2], n[2]};
            term.weight = {1.0 / 3, 1.0 / 3, 1.0 / 3, 0};
            term.normal = s.normal;
            term.carried = s.velocity;
            term.friction = body.settings.friction;
            term.least = s.normal.dot(middle_[t] + h * s.velocity);
            term.target = term.least - s.phi + wanted;
            for (std::size_t k = 0; k < 3; ++k) mean_[n[k]] = x_[n[k]] + h * v_[n[k]];
            if (!press(term, nullptr, mean_, {x_, v_, inverseMass_, h})) continue;
            term.active = term.target > term.normal.dot(term.between(mean_));
            faceTerm_[t * bodies_.size() + b] = static_cast<Index>(list.size());
            list.push_back(term);
        }
    }
}

// Triangles whose middle ends the step inside of a collider. True if there is anything new.
bool ClothSolver::meetFaces(double h, double t0, double t1) {
    bool any = false;
    const std::size_t faces = mesh_.triangles.size();
    std::vector<LayerTerm>& list = dynamics_->layers.list;
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
        const CollisionBody& body = bodies_[b];
        const double gap = kFaceGap * (settings_.radius + body.settings.thickness);
        parallelFor(mesh_.faces(), 1024, [&](Index i0, Index i1) {
            for (Index t = i0; t < i1; ++t) {
                const auto& n = mesh_.triangles[t];
                middle_[t] = (x1_[n[0]] + x1_[n[1]] + x1_[n[2]]) / 3;
            }
            const std::size_t n = static_cast<std::size_t>(i1 - i0);
            body.collider->distance({middle_.data() + i0, n}, t1, {phi_.data() + i0, n});
        });
        for (std::size_t t = 0; t < faces; ++t) {
            if (phi_[t] > kDeep * gap) continue;
            Index& at = faceTerm_[t * bodies_.size() + b];
            const auto& n = mesh_.triangles[t];
            LayerTerm term;
            Entry e;
            if (at != kNone && list[at].active) continue; // gives way, but not through
            if (!entry(body, gap, (x_[n[0]] + x_[n[1]] + x_[n[2]]) / 3, middle_[t], h, t0, t1, e))
                continue;
            term.node = {n[0], n[1], n[2], n[2]};
            term.weight = {1.0 / 3, 1.0 / 3, 1.0 / 3, 0};
            term.normal = e.at.normal;
            term.carried = e.at.velocity;
            term.friction = body.settings.friction;
            term.target = term.least = term.normal.dot(e.to);
            if (!press(term, nullptr, x1_, {x_, v_, inverseMass_, h})) continue;
            if (at == kNone) {
                at = static_cast<Index>(list.size());
                list.push_back(term);
            } else {
                list[at] = term;
            }
            any = true;
        }
    }
    return any;
}

} // namespace purl
