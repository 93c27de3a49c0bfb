// The solver's parameters by their names, for who has no generated class of them: DOPs, and a node
// that looks at another time than it is cooked for.
#pragma once

#include <OP/OP_Operator.h>

namespace purl::houdini {

// Parameters that are known by name, as getters. Options: a DOP's SIM_Options, or NodeOptions.
template <class Options>
class NamedParms {
public:
    explicit NamedParms(const Options& o) : o_(o) {}
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

// A node's parameters at a time, asked for as SIM_Options are.
class NodeOptions {
public:
    NodeOptions(const OP_Node& node, fpreal time) : node_(node), time_(time) {}
    int64 getOptionI(const char* name) const { return node_.evalInt(name, 0, time_); }
    bool getOptionB(const char* name) const { return node_.evalInt(name, 0, time_) != 0; }
    double getOptionF(const char* name) const { return node_.evalFloat(name, 0, time_); }
    UT_StringHolder getOptionS(const char* name) const {
        UT_StringHolder text;
        node_.evalString(text, name, 0, time_);
        return text;
    }
    UT_Vector3D getOptionV3(const char* name) const {
        return UT_Vector3D(node_.evalFloat(name, 0, time_), node_.evalFloat(name, 1, time_),
                           node_.evalFloat(name, 2, time_));
    }

private:
    const OP_Node& node_;
    fpreal time_;
};

} // namespace purl::houdini
