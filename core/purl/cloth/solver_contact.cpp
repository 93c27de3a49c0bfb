// Contact with colliders inside the solve (physics 6.9): nodes that touched in the last step are
// held along the normal. Where they stick they are held along the surface as well; where they slide
// Coulomb's force of the last step's pressure acts on them. The impulse that holding took tells
// afterwards who lets go, slips or comes to rest, and how hard each is pressed. Nodes that would
// meet a collider in the step are held as well, so that they end on its surface, and the step is
// solved again; what is missed then is the collision response's, which moves single nodes.
#include "purl/cloth/solver.h"

#include <algorithm>
#include <cmath>

namespace purl {

namespace {
constexpr double kNear = 0.5; // of the gap beyond it: how far a touching node may be off
constexpr Index kNone = -1, kRefused = -2; // of meetingOf_
constexpr double kFar = 4; // radii: an error of a node's way that is worth another solve
} // namespace

// Filter, held velocities and friction of a step that begins at t0 in [0, 1] of the frame.
void ClothSolver::beginContacts(double t0) {
    contacts_.clear();
    if (!anyContact_ && !filterHasContacts_ && meetings_.empty()) return;
    dynamics_->held = baseFilter_;
    dynamics_->external.clear();
    filterHasContacts_ = false;
    for (Index i = 0; i < mesh_.points; ++i) {
        if (state_[i] == Touch::None || inverseMass_[i] == 0 || meetingOf_[i] >= 0) continue;
        const CollisionBody* touched = nullptr;
        ColliderSample at{};
        int count = 0;
        for (const CollisionBody& body : bodies_) {
            const ColliderSample s = body.collider->sampleAt(x_[i], t0);
            if (s.phi > (1 + kNear) * (settings_.radius + body.settings.thickness)) continue;
            touched = &body;
            at = s;
            ++count;
        }
        if (count != 1) { // between two: left to the response, which answers them in turn
            if (count == 0) state_[i] = Touch::None;
            grip_[i].setZero();
            continue;
        }
        contacts_.push_back({i, at.normal, at.velocity, touched->settings.friction});
        // What is too deep is pushed out by the response, which leaves no speed behind.
        heldV_[i] = at.velocity;
        filterHasContacts_ = true;
        if (state_[i] == Touch::Stick) {
            dynamics_->held.pin(i);
            continue;
        }
        dynamics_->held.holdDirection(i, at.normal);
        const double size = grip_[i].norm();
        Vec3 along = grip_[i] - grip_[i].dot(at.normal) * at.normal;
        const double length = along.norm();
        if (!(length > 0)) continue;
        if (dynamics_->external.empty()) dynamics_->external.resize(x_.size(), Vec3::Zero());
        dynamics_->external[i] = size / length * along;
    }
    for (const Meeting& m : meetings_) {
        contacts_.push_back(m.contact);
        heldV_[m.contact.node] = m.velocity;
        filterHasContacts_ = true;
        dynamics_->held.holdDirection(m.contact.node, m.contact.normal);
    }
}

void ClothSolver::forgetMeetings() {
    for (const Meeting& m : meetings_) meetingOf_[m.contact.node] = kNone;
    meetings_.clear();
    for (Index i : refused_) meetingOf_[i] = kNone;
    refused_.clear();
}

// Whether holding or friction took a node far from where it should be: a collider that is torn
// away, a grip that gives, friction that would push it back. The step is then to be solved again;
// the rest is small and waits for endContacts.
bool ClothSolver::dropContacts(double h, bool mayStick) {
    if (contacts_.empty()) return false;
    dynamics_->reaction(mean_);
    bool again = false;
    for (const Contact& c : contacts_) {
        const double reach = (mayStick ? kFar : kNear) * settings_.radius; // m
        const double far = reach / (h * inverseMass_[c.node]);             // N s
        const double press = mean_[c.node].dot(c.normal);
        const Vec3 pull = mean_[c.node] - press * c.normal;
        Touch& state = state_[c.node];
        if (meetingOf_[c.node] >= 0) {
            if (press >= -far) continue;
            meetingOf_[c.node] = kRefused;
            refused_.push_back(c.node);
        } else if (press < -far) {
            state = Touch::None;
        } else if (state == Touch::Stick) {
            const double most = c.friction * std::max(0.0, press);
            if (pull.norm() <= most + far) continue;
            state = Touch::Slide;
            grip_[c.node] = most / (h * pull.norm()) * pull;
        } else {
            if (!mayStick) continue;
            const Vec3 way = x1_[c.node] - x_[c.node] - h * c.velocity;
            if (way.dot(grip_[c.node]) <= reach * grip_[c.node].norm()) continue;
            state = Touch::Stick;
        }
        again = true;
    }
    if (refused_.size() > 0)
        meetings_.erase(std::remove_if(meetings_.begin(), meetings_.end(),
                                       [&](const Meeting& m) {
                                           return meetingOf_[m.contact.node] == kRefused;
                                       }),
                        meetings_.end());
    return again;
}

// Who lets go, slips or sticks in the next step, and the friction (N) there.
void ClothSolver::endContacts(double h) {
    if (contacts_.empty()) return;
    dynamics_->reaction(mean_);
    for (const Contact& c : contacts_) {
        Touch& state = state_[c.node];
        Vec3& grip = grip_[c.node];
        const double press = mean_[c.node].dot(c.normal);
        if (meetingOf_[c.node] >= 0 && press >= 0) state = Touch::Slide;
        if (press < 0) { // it was pulled back
            state = Touch::None;
            grip.setZero();
            continue;
        }
        const double most = c.friction * press / h; // N
        if (state == Touch::Stick) {
            const Vec3 pull = (mean_[c.node] - press * c.normal) / h;
            if (pull.norm() <= most) continue;
            state = Touch::Slide;
            grip = most / pull.norm() * pull;
            continue;
        }
        Vec3 slide = (x1_[c.node] - x_[c.node]) / h - c.velocity;
        slide -= slide.dot(c.normal) * c.normal;
        const double speed = slide.norm();
        if (slide.dot(grip) > 0 || !(speed > 0)) { // friction would push it: it has come to rest
            state = Touch::Stick;
            grip.setZero();
        } else {
            grip = -most / speed * slide;
        }
    }
}

} // namespace purl
