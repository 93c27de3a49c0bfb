// What a step asks of cloth against itself, or of anything else that corrects a step's end.
#pragma once

#include "purl/base/types.h"

namespace purl {

struct CollisionHook {
    virtual ~CollisionHook() = default;
    // x0 (m): start of the step, free of intersections. x1 (m): wanted end, changed in place; v
    // (m/s) is changed with it. Nodes of inverseMass (1/kg) 0 are not moved. dt in s.
    virtual void resolve(Span<const Vec3> x0, Span<Vec3> x1, Span<Vec3> v,
                         Span<const double> inverseMass, double dt) = 0;
};

// Fits anything with such a member to the hook: CollisionHookOf<SelfCollision>.
template <class T>
struct CollisionHookOf final : CollisionHook {
    T self;
    template <class... A>
    explicit CollisionHookOf(A&&... a) : self(static_cast<A&&>(a)...) {}
    void resolve(Span<const Vec3> x0, Span<Vec3> x1, Span<Vec3> v, Span<const double> inverseMass,
                 double dt) override {
        self.resolve(x0, x1, v, inverseMass, dt);
    }
};

} // namespace purl
