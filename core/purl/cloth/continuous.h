// Do two moving features come too near each other? Conservative advancement (after Mirtich; with
// the least separation of Harmon et al. 2008 and Li et al. 2021): from the closest distance, go on
// in time as far as the separating plane and the speed allow, and again from there. A "no" holds
// for every time of the step, to rounding; a "yes" may come up to a tenth of the separation early.
#pragma once

#include "purl/cloth/closest.h"

namespace purl {

struct Meeting {
    enum class Kind { None, Hit, Touching /* at one place from the start: cannot be judged */ };
    Kind kind = Kind::None;
    double time = 0;       // 0..1
    Closest at;            // at that time
    Vec3 normal{0, 0, 0};  // unit, from the second party to the first
    double separation = 0; // m, what had to be kept
};

// The separation that a pair has to keep, m: a quarter of the thickness, or half the distance it
// starts with if that is less; far below the thickness a step may take no more than 5 % of it.
double keptSeparation(double startDistance, double thickness);

// a, b: the four nodes at the start and at the end of the step; they move straight. thickness in m.
Meeting meet(FeaturePair kind, const Vec3* a, const Vec3* b, double thickness);
// The same when the closest points at the start are known.
Meeting meet(FeaturePair kind, const Closest& start, const Vec3* a, const Vec3* b,
             double thickness);

} // namespace purl
