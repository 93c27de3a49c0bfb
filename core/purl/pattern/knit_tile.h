// One period of an endless knit, relaxed until the yarn fits.
#pragma once

#include "purl/pattern/pattern.h"
#include "purl/pattern/strands.h"

namespace purl {

constexpr Index kPointsPerLoop = 8; // about Kaldor's 8.1 segments a loop

struct KnitGauge {
    double wale = 0, course = 0; // m
    double radius = 0;           // m, of the yarn
};

// Point 0 of a loop is the middle of the sinker at its left, 2 the left leg, 4 the head, 6 the
// right leg; the sinker at its right is point 0 of the next loop.
struct KnitTile {
    KnitGauge gauge;
    Index around = 0;            // wales of a tube, 0 for a flat fabric
    bool helix = false;          // a tube of one yarn: each lap ends a course higher
    Index rows = 0, columns = 0; // loops in the tile
    Strands strands;             // point (i * columns + j) * 8 + k of loop (i, j)
    double edge = 0;             // m, wanted spacing of control points

    // Point k of loop (row, column) of the endless fabric; k may run over the loop's ends.
    Vec3 at(Index row, Index column, Index k) const;
    // A point of the flat fabric (z: height over its middle) where it goes on a tube, if it is one.
    Vec3 onSurface(const Vec3&) const;
    double tubeRadius() const; // m, of the fabric's middle
};

// Where point k of loop (row, column) starts from: thin, in the plane, leaning to the right by
// `lean` for each step upwards.
Vec3 thinLoopPoint(const StitchField&, const KnitGauge&, Index row, Index column, Index k,
                   double lean);

// Throws NoRoom if the yarn does not fit.
KnitTile knitTile(const StitchField&, const KnitGauge&, Index around, bool helix);

// Thrown when centre lines stay nearer than two radii; makePattern turns it into an Error that
// says what would fit.
struct NoRoom {
    double distance; // m, that was reached
};
void requireRoom(double distance, double radius);

} // namespace purl
