#include "purl/crossing/compression.h"

#include "purl/base/parallel.h"

#include <Eigen/Geometry>
#include <cmath>

namespace purl {

namespace {
constexpr Index kGrain = 256;

// Along the yarn of link k, across the node.
Vec3 tangent(const YarnLinks& l, Span<const Vec3> q, Index k) {
    const Index a = l.after[k] >= 0 ? l.node[l.after[k]] : l.node[k];
    const Index b = l.before[k] >= 0 ? l.node[l.before[k]] : l.node[k];
    return q[a] - q[b];
}

Vec3 offset(const Fabric& f, Span<const Vec3> q, Span<const Vec3> normal, Index k) {
    const YarnLinks& l = f.links();
    return q[l.node[k]] + l.lift[k] * f.materialOf(k).radius * normal[l.node[k]];
}

// The force (N) along the node's normal on the crimped yarn of link k.
double pressOf(const Fabric& f, Span<const Vec3> q, Span<const Vec3> normal, Index k) {
    const YarnLinks& l = f.links();
    const CrossingMaterial& m = f.materialOf(k);
    const Index i = l.node[k], after = l.after[k], before = l.before[k];
    const Vec3 here = offset(f, q, normal, k);
    Vec3 e[2] = {Vec3::Zero(), Vec3::Zero()};
    double force = 0, rest = 0;
    const auto pull = [&](Index to, Index piece, double s, Vec3& edge) {
        edge = offset(f, q, normal, to) - here;
        const double tension = f.stretchLaw(piece).tension((q[l.node[to]] - q[i]).norm() / s);
        if (tension > 0) force += tension * normal[i].dot(edge) / edge.norm();
        rest += s;
    };
    const double u = l.slide(q, k);
    if (after >= 0) pull(after, k, l.slide(q, after) - u, e[0]);
    if (before >= 0) pull(before, before, u - l.slide(q, before), e[1]);
    if (after >= 0 && before >= 0 && m.crimpSet < 1) {
        const Trio<7> t = bendEnergy(e[0], e[1], rest, (1 - m.crimpSet) * m.bend, l.restAngle(k));
        force += normal[i].dot(t.gradient.head<3>() + t.gradient.segment<3>(3));
    }
    return force;
}
} // namespace

void frictionLimits(const Fabric& f, Span<const Vec3> q, Span<Vec3> normal, Span<float> limit) {
    const YarnLinks& l = f.links();
    parallelFor(l.nodes, kGrain, [&](Index i0, Index i1) {
        for (Index i = i0; i < i1; ++i) {
            normal[i].setZero();
            if (l.first[i + 1] - l.first[i] < 2) continue;
            const Index k = l.first[i];
            const Vec3 n = tangent(l, q, k).cross(tangent(l, q, k + 1));
            const double length = n.norm();
            if (length > 0) normal[i] = n / length;
        }
    });
    const Wraps& wraps = f.wraps();
    parallelFor(l.nodes, kGrain, [&](Index i0, Index i1) {
        for (Index i = i0; i < i1; ++i) {
            const Index k0 = l.first[i], k1 = l.first[i + 1];
            for (Index k = k0; k < k1; ++k) limit[k] = 0;
            if (k1 - k0 < 2) continue;
            const CrossingMaterial &a = f.materialOf(k0), &b = f.materialOf(k0 + 1);
            const double up = l.lift[k0] >= l.lift[k0 + 1] ? 1 : -1; // the first is above
            // A yarn presses in proportion to how far it is bowed, and the two share one diameter:
            // the tighter straightens and the other goes around it.
            const double pa = -up * pressOf(f, q, normal, k0),
                         pb = up * pressOf(f, q, normal, k0 + 1);
            double force = 0.5 * (a.pretension + b.pretension);
            if (pa > 0 && pb > 0) force += (a.radius + b.radius) / (a.radius / pa + b.radius / pb);
            if (!wraps.hinges.empty())
                for (Index h = wraps.first[i]; h < wraps.first[i + 1]; ++h) {
                    if (wraps.slot[h] % 4 > 1) continue; // only the axis is the contact
                    const Wraps::Hinge& w = wraps.hinges[wraps.slot[h] / 4];
                    // What turns the yarn about the axis is pressure over the contact's length.
                    const Trio<12> t = wrapEnergy(q[w.node[0]], q[w.node[1]], q[w.node[2]],
                                                  q[w.node[3]], f.wrapLaw(w));
                    force += 0.25 * (t.gradient.segment<3>(6).norm() + t.gradient.tail<3>().norm());
                }
            const float most = static_cast<float>(0.5 * (a.friction + b.friction) * force);
            for (Index k = k0; k < k1; ++k) limit[k] = most;
        }
    });
}

} // namespace purl
