#include "plugin/solver_parms.h"

#include "purl/host/animated.h"

namespace purl::houdini {

std::uint64_t fixedDigest(const SessionSettings& s) {
    Hash h;
    const auto text = [&](const std::string& t) {
        h.add(t.size());
        h.bytes(t.data(), t.size());
    };
    const SceneFile& w = s.wanted;
    const Settings& p = w.settings;
    for (const std::string* t :
         {&s.mode, &w.contact, &s.surfaceName, &s.velocityName, &w.cloth.inPlane, &w.cloth.bending,
          &w.cloth.integrator, &w.cloth.rest})
        text(*t);
    for (const double v :
         {p.contact.stiffenBelow, p.collision.thickness, s.groundHeight, s.colliderVoxel,
          w.cloth.uvScale, w.cloth.selfThickness.value_or(0), static_cast<double>(s.startFrame)})
        h.add(v);
    h.add(static_cast<int>(p.step.kind));
    for (bool b : {p.guard.enabled, s.ground, w.cloth.drape, w.cloth.selfCollision})
        h.add(static_cast<int>(b));
    return h.value();
}

std::uint64_t digestOf(const SessionSettings& s) {
    Hash h;
    h.add(fixedDigest(s));
    h.add(animatedDigest(s.wanted));
    return h.value();
}

const std::vector<const char*>& animatedParms() {
    static const std::vector<const char*> names = {
        "timescale",    "substeps",     "gravity",         "wind",       "airdensity", "veldamping",
        "usedamping",   "dampingrate",  "dampingconstant", "liveliness", "maxstep",    "accuracy",
        "yarnfriction", "selffriction", "friction",        "maxpushout"};
    return names;
}

} // namespace purl::houdini
