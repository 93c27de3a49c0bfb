// Yarns where the patch is painted, triangles elsewhere, as a mode (physics 8). Polygons of Purl
// Fabric with point attribute `yarn` (0..1), or a point group of that name, come in; all yarns go
// out, those off the paint carried by their triangles: the same ids everywhere.
#include "purl/base/error.h"
#include "purl/base/snapshot.h"
#include "purl/host/attributes.h"
#include "purl/host/fabric_attribute.h"
#include "purl/host/fabric_detail.h"
#include "purl/host/fabric_from_detail.h"
#include "purl/host/mode.h"
#include "purl/mixed/homogenise.h"
#include "purl/mixed/solver.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace purl {

namespace {

constexpr double kStep = 1.0 / 480; // s, as fabrics of crossings
constexpr const char* kPaint = "yarn";

// Per node of the sheet.
std::vector<double> paintOf(const Detail& d, const ClothInput& c, const std::string& name) {
    std::vector<double> paint;
    if (const Attribute* a = scalarAttribute(d, Owner::Point, kPaint)) {
        for (Index q : c.pointOf) paint.push_back(a->real(q));
    } else if (const Group* g = d.findGroup(Owner::Point, kPaint)) {
        for (Index q : c.pointOf) paint.push_back(g->member[q] ? 1.0 : 0.0);
    } else {
        throw Error(name, "has neither a point attribute nor a point group 'yarn', expected paint "
                          "that says where the yarns are");
    }
    return paint;
}

class MixedMode final : public SolverMode {
public:
    MixedMode(Detail& detail, const std::string& name, const SceneFile& wanted,
              std::vector<std::string>& warnings)
        : wanted_(wanted), pointCount_(detail.points()) {
        if (hasFabricEntry(detail)) wanted_.fabric = fabricEntryOf(detail, name);
        const FabricEntry& entry = wanted_.fabric;
        in_ = fabricOf(detail, name, wanted_, draftOf(entry, warnings), warnings);
        const ClothInput& c = in_.sheet.cloth;
        regions_ = findRegions(c.mesh.triangles, paintOf(detail, c, name), name);
        warnings.insert(warnings.end(), regions_.warnings.begin(), regions_.warnings.end());
        curve_.perCrossing = entry.points;
        curve_.twist = entry.twist;
        const CrossingNetwork& net = in_.layout.network;
        detail = fabricDetail(in_.layout, fabricCurves(net, {}, {}, curve_), net.materials[0].name);
        pointMass_.assign(detail.points(), 0.0);
    }

    double colliderRadius() const override { return in_.layout.radius; }

