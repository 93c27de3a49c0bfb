// Colliders with a closed form: plane, sphere, capsule.
#pragma once

#include "purl/collide/collider.h"

namespace purl {

// The half space normal . x < offset is solid. The normal need not be a unit vector on input.
class PlaneCollider : public Collider {
public:
    PlaneCollider(const Vec3& normal, double offset /*m, along the unit normal*/);

protected:
    void sampleShape(Span<const Vec3> x, double t, Span<ColliderSample> out) const override;
    void distanceShape(Span<const Vec3> x, double t, Span<double> phi) const override;

private:
    Vec3 normal_;
    double offset_;
};

// All points within `radius` of the segment from a to b; a sphere when they are the same point.
class CapsuleCollider : public Collider {
public:
    CapsuleCollider(const Vec3& a /*m*/, const Vec3& b /*m*/, double radius /*m*/);

protected:
    void sampleShape(Span<const Vec3> x, double t, Span<ColliderSample> out) const override;
    void distanceShape(Span<const Vec3> x, double t, Span<double> phi) const override;

private:
    Vec3 nearest(const Vec3& x) const; // point of the axis
    Vec3 a_, axis_;
    double inverseLength2_, radius_;
    Vec3 side_; // unit, across the axis: the way out for points on it
};

class SphereCollider : public CapsuleCollider {
public:
    SphereCollider(const Vec3& centre /*m*/, double radius /*m*/)
        : CapsuleCollider(centre, centre, radius) {}
};

} // namespace purl
