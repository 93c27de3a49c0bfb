// The Gauss integral of two straight pieces a-b and c-d, closed form (Klenin and Langowski 2000;
// physics 4.10). Summed over two closed polygons it is their linking number.
#pragma once

#include "purl/base/types.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace purl {

inline double gaussIntegral(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    const Vec3 ac = c - a, ad = d - a, bc = c - b, bd = d - b;
    Vec3 n[4] = {ac.cross(ad), ad.cross(bd), bd.cross(bc), bc.cross(ac)};
    for (Vec3& k : n) {
        const double l = k.norm();
        if (!(l > 1e-280)) return 0.0;
        k /= l;
    }
    double sum = 0;
    for (int k = 0; k < 4; ++k) sum += std::asin(std::clamp(n[k].dot(n[(k + 1) % 4]), -1.0, 1.0));
    const double side = (d - c).cross(b - a).dot(ac);
    return (side < 0 ? -sum : sum) / (4 * 3.14159265358979323846);
}

} // namespace purl
