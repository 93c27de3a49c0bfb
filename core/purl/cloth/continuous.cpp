#include "purl/cloth/continuous.h"

#include <algorithm>

namespace purl {

namespace {

constexpr double kTouching = 1e-11; // m, below this there is no direction to part in
constexpr int kMostSteps = 256;     // then it is taken for a meeting: never wrong, only early

// The first party has nodes 0 .. split-1.
int splitOf(FeaturePair kind) { return kind == FeaturePair::VertexFace ? 1 : 2; }

// How long (in units of the step) both parties stay more than `keep` apart across the plane with
// normal n: the least over all pairs of nodes, as both parties are convex.
double planeTime(int split, const Vec3* x, const Vec3* u, const Vec3& n, double keep) {
    double time = 1e300;
    for (int i = 0; i < split; ++i)
        for (int j = split; j < 4; ++j) {
            const double speed = n.dot(u[j] - u[i]); // of approach
            if (!(speed > 0)) continue;
            const double gap = n.dot(x[i] - x[j]) - keep;
            time = std::min(time, std::max(gap, 0.0) / speed);
        }
    return time;
}

} // namespace

double keptSeparation(double d, double thickness) {
    const double floor = 1e-3 * thickness;
    return std::min(0.25 * thickness, std::max(0.5 * d, std::min(floor, 0.95 * d)));
}

Meeting meet(FeaturePair kind, const Vec3* a, const Vec3* b, double thickness) {
    return meet(kind, closest(kind, a), a, b, thickness);
}

Meeting meet(FeaturePair kind, const Closest& start, const Vec3* a, const Vec3* b,
             double thickness) {
    Meeting m;
    const int split = splitOf(kind);
    Vec3 u[4], x[4];
    for (int i = 0; i < 4; ++i) u[i] = b[i] - a[i];
    const Vec3 mean = 0.25 * (u[0] + u[1] + u[2] + u[3]);
    double speed[2] = {0, 0};
    for (int i = 0; i < 4; ++i) {
        u[i] -= mean;
        speed[i >= split] = std::max(speed[i >= split], u[i].norm());
    }
    const double most = speed[0] + speed[1]; // no two points of the parties approach faster

    m.at = start;
    double d = std::sqrt(m.at.squared);
    if (d < kTouching) {
        m.kind = Meeting::Kind::Touching;
        return m;
    }
    m.separation = keptSeparation(d, thickness);
    if (d - m.separation > most) return m;
    const double near = m.separation + 0.1 * std::min(m.separation, d - m.separation);
    for (int i = 0; i < 4; ++i) x[i] = a[i];
    for (int step = 0;; ++step) {
        // Under 1e-7 m the normal's rounding is no longer small against the gap.
        double forward = (d - m.separation) / most;
        if (d > 1e-7)
            forward = std::max(forward,
                               planeTime(split, x, u, weighted(m.at.weight, x) / d, m.separation));
        m.time += forward;
        if (m.time >= 1) return m;
        for (int i = 0; i < 4; ++i) x[i] = a[i] + m.time * u[i];
        m.at = closest(kind, x);
        d = std::sqrt(m.at.squared);
        if (d > near && step < kMostSteps) continue;
        m.kind = Meeting::Kind::Hit;
        m.normal = weighted(m.at.weight, x) / std::max(d, 1e-300);
        return m;
    }
}

} // namespace purl
