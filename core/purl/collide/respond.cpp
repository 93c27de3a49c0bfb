#include "purl/collide/respond.h"

#include "purl/base/error.h"
#include "purl/base/parallel.h"
#include "purl/collide/hit.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace purl {

namespace {
constexpr Index kGrain = 32; // blocks a piece of parallel work
constexpr Index kBatch = 32; // points asked of a collider at a time

// Asks one collider about up to kBatch points that go from x to x + dt v, and calls
// touch(i, hit, gap) for those that come nearer than their gap.
template <class Clearance, class Touch>
void askCollider(const CollisionBody& body, Index n, const Vec3* x, const Vec3* v,
                 const double* radius, Clearance* clearance, double dt, double t1, Touch touch) {
    const Collider& collider = *body.collider;
    const double seconds = collider.seconds();
    const double t0 = seconds > 0 ? std::max(0.0, t1 - dt / seconds) : t1;
    std::array<Vec3, kBatch> from, end, carried;
    std::array<Index, kBatch> asked;
    std::array<ColliderSample, kBatch> sample;
    std::size_t count = 0;
    for (Index i = 0; i < n; ++i) {
        const Vec3 e = x[i] + dt * v[i];
        const Clearance& c = clearance[i];
        const double free = c.slack - c.rate * t1;
        if (free > 0 && (e - c.from).squaredNorm() < free * free &&
            (x[i] - c.from).squaredNorm() < free * free)
            continue;
        from[count] = x[i];
        end[count] = e;
        asked[count++] = i;
    }
    if (count == 0) return;
    collider.sample({end.data(), count}, t1, {sample.data(), count});
    if (seconds > 0) collider.carry({from.data(), count}, t0, t1, {carried.data(), count});
    const double residual = collider.residualSpeed() * dt;
    for (std::size_t k = 0; k < count; ++k) {
        const Index i = asked[k];
        const double gap = radius[i] + body.settings.thickness, phi = sample[k].phi;
        const double free = 0.999 * (phi - gap); // less than all, for rounding's sake
        Clearance& c = clearance[i];
        c.from = end[k];
        c.rate = free > 0 && seconds > 0 ? collider.speedBound(end[k], free) * seconds : 0;
        c.slack = free + c.rate * t1;
        // A tenth more than the chord for paths that bend when seen from a turning collider.
        const Vec3& stayed = seconds > 0 ? carried[k] : from[k];
        const double move = 1.1 * (end[k] - stayed).norm() + residual;
        Hit hit{phi, sample[k].normal, sample[k].velocity};
        if (move <= kFastShare * gap
                ? phi < gap
                : followPath(collider, x[i], v[i], dt, t0, t1, gap, phi, move, hit))
            touch(i, hit, gap);
    }
}

// The box of what x + dt v becomes for a run of nodes, and the largest speed^2 (not less than it).
struct Bounds {
    // Four nodes side by side, so that the compiler can take them as vectors.
    double low[12], high[12], speed[12];
    Bounds() {
        std::fill(low, low + 12, 1e300);
        std::fill(high, high + 12, -1e300);
        std::fill(speed, speed + 12, 0.0);
    }
    template <int N>
    void include(const Vec3& first, const Vec3& firstV, double dt) {
        const double *x = first.data(), *v = firstV.data();
        for (int k = 0; k < 3 * N; ++k) {
            const double e = x[k] + dt * v[k];
            low[k] = e < low[k] ? e : low[k];
            high[k] = e > high[k] ? e : high[k];
            const double s = v[k] * v[k];
            speed[k] = s > speed[k] ? s : speed[k];
        }
    }
    void close(Vec3& lowest, Vec3& highest, double& speed2) const {
        speed2 = 0;
        for (int a = 0; a < 3; ++a) {
            lowest[a] = std::min({low[a], low[a + 3], low[a + 6], low[a + 9]});
            highest[a] = std::max({high[a], high[a + 3], high[a + 6], high[a + 9]});
            speed2 += std::max({speed[a], speed[a + 3], speed[a + 6], speed[a + 9]});
        }
    }
};
} // namespace

struct CollisionResponse::Step {
    Span<const CollisionBody> bodies;
    Span<Vec3> x, v;
    Span<const double> inverseMass;
    double dt, t1;
};

