// What explicit and implicit steps share.
#pragma once

#include "purl/base/snapshot.h"
#include "purl/solve/dynamics.h"

#include <cmath>

namespace purl {

// The past of a multistep method: the state one step back, and which nodes have none.
struct StepPast {
    std::vector<Vec3> x, v, a;
    std::vector<char> fresh; // per node: its velocity was kicked, the past does not count
    double dt = 0;           // s; 0: no past at all
    void save(SnapshotWriter& w) const {
        w.begin("past", 1);
        w(x, v, a, fresh, dt);
        w.end();
    }
    void load(SnapshotReader& r) {
        r.begin("past", 1);
        r(x, v, a, fresh, dt);
        r.end();
    }
};

// In the directions the filter has taken: v1 = held, x1 = x0 + dt held.
inline void holdEnd(const NodeFilter& s, Span<const Vec3> x0, Span<const Vec3> held, double dt,
                    Span<Vec3> x1, Span<Vec3> v1) {
    if (s.constrained() == 0) return;
    for (Index i = 0; i < s.size(); ++i) {
        if (s.isFree(i)) continue;
        const Mat3 p = s.at(i);
        const Vec3 h = held.empty() ? Vec3::Zero() : held[i];
        v1[i] = h + p * (v1[i] - h);
        const Vec3 to = x0[i] + dt * h;
        x1[i] = to + p * (x1[i] - to);
    }
}

inline bool allFinite(Span<const Vec3> x) {
    double sum = 0; // a number that is none stays one
    for (const Vec3& p : x) sum += p.x() + p.y() + p.z();
    return std::isfinite(sum);
}

} // namespace purl
