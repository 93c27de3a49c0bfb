// A fabric of crossings from its description to its files: the mode of `purl sim --fabric`.
#include "cli/collider_spec.h"
#include "cli/draft_file.h"
#include "cli/mode.h"
#include "cli/sequence.h"
#include "purl/base/error.h"
#include "purl/base/hash.h"
#include "purl/host/fabric_detail.h"
#include "purl/host/fabric_from_detail.h"
#include "purl/io/geo.h"
#include "purl/mixed/fabric_body.h"
#include "purl/scene/quantity.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>

namespace purl::cli {

namespace {

constexpr double kStep = 1.0 / 480; // s, when nobody says otherwise (physics 7.4: 1 ms)

class FabricMode final : public Mode {
public:
    FabricMode(const SceneFile& wanted, int first, std::vector<std::string>& warnings)
        : wanted_(wanted), first_(first) {
        if (hasFrame(wanted_.fabric.file)) sequence_ = wanted_.fabric.file;
        wanted_.fabric.file = framePath(wanted_.fabric.file, first_);
        const FabricEntry& entry = wanted_.fabric;
        patch_ = loadPatch(entry, name_, warnings);
        const Draft draft = readDraft(entry, warnings);
        draftName_ = draft.name;
        in_ = fabricOf(patch_, name_, wanted_, draft, warnings);
        const CrossingNetwork& net = in_.layout.network;
        FabricSolverSettings settings;
        settings.forces = wanted_.settings.forces;
        settings.sliding = entry.sliding;
        settings.touch.self = entry.selfCollision;
        if (entry.matrixForm == "assembled")
            settings.matrix = FabricMatrix::Assembled;
        else if (entry.matrixForm != "free")
            throw Error("fabric matrix",
                        "'" + entry.matrixForm + "' was found, expected free or assembled");
        curve_.perCrossing = entry.points;
        curve_.twist = entry.twist;
        build(settings, warnings);
        if (!in_.velocity.empty()) solver_->setVelocity(in_.sheet.velocity, in_.velocity);
        solver_->setPins(in_.sheet.pins, in_.pins);
        addColliders();
        seconds_ = wanted_.settings.time.timeScale / wanted_.settings.time.fps;
        steps_ = wanted_.settings.time.substeps;
        if (steps_ <= 0)
            steps_ = static_cast<int>(std::max(1.0, std::ceil(seconds_ / kStep - 1e-9)));
        detail_ =
            fabricDetail(in_.layout, fabricCurves(net, {}, {}, curve_), net.materials[0].name);
    }

    const char* name() const override { return in_.paint.empty() ? "fabric" : "mixed"; }
    double secondsAFrame() const override { return seconds_; }
    int stepsAFrame() const override { return steps_; }
    std::string describe() const override {
        const std::string body = solver_->describe();
        return draftName_ + ": " + std::to_string(in_.layout.network.yarns()) + " yarns, " +
               std::to_string(in_.layout.crossings) + " crossings, " +
               std::to_string(in_.pins.size()) + " pinned, " + std::to_string(colliders_.size()) +
               " colliders; " + (body.empty() ? "" : body + "; ") + std::to_string(steps_) +
               " steps a frame";
    }

    void startAt(int frame) override {
        for (LiveCollider& c : colliders_) c.startAt(frame, first_, seconds_);
    }

