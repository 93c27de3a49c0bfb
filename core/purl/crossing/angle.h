// The angle between two edges that start at one node, with its first and second derivatives: what
// bend and shear of crossings are made of (physics 7.2).
#pragma once

#include "purl/base/types.h"

#include <Eigen/Geometry>
#include <cmath>

namespace purl {

// phi in [0, pi] between e1 and e2. d1, d2: unit edges. n1 is across e1 towards e2, n2 across e2
// towards e1, b across both: d phi = -n1 . de1 / l1 - n2 . de2 / l2.
struct AngleFrame {
    double phi, cosine, sine, l1, l2;
    Vec3 d1, d2, n1, n2, b;

    AngleFrame(const Vec3& e1, const Vec3& e2) : l1(e1.norm()), l2(e2.norm()) {
        d1 = e1 / l1;
        d2 = e2 / l2;
        cosine = d1.dot(d2);
        sine = d1.cross(d2).norm();
        phi = std::atan2(sine, cosine);
        if (sine > 1e-9) {
            n1 = (d2 - cosine * d1) / sine;
            n2 = (d1 - cosine * d2) / sine;
        } else { // straight or folded: any plane is as good
            Index axis;
            d1.cwiseAbs().minCoeff(&axis);
            n1 = d1.cross(Vec3::Unit(axis)).normalized();
            n2 = cosine < 0 ? n1 : Vec3(-n1);
        }
        b = d1.cross(n1);
    }
    Vec3 gradient1() const { return -n1 / l1; }
    Vec3 gradient2() const { return -n2 / l2; }
    // In the plane of the edges an angle is a difference of two; across it phi grows by
    // cot(phi) (b1^2 + b2^2)/2 - b1 b2 / sin(phi), b1 and b2 the turns of the edges.
    Mat3 hessian11() const {
        return (d1 * n1.transpose() + n1 * d1.transpose() + cosine / sine * b * b.transpose()) /
               (l1 * l1);
    }
    Mat3 hessian22() const {
        return (d2 * n2.transpose() + n2 * d2.transpose() + cosine / sine * b * b.transpose()) /
               (l2 * l2);
    }
    Mat3 hessian12() const { return b * b.transpose() / (-l1 * l2 * sine); }
};

} // namespace purl
