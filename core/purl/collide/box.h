// A box with rounded edges, in closed form: tables, steps, walls of some thickness.
#pragma once

#include "purl/collide/collider.h"

namespace purl {

class BoxCollider : public Collider {
public:
    // From `low` to `high` with the rounding inside it.
    BoxCollider(const Vec3& low /*m*/, const Vec3& high /*m*/, double rounding /*m*/);

protected:
    void sampleShape(Span<const Vec3> x, double t, Span<ColliderSample> out) const override;
    void distanceShape(Span<const Vec3> x, double t, Span<double> phi) const override;

private:
    ColliderSample at(const Vec3& x) const;
    Vec3 centre_, half_; // m, of the core that the rounding is laid around
    double rounding_;
};

} // namespace purl
