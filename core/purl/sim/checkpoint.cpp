// The state of a simulation to a checkpoint and back: one list of fields, and what the parts keep.
#include "purl/base/error.h"
#include "purl/base/snapshot.h"
#include "purl/sim/impl.h"

namespace purl {

namespace {
template <class Impl, class Archive>
void fields(Impl& s, Archive& a) {
    a(s.state.x, s.state.v, s.state.time, s.targetStart, s.targetEnd, s.shown, s.contactForce);
    a(s.figures, s.frictionHeat, s.slideHeat, s.stepsDone, s.stepsWanted);
}
} // namespace

int Simulation::stepsIntoFrame() const { return impl_->stepsDone; }

void Simulation::save(SnapshotWriter& w) const {
    const Impl& s = *impl_;
    w.begin("simulation", 1);
    w.put(s.rest.first);
    fields(s, w);
    s.rods.save(w);
    s.damping.save(w);
    w.put(s.contactBy(ContactMethod::Acl));
    if (s.contactBy(ContactMethod::Acl)) s.acl.save(w);
    w.end();
}

void Simulation::load(SnapshotReader& r) {
    Impl& s = *impl_;
    r.begin("simulation", 1);
    std::vector<Index> first;
    r.get(first);
    if (first != s.rest.first)
        r.fail(std::to_string(first.size() - 1) + " yarns with " + std::to_string(first.back()) +
               " points were found, expected " + std::to_string(s.rest.yarns()) + " with " +
               std::to_string(s.rest.points()) + " as in the scene");
    fields(s, r);
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
