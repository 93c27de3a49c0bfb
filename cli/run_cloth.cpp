// A sheet from its description to its files: the mode of `purl sim --cloth`.
#include "cli/collider_spec.h"
#include "cli/mode.h"
#include "cli/sequence.h"
#include "purl/base/error.h"
#include "purl/base/hash.h"
#include "purl/check/triangles.h"
#include "purl/cloth/models.h"
#include "purl/cloth/self_collision.h"
#include "purl/cloth/solver.h"
#include "purl/host/cloth_from_detail.h"
#include "purl/io/geo.h"
#include "purl/scene/quantity.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>

namespace purl::cli {

namespace {

constexpr double kStep = 1.0 / 96; // s, of an implicit step when nobody says otherwise

// SelfCollision as the solver's hook, with its figures added up over a frame.
struct SelfHook final : CollisionHookOf<SelfCollision> {
    SelfCollisionStats sum;
    SelfHook(const ClothMesh& m, Span<const Vec3> x, const SelfCollisionSettings& s)
        : CollisionHookOf(m, x, s) {
        clear();
    }
    void clear() {
        sum = {};
        sum.smallestGap = 1;
    }
    void resolve(Span<const Vec3> x0, Span<Vec3> x1, Span<Vec3> v, Span<const double> inverseMass,
                 double dt) override {
        self.resolve(x0, x1, v, inverseMass, dt);
        const SelfCollisionStats& s = self.stats();
        sum.contacts = s.contacts;
        sum.hits += s.hits;
        sum.zones += s.zones;
        sum.scaledPoints += s.scaledPoints;
        sum.forced += s.forced;
        sum.touching = s.touching;
        sum.smallestGap = std::min(sum.smallestGap, s.smallestGap);
        sum.seconds += s.seconds;
    }
};

class ClothMode final : public Mode {
public:
    ClothMode(const SceneFile& wanted, int first, std::vector<std::string>& warnings)
        : wanted_(wanted), first_(first) {
        detail_ = loadSheet(wanted_.cloth, name_, warnings);
        in_ = sheetOf(detail_, name_, wanted_, warnings);
        const ClothMesh& mesh = in_.cloth.mesh;
        const ClothEntry& entry = wanted_.cloth;
        std::vector<std::unique_ptr<ClothEnergy>> energies;
        energies.push_back(
            makeInPlane(inPlaneModel(entry.inPlane, "--in-plane"), mesh, in_.material, in_.paint));
        energies.push_back(
            makeBending(bendingModel(entry.bending, "--bending"), mesh, in_.material, in_.paint));
        ClothSettings settings;
        settings.forces = wanted_.settings.forces;
        settings.integrator.scheme = schemeOf(entry.integrator, "--integrator");
        if (entry.iterations > 0) settings.integrator.linear.maxIterations = entry.iterations;
        if (entry.tolerance > 0) settings.integrator.linear.tolerance = entry.tolerance;
        settings.radius = 0.5 * in_.material.thickness;
        settings.adaptive = entry.adaptive;
        std::vector<ClothGoal> goals;
        for (const SheetGoal& g : in_.goals)
            goals.push_back({g.node, g.stiffness, kGoalDamping * g.stiffness});
        solver_ = std::make_unique<ClothSolver>(mesh, in_.cloth.x, in_.density, std::move(energies),
                                                settings, std::move(goals));
        if (!in_.velocity.empty()) solver_->setState(in_.cloth.x, in_.velocity);
        solver_->setPins(in_.pins);
        addColliders(settings.radius);
        seconds_ = wanted_.settings.time.timeScale / wanted_.settings.time.fps;
        steps_ = countSteps(settings.integrator.scheme);
        addSelfCollision(warnings);
    }

    const char* name() const override { return "cloth"; }
    double secondsAFrame() const override { return seconds_; }
    int stepsAFrame() const override { return steps_; }
    std::string describe() const override {
        const ClothMesh& mesh = in_.cloth.mesh;
        return std::to_string(mesh.faces()) + " triangles, " + std::to_string(mesh.points) +
               " points, " + std::to_string(in_.pins.size()) + " pinned, " +
               std::to_string(colliders_.size()) + " colliders; " +
               (wanted_.cloth.drape ? "drape" : std::to_string(steps_) + " steps a frame");
    }

    void startAt(int frame) override {
        for (LiveCollider& c : colliders_) c.startAt(frame, first_, seconds_);
    }

