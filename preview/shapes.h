// Meshes of the solver's analytic colliders, to show them.
#pragma once

#include "purl/geometry/trimesh.h"

namespace purl {

TriMesh sphereMesh(const Vec3& centre, double radius, int rings = 48);

// The points within `radius` of the line from a to b.
TriMesh capsuleMesh(const Vec3& a, const Vec3& b, double radius, int rings = 48);

} // namespace purl