    // A frame that is interrupted has not begun: the solver goes back to its start.
    FrameResult advance(int frame, Monitor& monitor) override {
        for (LiveCollider& c : colliders_) c.setFrame(frame, seconds_);
        if (!sequence_.empty()) readPatch(framePath(sequence_, frame));
        if (!in_.paint.empty()) solver_->repaint(regions_); // of this frame, or of a branch
        if (!wanted_.targets.empty()) {
            const std::string path = framePath(wanted_.targets, frame);
            std::vector<std::string> warnings;
            takeTargets(readDetail(path, warnings), path);
        }
        if (!in_.pins.empty())
            solver_->setPinTargets(in_.sheet.targets, pinTargets(in_, in_.sheet.targets));
        const auto start = std::chrono::steady_clock::now();
        SnapshotWriter before;
        solver_->save(before);
        before.finish();
        if (wanted_.fabric.settle > 0 && frame == first_ + 1)
            solver_->settle(kStep, static_cast<int>(std::ceil(wanted_.fabric.settle / kStep)),
                            monitor);
        const FabricReport r = solver_->advanceFrame(seconds_, steps_, monitor);
        FrameResult result;
        if (r.interrupted) {
            SnapshotReader back(before.bytes(), "frame");
            solver_->load(back);
            result.outcome = FrameResult::Outcome::Interrupted;
            return result;
        }
        if (r.broken)
            result.reason = "a step gave numbers that are none, however short";
        else if (const Index n = firstBroken(); n >= 0)
            result.reason = "node " + std::to_string(n) + " is no number";
        if (!result.reason.empty()) result.outcome = FrameResult::Outcome::Broken;
        nlohmann::ordered_json j = {{"frame", frame}};
        j["steps"] = r.steps;
        j["rejected"] = r.rejected;
        j["dt"] = seconds_ / steps_;
        j["newton"] = r.newton;
        j["iterations"] = r.linear;
        j["converged"] = r.converged;
        j["slipping"] = r.slipping;
        j["self_touching"] = r.selfTouching;
        j["collisions"] = r.touching;
        j["outcome"] = result.reason.empty() ? "done" : "diverged";
        addFigures(j);
        j["seconds"] =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        j["hash"] = hexHash(solver_->hash());
        result.figures = j.dump();
        return result;
    }

    void write(const std::string& path, bool, std::vector<std::string>& warnings) override {
        const CrossingNetwork& net = in_.layout.network;
        putFabric(detail_, fabricCurves(net, solver_->x(), solver_->slides(), curve_),
                  alongCurves(net, solver_->v(), curve_));
        writeDetail(path, detail_, &warnings);
        if (wanted_.fabric.nodes.empty()) return;
        const std::string nodes = besidePath(path);
        makeFolderOf(nodes);
        writeDetail(nodes, networkDetail(in_.layout, in_.patch, solver_->x(), solver_->slides()),
                    &warnings);
    }

    void save(SnapshotWriter& w) const override { solver_->save(w); }
    void load(SnapshotReader& r) override { solver_->load(r); }
    int stepsIntoFrame() const override { return 0; }
    double time() const override { return solver_->time(); }
    std::uint64_t hash() const override { return solver_->hash(); }

private:
    // Yarns everywhere, or where the patch is painted with triangles around them.
    void build(const FabricSolverSettings& settings, std::vector<std::string>& warnings) {
        if (in_.paint.empty()) {
            solver_ = makeFabricBody(in_.layout, settings);
            return;
        }
        if (!in_.layout.network.stitches.empty())
            warnings.push_back(name_ + ": triangles beside a knit have the stiffness of a weave of "
                                       "its yarn: they hardly stretch and do not curl");
        regions_ = findRegions(in_.patch.triangles, in_.paint, name_);
        warnings.insert(warnings.end(), regions_.warnings.begin(), regions_.warnings.end());
        solver_ =
            makeMixedBody(in_.patch, in_.layout, regions_, patchMaterial(in_.layout), settings);
    }

    void addColliders() {
        ColliderSizes sizes;
        sizes.yarnRadius = in_.layout.radius;
        sizes.thickness = wanted_.settings.collision.thickness;
        for (const ColliderEntry& entry : wanted_.colliders)
            colliders_.emplace_back(entry, first_, sizes);
        std::vector<CollisionBody> bodies;
        for (const LiveCollider& c : colliders_)
            bodies.push_back({c.collider().get(), c.settings(wanted_.settings.collision)});
        solver_->setColliders(std::move(bodies));
    }

