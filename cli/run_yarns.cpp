// Yarns from their description to their files: the mode of `purl sim --yarns`.
#include "cli/collider_spec.h"
#include "cli/geometry_file.h"
#include "cli/mode.h"
#include "cli/run.h"
#include "cli/sequence.h"
#include "cli/stats.h"
#include "cli/units.h"
#include "purl/base/error.h"
#include "purl/host/pattern_detail.h"
#include "purl/host/yarns_from_detail.h"
#include "purl/io/geo.h"
#include "purl/sim/simulation.h"

#include <algorithm>
#include <cmath>

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

class YarnMode final : public Mode {
public:
    YarnMode(const SceneFile& wanted, int first, std::vector<std::string>& warnings)
        : wanted_(wanted), first_(first) {
        std::string name;
        detail_ = loadYarns(wanted_, name, warnings);
        const Settings settings = settingsOf(wanted_);
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
            colliders_.emplace_back(entry, first, sizes);
            s.colliders.push_back(colliders_.back().collider());
            s.collision.push_back(colliders_.back().settings(settings.collision));
        }
        seconds_ = settings.time.timeScale / settings.time.fps;
        moving_ = !wanted_.targets.empty() || detail_.findPoint("targetP");
        sim_ = std::make_unique<Simulation>(s);
    }

    const char* name() const override { return "yarns"; }
    double secondsAFrame() const override { return seconds_; }
    int stepsAFrame() const override {
        const int substeps = wanted_.settings.time.substeps;
        return substeps > 0
                   ? substeps
                   : std::max(1, static_cast<int>(std::ceil(seconds_ / sim_->automaticStep())));
    }
    std::string describe() const override {
        const Scene& s = input_.scene;
        return std::to_string(s.yarns.yarns()) + " yarns, " + std::to_string(s.yarns.points()) +
               " points, " + std::to_string(s.pins.size()) + " pinned, " +
               std::to_string(s.colliders.size()) + " colliders; " + std::to_string(stepsAFrame()) +
               " steps a frame";
    }

    void startAt(int frame) override {
        for (LiveCollider& c : colliders_) c.startAt(frame, first_, seconds_);
    }

    FrameResult advance(int frame, Monitor& monitor) override {
        for (LiveCollider& c : colliders_) c.setFrame(frame, seconds_);
        if (!wanted_.targets.empty())
            readTargets(framePath(wanted_.targets, frame), wanted_.yarns.scale, detail_, input_,
                        input_.targets);
        if (moving_) sim_->setTargets(input_.targets);
        const FrameReport report = sim_->advanceFrame(monitor);
        FrameResult result;
        if (report.outcome == FrameReport::Outcome::Interrupted)
            result.outcome = FrameResult::Outcome::Interrupted;
        else
            result.figures = frameFigures(frame, report, *sim_);
        if (report.outcome == FrameReport::Outcome::Diverged)
            result.reason = "the simulation diverged: " + report.reason +
                            ", expected finite positions (more --substeps may help)";
        if (report.outcome == FrameReport::Outcome::PassedThrough)
            result.reason = "yarn would pass through yarn: " + report.reason +
                            ", expected yarns that stay apart (softer pulls, stiffer contact or "
                            "slower colliders may help)";
        if (!result.reason.empty()) result.outcome = FrameResult::Outcome::Broken;
        return result;
    }

    void write(const std::string& path, bool untouchedInput,
               std::vector<std::string>& warnings) override {
        std::vector<Eigen::Vector4d> q;
        for (Index n = 0; n < input_.yarns.curves.points(); ++n) q.push_back(sim_->orientation(n));
        // The first frame is the input: its positions are not touched, not even in their last bit.
        if (!untouchedInput) putPositions(detail_, input_.yarns, sim_->positions());
        putVelocities(detail_, input_.yarns, sim_->velocities());
        putOrientations(detail_, input_.yarns, q);
        const ContactSettings& contact = input_.scene.settings.contact;
        if (contact.enabled)
            putContacts(detail_, input_.yarns, sim_->contactForces(),
                        contact.method == ContactMethod::Acl ? sim_->contactUpdates()
                                                             : std::vector<int>{});
        writeDetail(path, detail_, &warnings);
    }

    void save(SnapshotWriter& w) const override { sim_->save(w); }
    void load(SnapshotReader& r) override { sim_->load(r); }
    int stepsIntoFrame() const override { return sim_->stepsIntoFrame(); }
    double time() const override { return sim_->time(); }
    std::uint64_t hash() const override { return sim_->hash(); }

private:
    SceneFile wanted_;
    int first_;
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

std::unique_ptr<Mode> makeYarnMode(const SceneFile& scene, int first,
                                   std::vector<std::string>& warnings) {
    return std::make_unique<YarnMode>(scene, first, warnings);
}

} // namespace purl::cli