CollisionFigures CollisionResponse::apply(Span<const CollisionBody> bodies, Span<Vec3> x,
                                          Span<Vec3> v, Span<const double> inverseMass, double dt,
                                          double t1) {
    CollisionFigures figures;
    if (bodies.empty() || nodes_ == 0) return figures;
    const Step s{bodies, x, v, inverseMass, dt, t1};
    refresh(s);
    findNear(s);
    active_.clear();
    gatherList_.clear();
    for (Index b = 0; b < blocks_; ++b) {
        const std::uint8_t* flag = near_.data() + b * bodies.size();
        if (std::find(flag, flag + bodies.size(), 1) == flag + bodies.size()) continue;
        active_.push_back(b);
    }
    if (active_.empty()) return figures;
    const auto over = [](const std::vector<Index>& list, auto&& work) {
        parallelFor(static_cast<Index>(list.size()), kGrain, [&](Index a, Index b) {
            for (Index i = a; i < b; ++i) work(list[i]);
        });
    };
    over(active_, [&](Index b) { answerNodes(s, b); });
    over(active_, [&](Index b) { answerPoints(s, b); });
    const auto gather = [&](Index b) {
        if (!gather_[b]) gatherList_.push_back(b);
        gather_[b] = 1;
    };
    for (Index b : active_) {
        if (!partial_[b].points) continue;
        gather(b);
        for (Index h = firstHalo_[b]; h < firstHalo_[b + 1]; ++h) gather(halo_[h] / kBlock);
    }
    over(gatherList_, [&](Index b) { gatherNodes(s, b); });
    for (Index b : gatherList_) gather_[b] = 0;
    for (Index b : active_) {
        figures.touching += partial_[b].touching;
        figures.followed += partial_[b].followed;
        figures.deepest = std::max(figures.deepest, partial_[b].deepest);
        figures.frictionHeat += partial_[b].heat;
        if (partial_[b].points)
            std::fill(touched_.begin() + firstPoint_[b], touched_.begin() + firstPoint_[b + 1], 0);
    }
    return figures;
}

// Forgets what was known of bodies that have changed since.
void CollisionResponse::refresh(const Step& s) {
    const std::size_t all = radius_.size() + points_.size();
    near_.resize(static_cast<std::size_t>(blocks_) * s.bodies.size());
    clearance_.resize(all * s.bodies.size());
    known_.resize(s.bodies.size());
    for (std::size_t c = 0; c < s.bodies.size(); ++c) {
        Known& known = known_[c];
        const std::uint64_t stamp = s.bodies[c].collider->stamp();
        const double thickness = s.bodies[c].settings.thickness;
        if (known.stamp != stamp || known.thickness != thickness || s.t1 < known.t1)
            for (std::size_t i = 0; i < all; ++i) clearance_[c * all + i].slack = -1;
        known = {stamp, thickness, s.t1};
    }
}

// A block whose ball, grown by all that can happen in the step, is clear of a collider is done
// with it: most yarn is far from colliders most of the time.
void CollisionResponse::findNear(const Step& s) {
    const std::size_t bodies = s.bodies.size();
    parallelFor(blocks_, kGrain, [&](Index first, Index last) {
        std::array<Vec3, kBatch> centre;
        std::array<double, kBatch> ball, travel, phi;
        for (Index from = first; from < last; from += kBatch) {
            const Index n = std::min(kBatch, last - from);
            for (Index k = 0; k < n; ++k) {
                const Index b = from + k;
                Bounds bounds;
                const Index stop = std::min(nodes_, (b + 1) * kBlock);
                Index i = b * kBlock;
                for (; i + 4 <= stop; i += 4) bounds.include<4>(s.x[i], s.v[i], s.dt);
                for (; i < stop; ++i) bounds.include<1>(s.x[i], s.v[i], s.dt);
                for (Index h = firstHalo_[b]; h < firstHalo_[b + 1]; ++h)
                    bounds.include<1>(s.x[halo_[h]], s.v[halo_[h]], s.dt);
                Vec3 low, high;
                double speed2;
                bounds.close(low, high, speed2);
                centre[k] = 0.5 * (low + high);
                ball[k] = 0.5 * (high - low).norm() * overshoot_[b];
                travel[k] = std::sqrt(speed2) * s.dt * overshoot_[b];
            }
            const auto count = static_cast<std::size_t>(n);
            for (std::size_t c = 0; c < bodies; ++c) {
                const CollisionBody& body = s.bodies[c];
                body.collider->distance({centre.data(), count}, s.t1, {phi.data(), count});
                for (Index k = 0; k < n; ++k) {
                    const double grow = ball[k] + maxRadius_[from + k] + body.settings.thickness +
                                        travel[k] +
                                        s.dt * body.collider->speedBound(centre[k], ball[k]);
                    near_[(from + k) * bodies + c] = phi[k] < grow;
                }
            }
        }
    });
}

