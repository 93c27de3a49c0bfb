// One implicit step (physics 4.9): everything stiff is in one linear solve, with forces where the
// nodes would be at the end of the step if nothing changed their velocities. The matrices are
// stiffer than the yarns (Gauss-Newton, frames held, no tangential term): extrapolated over the
// motion itself they would be a viscosity, most of all against turning; so they act on the change
// of velocity alone. (Free patch that curls, 2 ms, kinetic energy at 40 ms of explicit steps' 0.376
// mJ: 0.178 with contact and stretch linearised half-way, 0.242 with contact at the end, 0.410 with
// both.) Contact models are made half-way: at the end of a way that a blow will cut short they
// would be of yarns inside each other. (Smallest gap on a ball: 0.77 of 2r half-way, 0.07 at the
// end.)
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
// Where on their way models of contact are made.
constexpr double kOnTheWay = 0.5;
constexpr Index kBlock = 2048; // nodes a partial sum
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
    for (auto* a : {&X, &V, &ahead, &force, &rhs, &dv}) a->assign(rest.points(), Vec3::Zero());
    weight.assign(rest.points(), 1.0);
    calm.assign(rest.points(), 0);
    for (auto* a : {&xHalf, &xEnd}) a->resize(layout.padded() + 4);
}

namespace {
template <class Parts, class Archive>
void fields(Parts& p, Archive& a) {
    a(p.pastX, p.pastV, p.pastChange, p.dv, p.pastDt, p.colliders.normalForce);
}
} // namespace

void ImplicitParts::save(SnapshotWriter& w) const {
    w.begin("implicit", 2);
    fields(*this, w);
    w.end();
}
void ImplicitParts::load(SnapshotReader& r) {
    r.begin("implicit", 2);
    fields(*this, r);
    r.end();
}

// How much of the last change of velocity goes on from the one before it, 0 to 1, by its energy.
double ImplicitParts::smoothness(const State& state, double r) const {
    const auto sum = [&](auto&& of) {
        return orderedSum(state.size(), 2048, [&](Index a, Index b) {
            double s = 0;
            for (Index i = a; i < b; ++i)
                if (state.inverseMass[i] > 0) s += state.mass[i] * of(i, state.v[i] - pastV[i]);
            return s;
        });
    };
    const double both = sum([&](Index i, const Vec3& d) { return d.dot(pastChange[i]); });
    const double all = sum([&](Index, const Vec3& d) { return d.squaredNorm(); });
    return all > 0 ? std::clamp(2 * r * both / all, 0.0, 1.0) : 1.0;
}

double ImplicitParts::scheme(const State& state, double dt, double liveliness) {
    const double r = pastDt > 0 ? dt / pastDt : 0;
    double c = liveliness * r * r / (1 + 2 * r);
    if (c > 0) c *= smoothness(state, r);
    const double h = dt * (r > 0 ? 1 - c / r : 1);
    parallelFor(state.size(), 1024, [&](Index a, Index b) {
        for (Index i = a; i < b; ++i) {
            X[i] = state.x[i];
            V[i] = state.v[i];
            weight[i] = 1;
            if (c == 0 || state.inverseMass[i] == 0) continue;
            if (calm[i]) {
                weight[i] = h / dt;
                continue;
            }
            X[i] += c * (state.x[i] - pastX[i]);
            V[i] += c * (state.v[i] - pastV[i]);
        }
    });
    return h;
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
            s.ahead[i] = s.X[i] + h / s.weight[i] * s.V[i];
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
            s.xHalf.set(k, x.at(k) + kOnTheWay * (s.xEnd.at(k) - x.at(k)));
        }
    });
}

// Matrix and right-hand side for the change of velocity.
void Simulation::Impl::assembleSystem(double h, double dt, double t1) {
    ImplicitParts& s = *implicit;
    const auto& slot = rods.layout().slotOf;
    const Vec3 g = scene.settings.forces.gravity;
    const bool drags = scene.settings.damping.enabled;
    if (drags) s.drag.prepare(state.x, s.V, state.mass, state.inverseMass, dt, h, s.weight);
    parallelFor(state.size(), 1024, [&](Index a, Index b) {
        for (Index i = a; i < b; ++i) {
            const double m = state.mass[i], w = s.weight[i];
            s.force[i] = f.at(slot[i]) + m * g;
            if (!scene.force.empty()) s.force[i] += scene.force[i];
            s.matrix.addDiagonal(i, m * (w * w + (drags ? s.drag.held(i) : 0)));
            s.rhs[i] = h * s.force[i];
        }
    });
    if (drags) s.drag.addDamping(s.V, s.rhs);
    for (const Goal& goal : scene.goals) { // a critically damped spring
        const Index i = goal.node;
        const double k = goal.stiffness * goal.weight, c = 2 * std::sqrt(k * state.mass[i]);
        const Vec3 speed = (targetEnd[i] - targetStart[i]) * scene.settings.time.fps;
        const Vec3 pull = k * (target(i, t1) - s.ahead[i]) + c * (speed - s.V[i]);
        s.matrix.addDiagonal(i, h * h * k + h * c);
        s.rhs[i] += h * pull;
        s.force[i] += pull;
    }
    s.colliders.add(s.V, s.force, state.mass, s.weight, h, s.matrix, s.rhs);
    const bool touches = scene.settings.contact.enabled;
    s.matrix.finish(touches ? &s.contacts : nullptr, drags ? &s.drag : nullptr);
    s.matrix.gatherWelds(s.rhs);
}

