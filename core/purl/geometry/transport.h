// Parallel transport (physics 2.1) and signed angles.
#pragma once

#include "purl/base/types.h"

#include <Eigen/Geometry>
#include <cmath>

namespace purl {

// Carries v along the shortest rotation that takes unit a to unit b.
inline Vec3 transport(const Vec3& v, const Vec3& a, const Vec3& b) {
    const Vec3 s = a + b;
    return v - (s.dot(v) / (1 + a.dot(b))) * s + 2 * a.dot(v) * b;
}

// The angle from a to b about unit axis n, in (-pi, pi].
inline double signedAngle(const Vec3& a, const Vec3& b, const Vec3& n) {
    return std::atan2(a.cross(b).dot(n), a.dot(b));
}

// Some unit vector orthogonal to unit t, chosen without branches on the sign of small numbers.
inline Vec3 anyNormal(const Vec3& t) {
    int k = 0;
    for (int c = 1; c < 3; ++c)
        if (std::abs(t[c]) < std::abs(t[k])) k = c;
    Vec3 e = Vec3::Zero();
    e[k] = 1;
    return (e - t[k] * t).normalized();
}

} // namespace purl
