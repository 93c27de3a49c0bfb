// Decides which crossings of centre lines between two frames are yarn gone through yarn.
//
// Crossings come from linear motion between the frames, each with its sign. Those of one encounter
// are put together, because a pass may cross several times (nearly parallel yarns) and a slide may
// seem to cross and come back: what counts is the sum of the signs. A sum other than zero is a pass
// if the second instrument agrees: the Gauss integral over a stretch of both yarns, taken before
// and after, jumps by more than 0.6 (measured: real passes jump by 0.99 to 1.00, sliding by at most
// 0.44). It falls short of that where yarns lie so nearly parallel, or end so near, that one may
// have gone round the other. That, and a sum of zero, is a doubt: told, but no pass.
#pragma once

#include "purl/check/crossing.h"

namespace purl {

struct PassSettings {
    double gaussJump = 0.6; // the least jump of the Gauss integral that makes a pass
    double weighAt = 0.15;  // sums of radii: how far from the crossing it is taken, at most
    // A crossing nearer to a yarn's end than this part of the way the two moved is doubtful:
    // between the frames, the end may as well have gone round.
    double endShare = 0.5;
    // Crossings of one encounter, in sums of the two radii: any two nearer than this on both yarns,
    double samePlace = 0.75;
    // two of opposite sign nearer than the first on one yarn and, on the other, than the second and
    // twice the way they moved (a slide round a bend),
    double slideNear = 0.5, slideFar = 4.0;
    // and two of opposite sign up to this far apart by the same way along both, if nearly parallel.
    double parallelFar = 8.0;
};

struct Encounter {
    Index yarnA = -1, yarnB = -1;
    double arcA = 0, arcB = 0; // m, the first crossing in time
    int net = 0;               // sum of the signs: how often, and which way, A went through B
    int crossings = 0;         // how many there were
    double jump = 0;           // of the Gauss integral, in the direction of net
    double move = 0;           // sums of radii, how far the places moved against each other
    double endWay = 0;         // sums of radii, along the yarns to the nearest open end
    bool passed = false;
};

// `crossings` as findCrossings gives them. Up to `judged` encounters are weighed by the Gauss
// integral; beyond that, in a sequence that is plainly broken, the crossings alone decide.
std::vector<Encounter> judgeCrossings(const FineLayout& layout, const std::vector<Vec3>& start,
                                      const std::vector<Vec3>& end,
                                      const std::vector<Crossing>& crossings,
                                      const PassSettings& settings, Index judged);

} // namespace purl
