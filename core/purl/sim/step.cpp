// One step: the program's table of contents (physics 5, Kaldor 2010 Fig. 4).
// Object contact comes last, as in the paper: friction then feels the tension that the projection
// of lengths made, and a yarn wrapped round a body holds up to Euler's ratio (oracle 8). Projecting
// lengths after it made yarns creep. What it leaves of strain, the next step's projection takes.
#include "purl/base/parallel.h"
#include "purl/sim/impl.h"
#include "purl/sim/timed.h"

namespace purl {

void Simulation::Impl::step(double dt, double t1) {
    result = {};
    if (isImplicit())
        stepImplicit(dt, t1);
    else
        stepExplicit(dt, t1);
    state.time += dt;
    shown.clear();
}

void Simulation::Impl::stepExplicit(double dt, double t1) {
    forces();
    accelerate(dt, t1);
    constrain(dt, t1);
    collide(dt, t1);
    move(dt, t1);
    settle();
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
    air.apply(state.x, state.v, state.inverseMass, dt);
    if (scene.settings.damping.enabled)
        damping.apply(state.x, state.v, state.mass, state.inverseMass, dt);
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

void Simulation::Impl::settle() {
    Timed t(rodTime);
    parallelFor(rest.yarns(), 4, [&](Index a, Index b) {
        for (Index y = a; y < b; ++y) scatter(rods.layout(), state.x, rest.first[y], y, x);
    });
    rods.settle(x);
}

} // namespace purl