void CollisionResponse::answerNodes(const Step& s, Index block) {
    const Index first = block * kBlock, n = std::min(nodes_ - first, kBlock);
    Partial& figures = partial_[block] = {};
    for (std::size_t c = 0; c < s.bodies.size(); ++c) {
        if (!near_[block * s.bodies.size() + c]) continue;
        const CollisionBody& body = s.bodies[c];
        askCollider(body, n, s.x.data() + first, s.v.data() + first, radius_.data() + first,
                    clear(c, first), s.dt, s.t1, [&](Index k, const Hit& hit, double gap) {
                        const Index i = first + k;
                        if (s.inverseMass[i] <= 0) return;
                        const Answer a = answerHit(hit, s.v[i], gap, s.dt, body.settings.friction,
                                                   body.settings.maxPushOut);
                        s.v[i] += a.dv;
                        s.x[i] += a.shift;
                        figures.add(hit.followed, a.depth, a.heat / s.inverseMass[i]);
                    });
    }
}

// Points between nodes ask after the nodes have been answered: on flat ground nothing is left.
void CollisionResponse::answerPoints(const Step& s, Index block) {
    Partial& figures = partial_[block];
    std::array<Vec3, kBatch> x, v;
    std::array<double, kBatch> radius;
    for (Index first = firstPoint_[block]; first < firstPoint_[block + 1]; first += kBatch) {
        const Index n = std::min(kBatch, firstPoint_[block + 1] - first);
        for (Index k = 0; k < n; ++k) {
            const YarnPoint& p = points_[first + k];
            const auto& i = p.node;
            const auto& w = p.weight;
            x[k] = w[0] * s.x[i[0]] + w[1] * s.x[i[1]] + w[2] * s.x[i[2]] + w[3] * s.x[i[3]];
            v[k] = w[0] * s.v[i[0]] + w[1] * s.v[i[1]] + w[2] * s.v[i[2]] + w[3] * s.v[i[3]];
            radius[k] = p.radius;
        }
        for (std::size_t c = 0; c < s.bodies.size(); ++c) {
            if (!near_[block * s.bodies.size() + c]) continue;
            const CollisionBody& body = s.bodies[c];
            askCollider(body, n, x.data(), v.data(), radius.data(), clear(c, nodes_ + first), s.dt,
                        s.t1, [&](Index k, const Hit& hit, double gap) {
                            const YarnPoint& p = points_[first + k];
                            double w = 0; // 1/kg: how easily the point moves
                            for (int j = 0; j < 4; ++j)
                                w += p.weight[j] * p.weight[j] * s.inverseMass[p.node[j]];
                            if (w <= 0) return;
                            const Answer a = answerHit(hit, v[k], gap, s.dt, body.settings.friction,
                                                       body.settings.maxPushOut);
                            v[k] += a.dv;
                            x[k] += a.shift;
                            Pull& pull = pull_[first + k];
                            if (!touched_[first + k]) pull = {Vec3::Zero(), Vec3::Zero(), w, 0, 0};
                            pull.dv += a.dv;
                            pull.shift += a.shift;
                            pull.speed = pull.dv.norm();
                            pull.length = pull.shift.norm();
                            touched_[first + k] = 1;
                            ++figures.points;
                            figures.add(hit.followed, a.depth, a.heat / w);
                        });
        }
    }
}

// Each touched point wants node i moved by c_i = w_i inverseMass_i / W times its own change. Where
// several points of like size pull at one node the sum is scaled back, or neighbours that each ask
// for the whole would together give more than the whole.
void CollisionResponse::gatherNodes(const Step& s, Index block) {
    for (Index i = block * kBlock; i < std::min(nodes_, (block + 1) * kBlock); ++i) {
        if (s.inverseMass[i] <= 0) continue;
        Vec3 dv = Vec3::Zero(), shift = Vec3::Zero();
        double sumV = 0, largestV = 0, sumX = 0, largestX = 0;
        for (Index u = firstUser_[i]; u < firstUser_[i + 1]; ++u) {
            const Index p = user_[u] / 4;
            if (!touched_[p]) continue;
            const Pull& pull = pull_[p];
            const double c = points_[p].weight[user_[u] % 4] * s.inverseMass[i] / pull.w;
            dv += c * pull.dv;
            sumV += c * pull.speed;
            largestV = std::max(largestV, pull.speed);
            if (pull.length == 0) continue;
            shift += c * pull.shift;
            sumX += c * pull.length;
            largestX = std::max(largestX, pull.length);
        }
        if (largestV > 0) s.v[i] += dv / std::max(1.0, sumV / largestV);
        if (largestX > 0) s.x[i] += shift / std::max(1.0, sumX / largestX);
    }
}

} // namespace purl
