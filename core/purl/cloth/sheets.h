// Flat sheets to begin with: rectangles and discs of nearly equilateral triangles (bending models
// on hinges are direction dependent on right-angled grids, physics 6.5), and tubes.
#pragma once

#include "purl/cloth/mesh.h"

namespace purl {

struct FlatSheet {
    ClothMesh mesh;
    std::vector<Vec3> x; // m
};

// Inner edges and flat rest angles from triangles. Throws Error on an edge of three triangles.
void findHinges(ClothMesh& mesh);

// In the plane y = 0, warp along x, weft along -z, centred; every other row is moved by half an
// edge and rows end flush. nx edges along the warp, ny rows of triangles along the weft.
FlatSheet rectangleSheet(Index nx, Index ny, double width /*m*/, double height /*m*/);
// A square of about `triangles` equilateral triangles.
FlatSheet squareSheet(Index triangles, double side /*m*/);
// Rings of 6, 12, 18.. points about the origin in y = 0.
FlatSheet discSheet(Index rings, double radius /*m*/);
// Around the x axis from x = 0; the rest shape is the flat rectangle it is rolled from, joined
// without a seam. `around` is even.
FlatSheet tubeSheet(Index around, Index along, double radius /*m*/, double length /*m*/);

} // namespace purl
