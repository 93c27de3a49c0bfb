// What yarns collide with. A collider is a shape in its own space (analytic, or a level set) and a
// rigid motion of that space; it answers, at any instant of the present frame, how far a point is
// from its surface, which way is out, and how fast the surface moves there.
#pragma once

#include "purl/collide/motion.h"

namespace purl {

struct ColliderSample {
    double phi;    // m, signed distance, negative inside
    Vec3 normal;   // unit, outward
    Vec3 velocity; // m/s, of the collider's material at the point
};

class Collider {
public:
    virtual ~Collider() = default;

    // The poses at this frame's start and end. `seconds` (s) is the duration of the frame. Without
    // a call the collider stays where it was made.
    void setPose(const Pose& previous, const Pose& current, double seconds);

    // t in [0,1] is the time inside the present frame: 0 = last frame's pose, 1 = this frame's.
    void sample(Span<const Vec3> x, double t, Span<ColliderSample> out) const;
    // The same phi alone. Further from the surface than a level set's band it is a lower bound of
    // the distance, so that it can be used to cull.
    void distance(Span<const Vec3> x, double t, Span<double> phi) const;
    // Where material points that are at x at time `from` are at time `to`.
    void carry(Span<const Vec3> x, double from, double to, Span<Vec3> out) const;
    // m/s: |d phi / dt| within `radius` (m) of x stays below this all frame.
    double speedBound(const Vec3& x, double radius) const {
        return motion_.speedBound(x, radius) + shapeSpeed();
    }
    // m/s: how fast phi can change at a point that is carried along; 0 for a rigid shape.
    virtual double residualSpeed() const { return 0; }
    double seconds() const { return seconds_; } // of the frame, 0 if nothing moves
    const RigidMotion& motion() const { return motion_; }
    // Another number after every change of shape or motion, and for every collider.
    std::uint64_t stamp() const { return stamp_; }

    ColliderSample sampleAt(const Vec3& x, double t) const;
    double distanceAt(const Vec3& x, double t) const;

protected:
    // The same questions in the shape's own space. Velocities are those of a deforming shape.
    virtual void sampleShape(Span<const Vec3> x, double t, Span<ColliderSample> out) const = 0;
    virtual void distanceShape(Span<const Vec3> x, double t, Span<double> phi) const = 0;
    virtual void carryShape(Span<Vec3> /*x, in and out*/, double /*from*/, double /*to*/) const {}
    virtual double shapeSpeed() const { return 0; }

    void changed() { stamp_ = newStamp(); }

    double seconds_ = 0;

private:
    static std::uint64_t newStamp();

    RigidMotion motion_;
    std::uint64_t stamp_ = newStamp();
};

} // namespace purl
