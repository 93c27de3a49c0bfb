// Level sets as OpenVDB grids in memory, for a host that has them so (a Houdini node). The only
// header of the core that shows OpenVDB: include it in one source file.
#pragma once

#include "purl/collide/mesh_sdf.h"

#include <openvdb/openvdb.h>

namespace purl {

struct NamedGrid {
    std::string name; // of the primitive; the grid's own name is not looked at
    openvdb::GridBase::ConstPtr grid;
};

// As readSdf, from grids.
FieldPtr sdfFromGrids(const std::vector<NamedGrid>& grids, const std::string& where,
                      const SdfOptions& options = {});

struct MeshGrids {
    openvdb::FloatGrid::Ptr surface; // level set, m
    openvdb::Vec3SGrid::Ptr v;       // m/s where the surface is known; null without velocities
};

// What meshSdf makes of a mesh before it makes it fast to sample.
MeshGrids meshGrids(const TriMesh& mesh, const MeshSdfOptions& options,
                    Span<const Vec3> velocity = {});

} // namespace purl
