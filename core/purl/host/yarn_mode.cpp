// Yarns with linearized (or exact) contact as a mode. What it does, in which order, is what
// `purl sim` does: the same input gives the same bits.
#include "purl/base/error.h"
#include "purl/host/animated.h"
#include "purl/host/mode.h"
#include "purl/host/yarns_from_detail.h"
#include "purl/sim/simulation.h"

#include <algorithm>

namespace purl {

namespace {

class YarnMode final : public SolverMode {
public:
    YarnMode(Detail& detail, const std::string& name, const SceneFile& wanted,
             std::vector<std::string>& warnings)
        : name_(name), wanted_(wanted) {
        Settings& settings = wanted_.settings;
        if (wanted.contact == "none")
            settings.contact.enabled = false;
        else if (wanted.contact == "exact")
            settings.contact.method = ContactMethod::Exact;
        else if (wanted.contact != "acl")
            throw Error("contact", "is '" + wanted.contact + "', expected acl, exact or none");
        in_ = sceneOf(detail, name, wanted, warnings);
        if (in_.yarns.curves.yarns() == 0)
            throw Error(name, "has no curves (" + std::to_string(detail.primitives()) +
                                  " primitives of other kinds), expected yarns as polylines");
        putRadii(detail, in_.yarns);
        in_.scene.settings = settings;
        validate(in_.scene, name);
        refuseCrossings(in_.scene, name);
        pointCount_ = detail.points();
        moving_ = detail.findPoint("targetP") != nullptr;
    }

    double colliderRadius() const override {
        const std::vector<double>& r = in_.scene.yarns.radius;
        return *std::max_element(r.begin(), r.end());
    }

    void setAnimated(const SceneFile& now) override {
        copyAnimated(now, wanted_);
        in_.scene.settings = wanted_.settings;
        validate(in_.scene, name_);
    }

    void start(const std::vector<std::shared_ptr<Collider>>& colliders,
               const std::vector<CollisionSettings>& collision) override {
        in_.scene.colliders = colliders;
        in_.scene.collision = collision;
        sim_ = std::make_unique<Simulation>(in_.scene);
        nodeMass_.assign(in_.yarns.pointOf.size(), 0.0);
        const Curves& c = in_.scene.yarns;
        const std::vector<Vec3>& x = in_.scene.rest.empty() ? c.x : in_.scene.rest;
        for (Index y = 0; y < c.yarns(); ++y) // half of each edge to each of its ends
            for (Index e = 0; e < c.edges(y); ++e) {
                const Index a = c.first[y] + e, b = c.first[y] + (e + 1) % c.size(y);
                const double half = 0.5 * in_.scene.material[y].density * (x[b] - x[a]).norm();
                nodeMass_[a] += half;
                nodeMass_[b] += half;
            }
    }

    void setTargets(const Detail& d, const std::string& name) override {
        if (d.points() != pointCount_)
            throw Error(name, "has " + std::to_string(d.points()) + " points, expected " +
                                  std::to_string(pointCount_) + " as in the yarns");
        const std::vector<Vec3> p = d.positions();
        const Attribute* own = d.findPoint("targetP");
        const bool ownGoals = own && own->type == Attribute::Type::Numeric && own->size == 3;
        const std::vector<Vec3> goal = ownGoals ? d.vectors(*own) : p;
        const auto set = [&](Index node, const Vec3& x) {
            if (!x.allFinite())
                throw Error(name + ": point " + std::to_string(in_.yarns.pointOf[node]),
                            "is not finite, expected a position in m");
            in_.targets[node] = x;
        };
        for (Index n : in_.scene.pins) set(n, p[in_.yarns.pointOf[n]]);
        for (const Goal& g : in_.scene.goals) set(g.node, goal[in_.yarns.pointOf[g.node]]);
        moving_ = true;
    }

    FrameFigures advance(Monitor& monitor) override {
        if (moving_) sim_->setTargets(in_.targets);
        const FrameReport r = sim_->advanceFrame(monitor);
        FrameFigures f;
        f.outcome = r.outcome == FrameReport::Outcome::Done ? FrameFigures::Outcome::Done
                    : r.outcome == FrameReport::Outcome::Interrupted
                        ? FrameFigures::Outcome::Interrupted
                        : FrameFigures::Outcome::Diverged;
        f.reason = r.reason;
        f.yarns = in_.scene.yarns.yarns();
        f.points = in_.scene.yarns.points();
        f.contacts = r.touching;
        f.updates = r.rebuilds;
        f.collisions = r.collisions;
        f.smallestGap = r.smallestGap;
        f.maxSpeed = r.maxSpeed;
        f.iterations = r.iterations;
        f.residual = r.maxStrain;
        long back = 0;
        for (const long n : r.rejected) back += n;
        if (back > 0)
            f.warnings.push_back(
                name_ + ": " + std::to_string(back) +
                " steps were taken back and made shorter (the first: " + r.firstRejected + ")");
        f.seconds = r.seconds;
        f.steps = r.steps;
        contactBytes_ = static_cast<std::size_t>(r.linearized.bytes);
        return f;
    }

    void put(Detail& d, bool positions) const override {
        std::vector<Eigen::Vector4d> q;
        for (Index n = 0; n < in_.yarns.curves.points(); ++n) q.push_back(sim_->orientation(n));
        if (positions) putPositions(d, in_.yarns, sim_->positions());
        putVelocities(d, in_.yarns, sim_->velocities());
        putOrientations(d, in_.yarns, q);
        const ContactSettings& contact = in_.scene.settings.contact;
        if (contact.enabled)
            putContacts(d, in_.yarns, sim_->contactForces(),
                        contact.method == ContactMethod::Acl ? sim_->contactUpdates()
                                                             : std::vector<int>{});
    }

    std::vector<std::string> outputs() const override {
        std::vector<std::string> names = {"P", "v", "orient", "pscale"};
        const ContactSettings& contact = in_.scene.settings.contact;
        if (contact.enabled) names.push_back("contactforce");
        if (contact.enabled && contact.method == ContactMethod::Acl) names.push_back("aclupdates");
        return names;
    }

    ForceSites forceSites() const override {
        return {sim_->positions(), sim_->velocities(), nodeMass_};
    }
    void setForces(const std::vector<Vec3>& perSite) override { sim_->setForces(perSite); }
    std::uint64_t hash() const override { return sim_->hash(); }
    std::size_t bytes() const override {
        // Positions, velocities, frames, rest shape and the like: some forty numbers a node.
        return static_cast<std::size_t>(in_.scene.yarns.points()) * 40 * sizeof(double) +
               contactBytes_;
    }
    void save(SnapshotWriter& w) const override { sim_->save(w); }
    void load(SnapshotReader& r) override { sim_->load(r); }

private:
    std::string name_;
    SceneFile wanted_;
    SceneInput in_;
    std::unique_ptr<Simulation> sim_;
    Index pointCount_ = 0;
    bool moving_ = false;
    std::vector<double> nodeMass_; // kg
    std::size_t contactBytes_ = 0;
};

} // namespace

std::unique_ptr<SolverMode> makeYarnMode(Detail& detail, const std::string& name,
                                         const SceneFile& wanted,
                                         std::vector<std::string>& warnings) {
    return std::make_unique<YarnMode>(detail, name, wanted, warnings);
}

} // namespace purl
