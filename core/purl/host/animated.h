// Settings that may change from frame to frame in the middle of a run: what keys on a parameter
// move. All others are those of the start frame.
#pragma once

#include "purl/scene/scene_file.h"

#include <cstdint>

namespace purl {

// Calls f(one of a, the same of b) for each of them: the one list there is.
template <class A, class B, class F>
void forAnimated(A& a, B& b, F&& f) {
    auto &s = a.settings, &t = b.settings;
    f(s.time.fps, t.time.fps); // a DOP network's steps need not be all of one length
    f(s.time.timeScale, t.time.timeScale);
    f(s.time.substeps, t.time.substeps);
    for (int k = 0; k < 3; ++k) {
        f(s.forces.gravity[k], t.forces.gravity[k]);
        f(s.forces.wind[k], t.forces.wind[k]);
    }
    f(s.forces.airDensity, t.forces.airDensity);
    f(s.forces.drag, t.forces.drag);
    f(s.forces.velocityDamping, t.forces.velocityDamping);
    f(s.damping.enabled, t.damping.enabled);
    f(s.damping.proportional, t.damping.proportional);
    f(s.damping.constant, t.damping.constant);
    f(s.step.liveliness, t.step.liveliness);
    f(s.step.maxStep, t.step.maxStep);
    f(s.contact.tau, t.contact.tau);
    f(s.contact.friction, t.contact.friction);
    f(s.collision.friction, t.collision.friction);
    f(s.collision.maxPushOut, t.collision.maxPushOut);
    f(a.cloth.selfFriction, b.cloth.selfFriction);
}

bool sameAnimated(const SceneFile& a, const SceneFile& b);
void copyAnimated(const SceneFile& from, SceneFile& to);
std::uint64_t animatedDigest(const SceneFile& scene); // equal for equal values of them

} // namespace purl
