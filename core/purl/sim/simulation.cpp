// The frame loop and what a host reads out.
#include "purl/sim/simulation.h"

#include "purl/base/parallel.h"
#include "purl/sim/impl.h"

#include <cmath>
#include <sstream>

namespace purl {

namespace {
constexpr double kSound = 340; // m/s: nothing in a shot moves faster
}

void Simulation::setTargets(Span<const Vec3> targets) {
    impl_->targetEnd.assign(targets.begin(), targets.end());
}

void Simulation::step(double dt, double t1) { impl_->step(dt, t1); }

bool Simulation::Impl::finite(std::string& reason) const {
    for (Index y = 0; y < rest.yarns(); ++y)
        for (Index i = rest.first[y]; i < rest.first[y + 1]; ++i)
            // Written so that NaN fails. Drag can keep a blow-up finite, so speed is looked at too.
            if (!(state.v[i].squaredNorm() < kSound * kSound) ||
                !(state.x[i].cwiseAbs().maxCoeff() < 1e6)) {
                std::ostringstream text;
                text << "yarn " << y << ", point " << i - rest.first[y] << " moves at "
                     << state.v[i].norm() << " m/s at " << state.time
                     << " s, expected less than sound; use more substeps or softer yarns";
                reason = text.str();
                return false;
            }
    return true;
}

FrameReport Simulation::advanceFrame(Monitor& monitor) {
    Impl& s = *impl_;
    const auto start = std::chrono::steady_clock::now();
    const TimeSettings& time = s.scene.settings.time;
    const double frame = time.timeScale / time.fps;
    FrameReport r;
    const int steps = time.substeps > 0
                          ? time.substeps
                          : std::max(1, static_cast<int>(std::ceil(frame / s.automatic)));
    r.dt = frame / steps;
    s.rodTime = s.contactTime = s.projectTime = s.collideTime = {};
    const long rebuilds = s.contact.neighbours().rebuilds;
    for (int k = 1; k <= steps; ++k) {
        s.step(r.dt, static_cast<double>(k) / steps);
        ++r.steps;
        if (k % 16 == 0 || k == steps) {
            if (!s.finite(r.reason)) {
                r.outcome = FrameReport::Outcome::Diverged;
                return r;
            }
            monitor.progress(static_cast<double>(k) / steps);
            if (k < steps && monitor.interrupted()) {
                r.outcome = FrameReport::Outcome::Interrupted;
                return r;
            }
        }
    }
    s.mend();
    s.targetStart = s.targetEnd;
    if (s.scene.settings.contact.enabled) {
        const ContactStats c = s.contact.stats();
        r.touching = c.touching;
        r.listed = c.listed;
        r.rebuilds = c.rebuilds - rebuilds;
        r.smallestGap = c.smallestGap;
    }
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
    r.energy = energies();
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
double Simulation::time() const { return impl_->state.time; }
Rods& Simulation::rods() { return impl_->rods; }

void Simulation::setVelocities(Span<const Vec3> v) { impl_->state.v.assign(v.begin(), v.end()); }

void Simulation::setMass(Index node, double kg) {
    impl_->state.mass[node] = kg;
    if (impl_->state.inverseMass[node] > 0) impl_->state.inverseMass[node] = 1 / kg;
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
    Impl& s = *impl_;
    Energies e;
    const Vec3 g = s.scene.settings.forces.gravity;
    for (Index i = 0; i < s.state.size(); ++i) {
        e.kinetic += 0.5 * s.state.mass[i] * s.state.v[i].squaredNorm();
        e.gravity -= s.state.mass[i] * g.dot(s.state.x[i]);
    }
    s.forces(); // contact's points at the present positions
    e.bend = s.rods.bendEnergy();
    e.twist = s.rods.twistEnergy();
    if (s.scene.settings.contact.enabled) e.contact = s.contact.energy();
    e.plastic = s.rods.plasticWork();
    e.damping = s.damping.removedEnergy();
    e.friction = s.frictionHeat;
    return e;
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
