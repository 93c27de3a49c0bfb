#include "purl/rod/air.h"

#include "purl/base/parallel.h"

namespace purl {

Air::Air(const Curves& rest, const ForceSettings& settings)
    : settings_(settings), before_(rest.points()), after_(rest.points()), area_(rest.points(), 0.0) {
    for (Index y = 0; y < rest.yarns(); ++y) {
        const Index f = rest.first[y], n = rest.size(y);
        for (Index i = 0; i < n; ++i) {
            const bool ring = rest.closed[y];
            before_[f + i] = i > 0 ? f + i - 1 : (ring ? f + n - 1 : f);
            after_[f + i] = i + 1 < n ? f + i + 1 : (ring ? f : f + i);
            const double length = 0.5 * ((rest.x[f + i] - rest.x[before_[f + i]]).norm() +
                                         (rest.x[after_[f + i]] - rest.x[f + i]).norm());
            area_[f + i] = 2 * rest.radius[y] * length;
        }
    }
}

void Air::apply(const std::vector<Vec3>& x, std::vector<Vec3>& v,
                const std::vector<double>& inverseMass, double dt) const {
    if (!settings_.drag || settings_.airDensity <= 0) return;
    parallelFor(static_cast<Index>(x.size()), 1024, [&](Index a, Index b) {
        for (Index i = a; i < b; ++i) {
            if (inverseMass[i] == 0) continue;
            const Vec3 t = (x[after_[i]] - x[before_[i]]).normalized();
            const Vec3 relative = v[i] - settings_.wind;
            const Vec3 along = relative.dot(t) * t, across = relative - along;
            // m dv/dt = -c |v| v, implicit in v with |v| lagged.
            const double c = 0.5 * settings_.airDensity * area_[i] * dt * inverseMass[i];
            const double kn = 1 / (1 + c * settings_.dragNormal * across.norm());
            const double kt = 1 / (1 + c * settings_.dragTangent * along.norm());
            v[i] = settings_.wind + kn * across + kt * along;
        }
    });
}

} // namespace purl
