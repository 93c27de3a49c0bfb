// A sheet as the cloth models read it: triangles with a flat rest shape each, and hinges.
#pragma once

#include "purl/base/types.h"

#include <array>

namespace purl {

struct ClothMesh {
    Index points = 0;
    std::vector<std::array<Index, 3>> triangles;
    std::vector<std::array<Vec2, 3>> rest; // m, per triangle and corner, in the sheet's warp/weft
                                           // axes (x: warp, y: weft), counter-clockwise
    // Inner edges: e0, e1, and the opposite points of the triangle (e0,e1,.) and of (e1,e0,.), as
    // physics 6.5 numbers them.
    std::vector<std::array<Index, 4>> hinges;
    std::vector<std::array<Index, 2>> hingeTriangles;
    std::vector<double> restAngle; // rad, per hinge; 0: flat
    Index faces() const { return static_cast<Index>(triangles.size()); }
};

} // namespace purl
