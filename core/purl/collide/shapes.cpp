#include "purl/collide/shapes.h"

#include "purl/base/error.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace purl {

PlaneCollider::PlaneCollider(const Vec3& normal, double offset)
    : normal_(normal.normalized()), offset_(offset) {
    if (!(normal.norm() > 1e-12) || !normal.allFinite() || !std::isfinite(offset))
        throw Error("plane collider", "normal has length " + std::to_string(normal.norm()) +
                                          " and offset is " + std::to_string(offset) +
                                          ", expected a normal of length > 0 and a finite offset");
}

void PlaneCollider::sampleShape(Span<const Vec3> x, double, Span<ColliderSample> out) const {
    for (std::size_t i = 0; i < x.size(); ++i)
        out[i] = {normal_.dot(x[i]) - offset_, normal_, Vec3::Zero()};
}

void PlaneCollider::distanceShape(Span<const Vec3> x, double, Span<double> phi) const {
    for (std::size_t i = 0; i < x.size(); ++i) phi[i] = normal_.dot(x[i]) - offset_;
}

CapsuleCollider::CapsuleCollider(const Vec3& a, const Vec3& b, double radius)
    : a_(a), axis_(b - a), inverseLength2_(0), radius_(radius), side_(Vec3::UnitY()) {
    if (!(radius > 0) || !a.allFinite() || !b.allFinite() || !std::isfinite(radius))
        throw Error("sphere or capsule collider",
                    "radius is " + std::to_string(radius) +
                        " m, expected a radius > 0 m and finite ends");
    if (axis_.squaredNorm() > 0) {
        inverseLength2_ = 1 / axis_.squaredNorm();
        side_ = axis_.unitOrthogonal();
    }
}

Vec3 CapsuleCollider::nearest(const Vec3& x) const {
    return a_ + std::clamp((x - a_).dot(axis_) * inverseLength2_, 0.0, 1.0) * axis_;
}

void CapsuleCollider::sampleShape(Span<const Vec3> x, double, Span<ColliderSample> out) const {
    for (std::size_t i = 0; i < x.size(); ++i) {
        const Vec3 d = x[i] - nearest(x[i]);
        const double length = d.norm();
        out[i] = {length - radius_, length > 1e-12 ? Vec3(d / length) : side_, Vec3::Zero()};
    }
}

void CapsuleCollider::distanceShape(Span<const Vec3> x, double, Span<double> phi) const {
    for (std::size_t i = 0; i < x.size(); ++i) phi[i] = (x[i] - nearest(x[i])).norm() - radius_;
}

} // namespace purl
