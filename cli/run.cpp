#include "cli/run.h"
#include "cli/geometry_file.h"

#include "cli/collider_spec.h"
#include "cli/commands.h"
#include "cli/progress.h"
#include "cli/sequence.h"
#include "cli/stats.h"
#include "cli/units.h"
#include "purl/base/error.h"
#include "purl/base/parallel.h"
#include "purl/host/pattern_detail.h"
#include "purl/host/yarns_from_detail.h"
#include "purl/io/geo.h"
#include "purl/sim/simulation.h"

#include <algorithm>

namespace purl::cli {

namespace {

// Where pins and goals are at a frame, from the file of that frame: goals go to its targetP if it
// has one, everything else to its P.
void readTargets(const std::string& path, double scale, const Detail& input, const SceneInput& in,
                 std::vector<Vec3>& targets) {
    std::vector<std::string> warnings;
    Detail d = readGeometry(path, warnings);
    scaleDetail(d, scale, path, warnings);
    if (d.points() != input.points())
        throw Error(path, "has " + std::to_string(d.points()) + " points, expected " +
                              std::to_string(input.points()) + " as in the yarns");
    const std::vector<Vec3> p = d.positions();
    const Attribute* goalAttribute = d.findPoint("targetP");
    const bool own = goalAttribute && goalAttribute->type == Attribute::Type::Numeric &&
                     goalAttribute->size == 3;
    const std::vector<Vec3> goal = own ? d.vectors(*goalAttribute) : p;
    const auto put = [&](Index node, const Vec3& x) {
        if (!x.allFinite())
            throw Error(path + ": point " + std::to_string(in.yarns.pointOf[node]),
                        "is not finite, expected a position in m");
        targets[node] = x;
    };
    for (Index n : in.scene.pins) put(n, p[in.yarns.pointOf[n]]);
    for (const Goal& g : in.scene.goals) put(g.node, goal[in.yarns.pointOf[g.node]]);
}

class Run {
public:
    Run(const SceneFile& wanted, const RunOptions& options)
        : wanted_(wanted), threads_(wanted.threads), range_(parseRange(wanted.frames, "--frames")),
          progress_(progressStyle(options.progress, options.quiet), range_.first, range_.count()) {
        build();
    }

    int go() {
        write(range_.first);
        for (int frame = range_.first + 1; frame <= range_.last; ++frame) {
            if (interruptedNow(frame - 1)) return Interrupted;
            for (LiveCollider& c : colliders_) c.setFrame(frame, seconds_);
            if (!wanted_.targets.empty())
                readTargets(framePath(wanted_.targets, frame), wanted_.yarns.scale, detail_, input_,
                            input_.targets);
            if (moving_) sim_->setTargets(input_.targets);
            const FrameReport report = sim_->advanceFrame(progress_);
            if (report.outcome == FrameReport::Outcome::Interrupted && interruptedNow(frame - 1))
                return Interrupted;
            stats_.add(frame, report, *sim_);
            if (report.outcome == FrameReport::Outcome::Diverged)
                throw Error(
                    "frame " + std::to_string(frame),
                    "the simulation diverged: " + report.reason +
                        ", expected finite positions (more --substeps may help); frames up to " +
                        std::to_string(frame - 1) + " are whole",
                    Error::Kind::Diverged);
            write(frame);
        }
        return Ok;
    }

private:
    void build() {
        std::vector<std::string> warnings;
        std::string name;
        detail_ = loadYarns(wanted_, name, warnings);
        Settings settings = settingsOf(wanted_);
        input_ = sceneOf(detail_, name, wanted_, warnings);
        putRadii(detail_, input_.yarns);
        Scene& s = input_.scene;
        s.settings = settings;
        validate(s, name);
        refuseCrossings(s, name);
        ColliderSizes sizes;
        sizes.yarnRadius = *std::max_element(s.yarns.radius.begin(), s.yarns.radius.end());
        sizes.thickness = settings.collision.thickness;
        for (const ColliderEntry& entry : wanted_.colliders) {
            colliders_.emplace_back(entry, range_.first, sizes);
            s.colliders.push_back(colliders_.back().collider());
            s.collision.push_back(colliders_.back().settings(settings.collision));
        }
        seconds_ = settings.time.timeScale / settings.time.fps;
        moving_ = !wanted_.targets.empty() || detail_.findPoint("targetP");
        for (const std::string& w : warnings) progress_.warning(w);
        sim_ = std::make_unique<Simulation>(s);
        const int steps =
            settings.time.substeps > 0
                ? settings.time.substeps
                : std::max(1, static_cast<int>(std::ceil(seconds_ / sim_->automaticStep())));
        progress_.note(std::to_string(s.yarns.yarns()) + " yarns, " +
                       std::to_string(s.yarns.points()) + " points, " +
                       std::to_string(s.pins.size()) + " pinned, " +
                       std::to_string(s.colliders.size()) + " colliders; " + std::to_string(steps) +
                       " steps a frame");
    }

