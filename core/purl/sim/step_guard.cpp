// Steps that must not stand are undone and tried again at half their length (physics 4.10).
#include "purl/sim/impl.h"
#include "purl/sim/implicit_parts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace purl {

namespace {
constexpr double kSound = 340; // m/s: nothing in a shot moves faster
constexpr double kRough = 0.1; // of the smallest radius: rougher steps are followed by shorter ones
constexpr int kQuick = 2;      // smooth steps after which a longer one is tried

std::string text(double v) {
    std::ostringstream s;
    s << v;
    return s.str();
}

FrameReport::Outcome outcomeOf(Rejection why) {
    return why == Rejection::PassedThrough ? FrameReport::Outcome::PassedThrough
                                           : FrameReport::Outcome::Diverged;
}

void copyTo(std::vector<Vec3>& to, const std::vector<Vec3>& from) {
    to.resize(from.size());
    parallelFor(static_cast<Index>(from.size()), 4096, [&](Index a, Index b) {
        std::copy(from.begin() + a, from.begin() + b, to.begin() + a);
    });
}

// What cannot stand, however short the step. The others are told and let go.
bool fatal(Rejection why) {
    return why == Rejection::PassedThrough || why == Rejection::NotFinite ||
           why == Rejection::EnergyGrew;
}
} // namespace

namespace {
void sum(FrameReport::Phases& all, const FrameReport::Phases& step) {
    all.predict += step.predict;
    all.rods += step.rods;
    all.contact += step.contact;
    all.assemble += step.assemble;
    all.factor += step.factor;
    all.solve += step.solve;
    all.rest += step.rest;
}
} // namespace

const char* nameOf(Rejection why) {
    constexpr const char* name[kRejections] = {"none",       "not_finite", "passed_through",
                                               "gap_closed", "tunnelled",  "energy_grew",
                                               "stalled"};
    return name[static_cast<int>(why)];
}

void Simulation::Impl::begin() {
    copyTo(kept.v, state.v);
    kept.removed = damping.removed();
    kept.frictionHeat = frictionHeat;
    kept.figures = figures;
    given = 0;
    beforeCollide = -1;
    if (!implicit) return;
    copyTo(kept.pastX, implicit->pastX);
    copyTo(kept.pastV, implicit->pastV);
    copyTo(kept.pastChange, implicit->pastChange);
    copyTo(kept.dv, implicit->dv);
    kept.pastDt = implicit->pastDt;
    kept.normalForce = implicit->colliders.normalForce;
}

// x of the layout still has the start of the step.
void Simulation::Impl::undo() {
    state.v = kept.v;
    const auto& slot = rods.layout().slotOf;
    parallelFor(state.size(), 1024, [&](Index a, Index b) {
        for (Index i = a; i < b; ++i) state.x[i] = x.at(slot[i]);
    });
    damping.setRemoved(kept.removed);
    frictionHeat = kept.frictionHeat;
    figures = kept.figures;
    if (!implicit) return;
    implicit->pastX = kept.pastX;
    implicit->pastV = kept.pastV;
    implicit->pastChange = kept.pastChange;
    implicit->dv = kept.dv;
    implicit->pastDt = kept.pastDt;
    implicit->colliders.normalForce = kept.normalForce;
}

bool Simulation::Impl::stepThrough(FrameReport& r, Monitor& monitor) {
    const GuardSettings& settings = scene.settings.guard;
    while (!clock.done()) {
        const double dt = clock.dt(), t1 = clock.next();
        keepContactForce = clock.last();
        begin();
        attempt(dt, t1);
        r.iterations += result.iterations;
        sum(r.phases, result.seconds);
        std::string where;
        const Rejection why = judge(dt, t1, r, where);
        if (why != Rejection::None) {
            if (r.firstRejected.empty())
                r.firstRejected = std::string(nameOf(why)) + " at " + text(state.time) +
                                  " s with " + text(1e3 * dt) + " ms: " + where;
            if (clock.smallest() && fatal(why)) {
                r.outcome = outcomeOf(why);
                r.reason = where + " at " + text(state.time) + " s, with the shortest step of " +
                           text(1e3 * dt) + " ms";
                undo();
                return false;
            }
            if (!clock.smallest()) {
                ++r.rejected[static_cast<int>(why)];
                undo();
                if (why != Rejection::NotFinite && guarded()) guard.reject();
                clock.reject();
                // What was made is told once: the account begins anew.
                if (why == Rejection::EnergyGrew) audit.start(state, stored);
                continue;
            }
            ++r.lenient;
        }
        if (guarded()) {
            const StepVerdict& v = guard.verdict();
            r.certificate.smallestGap = std::min(r.certificate.smallestGap, v.nearest.gap);
            r.certificate.doubts += static_cast<long>(v.doubts.size());
            r.certificate.passes += static_cast<long>(v.passes.size());
        }
        audit.accept(audited, given, state, rods.layout(), x);
        book(audited.booked, ledger);
        accept(dt);
        if (isImplicit()) {
            // Where the user chose the step, only rejections change it.
            const double most = scene.settings.time.substeps > 0
                                    ? std::numeric_limits<double>::infinity()
                                    : kRough * thinnest;
            clock.accept(settings.cleanSteps, kQuick, 4 * result.roughness < most);
            if (result.roughness > most) clock.shorten();
        } else {
            clock.accept(settings.cleanSteps);
        }
        ++r.steps;
        r.smallestStep = std::min(r.smallestStep, dt);
        r.largestStep = std::max(r.largestStep, dt);
        monitor.progress(clock.now());
        if (!clock.done() && monitor.interrupted()) {
            r.outcome = FrameReport::Outcome::Interrupted;
            return false;
        }
    }
    return true;
}

