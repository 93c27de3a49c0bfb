// A fabric of crossings, or yarns and triangles mixed where it is painted, as a mode. What it does,
// in which order, is what `purl sim --fabric` does: the same input gives the same bits. Polygons
// come in, the yarns that were laid on them go out, those off the paint carried by triangles.
#include "purl/base/error.h"
#include "purl/base/snapshot.h"
#include "purl/host/animated.h"
#include "purl/host/fabric_attribute.h"
#include "purl/host/fabric_detail.h"
#include "purl/host/fabric_from_detail.h"
#include "purl/host/mode.h"
#include "purl/mixed/fabric_body.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace purl {

namespace {

constexpr double kStep = 1.0 / 480; // s, when nobody says otherwise (physics 7.4: 1 ms)

class FabricMode final : public SolverMode {
public:
    FabricMode(Detail& detail, const std::string& name, const SceneFile& wanted, bool mixed,
               std::vector<std::string>& warnings)
        : wanted_(wanted), pointCount_(detail.points()) {
        if (hasFabricEntry(detail)) wanted_.fabric = fabricEntryOf(detail, name);
        wanted_.fabric.region = mixed ? "paint" : "all";
        const FabricEntry& entry = wanted_.fabric;
        in_ = fabricOf(detail, name, wanted_, draftOf(entry, warnings), warnings);
        if (mixed && in_.paint.empty())
            throw Error(name, "has neither a point attribute nor a point group 'yarn', expected "
                              "paint that says where the yarns are");
        if (mixed) {
            regions_ = findRegions(in_.patch.triangles, in_.paint, name);
            warnings.insert(warnings.end(), regions_.warnings.begin(), regions_.warnings.end());
        }
        curve_.perCrossing = entry.points;
        curve_.twist = entry.twist;
        const CrossingNetwork& net = in_.layout.network;
        detail = fabricDetail(in_.layout, fabricCurves(net, {}, {}, curve_), net.materials[0].name);
        settled_ = !(wanted_.fabric.settle > 0);
    }

    double colliderRadius() const override { return in_.layout.radius; }

    void setAnimated(const SceneFile& now) override { copyAnimated(now, wanted_); }

    void start(const std::vector<std::shared_ptr<Collider>>& colliders,
               const std::vector<CollisionSettings>& collision) override {
        FabricSolverSettings settings;
        settings.forces = wanted_.settings.forces;
        settings.sliding = wanted_.fabric.sliding;
        settings.touch.self = wanted_.fabric.selfCollision;
        solver_ = in_.paint.empty() ? makeFabricBody(in_.layout, settings)
                                    : makeMixedBody(in_.patch, in_.layout, regions_,
                                                    patchMaterial(in_.layout), settings);
        if (!in_.velocity.empty()) solver_->setVelocity(in_.sheet.velocity, in_.velocity);
        solver_->setPins(in_.sheet.pins, in_.pins);
        std::vector<CollisionBody> bodies;
        for (std::size_t i = 0; i < colliders.size(); ++i)
            bodies.push_back({colliders[i].get(), collision[i]});
        colliders_ = colliders;
        solver_->setColliders(std::move(bodies));
        seconds_ = wanted_.settings.time.timeScale / wanted_.settings.time.fps;
        steps_ = wanted_.settings.time.substeps;
        if (steps_ <= 0)
            steps_ = static_cast<int>(std::max(1.0, std::ceil(seconds_ / kStep - 1e-9)));
    }

    void setTargets(const Detail& d, const std::string& name) override {
        if (d.points() != pointCount_)
            throw Error(name, "has " + std::to_string(d.points()) + " points, expected " +
                                  std::to_string(pointCount_) + " as in the patch");
        const std::vector<Vec3> p = d.positions();
        const std::vector<Index>& pointOf = in_.sheet.cloth.pointOf;
        for (std::size_t n = 0; n < pointOf.size(); ++n) {
            if (!p[pointOf[n]].allFinite())
                throw Error(name + ": point " + std::to_string(pointOf[n]),
                            "is not finite, expected a position in m");
            in_.sheet.targets[n] = p[pointOf[n]];
        }
    }

