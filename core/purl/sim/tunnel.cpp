// Yarn that a collider swallowed, or went through, within one step. The answer to collisions
// (collide/respond.h) follows fast points along their path, one by one; what lengths, pins or a
// second collider did to them in the same step it cannot know. Here the step as it came out is
// looked at, and one that went wrong is tried again in halves.
#include "purl/sim/impl.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace purl {

namespace {
constexpr double kDeep = 0.5;    // of the radius: a centre line this deep inside was swallowed
constexpr int kMostSamples = 32; // of a path
constexpr Index kBatch = 256;    // nodes
} // namespace

Index Simulation::Impl::yarnOf(Index node) const {
    return static_cast<Index>(std::upper_bound(rest.first.begin(), rest.first.end(), node) -
                              rest.first.begin()) -
           1;
}

// The first of some nodes that the collider swallowed on its way, and its lowest distance, m.
std::pair<Index, double> Simulation::Impl::swallowed(const Collider& collider, Index first,
                                                     Index last, double dt, double t0,
                                                     double t1) const {
    std::array<double, kBatch> phi0, phi1;
    std::array<Vec3, kBatch> from, to;
    const auto& slot = rods.layout().slotOf;
    const auto count = static_cast<std::size_t>(last - first);
    for (Index i = first; i < last; ++i) {
        from[i - first] = x.at(slot[i]);
        to[i - first] = state.x[i];
    }
    collider.distance({to.data(), count}, t1, {phi1.data(), count});
    collider.distance({from.data(), count}, t0, {phi0.data(), count});
    Index y = yarnOf(first);
    for (Index i = first, k = 0; i < last; ++i, ++k) {
        while (i >= rest.first[y + 1]) ++y;
        if (state.inverseMass[i] == 0 || phi0[k] < 0) continue;
        const double travel =
            (to[k] - from[k]).norm() + dt * collider.speedBound(from[k], rest.radius[y]);
        if (std::min(phi0[k], phi1[k]) > travel) continue;
        double lowest = phi1[k];
        const int samples =
            std::clamp(static_cast<int>(std::ceil(2 * travel / rest.radius[y])), 1, kMostSamples);
        for (int s = 1; s < samples; ++s) {
            const double u = static_cast<double>(s) / samples;
            lowest = std::min(
                lowest, collider.distanceAt(from[k] + u * (to[k] - from[k]), t0 + u * (t1 - t0)));
        }
        if (lowest < -kDeep * rest.radius[y]) return {i, lowest};
    }
    return {-1, 0.0};
}

bool Simulation::Impl::tunnelled(double dt, double t1, std::string& where) const {
    // Explicit steps know whether anything moved far against a collider; long steps nearly always
    // do, so there it is asked of what moves.
    const bool far = isImplicit() ? result.largestMove > 0.5 * thinnest : figures.followed > 0;
    for (std::size_t c = 0; c < bodies.size(); ++c) {
        const Collider& collider = *bodies[c].collider;
        const double seconds = collider.seconds();
        if (!far && !(isImplicit() && seconds > 0)) continue;
        const double t0 = seconds > 0 ? std::max(0.0, t1 - dt / seconds) : t1;
        const Index n = state.size(), batches = (n + kBatch - 1) / kBatch;
        std::vector<std::pair<Index, double>> hit(batches, {-1, 0.0}); // node, and how deep, m
        parallelFor(batches, 8, [&](Index b0, Index b1) {
            for (Index b = b0; b < b1; ++b)
                hit[b] = swallowed(collider, b * kBatch, std::min(n, (b + 1) * kBatch), dt, t0, t1);
        });
        for (const auto& [i, lowest] : hit) {
            if (i < 0) continue;
            const Index y = yarnOf(i);
            where = "yarn " + std::to_string(y) + ", point " + std::to_string(i - rest.first[y]) +
                    " is " + std::to_string(-1e3 * lowest) + " mm inside collider " +
                    std::to_string(c) + " after one step";
            return true;
        }
    }
    return false;
}

} // namespace purl
