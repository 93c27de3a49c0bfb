// A sheet of triangles as a mode. What it does, in which order, is what `purl sim --cloth` does:
// the same input gives the same bits.
#include "purl/base/error.h"
#include "purl/base/snapshot.h"
#include "purl/check/triangles.h"
#include "purl/cloth/models.h"
#include "purl/cloth/self_collision.h"
#include "purl/cloth/solver.h"
#include "purl/host/animated.h"
#include "purl/host/cloth_from_detail.h"
#include "purl/host/mode.h"
#include "purl/scene/quantity.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace purl {

namespace {

constexpr double kStep = 1.0 / 96;    // s, of an implicit step when nobody says otherwise
constexpr double kGoalDamping = 0.02; // s, times the stiffness

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
        sum.forced += s.forced;
        sum.touching = s.touching;
        sum.smallestGap = std::min(sum.smallestGap, s.smallestGap);
    }
};

class ClothMode final : public SolverMode {
public:
    ClothMode(Detail& detail, const std::string& name, const SceneFile& wanted,
              std::vector<std::string>& warnings)
        : wanted_(wanted), name_(name), pointCount_(detail.points()) {
        in_ = sheetOf(detail, name, wanted, warnings);
        const ClothEntry& entry = wanted.cloth;
        settings_.forces = wanted.settings.forces;
        settings_.integrator.scheme = schemeOf(entry.integrator, "integrator");
        if (entry.iterations > 0) settings_.integrator.linear.maxIterations = entry.iterations;
        if (entry.tolerance > 0) settings_.integrator.linear.tolerance = entry.tolerance;
        settings_.radius = 0.5 * in_.material.thickness;
        settings_.adaptive = entry.adaptive;
        if (entry.selfCollision) {
            std::vector<TrianglePair> first;
            if (const Index n =
                    countIntersections(in_.cloth.x, in_.cloth.mesh.triangles, &first, 1))
                warnings.push_back(
                    name + ": the sheet starts through itself: " + std::to_string(n) +
                    " pairs of triangles (the first is of primitives " +
                    std::to_string(in_.cloth.polygonOf[first[0].a]) + " and " +
                    std::to_string(in_.cloth.polygonOf[first[0].b]) + "); they stay as they are");
        }
    }

    double colliderRadius() const override { return std::max(settings_.radius, 1e-4); }

    void setAnimated(const SceneFile& now) override {
        copyAnimated(now, wanted_);
        settings_.forces = wanted_.settings.forces;
    }

    void start(const std::vector<std::shared_ptr<Collider>>& colliders,
               const std::vector<CollisionSettings>& collision) override {
        const ClothMesh& mesh = in_.cloth.mesh;
        const ClothEntry& entry = wanted_.cloth;
        std::vector<std::unique_ptr<ClothEnergy>> energies;
        energies.push_back(
            makeInPlane(inPlaneModel(entry.inPlane, "inplane"), mesh, in_.material, in_.paint));
        energies.push_back(
            makeBending(bendingModel(entry.bending, "bending"), mesh, in_.material, in_.paint));
        std::vector<ClothGoal> goals;
        for (const SheetGoal& g : in_.goals)
            goals.push_back({g.node, g.stiffness, kGoalDamping * g.stiffness});
        solver_ = std::make_unique<ClothSolver>(mesh, in_.cloth.x, in_.density, std::move(energies),
                                                settings_, std::move(goals));
        if (!in_.velocity.empty()) solver_->setState(in_.cloth.x, in_.velocity);
        solver_->setPins(in_.pins);
        std::vector<CollisionBody> bodies;
        for (std::size_t i = 0; i < colliders.size(); ++i)
            bodies.push_back({colliders[i].get(), collision[i]});
        colliders_ = colliders;
        solver_->setColliders(std::move(bodies));
        seconds_ = wanted_.settings.time.timeScale / wanted_.settings.time.fps;
        steps_ = stepsAFrame(settings_.integrator.scheme);
        if (entry.selfCollision) {
            SelfCollisionSettings s;
            s.thickness = entry.selfThickness.value_or(std::max(1e-3, in_.material.thickness));
            s.friction = entry.selfFriction;
            s.culling = entry.culling;
            auto hook = std::make_unique<SelfHook>(mesh, in_.cloth.x, s);
            hook_ = hook.get();
            solver_->setCollisionHook(std::move(hook));
        }
    }

    void setTargets(const Detail& d, const std::string& name) override {
        if (d.points() != pointCount_)
            throw Error(name, "has " + std::to_string(d.points()) + " points, expected " +
                                  std::to_string(pointCount_) + " as in the sheet");
        const std::vector<Vec3> p = d.positions();
        const Attribute* own = d.findPoint("targetP");
        const bool goal = own && own->type == Attribute::Type::Numeric && own->size == 3;
        const std::vector<Vec3> to = goal ? d.vectors(*own) : p;
        const auto set = [&](Index node, const Vec3& x) {
            if (!x.allFinite())
                throw Error(name + ": point " + std::to_string(in_.cloth.pointOf[node]),
                            "is not finite, expected a position in m");
            in_.targets[node] = x;
        };
        for (Index n : in_.pins) set(n, p[in_.cloth.pointOf[n]]);
        for (const SheetGoal& g : in_.goals) set(g.node, to[in_.cloth.pointOf[g.node]]);
    }

