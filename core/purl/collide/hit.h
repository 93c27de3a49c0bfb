// One point against one collider over one step: does it touch, and what changes. Split from the
// loops of respond.cpp so that it can be read, and tested, alone.
#pragma once

#include "purl/collide/collider.h"

#include <algorithm>

namespace purl {

struct Hit {
    double phi; // m, distance at the end of the step, to first order along the normal
    Vec3 normal;
    Vec3 velocity; // m/s, of the collider
    bool followed = false;
};

// How far a point may move relative to the collider in one step, in units of its gap, before the
// end of the step alone is no longer trusted.
constexpr double kFastShare = 0.5;

// The point goes from x to x + dt v while the collider goes from t0 to t1; phi1 is its distance at
// the end, `move` (m) a bound of its path relative to the collider, longer than kFastShare * gap.
// True if it comes nearer than `gap` (m).
bool followPath(const Collider& collider, const Vec3& x, const Vec3& v, double dt, double t0,
                double t1, double gap, double phi1, double move, Hit& hit);

struct Answer {
    Vec3 dv;      // m/s
    Vec3 shift;   // m
    double depth; // m below the gap at the start of the step
    double heat;  // m2/s2: energy taken by friction, per kg
};

// physics 5.4, with the correction of position kept apart from the velocity: only what the point
// still approaches counts for friction, and a point pushed out does not fly off afterwards.
inline Answer answerHit(const Hit& hit, const Vec3& v, double gap, double dt, double friction,
                        double maxPushOut) {
    const Vec3 relative = v - hit.velocity;
    const double vn = relative.dot(hit.normal);
    const double start = hit.phi - dt * vn; // distance at the start of the step
    const double depth = gap - start;
    double stop, push = 0;
    if (depth <= 0) {
        stop = std::max(0.0, (gap - hit.phi) / dt); // may come as near as the gap, not nearer
    } else {
        stop = std::max(0.0, -vn);
        push = std::clamp(depth - dt * std::max(0.0, vn), 0.0, maxPushOut * dt);
    }
    const Vec3 slide = relative - vn * hit.normal;
    const double speed = slide.norm();
    const double keep = speed > 0 ? std::max(0.0, 1 - friction * stop / speed) : 0;
    Answer a;
    a.dv = stop * hit.normal - (1 - keep) * slide;
    a.shift = push * hit.normal;
    a.depth = std::max(0.0, depth);
    a.heat = 0.5 * speed * speed * (1 - keep * keep);
    return a;
}

} // namespace purl