namespace {
// How much of a blow a change of velocity is, 0 to 1: beyond 10 to 20 g, and not as it was before.
// BDF2 has taken a third of the last step's way before it looks: what it meets there throws it back
// at up to half of its speed. After a blow a node has the speed that it went at in the step.
double blow(const Vec3& change, const Vec3& before, double dt) {
    const double size = change.squaredNorm(), hard = std::sqrt(size) / (100 * dt) - 1;
    if (hard <= 0) return 0;
    return std::min(1.0, hard) * (1 - std::clamp(2 * change.dot(before) / size, 0.0, 1.0));
}
} // namespace

void Simulation::Impl::stepImplicit(double dt, double t1) {
    ImplicitParts& s = *implicit;
    const StepSettings& wanted = scene.settings.step;
    auto clock = std::chrono::steady_clock::now();
    if (!bodies.empty() && wanted.liveliness > 0) {
        s.colliders.foresee(bodies, state.x, state.v, dt, t1, s.calm);
        parallelFor(damping.blocks(), 16, [&](Index a, Index b) {
            for (Index k = a; k < b; ++k) {
                bool any = false;
                for (Index i : damping.block(k)) any = any || s.calm[i];
                for (Index i : damping.block(k)) s.calm[i] = any;
            }
        });
        s.matrix.joinWelds(s.calm);
    }
    const double h = s.scheme(state, dt, wanted.liveliness);
    predictEnd(h, dt, t1);
    result.seconds.predict = lap(clock);
    {
        Timed t(rodTime);
        rods.visit(s.xEnd);
        rods.force(f);
        rods.stiffness(s.rods);
        s.stretch.addForce(s.xEnd, f);
        s.matrix.setRods(s.rods, s.stretch, h * h);
    }
    result.seconds.rods = lap(clock);
    if (scene.settings.contact.enabled) {
        Timed t(contactTime);
        acl.addForce(s.xHalf, s.xEnd, f);
    }
    result.seconds.contact = lap(clock);
    if (scene.settings.contact.enabled) s.contacts.assemble(acl, h * h);
    assembleSystem(h, dt, t1);
    result.seconds.assemble = lap(clock);
    const bool coarse = !wanted.blockJacobi;
    parallelFor(2, 1, [&](Index a, Index b) {
        for (Index i = a; i < b; ++i)
            if (i == 1)
                s.bands.factor(s.matrix.band(), s.fixed, !wanted.blockJacobi);
            else if (coarse)
                s.blocks.factor(s.matrix, scene.settings.contact.enabled ? &s.contacts : nullptr,
                                scene.settings.damping.enabled ? &s.drag : nullptr, state.mass);
    });
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
    s.colliders.finish(s.V, s.dv, s.weight);
    figures = s.colliders.figures();
    frictionHeat += figures.frictionHeat;
    finishStep(h, dt);
    catchStrays(dt, t1);
    result.seconds.rest = lap(clock);
}

// The state at the step's end; the step becomes the past of the next one. Rough is a step in which
// velocities did not go on changing as they had: what a longer one would have made worse.
void Simulation::Impl::finishStep(double h, double dt) {
    ImplicitParts& s = *implicit;
    const std::size_t n = state.v.size();
    s.pastChange.resize(n);
    s.pastX.resize(n);
    s.pastV.resize(n);
    const double before = s.pastDt;
    const Vec3 fall = scene.settings.forces.gravity * dt;
    const Index blocks = (state.size() + kBlock - 1) / kBlock;
    s.part.assign(static_cast<std::size_t>(blocks), {0, 0});
    parallelFor(blocks, 1, [&](Index b0, Index b1) {
        for (Index b = b0; b < b1; ++b) {
            auto& [rough, far] = s.part[b];
            for (Index i = b * kBlock; i < std::min(state.size(), (b + 1) * kBlock); ++i) {
                const Vec3 change = before > 0 ? Vec3(state.v[i] - s.pastV[i]) : fall;
                const Vec3 end = s.ahead[i] + h * s.dv[i], move = end - state.x[i];
                const Vec3 mean = move / dt;
                s.pastChange[i] = change;
                s.pastX[i] = state.x[i];
                // What was pushed out of a collider has no speed from it, now or in the next
                // step's memory.
                if (!bodies.empty()) s.pastX[i] += s.colliders.shift()[i];
                s.pastV[i] = state.v[i];
                Vec3 v = mean;
                if (state.inverseMass[i] > 0) {
                    v = s.V[i] + s.weight[i] * s.dv[i];
                    v += blow(v - state.v[i], change, dt) * (mean - v);
                    const double go = before > 0 ? dt / before : 1;
                    rough += (v - state.v[i] - go * change).squaredNorm();
                }
                far = std::max(far, move.squaredNorm());
                state.v[i] = v;
                state.x[i] = end;
            }
        }
    });
    double rough = 0, far = 0;
    for (const auto& [r, f] : s.part) {
        rough += r;
        far = std::max(far, f);
    }
    s.pastDt = dt;
    result.largestMove = std::sqrt(far);
    result.roughness = dt * std::sqrt(rough / std::max<Index>(1, state.size()));
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