    void start(const std::vector<std::shared_ptr<Collider>>& colliders,
               const std::vector<CollisionSettings>& collision) override {
        MixedSettings settings;
        settings.forces = wanted_.settings.forces;
        settings.sliding = wanted_.fabric.sliding;
        const CrossingMaterial& m = in_.layout.network.materials[0];
        settings.triangles = homogenise(m, m, in_.layout.warpSpacing, in_.layout.weftSpacing);
        const ClothInput& c = in_.sheet.cloth;
        solver_ = std::make_unique<MixedSolver>(c.mesh, c.x, in_.layout, regions_, settings);
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

    FrameFigures advance(Monitor& monitor) override {
        const auto begin = std::chrono::steady_clock::now();
        std::vector<Vec3> nodeTargets = in_.layout.network.x;
        const std::vector<Vec3> held = pinTargets(in_, in_.sheet.targets);
        for (std::size_t k = 0; k < in_.pins.size(); ++k) nodeTargets[in_.pins[k]] = held[k];
        solver_->setPinTargets(in_.sheet.targets, nodeTargets);
        const Bytes before = state();
        const MixedReport r = solver_->advanceFrame(seconds_, steps_, monitor);
        FrameFigures f;
        if (r.interrupted) { // it has not begun
            solver_->setState(before.y, before.rates, before.anchors);
            f.outcome = FrameFigures::Outcome::Interrupted;
            return f;
        }
        if (r.broken) f.reason = "a step gave numbers that are none, however short";
        for (const Vec3& x : solver_->state())
            if (f.reason.empty() && !x.allFinite()) f.reason = "positions are no numbers";
        if (!f.reason.empty()) f.outcome = FrameFigures::Outcome::Diverged;
        for (const Vec3& v : solver_->nodeRates()) f.maxSpeed = std::max(f.maxSpeed, v.norm());
        f.yarns = in_.layout.network.yarns();
        f.points = solver_->patch().network.nodes();
        f.contacts = in_.layout.crossings;
        f.updates = r.slipping;
        f.collisions = r.collision.touching;
        f.iterations = r.linear;
        f.steps = r.steps;
        f.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        return f;
    }

    void put(Detail& d, bool) const override {
        const CrossingNetwork& net = in_.layout.network;
        std::vector<Vec3> x(net.nodes()), slides(net.nodes(), Vec3::Zero()), v(net.nodes());
        solver_->layoutPositions(in_.layout, in_.sheet.cloth.mesh, x);
        for (Index visit = 0; visit < net.visitCount(); ++visit)
            slides[net.node[visit]][net.side[visit]] = net.slide[visit];
        const std::vector<Index>& indexOf = solver_->patch().indexOf;
        const Span<const Vec3> rates = solver_->vertexRates();
        for (Index i = 0; i < net.nodes(); ++i) {
            if (indexOf[i] >= 0) {
                slides[i] = solver_->slides()[indexOf[i]];
                v[i] = solver_->nodeRates()[indexOf[i]];
                continue;
            }
            const auto& t = in_.sheet.cloth.mesh.triangles[in_.layout.triangle[i]];
            const Vec3& w = in_.layout.weights[i];
            v[i] = w[0] * rates[t[0]] + w[1] * rates[t[1]] + w[2] * rates[t[2]];
        }
        putFabric(d, fabricCurves(net, x, slides, curve_), alongCurves(net, v, curve_));
    }
    std::vector<std::string> outputs() const override {
        return {"P", "v", "orient", "N", "slide", "curveu"};
    }
    void setForces(Span<const Vec3>) override {} // its points are not the nodes
    Span<const double> pointMasses() const override { return pointMass_; }
    std::uint64_t hash() const override { return solver_->hash(); }
    std::size_t bytes() const override { return solver_->bytes(); }
    void save(SnapshotWriter& w) const override {
        const Bytes b = state();
        w.begin("mixed", 1);
        w(b.y, b.rates, b.anchors);
        w.end();
    }
    void load(SnapshotReader& r) override {
        Bytes b;
        r.begin("mixed", 1);
        r(b.y, b.rates, b.anchors);
        r.end();
        if (b.y.size() != solver_->state().size() || b.anchors.size() != solver_->anchors().size())
            throw Error(r.name(), "is of another fabric, expected one of as many nodes");
        solver_->setState(b.y, b.rates, b.anchors);
    }

private:
    struct Bytes {
        std::vector<Vec3> y, rates;
        std::vector<double> anchors;
    };
    Bytes state() const {
        const auto copy = [](const auto& span) {
            return std::vector<std::decay_t<decltype(span[0])>>(span.begin(), span.end());
        };
        return {copy(solver_->state()), copy(solver_->rates()), copy(solver_->anchors())};
    }

    SceneFile wanted_;
    Index pointCount_;
    FabricInput in_;
    Regions regions_;
    FabricCurveSettings curve_;
    std::unique_ptr<MixedSolver> solver_;
    std::vector<std::shared_ptr<Collider>> colliders_;
    std::vector<double> pointMass_;
    double seconds_ = 1; // of a frame
    int steps_ = 1;
};

} // namespace

std::unique_ptr<SolverMode> makeMixedMode(Detail& detail, const std::string& name,
                                          const SceneFile& wanted,
                                          std::vector<std::string>& warnings) {
    return std::make_unique<MixedMode>(detail, name, wanted, warnings);
}

} // namespace purl