    // A patch that is a sequence: its paint is that of each frame, and its pins go with it unless
    // the targets are files of their own.
    void readPatch(const std::string& path) {
        std::vector<std::string> warnings;
        const Detail d = readDetail(path, warnings);
        takeTargets(d, path);
        if (in_.paint.empty() || wanted_.fabric.region != "paint") return;
        const std::vector<double> paint = paintOf(d, path, in_);
        if (paint.empty())
            throw Error(path, "has neither a point attribute nor a point group 'yarn', expected "
                              "paint in every frame as in the first");
        regions_ = findRegions(in_.patch.triangles, paint, path);
    }

    // Where the patch is at a frame: pins go with the triangles that they are in.
    void takeTargets(const Detail& d, const std::string& path) {
        if (d.points() != patch_.points())
            throw Error(path, "has " + std::to_string(d.points()) + " points, expected " +
                                  std::to_string(patch_.points()) + " as in the patch");
        const std::vector<Vec3> p = d.positions();
        const ClothInput& c = in_.sheet.cloth;
        for (std::size_t n = 0; n < c.pointOf.size(); ++n) {
            if (!p[c.pointOf[n]].allFinite())
                throw Error(path + ": point " + std::to_string(c.pointOf[n]),
                            "is not finite, expected a position in m");
            in_.sheet.targets[n] = p[c.pointOf[n]];
        }
    }

    void addFigures(nlohmann::ordered_json& j) {
        double fastest = 0, shift = 0, stretch = 0;
        for (const Vec3& v : solver_->v()) fastest = std::max(fastest, v.norm());
        const CrossingNetwork& net = in_.layout.network;
        const Span<const Vec3> x = solver_->x(), slides = solver_->slides();
        const auto at = [&](Index v) { return slides[net.node[v]][net.side[v]]; };
        for (Index v = 0; v < net.visitCount(); ++v) {
            shift = std::max(shift, std::abs(at(v) - net.slide[v]));
            if (net.isLast(v)) continue;
            const double rest = at(v + 1) - at(v);
            stretch = std::max(stretch, (x[net.node[v + 1]] - x[net.node[v]]).norm() / rest - 1);
        }
        j["time"] = solver_->time();
        j["max_speed"] = fastest;
        j["max_slide"] = shift;
        j["max_stretch"] = stretch;
        j["energy"] = solver_->energy();
        j["kinetic"] = solver_->kineticEnergy();
        j["bytes"] = solver_->bytes();
    }

    Index firstBroken() const {
        const Span<const Vec3> x = solver_->x();
        for (std::size_t n = 0; n < x.size(); ++n)
            if (!x[n].allFinite()) return static_cast<Index>(n);
        return -1;
    }

    // The network's file of the frame that is written: counted from the first write on.
    std::string besidePath(const std::string& path) {
        const FrameRange range = parseRange(wanted_.frames, "--frames");
        for (int f = range.first; f <= range.last; ++f)
            if (framePath(wanted_.out, f) == path) return framePath(wanted_.fabric.nodes, f);
        return framePath(wanted_.fabric.nodes, first_);
    }

    SceneFile wanted_;
    int first_;
    Detail patch_, detail_;
    std::string name_, draftName_;
    std::string sequence_; // of the patch, if it is one
    FabricInput in_;
    Regions regions_; // where the yarns are, of a painted patch
    FabricCurveSettings curve_;
    std::vector<LiveCollider> colliders_;
    std::unique_ptr<FabricBody> solver_;
    double seconds_ = 1; // of a frame
    int steps_ = 1;
};

} // namespace

std::unique_ptr<Mode> makeFabricMode(const SceneFile& scene, int first,
                                     std::vector<std::string>& warnings) {
    return std::make_unique<FabricMode>(scene, first, warnings);
}

} // namespace purl::cli
