#include "purl/implicit/collider_penalty.h"

#include "purl/base/parallel.h"

#include <algorithm>
#include <cmath>

namespace purl {

namespace {
constexpr Index kChunk = 256;    // nodes
constexpr Index kBatch = 32;     // asked of a collider at a time
constexpr double kSpring = 1000; // of the node's mass: depth at rest is g h^2 / 1000
constexpr double kStick = 10000; // of the node's mass: a held node creeps at a h / 10000
// A node that was pressed on in the step before stays in touch this near (of its radius), until
// the spring would have to pull it: it would else come and go, and slide when it is gone.
constexpr double kKeep = 0.02;
constexpr double kLast = 1.5; // of what presses now: more than that was a blow, and is over
} // namespace

ColliderPenalty::ColliderPenalty(std::vector<double> radius)
    : normalForce(radius.size(), 0.0), radius_(std::move(radius)),
      found_((radius_.size() + kChunk - 1) / kChunk), shift_(radius_.size(), Vec3::Zero()) {}

void ColliderPenalty::foresee(Span<const CollisionBody> bodies, Span<const Vec3> x0,
                              Span<const Vec3> v, double dt, double t1,
                              std::vector<std::uint8_t>& touching) const {
    const Index n = static_cast<Index>(radius_.size());
    touching.resize(radius_.size());
    parallelFor(static_cast<Index>(found_.size()), 1, [&](Index c0, Index c1) {
        std::array<Vec3, kBatch> at;
        std::array<double, kBatch> phi;
        for (Index first = c0 * kChunk; first < std::min(n, c1 * kChunk); first += kBatch) {
            const Index count = std::min(kBatch, n - first);
            const auto all = static_cast<std::size_t>(count);
            for (Index k = 0; k < count; ++k) {
                at[k] = x0[first + k] + dt * v[first + k];
                touching[first + k] = normalForce[first + k] > 0;
            }
            for (const CollisionBody& body : bodies) {
                body.collider->distance({at.data(), all}, t1, {phi.data(), all});
                for (Index k = 0; k < count; ++k)
                    if (phi[k] < (1 + kKeep) * radius_[first + k] + body.settings.thickness)
                        touching[first + k] = 1;
            }
        }
    });
}

void ColliderPenalty::predict(Span<const CollisionBody> bodies, Span<const Vec3> x0,
                              Span<Vec3> ahead, Span<const double> inverseMass, double dt,
                              double t1) {
    figures_ = {};
    touch_.clear();
    if (bodies.empty()) return;
    const Index n = static_cast<Index>(radius_.size());
    parallelFor(static_cast<Index>(found_.size()), 1, [&](Index c0, Index c1) {
        std::array<Vec3, kBatch> at;
        std::array<ColliderSample, kBatch> sample;
        std::array<double, kBatch> phi;
        std::array<Index, kBatch> who;
        for (Index c = c0; c < c1; ++c) {
            auto& found = found_[c];
            found.clear();
            for (Index i = c * kChunk; i < std::min(n, (c + 1) * kChunk); ++i) shift_[i].setZero();
            for (std::size_t b = 0; b < bodies.size(); ++b) {
                const CollisionBody& body = bodies[b];
                for (Index first = c * kChunk; first < std::min(n, (c + 1) * kChunk);
                     first += kBatch) {
                    const Index count = std::min({kBatch, n - first, (c + 1) * kChunk - first});
                    const auto all = static_cast<std::size_t>(count);
                    for (Index k = 0; k < count; ++k) at[k] = ahead[first + k];
                    body.collider->distance({at.data(), all}, t1, {phi.data(), all});
                    std::size_t near = 0;
                    for (Index k = 0; k < count; ++k) {
                        const Index i = first + k;
                        const double reach = radius_[i] * (normalForce[i] > 0 ? 1 + kKeep : 1);
                        if (inverseMass[i] == 0 || phi[k] >= reach + body.settings.thickness)
                            continue;
                        who[near] = i;
                        at[near++] = ahead[i];
                    }
                    if (near == 0) continue;
                    body.collider->sample({at.data(), near}, t1, {sample.data(), near});
                    for (std::size_t k = 0; k < near; ++k) {
                        const Index i = who[k];
                        const ColliderSample& s = sample[k];
                        const double depth = radius_[i] + body.settings.thickness - s.phi;
                        if (depth <= (normalForce[i] > 0 ? -kKeep * radius_[i] : 0)) continue;
                        // How deep it was at the start, seen from the collider.
                        const double approach = -(ahead[i] - x0[i] - dt * s.velocity).dot(s.normal);
                        const double before = depth - approach;
                        const double push =
                            std::clamp(std::min(before, depth), 0.0, body.settings.maxPushOut * dt);
                        if (push > 0) {
                            shift_[i] += push * s.normal;
                            ahead[i] += push * s.normal;
                        }
                        // What is left deeper than one step may push out is not the spring's.
                        const double left = std::min(depth, std::max(approach, 0.0) + push) - push;
                        found.push_back({i, left, s.normal, s.velocity, body.settings.friction});
                        found.back().h = std::max(0.0, before);
                    }
                }
            }
        }
    });
    for (const auto& found : found_) {
        touch_.insert(touch_.end(), found.begin(), found.end());
        for (const Touch& t : found) figures_.deepest = std::max(figures_.deepest, t.h);
    }
    figures_.touching = static_cast<Index>(touch_.size());
}

void ColliderPenalty::add(Span<const Vec3> v, Span<const Vec3> force,
                          const std::vector<double>& mass, const std::vector<double>& share,
                          double h, YarnMatrix& matrix, Span<Vec3> rhs) {
    for (Touch& t : touch_) {
        const Index i = t.node;
        const double m = share[i] * share[i] * mass[i]; // what the unknown has to move
        t.h = h;
        t.spring = kSpring * m;
        const Vec3 relative =
            (v[i] - t.velocity) / share[i]; // the unknown that would stop it, less
        // Where it would go by itself, and what would stop it there.
        const Vec3 wish = relative + h / m * force[i];
        const double impact = std::max(0.0, m * t.depth / (h * h) - force[i].dot(t.normal));
        // What pressed in the step before, unless it was a blow that is over.
        const double normal =
            normalForce[i] > 0 ? std::min(normalForce[i], kLast * impact) : impact;
        const Vec3 slide = wish - wish.dot(t.normal) * t.normal;
        const double room = slide.norm() - t.friction * normal * h / m; // m/s left of it
        t.drag = t.friction > 0 ? kStick * m : 0;
        if (room > 0) t.drag = std::min(t.drag, h * t.friction * normal / room);
        const Mat3 nn = t.normal * t.normal.transpose();
        matrix.addDiagonal(i, Mat3(t.spring * nn + t.drag * (Mat3::Identity() - nn)));
        rhs[i] += t.spring * t.depth / h * t.normal -
                  t.drag * (relative - relative.dot(t.normal) * t.normal);
    }
}

void ColliderPenalty::finish(Span<const Vec3> v, Span<const Vec3> u,
                             const std::vector<double>& share) {
    std::fill(normalForce.begin(), normalForce.end(), 0.0);
    for (const Touch& t : touch_) {
        const double push = t.spring * (t.depth / t.h - t.normal.dot(u[t.node])) / t.h;
        normalForce[t.node] += std::max(0.0, push);
        Vec3 slip = v[t.node] + share[t.node] * u[t.node] - t.velocity;
        slip -= slip.dot(t.normal) * t.normal;
        figures_.frictionHeat += t.drag * slip.squaredNorm();
    }
}

} // namespace purl
