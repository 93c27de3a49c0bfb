// One implicit step (physics 4.9): everything stiff is in one linear solve. Contact and stretch are
// linearised half-way to where the nodes would be at the end of the step if nothing changed their
// velocities: a pair that is about to touch is felt before it does. (Measured on a patch that falls
// on a ball, 2 ms, smallest gap: linearised at the start 0.51 of 2r, half-way 0.77, at the end
// 0.07.) Bending and twist are evaluated at the end of that way: their matrix is stiffer than they
// are (Gauss-Newton, frames held), which would act as a viscosity on all the motion that it is
// extrapolated over. (Patch swinging from an edge, 2 ms, kinetic energy kept at 0.2 s: 72 % so,
// 102 % now.)
#include "purl/base/parallel.h"
#include "purl/base/snapshot.h"
#include "purl/sim/impl.h"
#include "purl/sim/implicit_parts.h"
#include "purl/sim/timed.h"

#include <algorithm>
#include <cmath>

namespace purl {

namespace {
double lap(std::chrono::steady_clock::time_point& last) {
    const auto now = std::chrono::steady_clock::now();
    const double s = std::chrono::duration<double>(now - last).count();
    last = now;
    return s;
}
// How much nearer than its gap a node may be before it is stopped after the solve as well.
constexpr double kStray = 0.2; // of the smallest radius
// Where on its way contact is linearised.
constexpr double kOnTheWay = 0.5;
} // namespace

ImplicitParts::ImplicitParts(const Curves& rest, const Layout& layout,
                             const std::vector<Material>& material, const std::vector<Weld>& welds,
                             const BlockDamping& damping, const State& state)
    : stretch(rest, layout, material), matrix(rest, layout, welds, state.inverseMass),
      drag(damping, rest.points()), bands(rest, layout),
      blocks(damping, layout, matrix, state.inverseMass), colliders(nodeRadii(rest)),
      filter(rest.points()), fixed(rest.points(), 0) {
    for (Index i = 0; i < rest.points(); ++i) {
        if (state.inverseMass[i] > 0 && matrix.answers(i)) continue;
        fixed[i] = 1;
        filter.pin(i);
    }
    for (auto* a : {&X, &V, &ahead, &force, &rhs, &dv, &pull})
        a->assign(rest.points(), Vec3::Zero());
    for (auto* a : {&xHalf, &xEnd, &moved}) a->resize(layout.padded() + 4);
}

namespace {
template <class Parts, class Archive>
void fields(Parts& p, Archive& a) {
    a(p.pastX, p.pastV, p.dv, p.pastDt, p.colliders.normalForce);
}
} // namespace

void ImplicitParts::save(SnapshotWriter& w) const {
    w.begin("implicit", 1);
    fields(*this, w);
    w.end();
}
void ImplicitParts::load(SnapshotReader& r) {
    r.begin("implicit", 1);
    fields(*this, r);
    r.end();
}

double ImplicitParts::scheme(const State& state, double dt, double liveliness) {
    const double r = pastDt > 0 ? dt / pastDt : 0, c = liveliness * r * r / (1 + 2 * r);
    parallelFor(state.size(), 1024, [&](Index a, Index b) {
        for (Index i = a; i < b; ++i) {
            X[i] = state.x[i];
            V[i] = state.v[i];
            if (c == 0) continue;
            X[i] += c * (state.x[i] - pastX[i]);
            V[i] += c * (state.v[i] - pastV[i]);
        }
    });
    return dt * (r > 0 ? 1 - c / r : 1);
}

// Where the nodes go by themselves, pins to their targets.
void Simulation::Impl::predictEnd(double h, double dt, double t1) {
    ImplicitParts& s = *implicit;
    const double keep = std::exp(-h * scene.settings.forces.velocityDamping);
    if (keep < 1)
        for (Vec3& v : s.V) v *= keep;
    air.apply(state.x, s.V, state.inverseMass, h);
    parallelFor(state.size(), 1024, [&](Index a, Index b) {
        for (Index i = a; i < b; ++i) {
            if (state.inverseMass[i] == 0) s.V[i] = (target(i, t1) - s.X[i]) / h;
            s.ahead[i] = s.X[i] + h * s.V[i];
        }
    });
    s.matrix.spreadWelds(s.V);
    s.matrix.spreadWelds(s.ahead);
    if (!bodies.empty()) {
        Timed t(collideTime);
        s.colliders.predict(bodies, state.x, s.ahead, state.inverseMass, dt, t1);
        s.matrix.spreadWelds(s.ahead);
    }
    const Layout& layout = rods.layout();
    parallelFor(rest.yarns(), 4, [&](Index a, Index b) {
        for (Index y = a; y < b; ++y) scatter(layout, s.ahead, rest.first[y], y, s.xEnd);
    });
    parallelFor(layout.slots(), 4096, [&](Index a, Index b) {
        for (Index k = a; k < b; ++k) {
            s.moved.set(k, s.xEnd.at(k) - x.at(k));
            s.xHalf.set(k, x.at(k) + kOnTheWay * s.moved.at(k));
        }
    });
}

// Matrix and right-hand side for the change of velocity.
void Simulation::Impl::assembleSystem(double h, double dt, double t1) {
    ImplicitParts& s = *implicit;
    const auto& slot = rods.layout().slotOf;
    const Vec3 g = scene.settings.forces.gravity;
    const bool drags = scene.settings.damping.enabled;
    if (drags) s.drag.prepare(state.x, s.V, state.mass, state.inverseMass, dt);
    parallelFor(state.size(), 1024, [&](Index a, Index b) {
        for (Index i = a; i < b; ++i) {
            const double m = state.mass[i], held = drags ? h * s.drag.rate(i) * m : 0;
            s.force[i] = f.at(slot[i]) - s.pull[i] / (h * h) + m * g;
            if (!scene.force.empty()) s.force[i] += scene.force[i];
            s.matrix.addDiagonal(i, m + held);
            s.rhs[i] = h * s.force[i] - held * s.V[i];
        }
    });
    if (drags) s.drag.subtractRigid(-h, s.V, s.rhs);
    for (const Goal& goal : scene.goals) { // a critically damped spring
        const Index i = goal.node;
        const double k = goal.stiffness * goal.weight, c = 2 * std::sqrt(k * state.mass[i]);
        const Vec3 speed = (targetEnd[i] - targetStart[i]) * scene.settings.time.fps;
        const Vec3 pull = k * (target(i, t1) - s.ahead[i]) + c * (speed - s.V[i]);
        s.matrix.addDiagonal(i, h * h * k + h * c);
        s.rhs[i] += h * pull;
        s.force[i] += pull;
    }
    s.colliders.add(s.V, s.force, state.mass, h, s.matrix, s.rhs);
    const bool touches = scene.settings.contact.enabled;
    s.matrix.finish(touches ? &s.contacts : nullptr, drags ? &s.drag : nullptr, h);
    s.matrix.gatherWelds(s.rhs);
}

void Simulation::Impl::stepImplicit(double dt, double t1) {
    ImplicitParts& s = *implicit;
    const StepSettings& wanted = scene.settings.step;
    auto clock = std::chrono::steady_clock::now();
    const double h = s.scheme(state, dt, wanted.liveliness);
    predictEnd(h, dt, t1);
    result.seconds.rest += lap(clock);
    {
        Timed t(rodTime);
        rods.visit(s.xEnd);
        rods.force(f);
        rods.stiffness(s.rods);
        s.stretch.addForce(s.xHalf, s.moved, 1 - kOnTheWay, f);
        s.matrix.setRods(s.rods, s.stretch, h * h);
    }
    result.seconds.rods = lap(clock);
    addContact(s.xHalf);
    result.seconds.contact = lap(clock);
    if (scene.settings.contact.enabled)
        s.matrix.setContacts(acl, s.contacts, h * h, s.moved, 1 - kOnTheWay, s.pull);
    assembleSystem(h, dt, t1);
    result.seconds.assemble = lap(clock);
    s.bands.factor(s.matrix.band(), s.fixed, !wanted.blockJacobi);
    const bool coarse = !wanted.blockJacobi;
    if (coarse)
        s.blocks.factor(s.matrix, scene.settings.contact.enabled ? &s.contacts : nullptr,
                        scene.settings.damping.enabled ? &s.drag : nullptr, h, state.mass);
    const YarnPreconditioner preconditioner(s.bands, coarse ? &s.blocks : nullptr);
    result.seconds.factor = lap(clock);
    SolveSettings settings;
    settings.tolerance = wanted.tolerance;
    settings.maxIterations = wanted.maxIterations;
    s.report = s.solver.solve(s.matrix, preconditioner, s.filter, s.rhs, {}, s.dv, settings);
    result.outcome = s.report.outcome;
    result.iterations = s.report.iterations;
    result.residual = s.report.residual;
    if (s.report.outcome == SolveOutcome::NotFinite) // the caller takes the step back, or diverges
        std::fill(s.dv.begin(), s.dv.end(), Vec3::Zero());
    result.seconds.solve = lap(clock);
    projectTime += std::chrono::duration<double>(result.seconds.assemble + result.seconds.factor +
                                                 result.seconds.solve);
    s.matrix.spreadWelds(s.dv);
    s.colliders.finish(s.V, s.dv);
    figures = s.colliders.figures();
    frictionHeat += figures.frictionHeat;
    s.pastX = state.x;
    s.pastV = state.v;
    s.pastDt = dt;
    // What was pushed out of a collider has no speed from it, now or in the next step's memory.
    if (!bodies.empty())
        for (std::size_t i = 0; i < s.pastX.size(); ++i) s.pastX[i] += s.colliders.shift()[i];
    for (Index i = 0; i < state.size(); ++i) {
        const Vec3 end = s.ahead[i] + h * s.dv[i];
        result.largestMove = std::max(result.largestMove, (end - state.x[i]).squaredNorm());
        result.largestChange = std::max(result.largestChange, s.dv[i].squaredNorm());
        state.v[i] =
            state.inverseMass[i] > 0 ? Vec3(s.V[i] + s.dv[i]) : Vec3((end - state.x[i]) / dt);
        state.x[i] = end;
    }
    result.largestMove = std::sqrt(result.largestMove);
    result.largestChange = h * std::sqrt(result.largestChange);
    catchStrays(dt, t1);
    result.seconds.rest += lap(clock);
}

// What the springs let through (thin or fast colliders, points between nodes) is stopped at a
// reduced gap by what explicit steps use.
void Simulation::Impl::catchStrays(double dt, double t1) {
    if (bodies.empty()) return;
    Timed t(collideTime);
    ImplicitParts& s = *implicit;
    const double slack = kStray * *std::min_element(rest.radius.begin(), rest.radius.end());
    strays = bodies;
    for (CollisionBody& b : strays) b.settings.thickness -= slack;
    // From where the step began, with the velocity that leads to its end.
    parallelFor(state.size(), 1024, [&](Index a, Index b) {
        for (Index i = a; i < b; ++i) {
            s.X[i] = s.pastX[i];
            s.rhs[i] = s.force[i] = (state.x[i] - s.X[i]) / dt;
        }
    });
    const CollisionFigures caught = response.apply(strays, s.X, s.rhs, state.inverseMass, dt, t1);
    if (caught.touching == 0) return;
    s.matrix.spreadWelds(s.X);
    s.matrix.spreadWelds(s.rhs);
    for (Index i = 0; i < state.size(); ++i) {
        if (s.rhs[i] == s.force[i] && s.X[i] == s.pastX[i]) continue;
        state.x[i] = s.X[i] + dt * s.rhs[i];
        state.v[i] += s.rhs[i] - s.force[i];
    }
}

} // namespace purl
