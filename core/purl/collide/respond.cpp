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
template <class Touch>
void askCollider(const CollisionBody& body, Index n, const Vec3* x, const Vec3* v,
                 const double* radius, double dt, double t1, Touch touch) {
    const Collider& collider = *body.collider;
    const double seconds = collider.seconds();
    const double t0 = seconds > 0 ? std::max(0.0, t1 - dt / seconds) : t1;
    std::array<Vec3, kBatch> end, carried, at;
    std::array<double, kBatch> phi;
    std::array<Index, kBatch> hitting;
    std::array<ColliderSample, kBatch> sample;
    for (Index i = 0; i < n; ++i) end[i] = x[i] + dt * v[i];
    const auto count = static_cast<std::size_t>(n);
    collider.distance({end.data(), count}, t1, {phi.data(), count});
    if (seconds > 0)
        collider.carry({x, count}, t0, t1, {carried.data(), count});
    else
        std::copy(x, x + n, carried.begin());
    const double residual = collider.residualSpeed() * dt;
    std::size_t hits = 0;
    for (Index i = 0; i < n; ++i) {
        const double gap = radius[i] + body.settings.thickness;
        // A tenth more than the chord for paths that bend when seen from a turning collider.
        const double move = 1.1 * (end[i] - carried[i]).norm() + residual;
        if (move <= kFastShare * gap) {
            if (phi[i] >= gap) continue;
            at[hits] = end[i];
            hitting[hits++] = i;
        } else {
            Hit hit;
            if (followPath(collider, x[i], v[i], dt, t0, t1, gap, phi[i], move, hit))
                touch(i, hit, gap);
        }
    }
    if (hits == 0) return;
    collider.sample({at.data(), hits}, t1, {sample.data(), hits});
    for (std::size_t k = 0; k < hits; ++k) {
        const Index i = hitting[k];
        touch(i, Hit{sample[k].phi, sample[k].normal, sample[k].velocity},
              radius[i] + body.settings.thickness);
    }
}
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
    near_.resize(static_cast<std::size_t>(blocks_) * bodies.size());
    findNear(s);
    active_.clear();
    gatherList_.clear();
    for (Index b = 0; b < blocks_; ++b) {
        const std::uint8_t* flag = near_.data() + b * bodies.size();
        if (std::find(flag, flag + bodies.size(), 1) == flag + bodies.size()) continue;
        active_.push_back(b);
        gather_[b] = 1;
        for (Index h = firstHalo_[b]; h < firstHalo_[b + 1]; ++h) gather_[halo_[h] / kBlock] = 1;
    }
    if (active_.empty()) return figures;
    for (Index b = 0; b < blocks_; ++b)
        if (gather_[b]) gatherList_.push_back(b);
    const auto over = [](const std::vector<Index>& list, auto&& work) {
        parallelFor(static_cast<Index>(list.size()), kGrain, [&](Index a, Index b) {
            for (Index i = a; i < b; ++i) work(list[i]);
        });
    };
    over(active_, [&](Index b) { answerNodes(s, b); });
    over(active_, [&](Index b) { answerPoints(s, b); });
    over(gatherList_, [&](Index b) { gatherNodes(s, b); });
    for (Index b : gatherList_) gather_[b] = 0;
    for (Index b : active_) {
        figures.touching += partial_[b].touching;
        figures.followed += partial_[b].followed;
        figures.deepest = std::max(figures.deepest, partial_[b].deepest);
        figures.frictionHeat += partial_[b].heat;
        std::fill(touched_.begin() + firstPoint_[b], touched_.begin() + firstPoint_[b + 1], 0);
    }
    return figures;
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
                Vec3 low = Vec3::Constant(1e300), high = -low;
                double speed2 = 0;
                const auto include = [&](Index i) {
                    const Vec3 end = s.x[i] + s.dt * s.v[i];
                    low = low.cwiseMin(end);
                    high = high.cwiseMax(end);
                    speed2 = std::max(speed2, s.v[i].squaredNorm());
                };
                for (Index i = b * kBlock; i < std::min(nodes_, (b + 1) * kBlock); ++i) include(i);
                for (Index h = firstHalo_[b]; h < firstHalo_[b + 1]; ++h) include(halo_[h]);
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
        askCollider(body, n, s.x.data() + first, s.v.data() + first, radius_.data() + first, s.dt,
                    s.t1, [&](Index k, const Hit& hit, double gap) {
                        const Index i = first + k;
                        if (s.inverseMass[i] <= 0) return;
                        const Answer a = answerHit(hit, s.v[i], gap, s.dt, body.settings.friction,
                                                   body.settings.maxPushOut);
                        s.v[i] += a.dv;
                        s.x[i] += a.shift;
                        ++figures.touching;
                        figures.followed += hit.followed;
                        figures.deepest = std::max(figures.deepest, a.depth);
                        figures.heat += a.heat / s.inverseMass[i];
                    });
    }
}

