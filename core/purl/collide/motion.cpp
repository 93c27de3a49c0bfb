#include "purl/collide/motion.h"

#include "purl/base/error.h"

#include <algorithm>
#include <sstream>

namespace purl {

Pose Pose::fromMatrix(const Eigen::Matrix4d& m, const char* where) {
    const Mat3 a = m.topLeftCorner<3, 3>();
    const double stretch = (a.transpose() * a - Mat3::Identity()).cwiseAbs().maxCoeff();
    // Negated so that a NaN is refused too.
    if (!(stretch < 1e-3) || !(a.determinant() > 0) || !m.allFinite()) {
        std::ostringstream text;
        text << "the transform scales, shears or mirrors (|M^T M - 1| = " << stretch
             << ", determinant " << a.determinant()
             << "), expected a rotation and a translation only";
        throw Error(where, text.str());
    }
    return {Eigen::Quaterniond(a).normalized(), m.topRightCorner<3, 1>()};
}

RigidMotion::RigidMotion(const Pose& previous, const Pose& current, double seconds)
    : start_(previous.rotation.normalized()), from_(previous.translation), to_(current.translation),
      perSecond_(seconds > 0 ? 1 / seconds : 0) {
    Eigen::Quaterniond turn = current.rotation.normalized() * start_.conjugate();
    if (turn.w() < 0) turn.coeffs() *= -1; // the short way round
    const double sine = turn.vec().norm();
    if (sine > 1e-14) {
        axis_ = turn.vec() / sine;
        angle_ = 2 * std::atan2(sine, turn.w());
    }
    identity_ = angle_ == 0 && from_.isZero(0) && to_.isZero(0) && start_.vec().isZero(0);
}

RigidMotion::Instant RigidMotion::at(double t) const {
    const Eigen::Quaterniond turned(Eigen::AngleAxisd(t * angle_, axis_));
    return {(turned * start_).toRotationMatrix(), from_ + t * (to_ - from_),
            (to_ - from_) * perSecond_, axis_ * (angle_ * perSecond_)};
}

double RigidMotion::speedBound(const Vec3& x, double radius) const {
    if (identity_) return 0;
    // The origin moves on a segment and the distance to a point is convex along it.
    const double arm = std::max((x - from_).norm(), (x - to_).norm()) + radius;
    return ((to_ - from_).norm() + angle_ * arm) * perSecond_;
}

} // namespace purl
