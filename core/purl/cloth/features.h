// Points and edges of a triangle mesh, each owned by one of its triangles, so that testing pairs of
// triangles tests every pair of features once (representative triangles, Curtis et al. 2008).
#pragma once

#include "purl/cloth/mesh.h"

namespace purl {

struct MeshFeatures {
    std::vector<std::array<Index, 2>> edges;         // a < b
    std::vector<Index> facesOf;                      // per edge: how many triangles use it
    std::vector<std::array<Index, 3>> triangleEdges; // edge k joins corners k and k+1
    std::vector<std::array<Index, 3>> across; // per triangle and edge: the point opposite to it in
                                              // the neighbour; -1 at a border or with several
    std::vector<std::uint8_t> onBorder;       // per point
    std::vector<std::uint8_t> ownsPoint, ownsEdge; // per triangle: bit k for corner or edge k
};

MeshFeatures featuresOf(const ClothMesh& mesh);

// m, per point: `thickness`, but at most half the least altitude of the rest triangles around it.
std::vector<double> localThickness(const ClothMesh& mesh, double thickness);

} // namespace purl