    FrameFigures advance(Monitor& monitor) override {
        const auto begin = std::chrono::steady_clock::now();
        std::vector<Vec3> pins, goals;
        for (Index n : in_.pins) pins.push_back(in_.targets[n]);
        for (const SheetGoal& g : in_.goals) goals.push_back(in_.targets[g.node]);
        solver_->setPinTargets(pins);
        if (!goals.empty()) solver_->setGoalTargets(goals);
        if (hook_) hook_->clear();
        FrameFigures f;
        if (wanted_.cloth.drape) {
            SnapshotWriter before; // a drape has no middle: one that is stopped has not begun
            solver_->save(before);
            before.finish();
            const DrapeReport r = solver_->drape({}, monitor);
            if (!r.converged && monitor.interrupted()) {
                SnapshotReader back(before.bytes(), "frame");
                solver_->load(back);
                f.outcome = FrameFigures::Outcome::Interrupted;
                return f;
            }
            f.iterations = r.iterations;
            f.residual = r.residual;
            if (!r.converged)
                f.warnings.push_back(name_ + ": the drape did not come to rest in " +
                                     std::to_string(r.iterations) + " iterations (residual " +
                                     numberText(r.residual) + ")");
        } else {
            const ClothStepReport r = solver_->advanceFrame(seconds_, steps_, monitor);
            f.steps = r.steps;
            f.iterations = r.solve.linear.iterations;
            f.residual = r.solve.linear.residual;
            f.collisions = r.collision.touching;
            if (solver_->stepsIntoFrame() > 0) f.outcome = FrameFigures::Outcome::Interrupted;
            if (r.broken) {
                f.outcome = FrameFigures::Outcome::Diverged;
                f.reason = r.solve.finite
                               ? "an edge changed by " + numberText(100 * r.strainChange) +
                                     " % in one step, however short"
                               : "a step gave numbers that are none, however short";
            }
        }
        for (const Vec3& x : solver_->x())
            if (f.outcome == FrameFigures::Outcome::Done && !x.allFinite()) {
                f.outcome = FrameFigures::Outcome::Diverged;
                f.reason = "positions are no numbers";
            }
        for (const Vec3& v : solver_->v()) f.maxSpeed = std::max(f.maxSpeed, v.norm());
        f.points = in_.cloth.mesh.points;
        if (hook_) {
            f.contacts = hook_->sum.contacts;
            f.smallestGap = hook_->sum.smallestGap;
            if (hook_->sum.forced > 0)
                f.warnings.push_back(name_ + ": pinned points drove the sheet through itself in " +
                                     std::to_string(hook_->sum.forced) + " places");
        }
        f.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        return f;
    }

    void put(Detail& d, bool positions) const override {
        putSheet(d, in_.cloth, solver_->x(), solver_->v(), positions);
    }
    std::vector<std::string> outputs() const override { return {"P", "v"}; }
    ForceSites forceSites() const override {
        const Span<const Vec3> x = solver_->x(), v = solver_->v();
        const Span<const double> mass = solver_->mass();
        return {{x.begin(), x.end()}, {v.begin(), v.end()}, {mass.begin(), mass.end()}};
    }
    void setForces(const std::vector<Vec3>& perSite) override { solver_->setForces(perSite); }
    std::uint64_t hash() const override { return solver_->hash(); }
    std::size_t bytes() const override {
        // Blocks of the matrix (nine numbers an edge, both ways) and some thirty numbers a node.
        return static_cast<std::size_t>(in_.cloth.mesh.points) * 100 * sizeof(double);
    }
    void save(SnapshotWriter& w) const override { solver_->save(w); }
    void load(SnapshotReader& r) override { solver_->load(r); }

private:
    // As cli/run_cloth.cpp: explicit schemes stay well below the period of the stiffest wave.
    int stepsAFrame(Scheme scheme) const {
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

    SceneFile wanted_;
    std::string name_;
    Index pointCount_;
    SheetInput in_;
    ClothSettings settings_;
    std::unique_ptr<ClothSolver> solver_;
    std::vector<std::shared_ptr<Collider>> colliders_;
    SelfHook* hook_ = nullptr; // the solver's
    double seconds_ = 1;       // of a frame
    int steps_ = 1;
};

} // namespace

std::unique_ptr<SolverMode> makeClothMode(Detail& detail, const std::string& name,
                                          const SceneFile& wanted,
                                          std::vector<std::string>& warnings) {
    return std::make_unique<ClothMode>(detail, name, wanted, warnings);
}

} // namespace purl
