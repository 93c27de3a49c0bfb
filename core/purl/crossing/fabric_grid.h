// Lines of threads against the triangles of a patch: where they cross each other, and where they
// come in and go out. Every point of the plane belongs to just one triangle of a piece, however it
// lies on edges and corners.
#pragma once

#include "purl/crossing/fabric_patch.h"
#include "purl/crossing/thread_grid.h"

namespace purl {

// Warps are lines y = warps.at(j), wefts are lines x = wefts.at(i).
struct GridPoint {
    Index piece, warp, weft;
    Index triangle;
    Vec3 weights;
};

// A stretch of a thread inside a piece, from border to border.
struct ThreadEnd {
    double at = 0; // m along the thread
    Index triangle = 0;
    int edge = 0;        // of the triangle, from corner k to k + 1
    double fraction = 0; // of the way along it
};
struct ThreadRun {
    Index piece, line;
    ThreadEnd from, to;
};

// Sorted by piece, warp, weft. Throws Error if a piece lies over itself.
std::vector<GridPoint> gridPoints(const FabricPatch& patch, const ThreadGrid& warps,
                                  const ThreadGrid& wefts, const std::string& name);
// Sorted by piece, line and place; `alongX`: warps. Throws Error as gridPoints.
std::vector<ThreadRun> threadRuns(const FabricPatch& patch, const ThreadGrid& grid, bool alongX,
                                  const std::string& name);

// The triangle of a piece at points of its plane, one by one; -1: outside. For knits, whose
// stitches are no lines.
struct PlaneFoot {
    Index triangle = -1;
    Vec3 weights{0, 0, 0};
};
std::vector<PlaneFoot> feetOf(const FabricPatch& patch, Index piece, Span<const Vec2> points);

// Weights of the corners at a place on a triangle's edge.
Vec3 edgeWeights(int edge, double fraction);

} // namespace purl