    void write(int frame) {
        std::vector<Eigen::Vector4d> q;
        for (Index n = 0; n < input_.yarns.curves.points(); ++n) q.push_back(sim_->orientation(n));
        // The first frame is the input: its positions are not touched, not even in their last bit.
        if (frame != range_.first) putPositions(detail_, input_.yarns, sim_->positions());
        putVelocities(detail_, input_.yarns, sim_->velocities());
        putOrientations(detail_, input_.yarns, q);
        const ContactSettings& contact = input_.scene.settings.contact;
        if (contact.enabled)
            putContacts(detail_, input_.yarns, sim_->contactForces(),
                        contact.method == ContactMethod::Acl ? sim_->contactUpdates()
                                                             : std::vector<int>{});
        const std::string path = framePath(wanted_.out, frame);
        makeFolderOf(path);
        if (frame == range_.first) {
            stats_.open(wanted_.stats);
            stats_.first(frame, *sim_);
        }
        std::vector<std::string> warnings;
        writeDetail(path, detail_, &warnings);
        for (const std::string& w : warnings)
            if (frame == range_.first) progress_.warning(w);
        progress_.frameDone(frame);
    }

    bool interruptedNow(int lastWhole) {
        if (!progress_.interrupted()) return false;
        progress_.warning("interrupted; frames up to " + std::to_string(lastWhole) + " are whole");
        return true;
    }

    SceneFile wanted_;
    ThreadLimit threads_;
    FrameRange range_;
    Progress progress_;
    Stats stats_;
    Detail detail_;
    SceneInput input_;
    std::vector<LiveCollider> colliders_;
    std::unique_ptr<Simulation> sim_;
    double seconds_ = 1; // of a frame
    bool moving_ = false;
};

} // namespace

Settings settingsOf(const SceneFile& scene) {
    Settings s = scene.settings;
    if (scene.contact == "none")
        s.contact.enabled = false;
    else if (scene.contact == "exact")
        s.contact.method = ContactMethod::Exact;
    else if (scene.contact != "acl")
        throw Error("--contact", "is '" + scene.contact + "', expected acl, exact or none");
    return s;
}

Detail loadYarns(const SceneFile& scene, std::string& name, std::vector<std::string>& warnings) {
    if (!scene.yarns.file.empty()) {
        name = scene.yarns.file;
        Detail d = readGeometry(name, warnings);
        scaleDetail(d, scene.yarns.scale, name, warnings);
        return d;
    }
    if (!scene.pattern) throw Error("--yarns", "is missing, expected a geometry file with curves");
    name = "pattern " + scene.pattern->settings.name;
    return patternDetail(*scene.pattern);
}

int runScene(const SceneFile& scene, const RunOptions& options) {
    if (scene.cloth.there()) return runCloth(scene, options);
    return Run(scene, options).go();
}

} // namespace purl::cli
