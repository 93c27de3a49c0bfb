// Polygons to level sets and back.
#pragma once

#include "purl/collide/sdf.h"
#include "purl/geometry/trimesh.h"

namespace purl {

struct MeshSdfOptions {
    double voxel = 0;      // m; 0: from the mesh's size and the yarn's radius
    double yarnRadius = 0; // m; a voxel of about this size is fine enough; 0: not known
    double reach = 0.01;   // m, as in SdfOptions
    std::string where = "collider mesh"; // for messages
};

// A closed mesh (of any orientation, it may cross itself) is solid. An open one is a sheet: it
// becomes a shell of one voxel to each side. `velocity` (m/s a vertex) may be empty.
FieldPtr meshSdf(const TriMesh& mesh, const MeshSdfOptions& options,
                 Span<const Vec3> velocity = {});

// Vertex velocities (m/s) from two frames of one mesh, `seconds` apart. Throws Error unless the
// triangles are the same.
std::vector<Vec3> meshVelocity(const TriMesh& previous, const TriMesh& current, double seconds,
                               const std::string& where = "collider mesh");

// The zero surface of a field as triangles, oriented outward, for drawing.
TriMesh fieldMesh(const DistanceField& field);

} // namespace purl
