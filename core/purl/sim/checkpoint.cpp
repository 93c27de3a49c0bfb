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
    a(s.figures, s.frictionHeat, s.slideHeat, s.stored, s.stepsWanted);
    FrameClock::fields(s.clock, a);
    EnergyLedger::fields(s.ledger, a);
}

// Of a frame that was interrupted: what its report and its audit have summed up so far.
template <class Impl, class Archive>
void middle(Impl& s, Archive& a) {
    auto& r = s.unfinished;
    a(r.steps, r.iterations, r.smallestStep, r.largestStep, r.certificate, r.rejected, r.lenient);
    a(r.firstRejected, r.energyExcess, r.energyScale);
    EnergyAudit::fields(s.audit, a);
}
} // namespace

int Simulation::stepsIntoFrame() const { return impl_->unfinished.steps; }

void Simulation::save(SnapshotWriter& w) const {
    const Impl& s = *impl_;
    w.begin("simulation", 3);
    w.put(s.rest.first);
    fields(s, w);
    middle(s, w);
    s.rods.save(w);
    s.damping.save(w);
    w.put(s.contactBy(ContactMethod::Acl));
    if (s.contactBy(ContactMethod::Acl)) s.acl.save(w);
    w.put(s.implicit != nullptr);
    if (s.implicit) s.implicit->save(w);
    w.end();
}

void Simulation::load(SnapshotReader& r) {
    Impl& s = *impl_;
    r.begin("simulation", 3);
    std::vector<Index> first;
    r.get(first);
    if (first != s.rest.first)
        r.fail(std::to_string(first.size() - 1) + " yarns with " + std::to_string(first.back()) +
               " points were found, expected " + std::to_string(s.rest.yarns()) + " with " +
               std::to_string(s.rest.points()) + " as in the scene");
    fields(s, r);
    middle(s, r);
    s.rods.load(r);
    s.damping.load(r);
    const bool acl = s.contactBy(ContactMethod::Acl);
    if (r.take<bool>()) {
        // A schedule that has seen nothing yet: this may be the second load.
        AclContact made = s.newAcl();
        made.load(r);
        if (acl) s.acl = std::move(made);
    }
    if (r.take<bool>()) {
        std::unique_ptr<ImplicitParts> unused; // a branch may step otherwise
        if (!s.implicit)
            unused = std::make_unique<ImplicitParts>(s.rest, s.rods.layout(), s.scene.material,
                                                     s.scene.welds, s.damping, s.state);
        (s.implicit ? s.implicit : unused)->load(r);
    }
    r.end();
    s.fresh = false;
    for (Index y = 0; y < s.rest.yarns(); ++y)
        scatter(s.rods.layout(), s.state.x, s.rest.first[y], y, s.x);
}

} // namespace purl
