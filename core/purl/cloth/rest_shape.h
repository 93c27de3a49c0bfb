// The second half of buildCloth: every triangle laid flat, its warp along the first axis.
#pragma once

#include "purl/cloth/polygons.h"

namespace purl {

struct RestShape {
    RestFrom from = RestFrom::Input;         // Uv, else the corners are the shape
    double uvScale = 1;                      // m a unit of uv
    std::vector<std::array<Vec3, 3>> corner; // m, per triangle
    std::vector<std::array<Vec2, 3>> uv;     // per triangle; may be empty
    std::vector<Vec3> warp;                  // per triangle; zero: none given
    std::vector<Index> number;               // per triangle: its primitive
};

// mesh.triangles are points; all corners counter-clockwise.
std::vector<std::array<Vec2, 3>> restTriangles(const ClothMesh& mesh, const RestShape& shape,
                                               const std::string& file,
                                               std::vector<std::string>& warnings);

} // namespace purl
