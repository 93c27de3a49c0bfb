// One step: the program's table of contents (physics 5, Kaldor 2010 Fig. 4).
// Object contact comes last, as in the paper: friction then feels the tension that the projection
// of lengths made, and a yarn wrapped round a body holds up to Euler's ratio (oracle 8). Projecting
// lengths after it made yarns creep. What it leaves of strain, the next step's projection takes.
#include "purl/base/parallel.h"
#include "purl/sim/impl.h"
#include "purl/sim/timed.h"

#include <algorithm>

namespace purl {

void Simulation::Impl::step(double dt, double t1) {
    attempt(dt, t1);
    accept(dt);
}

void Simulation::Impl::attempt(double dt, double t1) {
    result = {};
    if (isImplicit())
        stepImplicit(dt, t1);
    else
        stepExplicit(dt, t1);
    parallelFor(rest.yarns(), 4, [&](Index a, Index b) {
        for (Index y = a; y < b; ++y) scatter(rods.layout(), state.x, rest.first[y], y, next);
    });
}

void Simulation::Impl::stepExplicit(double dt, double t1) {
    if (!fresh) forces(); // they are the same if the step before this was undone
    fresh = true;
    accelerate(dt, t1);
    count(!scene.pins.empty(), [&] { constrain(dt, t1); });
    note(stages.held);
    // What colliders put in is the difference to what the audit will find.
    beforeCollide = bodies.empty() || !guarded() ? -1 : kineticEnergy(state);
    collide(dt, t1);
    if (figures.touching > 0 && guarded()) given += pushedOut();
    move(dt, t1);
}

void Simulation::Impl::accept(double dt) {
    std::swap(x, next);
    {
        Timed t(rodTime);
        rods.settle(x);
    }
    fresh = false;
    state.time += dt;
    shown.clear();
}

// Velocities after a stage, for the audit.
void Simulation::Impl::note(std::vector<Vec3>& stage) const {
    if (!guarded()) return;
    stage.resize(state.v.size());
    parallelFor(state.size(), 4096, [&](Index a, Index b) {
        std::copy(state.v.begin() + a, state.v.begin() + b, stage.begin() + a);
    });
}

// Work that adds kinetic energy from outside, told to the audit.
void Simulation::Impl::count(bool outside, FunctionRef<void()> work) {
    if (!outside || !guarded()) return work();
    const double before = kineticEnergy(state);
    work();
    given += std::max(0.0, kineticEnergy(state) - before);
}

// J, that colliders spent on pushing yarn out against its forces: they moved x, which nothing else
// has done so far.
double Simulation::Impl::pushedOut() const {
    const auto& slot = rods.layout().slotOf;
    return std::max(0.0, orderedSum(state.size(), 2048, [&](Index a, Index b) {
                        double sum = 0;
                        for (Index i = a; i < b; ++i)
                            sum -= f.at(slot[i]).dot(state.x[i] - x.at(slot[i]));
                        return sum;
                    }));
}

void Simulation::Impl::forces() {
    {
        Timed t(rodTime);
        rods.force(f);
    }
    addContact(x);
}

void Simulation::Impl::addContact(Padded3& at) {
    if (!scene.settings.contact.enabled) return;
    Timed t(contactTime);
    const auto& slot = rods.layout().slotOf;
    if (keepContactForce)
        for (Index i = 0; i < state.size(); ++i) contactForce[i] = f.at(slot[i]);
    if (contactBy(ContactMethod::Exact))
        exact.addForce(at, f);
    else if (contactBy(ContactMethod::Hierarchy))
        hierarchy.addForce(at, f);
    else
        acl.addForce(at, f);
    if (keepContactForce)
        for (Index i = 0; i < state.size(); ++i) contactForce[i] = f.at(slot[i]) - contactForce[i];
}

void Simulation::Impl::accelerate(double dt, double t1) {
    const auto& slot = rods.layout().slotOf;
    const Vec3 g = scene.settings.forces.gravity;
    const double keep = std::exp(-dt * scene.settings.forces.velocityDamping);
    const bool pushed = !scene.force.empty();
    parallelFor(state.size(), 1024, [&](Index a, Index b) {
        for (Index i = a; i < b; ++i) {
            if (state.inverseMass[i] == 0) continue;
            const Vec3 force = pushed ? Vec3(f.at(slot[i]) + scene.force[i]) : f.at(slot[i]);
            state.v[i] = keep * (state.v[i] + dt * (state.inverseMass[i] * force + g));
        }
    });
    count(!scene.goals.empty(), [&] { pull(dt, t1); });
    count(!scene.settings.forces.wind.isZero(),
          [&] { air.apply(state.x, state.v, state.inverseMass, dt); });
    note(stages.pulled);
    if (scene.settings.damping.enabled)
        damping.apply(state.x, state.v, state.mass, state.inverseMass, dt);
    note(stages.damped);
}

void Simulation::Impl::pull(double dt, double t1) {
    for (const Goal& goal : scene.goals) { // a critically damped spring, implicit in the node
        const Index i = goal.node;
        const double k = goal.stiffness * goal.weight * dt * state.inverseMass[i];
        const double c =
            2 * std::sqrt(goal.stiffness * goal.weight * state.mass[i]) * dt * state.inverseMass[i];
        const Vec3 to = target(i, t1);
        const double frame = 1 / scene.settings.time.fps;
        const Vec3 speed = (targetEnd[i] - targetStart[i]) / frame;
        state.v[i] = (state.v[i] + k * (to - state.x[i]) + c * speed) / (1 + k * dt + c);
    }
}

// Makes the velocities such that x + dt v has its lengths and its glue.
void Simulation::Impl::constrain(double dt, double t1) {
    Timed t(projectTime);
    parallelFor(state.size(), 1024, [&](Index a, Index b) {
        for (Index i = a; i < b; ++i) predicted[i] = ahead(i, dt, t1);
    });
    project();
    parallelFor(state.size(), 1024, [&](Index a, Index b) {
        for (Index i = a; i < b;
             ++i) // only what changed is divided by dt: nothing is lost to rounding
            state.v[i] += (predicted[i] - ahead(i, dt, t1)) / dt;
    });
}

// Glue and lengths of `predicted`.
void Simulation::Impl::project() {
    const std::vector<double>& w = state.inverseMass;
    if (!scene.settings.length.inextensible) {
        glue.project(predicted, w);
        return;
    }
    // Glue in the middle of yarns and lengths by turns: each leaves the other a little off.
    for (int round = 0; round < 8; ++round) {
        const double glued = glue.project(predicted, w);
        if (round == 0)
            length.project(predicted, w);
        else
            length.projectAgain(predicted, w, glue.nodes());
        if (glue.empty() || (round > 0 && glued < 1e-3 * rest.radius[0])) break;
    }
}

// What a frame shows has its lengths to the last, also in the instant of an impact. The state
// itself is left alone: mending it would undo a little of what friction holds, frame after frame.
void Simulation::Impl::mend() {
    predicted = state.x;
    if (figures.touching > 0 && !isImplicit()) project();
    shown = predicted;
}

void Simulation::Impl::collide(double dt, double t1) {
    if (bodies.empty()) return;
    Timed t(collideTime);
    figures = response.apply(bodies, state.x, state.v, state.inverseMass, dt, t1);
    frictionHeat += figures.frictionHeat;
}

void Simulation::Impl::move(double dt, double t1) {
    parallelFor(state.size(), 1024, [&](Index a, Index b) {
        for (Index i = a; i < b; ++i) {
            const Vec3 to = ahead(i, dt, t1);
            if (state.inverseMass[i] == 0) state.v[i] = (to - state.x[i]) / dt;
            state.x[i] = to;
        }
    });
}

} // namespace purl
