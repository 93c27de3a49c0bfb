// The solver's parameters as the session's settings: one template for the SOP and the DOPs.
#pragma once

#include "purl/base/hash.h"
#include "purl/host/session.h"

namespace purl::houdini {

template <class V>
Vec3 vectorOf(const V& v) {
    return Vec3(v.x(), v.y(), v.z());
}

// Parms has a getter a parameter: the SOP's generated class, or the DOPs' options.
template <class Parms>
SessionSettings physicsOf(const Parms& p, double fps) {
    SessionSettings s;
    s.mode = p.getMode().toStdString();
    SceneFile& w = s.wanted;
    w.settings.time.fps = fps;
    w.settings.time.timeScale = p.getTimescale();
    w.settings.time.substeps = static_cast<int>(p.getSubsteps());
    ForceSettings& f = w.settings.forces;
    f.gravity = vectorOf(p.getGravity());
    f.wind = vectorOf(p.getWind());
    f.airDensity = p.getAirdensity();
    f.drag = f.airDensity > 0;
    f.velocityDamping = p.getVeldamping();
    DampingSettings& d = w.settings.damping;
    d.enabled = p.getUsedamping();
    d.proportional = p.getDampingrate();
    d.constant = p.getDampingconstant();
    w.settings.step.kind = steppingOf(p.getStepping().toStdString(), "stepping");
    w.settings.step.liveliness = p.getLiveliness();
    w.settings.step.maxStep = p.getMaxstep();
    w.settings.guard.enabled = p.getGuard();
    w.settings.contact.stiffenBelow = p.getStiffen();
    w.contact = p.getContact().toStdString();
    w.settings.contact.tau = p.getAccuracy();
    w.settings.contact.friction = p.getYarnfriction();
    CollisionSettings& c = w.settings.collision;
    c.friction = p.getFriction();
    c.thickness = p.getThickness();
    c.maxPushOut = p.getMaxpushout();
    s.ground = p.getUseground();
    s.groundHeight = p.getGroundheight();
    s.colliderVoxel = p.getCollidervoxel();
    s.surfaceName = p.getSurfacename().toStdString();
    s.velocityName = p.getVelocityname().toStdString();
    ClothEntry& k = w.cloth;
    k.inPlane = p.getInplane().toStdString();
    k.bending = p.getBending().toStdString();
    k.integrator = p.getIntegrator().toStdString();
    k.rest = p.getRest().toStdString();
    k.uvScale = p.getUvscale();
    k.drape = p.getDrape();
    k.selfCollision = p.getDoselfcollisions();
    if (p.getSelfthickness() > 0) k.selfThickness = p.getSelfthickness();
    k.selfFriction = p.getSelffriction();
    return s;
}

// Equal for settings that give the same run, but for those that may change on the way
// (purl/host/animated.h); how frames are kept is not in it.
std::uint64_t fixedDigest(const SessionSettings& settings);
std::uint64_t digestOf(const SessionSettings& settings); // with those at the start

// The parameters that keys may move in the middle of a run.
const std::vector<const char*>& animatedParms();

} // namespace purl::houdini