    FrameResult advance(int frame, Monitor& monitor) override {
        for (LiveCollider& c : colliders_) c.setFrame(frame, seconds_);
        if (!wanted_.targets.empty()) readTargets(framePath(wanted_.targets, frame));
        sendTargets();
        const auto start = std::chrono::steady_clock::now();
        if (hook_) hook_->clear();
        nlohmann::ordered_json figures = {{"frame", frame}};
        FrameResult result;
        const bool whole =
            wanted_.cloth.drape ? drape(figures, monitor) : move(figures, monitor, result.reason);
        if (!whole) {
            result.outcome = FrameResult::Outcome::Interrupted;
            return result;
        }
        if (result.reason.empty() && !allFinite()) result.reason = "positions are no numbers";
        if (!result.reason.empty()) result.outcome = FrameResult::Outcome::Broken;
        figures["outcome"] = result.reason.empty() ? "done" : "diverged";
        if (!result.reason.empty())
            result.reason = "the simulation diverged: " + result.reason +
                            ", expected finite positions (more --substeps may help)";
        addFigures(figures, start, monitor);
        result.figures = figures.dump();
        return result;
    }

    void write(const std::string& path, bool untouchedInput,
               std::vector<std::string>& warnings) override {
        // The first frame is the input: its positions are not touched, not even in their last bit.
        putSheet(detail_, in_.cloth, solver_->x(), solver_->v(), !untouchedInput);
        writeDetail(path, detail_, &warnings);
    }

    void save(SnapshotWriter& w) const override { solver_->save(w); }
    void load(SnapshotReader& r) override { solver_->load(r); }
    int stepsIntoFrame() const override { return solver_->stepsIntoFrame(); }
    double time() const override { return solver_->time(); }
    std::uint64_t hash() const override { return solver_->hash(); }

private:
    void addColliders(double radius) {
        ColliderSizes sizes;
        sizes.yarnRadius = std::max(radius, 1e-4);
        sizes.thickness = wanted_.settings.collision.thickness;
        for (const ColliderEntry& entry : wanted_.colliders)
            colliders_.emplace_back(entry, first_, sizes);
        std::vector<CollisionBody> bodies;
        for (const LiveCollider& c : colliders_)
            bodies.push_back({c.collider().get(), c.settings(wanted_.settings.collision)});
        solver_->setColliders(std::move(bodies));
    }

    void addSelfCollision(std::vector<std::string>& warnings) {
        const ClothEntry& entry = wanted_.cloth;
        if (!entry.selfCollision) return;
        const ClothMesh& mesh = in_.cloth.mesh;
        SelfCollisionSettings s;
        s.thickness = entry.selfThickness.value_or(std::max(1e-3, in_.material.thickness));
        s.friction = entry.selfFriction;
        s.culling = entry.culling;
        std::vector<TrianglePair> first;
        if (const Index n = countIntersections(in_.cloth.x, mesh.triangles, &first, 1))
            warnings.push_back(name_ + ": the sheet starts through itself: " + std::to_string(n) +
                               " pairs of triangles (the first is of primitives " +
                               std::to_string(in_.cloth.polygonOf[first[0].a]) + " and " +
                               std::to_string(in_.cloth.polygonOf[first[0].b]) +
                               "); they stay as they are");
        auto hook = std::make_unique<SelfHook>(mesh, in_.cloth.x, s);
        hook_ = hook.get();
        if (const Index few = hook_->self.limitedPoints())
            warnings.push_back(name_ + ": at " + std::to_string(few) +
                               " points triangles are too small for a thickness of " +
                               numberText(s.thickness) +
                               " m; layers may come nearer there, down to half an altitude");
        solver_->setCollisionHook(std::move(hook));
    }

    // Explicit schemes: well below the period of the stiffest wave that the mesh can carry.
    int countSteps(Scheme scheme) const {
        if (wanted_.settings.time.substeps > 0) return wanted_.settings.time.substeps;
        double dt = kStep;
        const ClothMaterial& m = in_.material;
        if (!isImplicit(scheme))
            for (const auto& r : in_.cloth.mesh.rest) {
                const Vec2 a = r[1] - r[0], b = r[2] - r[0];
                const double longest = std::max({a.norm(), b.norm(), (b - a).norm()});
                const double altitude = std::abs(a.x() * b.y() - a.y() * b.x()) / longest;
                const double stretch = std::max({m.stretchWarp, m.stretchWeft, m.shear});
                const double bend = std::max(m.bendWarp, m.bendWeft);
                dt = std::min(dt, 0.3 * altitude * std::sqrt(m.areaDensity / stretch));
                if (bend > 0)
                    dt = std::min(dt, 0.1 * altitude * altitude * std::sqrt(m.areaDensity / bend));
            }
        return static_cast<int>(std::min(1e6, std::max(1.0, std::ceil(seconds_ / dt - 1e-9))));
    }

