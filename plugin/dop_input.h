// What a DOP object has around it: geometry of its own, objects that it collides with, forces.
#pragma once

#include "purl/host/session.h"

class PRM_Template;
class SIM_Object;

namespace purl::houdini {

// All affectors of the collide relationship with geometry: VDBs or polygons, each with the pose of
// its object. Throws Error for a VDB whose object is scaled or sheared; polygons may be.
ColliderFrames collidersOf(const SIM_Object& object, std::vector<std::string>& warnings);

// N at each site, of all forces of the network; empty if there is none.
std::vector<Vec3> forcesOn(const SIM_Object& object, const ForceSites& sites);

// The parameters of both DOPs, built once.
PRM_Template* dopTemplates();

} // namespace purl::houdini
