#include "plugin/solver_parms.h"

namespace purl::houdini {

std::uint64_t digestOf(const SessionSettings& s) {
    Hash h;
    const auto text = [&](const std::string& t) {
        h.add(t.size());
        h.bytes(t.data(), t.size());
    };
    const auto reals = [&](std::initializer_list<double> values) {
        for (double v : values) h.add(v);
    };
    const SceneFile& w = s.wanted;
    const Settings& p = w.settings;
    for (const std::string* t :
         {&s.mode, &w.contact, &s.surfaceName, &s.velocityName, &w.cloth.inPlane, &w.cloth.bending,
          &w.cloth.integrator, &w.cloth.rest})
        text(*t);
    for (int k = 0; k < 3; ++k) reals({p.forces.gravity[k], p.forces.wind[k]});
    reals({p.time.fps,
           p.time.timeScale,
           static_cast<double>(p.time.substeps),
           p.step.liveliness,
           p.step.maxStep,
           p.contact.stiffenBelow,
           p.forces.airDensity,
           p.forces.velocityDamping,
           p.damping.proportional,
           p.damping.constant,
           p.contact.tau,
           p.contact.friction,
           p.collision.friction,
           p.collision.thickness,
           p.collision.maxPushOut,
           s.groundHeight,
           s.colliderVoxel,
           w.cloth.uvScale,
           w.cloth.selfThickness.value_or(0),
           w.cloth.selfFriction,
           static_cast<double>(s.startFrame)});
    h.add(static_cast<int>(p.step.kind));
    for (bool b :
         {p.damping.enabled, p.guard.enabled, s.ground, w.cloth.drape, w.cloth.selfCollision})
        h.add(static_cast<int>(b));
    return h.value();
}

} // namespace purl::houdini
