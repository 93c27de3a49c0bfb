// Triangles with a plane to lay yarns in: every piece (uv island, or flat sheet without uv) in its
// own plane, front side up, warp (knit: course) along the first axis. Seams are the edges that two
// triangles share in space but not in the plane.
//
//   piece that is mirrored in its uv                 mirrored back
//   triangle without area in its uv                  no yarn is laid on it
//   pieces that overlap each other in uv             each has its own plane: said, nothing to do
//   triangle folded over inside its piece            refused by its primitive
//   edge of more than two triangles                  taken for a border
//   no uv, and not flat at rest                      refused: where would the yarns lie?
#pragma once

#include "purl/base/types.h"

#include <array>
#include <string>

namespace purl {

struct PatchInput {
    std::vector<Vec3> x;                         // m, per node
    std::vector<Vec3> rest;                      // m, per node; empty: x
    std::vector<std::array<Index, 3>> triangles; // nodes, all the same way round
    std::vector<std::array<Vec2, 3>> uv;         // per triangle and corner; may be empty
    std::vector<Index> number;                   // per triangle: what messages call its primitive
};

struct PatchSettings {
    double uvScale = 1;    // m a unit of uv; 0: so that the area is that of the polygons
    bool autoScale = true; // with uvScale 1: a uv area off by a factor above 2 is a texture's
    double angle = 0;      // rad, warp against the direction in which u grows
    bool useUv = true;     // else the rest shape, which then has to be flat
};

struct FabricPatch {
    static constexpr Index kNone = -1;
    std::vector<Vec3> x; // m, per node
    std::vector<std::array<Index, 3>> triangles;
    std::vector<std::array<Vec2, 3>> plane; // m, per triangle and corner, counter-clockwise
    std::vector<Index> piece;               // per triangle; -1: no yarn there
    std::vector<Index> number;              // per triangle
    // Per triangle and edge k (corner k to k + 1): the neighbour in the plane, or -1.
    std::vector<std::array<Index, 3>> inside;
    // The same over a seam: joined in space, apart in the plane. 3 * triangle + edge, or -1.
    std::vector<std::array<Index, 3>> seam;
    Index pieces = 0;
    double uvScale = 1;                       // m a unit of uv, as used
    double leastStretch = 1, mostStretch = 1; // of edges, space against plane
    Index faces() const { return static_cast<Index>(triangles.size()); }
    Vec3 at(Index triangle, const Vec3& weights) const {
        const auto& t = triangles[triangle];
        return weights[0] * x[t[0]] + weights[1] * x[t[1]] + weights[2] * x[t[2]];
    }
};

// Throws Error{file: primitive, ...} for what is refused; repairs are said in `warnings`.
FabricPatch flattenPatch(const PatchInput& input, const PatchSettings& settings,
                         const std::string& file, std::vector<std::string>& warnings);

} // namespace purl
