#include "purl/collide/hit.h"

namespace purl {

bool followPath(const Collider& collider, const Vec3& x, const Vec3& v, double dt, double t0,
                double t1, double gap, double phi1, double move, Hit& hit) {
    if (phi1 >= gap + move) return false;
    const Vec3 end = x + dt * v;
    const double phi0 = collider.distanceAt(x, t0);
    if (phi1 >= gap && phi0 - gap + phi1 - gap >= move) return false; // too short to reach it
    if (phi1 < gap) {
        const ColliderSample last = collider.sampleAt(end, t1);
        const ColliderSample first = collider.sampleAt(x, t0);
        // The way out is the same at both ends: the point slides on or rests against one side.
        if (phi0 > -gap && first.normal.dot(last.normal) > 0.7) {
            hit = {last.phi, last.normal, last.velocity, true};
            return true;
        }
    }
    // Conservative advancement: phi cannot fall faster than the relative path grows. A step is
    // never shorter than a quarter of the gap, which ends the march and cannot jump over a solid
    // that is thinner than twice the gap because the gap itself is kept on both of its sides.
    const double least = 0.25 * gap / move, enough = 1.1 * gap;
    for (double tau = 0; tau < 1;) {
        const Vec3 y = x + (tau * dt) * v;
        const double t = t0 + tau * (t1 - t0);
        const double phi = collider.distanceAt(y, t);
        if (phi < enough) {
            const ColliderSample s = collider.sampleAt(y, t);
            const double vn = (v - s.velocity).dot(s.normal);
            const double phiEnd = s.phi + (1 - tau) * dt * vn;
            if (vn < 0 && phiEnd < gap) {
                hit = {phiEnd, s.normal, s.velocity, true};
                return true;
            }
        }
        tau += std::max(least, (phi - gap) / move);
    }
    if (phi1 >= gap) return false;
    const ColliderSample last = collider.sampleAt(end, t1);
    hit = {last.phi, last.normal, last.velocity, true};
    return true;
}

} // namespace purl
