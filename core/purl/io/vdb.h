// OpenVDB files and the VDB primitives of .bgeo: what is in them, and how to carry them on. Level
// sets are used by collide/sdf.h; nothing here looks at their values but to count and to bound
// them.
#pragma once

#include "purl/io/detail.h"

namespace purl {

struct VdbGrid {
    std::string name;          // of the VDB primitive if it has one, else of the grid itself
    std::string valueType;     // "float", "vec3s", ...
    std::string gridClass;     // "level set", "fog volume", "staggered vector field", "unknown"
    Vec3 voxel = Vec3::Zero(); // m, size of a voxel
    Vec3 lo = Vec3::Zero(), hi = Vec3::Zero();        // m, box of the active voxels; lo > hi: none
    std::uint64_t activeVoxels = 0;                   // tiles count as all of their voxels
    double background = 0;                            // of scalar grids
    Index primitive = -1;                             // of the VDB primitive it comes from
    std::vector<std::array<std::string, 3>> metadata; // name, type, value
};

// Does the file begin as an OpenVDB file? False as well if it cannot be read.
bool isVdbFile(const std::string& path);
// The grids of a .vdb file. Throws Error naming the file and how far it was read if it is damaged.
std::vector<VdbGrid> readVdbGrids(const std::string& path);
std::vector<VdbGrid> readVdbGridsBytes(Span<const std::uint8_t> bytes, const std::string& name);
// Reads all grids and lets them go, serially: what may go wrong with the file goes wrong here.
void tryVdbFile(const std::string& path);
// The grids of the VDB primitives of a geometry; `file` is for messages. One that is damaged is
// told in `warnings` and left out.
std::vector<VdbGrid> embeddedVdbGrids(const Detail&, const std::string& file,
                                      std::vector<std::string>& warnings);

// A .vdb file as geometry: a VDB primitive a grid, at a point at its middle, with its `name`.
Detail readVdbDetail(const std::string& path);
// All VDB primitives of a geometry as one OpenVDB stream, under the names that the primitive
// attribute `name` gives them. Empty if there is none. Throws Error naming the file and primitive.
std::vector<std::uint8_t> joinEmbeddedVdbs(const Detail&, const std::string& file);

} // namespace purl
