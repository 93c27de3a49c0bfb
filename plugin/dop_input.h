// What a DOP object has around it: geometry of its own, objects that it collides with, forces.
#pragma once

#include "purl/host/session.h"

class PRM_Template;
class SIM_Object;

namespace purl::houdini {

// All affectors of the collide relationship: the VDBs of the first that has some, else the polygons
// of all, in the world. Throws Error for a VDB whose object is moved.
ColliderFrame collidersOf(const SIM_Object& object, std::vector<std::string>& warnings);

// N on each point, of all forces of the network; empty if there is none.
std::vector<Vec3> forcesOn(const SIM_Object& object, Span<const Vec3> x, Span<const Vec3> v,
                           Span<const double> mass);

// The parameters of both DOPs, built once.
PRM_Template* dopTemplates();

// The options of a solver's data as getters, as physicsOf() wants them.
template <class Options>
class DopParms {
public:
    explicit DopParms(const Options& o) : o_(o) {}
    auto getMode() const { return o_.getOptionS("mode"); }
    double getTimescale() const { return o_.getOptionF("timescale"); }
    auto getSubsteps() const { return o_.getOptionI("substeps"); }
    auto getGravity() const { return o_.getOptionV3("gravity"); }
    auto getWind() const { return o_.getOptionV3("wind"); }
    double getAirdensity() const { return o_.getOptionF("airdensity"); }
    double getVeldamping() const { return o_.getOptionF("veldamping"); }
    bool getUsedamping() const { return o_.getOptionB("usedamping"); }
    double getDampingrate() const { return o_.getOptionF("dampingrate"); }
    double getDampingconstant() const { return o_.getOptionF("dampingconstant"); }
    auto getStepping() const { return o_.getOptionS("stepping"); }
    double getLiveliness() const { return o_.getOptionF("liveliness"); }
    double getMaxstep() const { return o_.getOptionF("maxstep"); }
    bool getGuard() const { return o_.getOptionB("guard"); }
    double getStiffen() const { return o_.getOptionF("stiffen"); }
    auto getContact() const { return o_.getOptionS("contact"); }
    double getAccuracy() const { return o_.getOptionF("accuracy"); }
    double getYarnfriction() const { return o_.getOptionF("yarnfriction"); }
    bool getDoselfcollisions() const { return o_.getOptionB("doselfcollisions"); }
    double getSelfthickness() const { return o_.getOptionF("selfthickness"); }
    double getSelffriction() const { return o_.getOptionF("selffriction"); }
    bool getUseground() const { return o_.getOptionB("useground"); }
    double getGroundheight() const { return o_.getOptionF("groundheight"); }
    double getFriction() const { return o_.getOptionF("friction"); }
    double getThickness() const { return o_.getOptionF("thickness"); }
    double getMaxpushout() const { return o_.getOptionF("maxpushout"); }
    double getCollidervoxel() const { return o_.getOptionF("collidervoxel"); }
    auto getSurfacename() const { return o_.getOptionS("surfacename"); }
    auto getVelocityname() const { return o_.getOptionS("velocityname"); }
    auto getInplane() const { return o_.getOptionS("inplane"); }
    auto getBending() const { return o_.getOptionS("bending"); }
    auto getIntegrator() const { return o_.getOptionS("integrator"); }
    auto getRest() const { return o_.getOptionS("rest"); }
    double getUvscale() const { return o_.getOptionF("uvscale"); }
    bool getDrape() const { return o_.getOptionB("drape"); }

private:
    const Options& o_;
};

} // namespace purl::houdini
