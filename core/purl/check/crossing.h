// When and where two straight pieces, their ends moving linearly, cross: the coplanarity cubic of
// edge-edge continuous collision detection (physics 4.10, step 3), with the sign of each crossing.
#pragma once

#include "purl/check/box_tree.h"
#include "purl/check/fine_curves.h"
#include "purl/check/glue.h"

namespace purl {

struct EdgeCrossing {
    double time; // 0..1 over the motion
    double s, t; // 0..1 along the two pieces
    int sign;    // by how much the Gauss integral of the two jumps there: +1 or -1
};

// A straight piece at the start and at the end of its motion.
struct MovingPiece {
    const Vec3 &from0, &to0, &from1, &to1;
};

// Writes up to three crossings in order of time and says how many.
int edgeCrossings(const MovingPiece& a, const MovingPiece& b, EdgeCrossing out[3]);

// One crossing of centre lines between two frames; (yarnA, arcA) <= (yarnB, arcB).
struct Crossing {
    Index yarnA, yarnB;
    double arcA, arcB; // m, along the yarns
    double time;       // 0..1 between the frames
    int sign;          // jump of the Gauss integral
    double sine;       // of the angle between the two centre lines
    double move;       // m, how far the two places moved against each other between the frames
};

// All crossings between two frames, sorted by yarns and place. The tree's leaves are the segments
// `segments[leaf]` of the layout, boxed over the same motion. Crossings near glue
// do not count.
std::vector<Crossing> findCrossings(const FineLayout& layout, const std::vector<Vec3>& start,
                                    const std::vector<Vec3>& end, const BoxTree& tree,
                                    const std::vector<Index>& segments, const GluedPlaces& glue);

} // namespace purl
