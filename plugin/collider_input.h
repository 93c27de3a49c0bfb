// Colliders as a node's input holds them: VDB primitives, or polygons.
#pragma once

#include "purl/host/session.h"

class GU_Detail;

namespace purl::houdini {

// Null or empty geometry gives none. VDBs come first: polygons beside them are only for show. Warns
// (with a count and the first) of primitives that are neither. Throws Error for polygons with
// points that are no numbers.
ColliderFrame readCollider(const GU_Detail* gdp, const std::string& name,
                           std::vector<std::string>& warnings);

// Adds the level set of polygons, and their velocity, as VDB primitives.
void appendMeshVdb(GU_Detail& gdp, const ColliderFrame& mesh, double voxel /*m*/,
                   double yarnRadius /*m*/, bool velocity, const std::string& surfaceName,
                   const std::string& velocityName, const std::string& where);

} // namespace purl::houdini
