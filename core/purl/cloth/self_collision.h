// Cloth against itself: no step ends with the sheet through itself, whatever the forces did.
//
// First inside the step's solve: begin() and refine() hand it terms for what is near and for what
// would meet (layer_set.h). What still meets after the last solve, or when nobody asked for terms,
// is answered after Bridson, Fedkiw, Anderson 2002 in three lines of defence: proximity repulsion
// with friction (only without terms), then impulses from continuous tests, then rigid impact zones
// and, last, the zones' motion scaled back
// towards the start of the step, which is a valid state by assumption. The continuous tests are
// conservative (closest distance against a bound of the relative motion, with a least separation),
// so a "no" is a proof and coplanar, parallel or degenerate features need no special case.
//
// Same bits at every thread count: hits come out in the order of the tree, contacts are solved by
// colours.
#pragma once

#include "purl/cloth/layer_terms.h"
#include "purl/cloth/mesh.h"

#include <memory>

namespace purl {

struct SelfCollisionSettings {
    double thickness = 1e-3; // m, distance at which two layers begin to push each other off. Near a
                             // point it is at most half the least altitude of the rest triangles
                             // there: neighbours on the sheet do not repel each other
    double friction = 0.2;   // Coulomb coefficient between layers
    double pushOut = 0.2;    // part of a missing thickness that one step gives back, 0..1
    int repulsionSweeps = 4; // over the contacts near at the step's start
    int impulseRounds = 10;  // of continuous tests, each with impulses
    int zoneRounds = 6;      // of continuous tests, each with zones made rigid; then scaling back
    bool culling = true;     // skip patches that are proven not to meet themselves (normal cones)
};

struct SelfCollisionStats {       // of one step: begin() or, without it, resolve()
    long boxTests = 0, pairs = 0; // of boxes; of features in reach of each other
    long culled = 0;              // patches whose inside was skipped
    long contacts = 0;            // near at the start
    long terms = 0, solves = 0;   // in the last solve of the step; solves that it took
    long hits = 0, impulses = 0;  // found by continuous tests; applied for them
    int rounds = 0;               // of continuous tests
    long zones = 0, zonePoints = 0, scaledPoints = 0; // rigid zones; points in them; points held
    long touching = 0;      // pairs at one place at the start already: not judged
    long forced = 0;        // pairs that pinned points drove through each other: left as they are
    double smallestGap = 0; // of the contacts, at the start: distance / thickness; 1 without any
    double seconds = 0, detectSeconds = 0, solveSeconds = 0;
};

class SelfCollision {
public:
    // x: positions at the start, only to sort the triangles into the tree.
    SelfCollision(const ClothMesh& mesh, Span<const Vec3> x,
                  const SelfCollisionSettings& settings = {});
    ~SelfCollision();
    SelfCollision(SelfCollision&&) noexcept;

    // x0 (m): start of the step, not through itself. x1 (m): wanted end of the step, changed so
    // that on the straight way from x0 nothing meets. v (m/s): changed by what x1 was, divided by
    // dt (s), but for the push-out of what was too near at the start, which leaves no speed
    // behind. Points of inverseMass (1/kg) 0 are never moved: where they force layers through each
    // other, that is counted as `forced` and the pair is let through. Nothing is done if x1 is not
    // finite.
    void resolve(Span<const Vec3> x0, Span<Vec3> x1, Span<Vec3> v, Span<const double> inverseMass,
                 double dt);
    // The same inside the solve (collision_hook.h); resolve() then comes last.
    void begin(Span<const Vec3> x0, Span<const Vec3> v0, Span<const double> inverseMass, double dt,
               LayerTerms& terms);
    bool refine(Span<const Vec3> x0, Span<const Vec3> x1, Span<const double> inverseMass, double dt,
                bool last, LayerTerms& terms);

    const SelfCollisionStats& stats() const; // of the last resolve()
    double thicknessAt(Index point) const;   // m, what is kept there
    Index limitedPoints() const;             // points where it is less than asked for

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace purl
