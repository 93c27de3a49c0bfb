// The frame loop and what a host reads out.
#include "purl/sim/simulation.h"

#include "purl/base/error.h"
#include "purl/base/parallel.h"
#include "purl/sim/impl.h"

#include <cmath>

namespace purl {

namespace {
// s, of the first implicit step: nothing is known yet of how it moves.
constexpr double kFirstStep = 1e-3;
} // namespace

void Simulation::setTargets(Span<const Vec3> targets) {
    impl_->targetEnd.assign(targets.begin(), targets.end());
}

void Simulation::setForces(Span<const Vec3> forces) {
    impl_->scene.force.assign(forces.begin(), forces.end());
}

void Simulation::step(double dt, double t1) { impl_->step(dt, t1); }

void Simulation::Impl::survey(FrameReport& r) {
    Energies& e = r.energy;
    const Vec3 g = scene.settings.forces.gravity;
    for (Index i = 0; i < state.size(); ++i) {
        e.kinetic += 0.5 * state.mass[i] * state.v[i].squaredNorm();
        e.gravity -= state.mass[i] * g.dot(state.x[i]);
    }
    e.bend = rods.bendEnergy();
    e.twist = rods.twistEnergy();
    e.plastic = rods.plasticWork();
    e.damping = damping.removedEnergy();
    e.friction = frictionHeat;
    if (contactBy(ContactMethod::Exact)) {
        forces(); // contact's points at the present positions
        const ContactStats c = exact.stats();
        e.contact = exact.energy();
        r.touching = c.touching;
        r.listed = c.listed;
        r.rebuilds = c.rebuilds;
        r.smallestGap = c.smallestGap;
    }
    if (contactBy(ContactMethod::Hierarchy)) {
        forces();
        e.contact = hierarchy.energy();
        r.touching = hierarchy.touchingPairs();
        r.listed = hierarchy.nearPairs();
    }
    if (contactBy(ContactMethod::Acl)) {
        const AclContact::Survey now = acl.survey(x);
        const AclStats& a = acl.stats();
        e.contact = now.energy;
        e.sticking = now.sticking;
        e.friction += slideHeat + a.slideHeat;
        r.touching = now.touching;
        r.listed = a.sets;
        r.rebuilds = a.rebuilt;
        r.smallestGap = now.smallestGap;
        const double setSteps = std::max(1.0, static_cast<double>(a.sets) * a.steps);
        r.linearized = {a.created,       a.deleted,
                        a.merged,        a.slid,
                        a.entries,       a.examined,
                        a.processed,     a.secondsDetect,
                        a.secondsCreate, a.secondsEvaluate,
                        a.secondsCommit, a.bytesTotal,
                        a.bytesSchedule, 100 * a.rebuilt / setSteps};
    }
}

void Simulation::Impl::balance(FrameReport& r) {
    if (isImplicit() || !guarded()) return;
    Energies& e = r.energy;
    const double stored = e.bend + e.twist + e.contact + e.sticking + e.gravity + e.plastic +
                          (e.friction - frictionHeat);
    if (!ledger.open) {
        ledger = {};
        ledger.first = stored;
        ledger.open = true;
    }
    e.air = ledger.air;
    e.damping = -ledger.damping;
    e.held = ledger.held;
    e.pins = ledger.pins;
    e.colliders = ledger.colliders + frictionHeat;
    e.balance = ledger.balance(stored);
    e.turnover = e.kinetic + e.bend + e.twist + e.contact + e.sticking + e.plastic + e.damping +
                 e.friction + std::max(0.0, -e.air) + std::max(0.0, -e.held);
}

FrameReport Simulation::advanceFrame(Monitor& monitor) {
    Impl& s = *impl_;
    const auto start = std::chrono::steady_clock::now();
    const TimeSettings& time = s.scene.settings.time;
    const double frame = time.timeScale / time.fps;
    FrameReport r = s.unfinished;
    const bool goesOn = r.steps > 0; // with a frame that was interrupted
    s.unfinished = {};
    r.outcome = FrameReport::Outcome::Done;
    const int steps = time.substeps > 0
                          ? time.substeps
                          : std::max(1, static_cast<int>(std::ceil(frame / s.automatic)));
    r.dt = frame / steps;
    const GuardSettings& guard = s.scene.settings.guard;
    if (goesOn && s.stepsWanted != steps)
        throw Error("frame", "was left in the middle of " + std::to_string(s.stepsWanted) +
                                 " steps, expected it to go on with as many, but there are " +
                                 std::to_string(steps) +
                                 " now; branch from a checkpoint between frames");
    s.stepsWanted = steps;
    s.rodTime = s.contactTime = s.projectTime = s.collideTime = {};
    if (!goesOn) {
        s.clock.start(frame, steps,
                      s.isImplicit()
                          ? static_cast<int>(std::max(0.0, std::log2(r.dt / guard.smallest)))
                          : guard.halvings);
        if (s.isImplicit() && time.substeps == 0 && s.state.time == 0)
            s.clock.beginWith(kFirstStep);
        s.audit.start(s.state, s.stored);
        r.smallestStep = s.clock.dt();
        if (s.contactBy(ContactMethod::Acl)) {
            s.slideHeat += s.acl.stats().slideHeat;
            s.acl.resetStats();
        }
    }
    const long rebuilds = s.exact.neighbours().rebuilds;
    if (!s.stepThrough(r, monitor)) {
        if (r.outcome == FrameReport::Outcome::Interrupted) s.unfinished = r;
        return r;
    }
    s.mend();
    s.targetStart = s.targetEnd;
    s.survey(r);
    s.balance(r);
    s.stored = r.energy.bend + r.energy.twist + r.energy.contact;
    r.rebuilds -= rebuilds;
    for (Index y = 0; y < s.rest.yarns(); ++y)
        for (Index i = 0; i < s.rest.edges(y); ++i) {
            const Index a = s.rest.first[y] + i, b = s.rest.first[y] + (i + 1) % s.rest.size(y);
            const double now = (s.shown[b] - s.shown[a]).norm();
            r.maxStrain =
                std::max(r.maxStrain, std::abs(now / (s.rest.x[b] - s.rest.x[a]).norm() - 1));
        }
    for (const Vec3& v : s.state.v) r.maxSpeed = std::max(r.maxSpeed, v.norm());
    r.collisions = s.figures.touching;
    r.deepest = s.figures.deepest;
    r.rodSeconds = s.rodTime.count();
    r.contactSeconds = s.contactTime.count();
    r.projectSeconds = s.projectTime.count();
    r.collideSeconds = s.collideTime.count();
    r.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return r;
}

const std::vector<Vec3>& Simulation::positions() const {
    return impl_->shown.empty() ? impl_->state.x : impl_->shown;
}
const std::vector<Vec3>& Simulation::velocities() const { return impl_->state.v; }
double Simulation::automaticStep() const { return impl_->automatic; }
double Simulation::smallestGap() const {
    return acl() ? impl_->acl.survey(impl_->x).smallestGap : 1;
}
double Simulation::time() const { return impl_->state.time; }
Rods& Simulation::rods() { return impl_->rods; }

void Simulation::setVelocities(Span<const Vec3> v) { impl_->state.v.assign(v.begin(), v.end()); }

void Simulation::setMass(Index node, double kg) {
    impl_->state.mass[node] = kg;
    if (impl_->state.inverseMass[node] > 0) impl_->state.inverseMass[node] = 1 / kg;
}

const std::vector<Vec3>& Simulation::contactForces() const { return impl_->contactForce; }

std::vector<int> Simulation::contactUpdates() const {
    std::vector<int> out(impl_->state.x.size(), 0);
    if (!impl_->contactBy(ContactMethod::Acl)) return out;
    const auto& slot = impl_->rods.layout().slotOf;
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = impl_->acl.updates()[slot[i]];
    return out;
}

const StepResult& Simulation::lastStep() const { return impl_->result; }

StepSeconds Simulation::stepSeconds() const {
    return {impl_->rodTime.count(), impl_->contactTime.count(), impl_->projectTime.count(),
            impl_->collideTime.count()};
}

const AclContact* Simulation::acl() const {
    return impl_->contactBy(ContactMethod::Acl) ? &impl_->acl : nullptr;
}

std::vector<Vec3> Simulation::nodeForces() {
    impl_->forces();
    std::vector<Vec3> out;
    for (Index s : impl_->rods.layout().slotOf) out.push_back(impl_->f.at(s));
    return out;
}

Eigen::Vector4d Simulation::orientation(Index node) const {
    const Rods& rods = impl_->rods;
    Index slot = rods.layout().slotOf[node];
    // The frame of the edge that starts at the node; the last node of an open yarn has the one
    // before.
    const auto& first = impl_->rest.first;
    const Index y =
        static_cast<Index>(std::upper_bound(first.begin(), first.end(), node) - first.begin()) - 1;
    if (node == first[y + 1] - 1 && !impl_->rest.closed[y]) --slot;
    const Vec3 t = rods.tangent(slot), m1 = rods.director(slot);
    Mat3 frame;
    frame << m1, t.cross(m1), t;
    const Eigen::Quaterniond q(frame);
    return {q.x(), q.y(), q.z(), q.w()};
}

Energies Simulation::energies() {
    FrameReport r;
    impl_->survey(r);
    return r.energy;
}

std::uint64_t Simulation::hash() const {
    Hash h;
    h.add(impl_->state.x);
    h.add(impl_->state.v);
    h.add(impl_->state.time);
    impl_->rods.hash(h);
    return h.value();
}

} // namespace purl
