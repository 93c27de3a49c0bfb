#include "purl/crossing/touches.h"

#include "purl/base/parallel.h"

#include <algorithm>
#include <cmath>

namespace purl {

namespace {
constexpr Index kGrain = 512, kBlock = 2048;
constexpr double kSlow = 1e-4; // m/s: below it friction is a drag

Vec3 vec(const float* p) { return {p[0], p[1], p[2]}; }
} // namespace

Touches::Touches(const Fabric& fabric, Span<const Vec3> q, const TouchSettings& settings)
    : fabric_(fabric), settings_(settings) {
    if (settings.self) pairs_ = std::make_unique<SpherePairs>(fabric, q, settings.selfShare);
    wallOf_.assign(static_cast<std::size_t>(fabric.nodes()), YarnLinks::kNone);
}

void Touches::begin(Span<const Vec3> x0, Span<const Vec3> v0, Span<const CollisionBody> bodies,
                    Span<const double> inverseMass, double h, double t1) {
    h_ = h;
    const Index n = fabric_.nodes();
    const YarnLinks& l = fabric_.links();
    const double fastest = std::sqrt(orderedMax(n, kBlock, [&](Index i0, Index i1) {
        double most = 0;
        for (Index i = i0; i < i1; ++i) most = std::max(most, v0[i].squaredNorm());
        return most;
    }));
    const double move = h * (fastest + 10 * h);
    walls_.clear();
    std::fill(wallOf_.begin(), wallOf_.end(), YarnLinks::kNone);
    for (const CollisionBody& body : bodies)
        for (Index i = 0; i < n; ++i) {
            if (inverseMass[i] == 0) continue;
            double radius = 0;
            for (Index k = l.first[i]; k < l.first[i + 1]; ++k)
                radius = std::max(radius, 2 * fabric_.materialOf(k).radius);
            const double keep = radius + body.settings.thickness;
            const double room = keep + 2 * move + h * body.collider->speedBound(x0[i], keep);
            if (body.collider->distanceAt(x0[i], t1) > room) continue;
            const ColliderSample s = body.collider->sampleAt(x0[i], t1);
            // Deep inside it comes out at the speed the collider's settings allow.
            const double allowed = std::max(s.phi - keep, -h * body.settings.maxPushOut);
            const double pressed = settings_.stiffness * std::max(0.0, keep - s.phi);
            Vec3 slide = v0[i] - s.velocity;
            slide -= slide.dot(s.normal) * s.normal;
            walls_.push_back({i, s.normal, s.velocity, allowed - s.normal.dot(x0[i]),
                              body.settings.friction * pressed / (slide.norm() + kSlow), false});
        }
    std::stable_sort(walls_.begin(), walls_.end(),
                     [](const Wall& a, const Wall& b) { return a.node < b.node; });
    for (Index w = static_cast<Index>(walls_.size()); w-- > 0;) wallOf_[walls_[w].node] = w;
    any_ = !walls_.empty();
    if (!pairs_) return;
    pairs_->update(x0, std::min(move, pairs_->smallest()));
    sides_.resize(pairs_->size());
    any_ = any_ || !sides_.empty();
    parallelFor(n, kGrain, [&](Index i0, Index i1) {
        for (Index i = i0; i < i1; ++i) {
            const Span<const Index> near = pairs_->near(i);
            for (std::size_t e = 0; e < near.size(); ++e) {
                const Index j = near[e];
                const Vec3 d = x0[i] - x0[j];
                const double length = d.norm(), reach = pairs_->radius(i) + pairs_->radius(j);
                Side& s = sides_[pairs_->firstOf(i) + e];
                s.drag = 0;
                if (length >= reach || length == 0) continue;
                Vec3 slide = v0[i] - v0[j];
                slide -= slide.dot(d) / (length * length) * d;
                s.drag = static_cast<float>(settings_.friction * settings_.stiffness *
                                            (reach - length) / (slide.norm() + kSlow));
            }
        }
    });
}

double Touches::addGradient(Span<const Vec3> x1, Span<const Vec3> v1, Span<Vec3> g) const {
    if (!any_) return 0;
    const double k = settings_.stiffness;
    return orderedSum(fabric_.nodes(), kBlock, [&](Index i0, Index i1) {
        double energy = 0;
        for (Index i = i0; i < i1; ++i) {
            for (Index w = wallOf_[i];
                 w >= 0 && w < static_cast<Index>(walls_.size()) && walls_[w].node == i; ++w) {
                const Wall& s = walls_[w];
                const double gap = s.normal.dot(x1[i]) + s.offset;
                if (gap < 0) {
                    g[i] += k * gap * s.normal;
                    energy += 0.5 * k * gap * gap;
                }
                const Vec3 slide = v1[i] - s.velocity;
                g[i] += s.drag * (slide - slide.dot(s.normal) * s.normal);
            }
            if (!pairs_) continue;
            const Span<const Index> near = pairs_->near(i);
            for (std::size_t e = 0; e < near.size(); ++e) {
                const Index j = near[e];
                const Vec3 d = x1[i] - x1[j];
                const double reach = pairs_->radius(i) + pairs_->radius(j);
                const double squared = d.squaredNorm();
                if (squared >= reach * reach || squared == 0) continue;
                const double length = std::sqrt(squared), in = reach - length;
                const Vec3 n = d / length, slide = v1[i] - v1[j];
                g[i] -= k * in * n;
                g[i] += static_cast<double>(sides_[pairs_->firstOf(i) + e].drag) *
                        (slide - slide.dot(n) * n);
                energy += 0.25 * k * in * in; // the other node has the other half
            }
        }
        return energy;
    });
}

void Touches::linearise(Span<const Vec3> x1) {
    selfTouching_ = bodyTouching_ = 0;
    if (!any_) return;
    for (Wall& w : walls_) {
        w.active = w.normal.dot(x1[w.node]) + w.offset < 0;
        bodyTouching_ += w.active;
    }
    if (!pairs_) return;
    const double touching = orderedSum(fabric_.nodes(), kBlock, [&](Index i0, Index i1) {
        double count = 0;
        for (Index i = i0; i < i1; ++i) {
            const Span<const Index> near = pairs_->near(i);
            for (std::size_t e = 0; e < near.size(); ++e) {
                const Vec3 d = x1[i] - x1[near[e]];
                const double length = d.norm();
                Side& s = sides_[pairs_->firstOf(i) + e];
                s.active = length < pairs_->radius(i) + pairs_->radius(near[e]) && length > 0;
                if (!s.active) continue;
                ++count;
                for (int c = 0; c < 3; ++c) s.n[c] = static_cast<float>(d[c] / length);
            }
        }
        return count;
    });
    selfTouching_ = static_cast<Index>(touching / 2);
}

Mat3 Touches::form(const Vec3& n, double drag, bool active) const {
    const double along = active ? h_ * h_ * settings_.stiffness : 0, across = h_ * drag;
    return across * Mat3::Identity() + (along - across) * n * n.transpose();
}

void Touches::addProduct(Span<const Vec3> x, Span<Vec3> y) const {
    if (!any_) return;
    for (const Wall& w : walls_)
        if (w.active || w.drag > 0) y[w.node] += form(w.normal, w.drag, w.active) * x[w.node];
    if (!pairs_) return;
    parallelFor(fabric_.nodes(), kGrain, [&](Index i0, Index i1) {
        for (Index i = i0; i < i1; ++i) {
            const Span<const Index> near = pairs_->near(i);
            for (std::size_t e = 0; e < near.size(); ++e) {
                const Side& s = sides_[pairs_->firstOf(i) + e];
                if (!s.active) continue;
                y[i] += form(vec(s.n), s.drag, true) * (x[i] - x[near[e]]);
            }
        }
    });
}

void Touches::addDiagonal(Index i, Mat3& block) const {
    if (!any_) return;
    for (Index w = wallOf_[i];
         w >= 0 && w < static_cast<Index>(walls_.size()) && walls_[w].node == i; ++w)
        block += form(walls_[w].normal, walls_[w].drag, walls_[w].active);
    if (!pairs_) return;
    const Span<const Index> near = pairs_->near(i);
    for (std::size_t e = 0; e < near.size(); ++e) {
        const Side& s = sides_[pairs_->firstOf(i) + e];
        if (s.active) block += form(vec(s.n), s.drag, true);
    }
}

std::size_t Touches::bytes() const {
    return (pairs_ ? pairs_->bytes() : 0) + bytesOf(walls_) + bytesOf(wallOf_) + bytesOf(sides_);
}

} // namespace purl