    bool painted() const override { return !in_.paint.empty(); }
    void setPaint(const Detail& d, const std::string& name) override {
        if (!painted()) return;
        if (d.points() != pointCount_)
            throw Error(name, "has " + std::to_string(d.points()) + " points, expected " +
                                  std::to_string(pointCount_) + " as in the patch");
        const std::vector<double> paint = paintOf(d, name, in_);
        if (paint.empty())
            throw Error(name, "has neither a point attribute nor a point group 'yarn', expected "
                              "paint in every frame as in the first");
        const Regions now = findRegions(in_.patch.triangles, paint, name);
        told_ = now.warnings;
        solver_->repaint(now);
    }

    // A frame that is interrupted has not begun: the solver goes back to its start.
    FrameFigures advance(Monitor& monitor) override {
        const auto begin = std::chrono::steady_clock::now();
        if (!in_.pins.empty())
            solver_->setPinTargets(in_.sheet.targets, pinTargets(in_, in_.sheet.targets));
        SnapshotWriter before;
        solver_->save(before);
        before.finish();
        if (!settled_)
            solver_->settle(kStep, static_cast<int>(std::ceil(wanted_.fabric.settle / kStep)),
                            monitor);
        const FabricReport r = solver_->advanceFrame(seconds_, steps_, monitor);
        FrameFigures f;
        f.warnings.swap(told_);
        if (r.interrupted) {
            SnapshotReader back(before.bytes(), "frame");
            solver_->load(back);
            f.outcome = FrameFigures::Outcome::Interrupted;
            return f;
        }
        settled_ = true;
        if (r.broken) f.reason = "a step gave numbers that are none, however short";
        const Span<const Vec3> x = solver_->x();
        for (std::size_t n = 0; n < x.size() && f.reason.empty(); ++n)
            if (!x[n].allFinite()) f.reason = "node " + std::to_string(n) + " is no number";
        if (!f.reason.empty()) f.outcome = FrameFigures::Outcome::Diverged;
        for (const Vec3& v : solver_->v()) f.maxSpeed = std::max(f.maxSpeed, v.norm());
        f.yarns = in_.layout.network.yarns();
        f.points = in_.layout.network.nodes();
        f.contacts = in_.layout.crossings;
        f.updates = r.slipping;
        f.collisions = r.touching;
        f.iterations = r.linear;
        f.steps = r.steps;
        f.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        return f;
    }

    void put(Detail& d, bool) const override {
        const CrossingNetwork& net = in_.layout.network;
        putFabric(d, fabricCurves(net, solver_->x(), solver_->slides(), curve_),
                  alongCurves(net, solver_->v(), curve_));
    }
    std::vector<std::string> outputs() const override {
        return {"P", "v", "orient", "N", "slide", "curveu"};
    }
    ForceSites forceSites() const override {
        FabricBody::Sites s = solver_->sites();
        return {std::move(s.x), std::move(s.v), std::move(s.mass)};
    }
    void setForces(const std::vector<Vec3>& perSite) override { solver_->setForces(perSite); }
    std::uint64_t hash() const override { return solver_->hash(); }
    std::size_t bytes() const override { return solver_->bytes(); }
    void save(SnapshotWriter& w) const override {
        w.begin("fabric host", 1);
        w.put(settled_);
        w.end();
        solver_->save(w);
    }
    void load(SnapshotReader& r) override {
        r.begin("fabric host", 1);
        r.get(settled_);
        r.end();
        solver_->load(r);
    }

private:
    SceneFile wanted_;
    Index pointCount_;
    FabricInput in_;
    FabricCurveSettings curve_;
    Regions regions_; // of a mixed one
    std::unique_ptr<FabricBody> solver_;
    std::vector<std::shared_ptr<Collider>> colliders_;
    std::vector<std::string> told_; // of paint that changed, for the next frame's figures
    double seconds_ = 1;            // of a frame
    int steps_ = 1;
    bool settled_ = true;
};

} // namespace

std::unique_ptr<SolverMode> makeFabricMode(Detail& detail, const std::string& name,
                                           const SceneFile& wanted,
                                           std::vector<std::string>& warnings) {
    return std::make_unique<FabricMode>(detail, name, wanted, false, warnings);
}

std::unique_ptr<SolverMode> makeMixedMode(Detail& detail, const std::string& name,
                                          const SceneFile& wanted,
                                          std::vector<std::string>& warnings) {
    return std::make_unique<FabricMode>(detail, name, wanted, true, warnings);
}

} // namespace purl
