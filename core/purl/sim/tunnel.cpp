// Yarn that a collider swallowed, or went through, within one step. The answer to collisions
// (collide/respond.h) follows fast points along their path, one by one; what lengths, pins or a
// second collider did to them in the same step it cannot know. Here the step as it came out is
// looked at, and one that went wrong is tried again in halves.
#include "purl/sim/impl.h"

#include <algorithm>
#include <cmath>

namespace purl {

namespace {
constexpr double kDeep = 0.5;    // of the radius: a centre line this deep inside was swallowed
constexpr int kMostSamples = 32; // of a path
} // namespace

bool Simulation::Impl::tunnelled(double dt, double t1, std::string& where) const {
    // Explicit steps know whether anything moved far against a collider; long steps nearly always
    // do, so there it is asked of what moves.
    const double thinnest = *std::min_element(rest.radius.begin(), rest.radius.end());
    const bool far = isImplicit() ? result.largestMove > 0.5 * thinnest : figures.followed > 0;
    constexpr Index kBatch = 256;
    const auto& slot = rods.layout().slotOf;
    for (std::size_t c = 0; c < bodies.size(); ++c) {
        const Collider& collider = *bodies[c].collider;
        const double seconds = collider.seconds();
        if (!far && !(isImplicit() && seconds > 0)) continue;
        const double t0 = seconds > 0 ? std::max(0.0, t1 - dt / seconds) : t1;
        std::vector<double> phi0(kBatch), phi1(kBatch);
        std::vector<Vec3> from(kBatch), to(kBatch);
        for (Index y = 0; y < rest.yarns(); ++y) {
            const double deep = -kDeep * rest.radius[y];
            for (Index i = rest.first[y]; i < rest.first[y + 1]; i += kBatch) {
                const Index n = std::min(kBatch, rest.first[y + 1] - i);
                const auto count = static_cast<std::size_t>(n);
                for (Index k = 0; k < n; ++k) {
                    from[k] = x.at(slot[i + k]);
                    to[k] = state.x[i + k];
                }
                collider.distance({to.data(), count}, t1, {phi1.data(), count});
                collider.distance({from.data(), count}, t0, {phi0.data(), count});
                for (Index k = 0; k < n; ++k) {
                    if (state.inverseMass[i + k] == 0 || phi0[k] < 0) continue;
                    const double travel = (to[k] - from[k]).norm() +
                                          dt * collider.speedBound(from[k], rest.radius[y]);
                    if (std::min(phi0[k], phi1[k]) > travel) continue;
                    double lowest = phi1[k];
                    const int samples = std::clamp(
                        static_cast<int>(std::ceil(2 * travel / rest.radius[y])), 1, kMostSamples);
                    for (int s = 1; s < samples; ++s) {
                        const double u = static_cast<double>(s) / samples;
                        lowest =
                            std::min(lowest, collider.distanceAt(from[k] + u * (to[k] - from[k]),
                                                                 t0 + u * (t1 - t0)));
                    }
                    if (!(lowest < deep)) continue;
                    where = "yarn " + std::to_string(y) + ", point " +
                            std::to_string(i + k - rest.first[y]) + " is " +
                            std::to_string(-1e3 * lowest) + " mm inside collider " +
                            std::to_string(c) + " after one step";
                    return true;
                }
            }
        }
    }
    return false;
}

} // namespace purl
