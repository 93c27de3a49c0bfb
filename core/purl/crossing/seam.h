// Seams (physics 8.6): where pieces meet in space but not in the plane, a thread of its own runs
// along, and the yarns that end there are joined to it. Yarns of the two sides that end near each
// other share a node of it; the ends move along the seam by a third of a spacing at most for that.
#pragma once

#include "purl/crossing/fabric_grid.h"

namespace purl {

struct SeamEnd { // a yarn's end on a seam
    Index triangle;
    int edge;        // of the triangle
    double fraction; // of the way from corner k to k + 1
};

struct SeamNode {
    Index triangle = 0; // one of the two beside it
    Vec3 weights{0, 0, 0};
    Vec2 plane{0, 0};              // m, in that triangle's piece
    double at = 0;                 // m along the seam
    Index first = -1, second = -1; // the ends (given ones) that are joined there; -1: none
};

struct Seam {
    std::vector<SeamNode> nodes; // in order
    double length = 0;           // m, of the plane's edges, mean of both sides
    bool closed = false;         // comes back to where it began
};

// Runs of seam edges with the ends that lie on them. `spacing`: m, the usual distance of ends.
// Seams on which no yarn ends are left out.
std::vector<Seam> findSeams(const FabricPatch& patch, Span<const SeamEnd> ends, double spacing);

} // namespace purl
