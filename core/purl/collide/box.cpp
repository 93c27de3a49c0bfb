#include "purl/collide/box.h"

#include "purl/base/error.h"

#include <cmath>
#include <string>

namespace purl {

BoxCollider::BoxCollider(const Vec3& low, const Vec3& high, double rounding)
    : centre_(0.5 * (low + high)), half_(0.5 * (high - low) - Vec3::Constant(rounding)),
      rounding_(rounding) {
    if (!(half_.minCoeff() >= 0) || !(rounding >= 0) || !half_.allFinite() || !centre_.allFinite())
        throw Error("box collider", "its least side is " + std::to_string((high - low).minCoeff()) +
                                        " m and its rounding " + std::to_string(rounding) +
                                        " m, expected sides of at least twice the rounding");
}

ColliderSample BoxCollider::at(const Vec3& x) const {
    const Vec3 p = x - centre_, over = p.cwiseAbs() - half_;
    const Vec3 side(p.x() < 0 ? -1 : 1, p.y() < 0 ? -1 : 1, p.z() < 0 ? -1 : 1);
    const Vec3 out = over.cwiseMax(0.0);
    const double length = out.norm();
    if (length > 1e-12)
        return {length - rounding_, (out / length).cwiseProduct(side), Vec3::Zero()};
    int axis;
    const double nearest = over.maxCoeff(&axis); // inside the core: the nearest face
    Vec3 normal = Vec3::Zero();
    normal[axis] = side[axis];
    return {nearest - rounding_, normal, Vec3::Zero()};
}

void BoxCollider::sampleShape(Span<const Vec3> x, double, Span<ColliderSample> out) const {
    for (std::size_t i = 0; i < x.size(); ++i) out[i] = at(x[i]);
}

void BoxCollider::distanceShape(Span<const Vec3> x, double, Span<double> phi) const {
    for (std::size_t i = 0; i < x.size(); ++i) phi[i] = at(x[i]).phi;
}

} // namespace purl
