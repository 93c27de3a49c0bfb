// What a step asks of cloth against itself, or of anything else that corrects a step's end.
#pragma once

#include "purl/base/types.h"

namespace purl {

class LayerTerms;

struct CollisionHook {
    virtual ~CollisionHook() = default;
    // Inside the solve. Before its first: adds what is near at the start x0 (m), v0 (m/s) of a
    // step of dt (s), as terms of the system.
    virtual void begin(Span<const Vec3> /*x0*/, Span<const Vec3> /*v0*/,
                       Span<const double> /*inverseMass, 1/kg*/, double /*dt*/,
                       LayerTerms& /*terms*/) {}
    // After each: adds what would meet on the way to x1. True if the step is to be solved again;
    // `last`: it will not be.
    virtual bool refine(Span<const Vec3> /*x0*/, Span<const Vec3> /*x1*/,
                        Span<const double> /*inverseMass*/, double /*dt*/, bool /*last*/,
                        LayerTerms& /*terms*/) {
        return false;
    }
    // After the solves. x0 (m): start of the step, free of intersections. x1 (m): wanted end,
    // changed in place; v (m/s) is changed with it. Nodes of inverseMass 0 are not moved.
    virtual void resolve(Span<const Vec3> x0, Span<Vec3> x1, Span<Vec3> v,
                         Span<const double> inverseMass, double dt) = 0;
};

// Fits anything with such members to the hook: CollisionHookOf<SelfCollision>.
template <class T>
struct CollisionHookOf : CollisionHook {
    T self;
    template <class... A>
    explicit CollisionHookOf(A&&... a) : self(static_cast<A&&>(a)...) {}
    void begin(Span<const Vec3> x0, Span<const Vec3> v0, Span<const double> inverseMass, double dt,
               LayerTerms& terms) override {
        self.begin(x0, v0, inverseMass, dt, terms);
    }
    bool refine(Span<const Vec3> x0, Span<const Vec3> x1, Span<const double> inverseMass, double dt,
                bool last, LayerTerms& terms) override {
        return self.refine(x0, x1, inverseMass, dt, last, terms);
    }
    void resolve(Span<const Vec3> x0, Span<Vec3> x1, Span<Vec3> v, Span<const double> inverseMass,
                 double dt) override {
        self.resolve(x0, x1, v, inverseMass, dt);
    }
};

} // namespace purl
