// Contact with colliders inside the solve (physics 6.9): nodes that touched in the last step are
// held along the normal, and along the surface too while friction can carry what pulls at them.
// The force that holding takes tells afterwards who lets go and who slips. New touches are the
// collision response's, which moves single nodes; from the next step on the whole sheet knows.
#include "purl/cloth/solver.h"

#include <algorithm>
#include <cmath>

namespace purl {

namespace {
constexpr double kNear = 0.5; // of the gap beyond it: how far a touching node may be off
} // namespace

// Filter and held velocities of a step of h (s) that begins at t0 in [0, 1] of the frame.
void ClothSolver::beginContacts(double h, double t0) {
    contacts_.clear();
    if (contactNodes_ == 0 && !filterHasContacts_) return;
    dynamics_->held = baseFilter_;
    filterHasContacts_ = false;
    for (Index i = 0; i < mesh_.points; ++i) {
        if (state_[i] == Touch::None || inverseMass_[i] == 0) continue;
        std::size_t found = contacts_.size();
        for (const CollisionBody& body : bodies_) {
            const ColliderSample s = body.collider->sampleAt(x_[i], t0);
            const double gap = settings_.radius + body.settings.thickness;
            if (s.phi > (1 + kNear) * gap) continue;
            // Back to the gap within the step, not faster than a push-out may be.
            const double back =
                std::clamp((gap - s.phi) / h, -body.settings.maxPushOut, body.settings.maxPushOut);
            contacts_.push_back({i, s.normal, s.velocity, back, body.settings.friction});
        }
        const std::size_t count = contacts_.size() - found;
        if (count == 0) {
            state_[i] = Touch::None;
            continue;
        }
        const Contact& c = contacts_[found];
        if (count > 1) { // between bodies: left to the response, which answers them in turn
            contacts_.resize(found);
            continue;
        }
        if (state_[i] == Touch::Stick)
            dynamics_->held.pin(i);
        else
            dynamics_->held.holdDirection(i, c.normal);
        heldV_[i] = c.velocity + c.back * c.normal;
        filterHasContacts_ = true;
    }
}

// What holding took, and Coulomb's law for those that slide: x1_ and v1_ are changed.
void ClothSolver::endContacts(double h) {
    if (contacts_.empty()) return;
    dynamics_->reaction(mean_);
    for (const Contact& c : contacts_) {
        const Vec3 impulse = mean_[c.node]; // N s, by the collider
        const double press = impulse.dot(c.normal);
        if (press < 0) { // it was pulled back: let go
            state_[c.node] = Touch::None;
            continue;
        }
        if (state_[c.node] == Touch::Stick) {
            const double pull = (impulse - press * c.normal).norm();
            if (pull > c.friction * press) state_[c.node] = Touch::Slide;
            continue;
        }
        Vec3 slide = (x1_[c.node] - x_[c.node]) / h - c.velocity;
        slide -= slide.dot(c.normal) * c.normal;
        const double speed = slide.norm(), brake = c.friction * press * inverseMass_[c.node];
        const double share = speed > brake ? brake / speed : 1.0;
        x1_[c.node] -= h * share * slide;
        v1_[c.node] -= share * slide;
        if (share == 1.0) state_[c.node] = Touch::Stick;
    }
}

} // namespace purl