// Whether the attempt may stand. Everything here is a function of the positions and velocities
// before and after, so that a run that resumes judges alike.
Rejection Simulation::Impl::judge(double dt, double t1, FrameReport& r, std::string& where) {
    audited = audit.measure(state, rods.layout(), x, isImplicit() ? nullptr : &f,
                            scene.settings.forces.gravity, scene.force, dt, kept.v, stages);
    if (beforeCollide >= 0) given += std::max(0.0, audited.kinetic - beforeCollide);
    if (!(audited.fastest < kSound)) {
        where = fastestName();
        return Rejection::NotFinite;
    }
    if (result.outcome == SolveOutcome::NotFinite) {
        where = "the solve met a number that is none, expected finite forces";
        return Rejection::NotFinite;
    }
    if (!guarded()) return Rejection::None;
    const auto start = std::chrono::steady_clock::now();
    const StepVerdict& v = guard.test(x, next);
    FrameReport::Certificate& c = r.certificate;
    c.given = true;
    c.watched = v.watched;
    c.pairSteps += static_cast<double>(v.watched);
    c.examined += v.examined;
    c.followed += v.followed;
    c.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (!v.passes.empty()) {
        where = guard.describe(v.passes.front()) + " went through each other";
        if (v.passes.size() > 1)
            where += " (and " + std::to_string(v.passes.size() - 1) + " other places)";
        return Rejection::PassedThrough;
    }
    if (!v.fast.empty()) {
        where = guard.describe(v.fast.front()) + " closed from " + text(v.fast.front().before) +
                " to " + text(v.fast.front().gap) + " of their thickness";
        return Rejection::GapClosed;
    }
    if (tunnelled(dt, t1, where)) return Rejection::Tunnelled;
    if (result.outcome != SolveOutcome::Converged) {
        where = std::string("the solve is ") + name(result.outcome) + " after " +
                std::to_string(result.iterations) + " iterations, residual " +
                text(result.residual);
        return Rejection::Stalled;
    }
    // What pins and moving colliders put into an implicit step is not told apart from the rest.
    if (isImplicit() && (!scene.pins.empty() || !scene.goals.empty() || !bodies.empty() ||
                         !scene.settings.forces.wind.isZero())) {
        return crossed(v, where);
    }
    const double scale = audit.scale(audited);
    const double excess = audit.excess(audited) - (isImplicit() ? scale : 0);
    if (excess > r.energyExcess) {
        r.energyExcess = excess;
        r.energyScale = scale;
    }
    if (excess > scene.settings.guard.energy * scale) {
        where = text(excess) + " J came from nowhere where " + text(scale) + " J were";
        return Rejection::EnergyGrew;
    }
    return crossed(v, where);
}

// The last question: crossings that are no passes, but should not be.
Rejection Simulation::Impl::crossed(const StepVerdict& v, std::string& where) const {
    if (!v.doubts.empty() && !clock.smallest()) {
        where = guard.describe(v.doubts.front()) + " crossed at an end or along each other";
        return Rejection::GapClosed;
    }
    return Rejection::None;
}

std::string Simulation::Impl::fastestName() const {
    for (Index y = 0; y < rest.yarns(); ++y)
        for (Index i = rest.first[y]; i < rest.first[y + 1]; ++i)
            // Written so that NaN is found. Drag can keep a blow-up finite, so speed is looked at.
            if (!(state.v[i].squaredNorm() < kSound * kSound) ||
                !(state.x[i].squaredNorm() < 1e12)) {
                return "yarn " + std::to_string(y) + ", point " +
                       std::to_string(i - rest.first[y]) + " moves at " + text(state.v[i].norm()) +
                       " m/s, expected less than sound; use more substeps or softer yarns";
            }
    return "a point is not finite";
}

} // namespace purl
