// The state of a simulation to a checkpoint and back: one list of fields, and what the parts keep.
#include "purl/base/error.h"
#include "purl/base/snapshot.h"
#include "purl/sim/impl.h"
#include "purl/sim/implicit_parts.h"

namespace purl {

namespace {
template <class Impl, class Archive>
void fields(Impl& s, Archive& a) {
    a(s.state.x, s.state.v, s.state.time, s.targetStart, s.targetEnd, s.shown, s.contactForce);
    a(s.figures, s.frictionHeat, s.slideHeat, s.stored, s.clock, s.stepsDone);
    EnergyAudit::fields(s.audit, a);
    if (s.implicit)
        a(s.implicit->pastX, s.implicit->pastV, s.implicit->pastDt,
          s.implicit->colliders.normalForce);
}
} // namespace

int Simulation::stepsIntoFrame() const { return impl_->stepsDone; }

void Simulation::save(SnapshotWriter& w) const {
    const Impl& s = *impl_;
    w.begin("simulation", 2);
    w.put(s.rest.first);
    w.put(s.isImplicit());
    fields(s, w);
    s.rods.save(w);
    s.damping.save(w);
    w.put(s.contactBy(ContactMethod::Acl));
    if (s.contactBy(ContactMethod::Acl)) s.acl.save(w);
    w.end();
}

void Simulation::load(SnapshotReader& r) {
    Impl& s = *impl_;
    r.begin("simulation", 2);
    std::vector<Index> first;
    r.get(first);
    if (first != s.rest.first)
        r.fail(std::to_string(first.size() - 1) + " yarns with " + std::to_string(first.back()) +
               " points were found, expected " + std::to_string(s.rest.yarns()) + " with " +
               std::to_string(s.rest.points()) + " as in the scene");
    if (r.take<bool>() != s.isImplicit())
        r.fail("steps are of the other integrator, expected those of the scene (a branch keeps its "
               "integrator)");
    fields(s, r);
    s.fresh = false;
    s.rods.load(r);
    s.damping.load(r);
    const bool acl = s.contactBy(ContactMethod::Acl);
    if (r.take<bool>()) {
        // A schedule that has seen nothing yet: this may be the second load.
        AclContact made(s.rest, s.rods.layout(), s.scene.material, s.scene.welds,
                        acl ? s.scene.settings.contact : ContactSettings{});
        made.load(r);
        if (acl) s.acl = std::move(made);
    }
    r.end();
    for (Index y = 0; y < s.rest.yarns(); ++y)
        scatter(s.rods.layout(), s.state.x, s.rest.first[y], y, s.x);
}

} // namespace purl
