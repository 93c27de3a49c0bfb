#include "purl/collide/sdf.h"

#include "purl/base/error.h"
#include "purl/collide/distance_field.h"

#include <algorithm>
#include <cmath>

namespace purl {

namespace {
double boxDistance(const DistanceField& f, const Vec3& x) {
    const Vec3 p = f.toIndex(x);
    return (p - p.cwiseMax(f.boxLow).cwiseMin(f.boxHigh)).norm() * f.voxel;
}
} // namespace

SdfCollider::SdfCollider(FieldPtr field) : previous_(field), current_(std::move(field)) {
    if (!current_) throw Error("level set collider", "no field given");
}

void SdfCollider::setFields(FieldPtr previous, FieldPtr current, double seconds) {
    if (!previous || !current) throw Error("level set collider", "no field given for the frame");
    if (!(seconds > 0))
        throw Error("level set collider",
                    "the frame lasts " + std::to_string(seconds) + " s, expected > 0");
    changed();
    previous_ = std::move(previous);
    current_ = std::move(current);
    seconds_ = seconds;
    deforming_ = previous_ != current_;
    drift_.setZero();
    travel_ = residual_ = 0;
    if (!deforming_) return;
    drift_ = current_->centroid - previous_->centroid;
    // What the motion leaves unexplained, the distance of the two surfaces after carrying one to
    // the other, bounds how fast phi changes at a point that is carried along.
    double rest = 0, moved = drift_.norm();
    const auto compare = [&](const DistanceField& from, const DistanceField& to, double t) {
        for (const Vec3f& s : from.surface) {
            const Path p = follow(from.toWorld(s.cast<double>()), t);
            double phi = std::abs(to.distance(t == 0 ? p.after : p.before));
            if (phi >= to.reach) phi += 1.25 * to.stride * to.voxel; // was a lower bound
            rest = std::max(rest, phi);
            moved = std::max({moved, (p.after - p.before).norm(), p.rate.norm()});
        }
    };
    compare(*previous_, *current_, 0);
    compare(*current_, *previous_, 1);
    residual_ = rest / seconds;
    travel_ = moved + rest;
}

SdfCollider::Path SdfCollider::follow(const Vec3& x, double t) const {
    const DistanceField &a = *previous_, &b = *current_;
    Vec3 u0 = drift_, u1 = drift_; // m a frame, at the path's two ends
    // Between the ends the velocity changes evenly: before + s u0 + s^2/2 (u1 - u0), so that a
    // turning body is followed along its arc. The ends depend on the velocities found there.
    const auto path = [&]() -> Path {
        const Vec3 before = x - t * u0 - (0.5 * t * t) * (u1 - u0);
        return {before, before + 0.5 * (u0 + u1), u0 + t * (u1 - u0)};
    };
    if (a.hasVelocity() || b.hasVelocity())
        for (int round = 0; round < 3; ++round) {
            const Path p = path();
            if (a.hasVelocity()) u0 = seconds_ * a.velocity(p.before);
            u1 = b.hasVelocity() ? Vec3(seconds_ * b.velocity(p.after)) : u0;
            if (!a.hasVelocity()) u0 = u1;
        }
    return path();
}

double SdfCollider::farBound(const Vec3& x) const {
    return std::min(boxDistance(*previous_, x), boxDistance(*current_, x)) - travel_;
}

void SdfCollider::distanceShape(Span<const Vec3> x, double t, Span<double> phi) const {
    if (!deforming_) {
        for (std::size_t i = 0; i < x.size(); ++i) phi[i] = current_->distance(x[i]);
        return;
    }
    const double reach = std::max(previous_->reach, current_->reach);
    for (std::size_t i = 0; i < x.size(); ++i) {
        phi[i] = farBound(x[i]);
        if (phi[i] > reach) continue;
        const Path p = follow(x[i], t);
        phi[i] = (1 - t) * previous_->distance(p.before) + t * current_->distance(p.after);
    }
}

void SdfCollider::sampleShape(Span<const Vec3> x, double t, Span<ColliderSample> out) const {
    for (std::size_t i = 0; i < x.size(); ++i) {
        ColliderSample& s = out[i];
        if (!deforming_) {
            s.phi = current_->sample(x[i], s.normal);
            s.velocity.setZero();
            continue;
        }
        const Path p = follow(x[i], t);
        Vec3 n0, n1;
        const double phi0 = previous_->sample(p.before, n0);
        const double phi1 = current_->sample(p.after, n1);
        s.phi = (1 - t) * phi0 + t * phi1;
        const Vec3 n = (1 - t) * n0 + t * n1;
        const double length = n.norm();
        s.normal = length > 1e-9 ? Vec3(n / length) : n1;
        // phi changes by phi1 - phi0 in the frame at a point that is carried along: that is a
        // motion of the surface along its normal which the path does not have.
        s.velocity = (p.rate - (phi1 - phi0) * s.normal) / seconds_;
    }
}

void SdfCollider::carryShape(Span<Vec3> x, double from, double to) const {
    if (!deforming_) return;
    for (Vec3& p : x) p += (to - from) * follow(p, from).rate;
}

} // namespace purl