// Points between nodes ask after the nodes have been answered: on flat ground nothing is left.
void CollisionResponse::answerPoints(const Step& s, Index block) {
    Partial& figures = partial_[block];
    std::array<Vec3, kBatch> x, v, dv, shift;
    std::array<double, kBatch> radius;
    for (Index first = firstPoint_[block]; first < firstPoint_[block + 1]; first += kBatch) {
        const Index n = std::min(kBatch, firstPoint_[block + 1] - first);
        for (Index k = 0; k < n; ++k) {
            const YarnPoint& p = points_[first + k];
            x[k] = v[k] = dv[k] = shift[k] = Vec3::Zero();
            double w = 0;
            for (int j = 0; j < 4; ++j) {
                x[k] += p.weight[j] * s.x[p.node[j]];
                v[k] += p.weight[j] * s.v[p.node[j]];
                w += p.weight[j] * p.weight[j] * s.inverseMass[p.node[j]];
            }
            pointW_[first + k] = w;
            radius[k] = p.radius;
        }
        for (std::size_t c = 0; c < s.bodies.size(); ++c) {
            if (!near_[block * s.bodies.size() + c]) continue;
            const CollisionBody& body = s.bodies[c];
            askCollider(body, n, x.data(), v.data(), radius.data(), s.dt, s.t1,
                        [&](Index k, const Hit& hit, double gap) {
                            const double w = pointW_[first + k];
                            if (w <= 0) return;
                            const Answer a = answerHit(hit, v[k], gap, s.dt, body.settings.friction,
                                                       body.settings.maxPushOut);
                            v[k] += a.dv;
                            x[k] += a.shift;
                            dv[k] += a.dv;
                            shift[k] += a.shift;
                            touched_[first + k] = 1;
                            ++figures.touching;
                            figures.followed += hit.followed;
                            figures.deepest = std::max(figures.deepest, a.depth);
                            figures.heat += a.heat / w;
                        });
        }
        for (Index k = 0; k < n; ++k) {
            if (!touched_[first + k]) continue;
            pointDv_[first + k] = dv[k];
            pointShift_[first + k] = shift[k];
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
        double sizeV = 0, largestV = 0, sizeX = 0, largestX = 0;
        for (Index u = firstUser_[i]; u < firstUser_[i + 1]; ++u) {
            const Index p = user_[u] / 4;
            if (!touched_[p]) continue;
            const double c = points_[p].weight[user_[u] % 4] * s.inverseMass[i] / pointW_[p];
            const double a = pointDv_[p].norm(), b = pointShift_[p].norm();
            dv += c * pointDv_[p];
            shift += c * pointShift_[p];
            sizeV += c * a;
            sizeX += c * b;
            largestV = std::max(largestV, a);
            largestX = std::max(largestX, b);
        }
        if (largestV > 0) s.v[i] += dv / std::max(1.0, sizeV / largestV);
        if (largestX > 0) s.x[i] += shift / std::max(1.0, sizeX / largestX);
    }
}

} // namespace purl
