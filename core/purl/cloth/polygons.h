// From a host's polygons to a ClothMesh: triangulated, with a rest shape and warp direction for
// every triangle, hinges with rest angles; what is wrong with the input is named by primitive
// number and repaired, or refused:
//
//   point that is not finite, or a rest or uv that is not     refused
//   point used twice in a row                                 used once
//   polygon with fewer than 3 points, or without area at rest left out
//   polygon on the same points as an earlier one              left out
//   T-junction (points of a border lying on a border's edge)  taken into the polygon of that edge
//   neighbours that run the opposite way round                turned, the fewer to the more
//   edge of more than two polygons                            kept, free to bend there
//   polygon that crosses itself                               a fan of triangles
//   uv island that is mirrored, or triangle folded in it      mirrored back
//   points in no polygon                                      not simulated, stay where they are
//
// Each kind of repair is one warning with its count and the first offender.
#pragma once

#include "purl/cloth/mesh.h"

#include <string>

namespace purl {

struct Polygons {
    std::vector<Vec3> x;         // m, per point
    std::vector<Index> first{0}; // per polygon and one more: its vertices
    std::vector<Index> point;    // per vertex
    std::vector<Index> number;   // per polygon: what messages call it
    std::vector<Vec3> rest;      // m, per point; may be empty
    std::vector<Vec2> uv;        // per vertex; may be empty
    std::vector<Vec3> warp;      // per polygon: direction of the warp in the rest shape, zero for
                                 // none; may be empty
    Index count() const { return static_cast<Index>(first.size()) - 1; }
};

enum class RestFrom {
    Auto, // `rest` if there is one, else uv if its area is within a factor 2 of the polygons' (uv
          // in metres), else the input
    Rest, // the point attribute: its edges' lengths and its angles
    Uv,   // flat panels: lengths of uv times uvScale; every rest angle is 0
    Input // the polygons as they come
};

struct ClothBuildSettings {
    RestFrom rest = RestFrom::Auto;
    double uvScale = 1; // m a unit of uv; 0: so that the area is that of the polygons
    bool flat = false;  // every rest angle 0, whatever the rest shape
};

struct ClothInput {
    ClothMesh mesh;
    std::vector<Vec3> x;                 // m, per node
    std::vector<Index> pointOf;          // per node
    std::vector<Index> nodeOf;           // per point; -1: in no polygon
    std::vector<Index> polygonOf;        // per triangle
    std::vector<Vec3> rest;              // m, per node: the rest shape, or x
    std::vector<std::array<Vec2, 3>> uv; // per triangle and corner, as given; may be empty
    RestFrom restFrom = RestFrom::Input;
    std::vector<std::string> warnings;
};

// Warp (physics 6.1: first rest axis), in this order: `warp` of the polygon; the direction in which
// u grows; the longest side of the rest shape's bounds, carried over from a neighbour where the
// triangle is almost at right angles to it. Throws Error{file: primitive or point, ...}.
ClothInput buildCloth(const Polygons& polygons, const ClothBuildSettings& settings,
                      const std::string& file);

} // namespace purl