    // Where pins and goals are at a frame: goals go to its targetP if it has one, all else to P.
    void readTargets(const std::string& path) {
        std::vector<std::string> warnings;
        const Detail d = readDetail(path, warnings);
        if (d.points() != detail_.points())
            throw Error(path, "has " + std::to_string(d.points()) + " points, expected " +
                                  std::to_string(detail_.points()) + " as in the sheet");
        const std::vector<Vec3> p = d.positions();
        const Attribute* own = d.findPoint("targetP");
        const bool goal = own && own->type == Attribute::Type::Numeric && own->size == 3;
        const std::vector<Vec3> to = goal ? d.vectors(*own) : p;
        const auto put = [&](Index node, const Vec3& x) {
            if (!x.allFinite())
                throw Error(path + ": point " + std::to_string(in_.cloth.pointOf[node]),
                            "is not finite, expected a position in m");
            in_.targets[node] = x;
        };
        for (Index n : in_.pins) put(n, p[in_.cloth.pointOf[n]]);
        for (const SheetGoal& g : in_.goals) put(g.node, to[in_.cloth.pointOf[g.node]]);
    }

    void sendTargets() {
        std::vector<Vec3> pins, goals;
        for (Index n : in_.pins) pins.push_back(in_.targets[n]);
        for (const SheetGoal& g : in_.goals) goals.push_back(in_.targets[g.node]);
        solver_->setPinTargets(pins);
        if (!goals.empty()) solver_->setGoalTargets(goals);
    }

    // False if it was interrupted.
    bool move(nlohmann::ordered_json& figures, Monitor& monitor, std::string& broken) {
        const ClothStepReport r = solver_->advanceFrame(seconds_, steps_, monitor);
        if (solver_->stepsIntoFrame() > 0 && !r.broken) return false;
        figures["steps"] = r.steps;
        figures["rejected"] = r.rejected;
        figures["dt"] = seconds_ / steps_;
        figures["solves"] = r.solve.solves;
        figures["iterations"] = r.solve.linear.iterations;
        figures["residual"] = r.solve.linear.residual;
        figures["strain_change"] = r.strainChange;
        figures["collisions"] = r.collision.touching;
        figures["deepest"] = r.collision.deepest;
        if (!r.broken) return true;
        broken = r.solve.finite ? "an edge changed by " + numberText(100 * r.strainChange) +
                                      " % in one step, however short"
                                : "a step gave numbers that are none, however short";
        return true;
    }

    // A drape that is interrupted has no middle worth keeping: it is as if it had not begun.
    bool drape(nlohmann::ordered_json& figures, Monitor& monitor) {
        SnapshotWriter before;
        solver_->save(before);
        before.finish();
        const DrapeReport r = solver_->drape({}, monitor);
        if (!r.converged && monitor.interrupted()) {
            SnapshotReader back(before.bytes(), "drape");
            solver_->load(back);
            return false;
        }
        figures["iterations"] = r.iterations;
        figures["residual"] = r.residual;
        figures["converged"] = r.converged;
        figures["energy_before"] = r.energyBefore;
        return true;
    }

    void addFigures(nlohmann::ordered_json& j, std::chrono::steady_clock::time_point start,
                    Monitor& monitor) {
        double fastest = 0;
        for (const Vec3& v : solver_->v()) fastest = std::max(fastest, v.norm());
        j["time"] = solver_->time();
        j["max_speed"] = fastest;
        j["energy"] = solver_->energy();
        j["kinetic"] = solver_->kineticEnergy();
        j["seconds"] =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        if (hook_) {
            const SelfCollisionStats& s = hook_->sum;
            j["self"] = {{"contacts", s.contacts}, {"hits", s.hits},
                         {"zones", s.zones},       {"scaled", s.scaledPoints},
                         {"forced", s.forced},     {"smallest_gap", s.smallestGap},
                         {"touching", s.touching}, {"seconds", s.seconds}};
            if (s.forced > 0)
                monitor.warning("pinned points drove the sheet through itself in " +
                                std::to_string(s.forced) + " places");
        }
        j["hash"] = hexHash(solver_->hash());
    }

    bool allFinite() const {
        for (const Vec3& x : solver_->x())
            if (!x.allFinite()) return false;
        return true;
    }

    static constexpr double kGoalDamping = 0.02; // s, times the stiffness

    SceneFile wanted_;
    int first_;
    Detail detail_;
    std::string name_;
    SheetInput in_;
    std::vector<LiveCollider> colliders_;
    std::unique_ptr<ClothSolver> solver_;
    SelfHook* hook_ = nullptr; // the solver's
    double seconds_ = 1;       // of a frame
    int steps_ = 1;
};

} // namespace

std::unique_ptr<Mode> makeClothMode(const SceneFile& scene, int first,
                                    std::vector<std::string>& warnings) {
    return std::make_unique<ClothMode>(scene, first, warnings);
}

} // namespace purl::cli
