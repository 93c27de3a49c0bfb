// How a collider moves inside one frame: a rigid pose at the frame's start and one at its end, with
// the rotation turned at constant rate about a fixed axis (slerp) and the origin moved on a line.
#pragma once

#include "purl/base/types.h"

#include <Eigen/Geometry>

namespace purl {

// world = rotation * local + translation (m)
struct Pose {
    Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
    Vec3 translation = Vec3::Zero();

    // From a 4x4 matrix acting on columns (p' = M p). Scale and shear are refused: an Error that
    // names `where` and the matrix' stretch.
    static Pose fromMatrix(const Eigen::Matrix4d& m, const char* where = "collider transform");
};

class RigidMotion {
public:
    RigidMotion() = default; // at rest at the identity
    RigidMotion(const Pose& previous, const Pose& current, double seconds);

    // The pose and its rates at one instant, as matrices.
    struct Instant {
        Mat3 rotation; // local to world
        Vec3 origin;   // m
        Vec3 slide;    // m/s, velocity of the origin
        Vec3 turn;     // rad/s, angular velocity in world axes
        Vec3 toLocal(const Vec3& x) const { return rotation.transpose() * (x - origin); }
        Vec3 toWorld(const Vec3& y) const { return rotation * y + origin; }
        Vec3 velocity(const Vec3& x) const { return slide + turn.cross(x - origin); }
    };
    Instant at(double t) const; // t in [0,1]: 0 the previous pose, 1 the current one

    bool identity() const { return identity_; } // local and world are the same all frame
    // m/s: no point of the body within `radius` (m) of x moves faster during this frame.
    double speedBound(const Vec3& x, double radius) const;

private:
    Eigen::Quaterniond start_ = Eigen::Quaterniond::Identity();
    Vec3 from_ = Vec3::Zero(), to_ = Vec3::Zero();
    Vec3 axis_ = Vec3::UnitX();
    double angle_ = 0;     // rad in the frame
    double perSecond_ = 0; // 1 / frame duration
    bool identity_ = true;
};

} // namespace purl
