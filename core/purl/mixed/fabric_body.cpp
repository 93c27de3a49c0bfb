#include "purl/mixed/fabric_body.h"

#include "purl/base/snapshot.h"
#include "purl/cloth/sheets.h"
#include "purl/mixed/homogenise.h"
#include "purl/mixed/solver.h"

namespace purl {

namespace {

class YarnBody final : public FabricBody {
public:
    YarnBody(const FabricLayout& layout, const FabricSolverSettings& settings)
        : solver_(layout.network, settings) {
        solver_.setFrozen(layout.network.frozen);
    }
    void setVelocity(Span<const Vec3>, Span<const Vec3> perNode) override {
        const Span<const Vec3> q = solver_.unknowns();
        std::vector<Vec3> rates(q.size(), Vec3::Zero());
        std::copy(perNode.begin(), perNode.end(), rates.begin());
        solver_.setState(std::vector<Vec3>(q.begin(), q.end()), rates);
    }
    void setPins(Span<const Index>, std::vector<Index> nodes) override {
        solver_.setPins(std::move(nodes));
    }
    void setPinTargets(Span<const Vec3>, Span<const Vec3> perPin) override {
        solver_.setPinTargets(perPin);
    }
    void setColliders(std::vector<CollisionBody> bodies) override {
        solver_.setColliders(std::move(bodies));
    }
    bool repaint(const Regions&) override { return false; }
    Sites sites() const override {
        const Span<const Vec3> x = solver_.x(), v = solver_.v();
        const Span<const double> mass = solver_.mass();
        return {{x.begin(), x.end()}, {v.begin(), v.end()}, {mass.begin(), mass.end()}};
    }
    void setForces(std::vector<Vec3> newtons) override { solver_.setExternal(std::move(newtons)); }
    FabricReport advanceFrame(double seconds, int substeps, Monitor& monitor) override {
        return solver_.advanceFrame(seconds, substeps, monitor);
    }
    FabricReport settle(double dt, int steps, Monitor& monitor) override {
        return solver_.settle(dt, steps, 0, monitor);
    }
    Span<const Vec3> x() override { return solver_.x(); }
    Span<const Vec3> v() override { return solver_.v(); }
    Span<const Vec3> slides() override { return solver_.slides(); }
    Span<const Vec3> points() override { return {}; }
    double energy() override { return solver_.energy(); }
    double kineticEnergy() const override { return solver_.kineticEnergy(); }
    double time() const override { return solver_.time(); }
    std::uint64_t hash() const override { return solver_.hash(); }
    std::size_t bytes() const override { return solver_.bytes(); }
    std::string describe() const override { return ""; }
    void save(SnapshotWriter& w) const override { solver_.save(w); }
    void load(SnapshotReader& r) override { solver_.load(r); }

private:
    FabricSolver solver_;
};

MixedSettings mixedSettings(const FabricSolverSettings& s, const ClothMaterial& material) {
    MixedSettings m;
    m.forces = s.forces;
    m.triangles = material;
    m.newtonIterations = s.newtonIterations;
    m.newtonTolerance = s.newtonTolerance;
    m.stillMove = s.stillMove;
    m.friction = s.friction;
    m.sliding = s.sliding;
    m.touch = s.touch;
    m.adaptive = s.adaptive;
    m.control = s.control;
    return m;
}

class MixedBody final : public FabricBody {
public:
    MixedBody(const FabricPatch& patch, const FabricLayout& layout, const Regions& regions,
              const ClothMaterial& material, const FabricSolverSettings& settings)
        : layout_(layout), regions_(regions), mesh_(patchMesh(patch)),
          settings_(mixedSettings(settings, material)),
          solver_(std::make_unique<MixedSolver>(mesh_, patch.x, layout, regions, settings_)),
          x_(layout.network.x.size()), v_(x_.size()), slides_(x_.size(), Vec3::Zero()) {
        const CrossingNetwork& net = layout.network;
        for (Index k = 0; k < net.visitCount(); ++k)
            slides_[net.node[k]][net.side[k]] = net.slide[k];
    }
    void setVelocity(Span<const Vec3> perPoint, Span<const Vec3> perNode) override {
        const Span<const Vec3> y = solver_->state(), a0 = solver_->rates();
        std::vector<Vec3> rates(a0.begin(), a0.end());
        std::copy(perPoint.begin(), perPoint.end(), rates.begin());
        const std::vector<Index>& from = solver_->patch().nodeOf;
        for (std::size_t i = 0; i < from.size(); ++i) rates[perPoint.size() + i] = perNode[from[i]];
        const Span<const double> anchors = solver_->anchors();
        solver_->setState(std::vector<Vec3>(y.begin(), y.end()), rates,
                          std::vector<double>(anchors.begin(), anchors.end()));
    }
    void setPins(Span<const Index> points, std::vector<Index> nodes) override {
        pins_ = std::move(nodes);
        points_.assign(points.begin(), points.end());
        solver_->setPins(points_, pins_);
    }
    void setPinTargets(Span<const Vec3> perPoint, Span<const Vec3> perPin) override {
        std::vector<Vec3> perNode(x_.size(), Vec3::Zero());
        for (std::size_t k = 0; k < pins_.size(); ++k) perNode[pins_[k]] = perPin[k];
        solver_->setPinTargets(perPoint, perNode);
    }
    void setColliders(std::vector<CollisionBody> bodies) override {
        bodies_ = bodies;
        solver_->setColliders(std::move(bodies));
    }
    bool repaint(const Regions& regions) override {
        if (regions.face == regions_.face && regions.alpha == regions_.alpha) return true;
        regions_ = regions;
        auto next = std::make_unique<MixedSolver>(
            mesh_, std::vector<Vec3>(solver_->vertices().begin(), solver_->vertices().end()),
            layout_, regions, settings_);
        next->adopt(*solver_, layout_);
        next->setPins(points_, pins_);
        next->setColliders(bodies_);
        solver_ = std::move(next);
        return true;
    }
    Sites sites() const override {
        Sites s;
        for (const Span<const Vec3> part : {solver_->vertices(), solver_->nodes()})
            s.x.insert(s.x.end(), part.begin(), part.end());
        for (const Span<const Vec3> part : {solver_->vertexRates(), solver_->nodeRates()})
            s.v.insert(s.v.end(), part.begin(), part.end());
        s.mass = solver_->masses();
        return s;
    }
    void setForces(std::vector<Vec3> newtons) override { solver_->setExternal(std::move(newtons)); }
    FabricReport advanceFrame(double seconds, int substeps, Monitor& monitor) override {
        return report(solver_->advanceFrame(seconds, substeps, monitor));
    }
    FabricReport settle(double dt, int steps, Monitor& monitor) override {
        return report(solver_->settle(dt, steps, monitor));
    }
    Span<const Vec3> x() override {
        solver_->layoutPositions(layout_, x_, v_);
        return x_;
    }
    Span<const Vec3> v() override {
        solver_->layoutPositions(layout_, x_, v_);
        return v_;
    }
    Span<const Vec3> slides() override {
        const std::vector<Index>& from = solver_->patch().nodeOf;
        for (std::size_t i = 0; i < from.size(); ++i) slides_[from[i]] = solver_->slides()[i];
        return slides_;
    }
    Span<const Vec3> points() override { return solver_->vertices(); }
    double energy() override { return solver_->energy(); }
    double kineticEnergy() const override { return solver_->kineticEnergy(); }
    double time() const override { return solver_->time(); }
    std::uint64_t hash() const override { return solver_->hash(); }
    std::size_t bytes() const override { return solver_->bytes(); }
    std::string describe() const override {
        const EnrichedPatch& p = solver_->patch();
        Index whole = 0, ring = 0;
        for (Index v : p.embedding.carriers()) ring += v >= 0;
        for (double m : p.vertexMass) whole += m > 0;
        return std::to_string(p.yarnNodes) + " crossings of yarn alone, " +
               std::to_string(p.hybridNodes) + " that ride on " + std::to_string(ring) + " of " +
               std::to_string(whole) + " vertices";
    }
    void save(SnapshotWriter& w) const override {
        w.begin("paint", 1);
        w(regions_.face, regions_.alpha, regions_.free, regions_.yarnFaces, regions_.hybridFaces);
        w.end();
        solver_->save(w);
    }
    void load(SnapshotReader& r) override {
        r.begin("paint", 1);
        Regions then;
        r.getSized(then.face, regions_.face.size(), "triangles");
        r.getSized(then.alpha, regions_.alpha.size(), "vertices");
        r.getSized(then.free, regions_.free.size(), "vertices");
        r(then.yarnFaces, then.hybridFaces);
        r.end();
        repaint(then);
        solver_->load(r);
    }

private:
    static FabricReport report(const MixedReport& r) {
        FabricReport out;
        out.steps = r.steps, out.rejected = r.rejected, out.newton = r.newton;
        out.linear = r.linear, out.halvings = r.halvings, out.broken = r.broken;
        out.interrupted = r.interrupted, out.converged = r.converged, out.slipping = r.slipping;
        out.touching = r.touching, out.selfTouching = r.selfTouching;
        return out;
    }

    const FabricLayout& layout_;
    Regions regions_;
    ClothMesh mesh_;
    MixedSettings settings_;
    std::unique_ptr<MixedSolver> solver_;
    std::vector<CollisionBody> bodies_;
    std::vector<Index> points_;
    std::vector<Index> pins_;
    std::vector<Vec3> x_, v_, slides_;
};

} // namespace

std::unique_ptr<FabricBody> makeFabricBody(const FabricLayout& layout,
                                           const FabricSolverSettings& settings) {
    return std::make_unique<YarnBody>(layout, settings);
}

std::unique_ptr<FabricBody> makeMixedBody(const FabricPatch& patch, const FabricLayout& layout,
                                          const Regions& regions, const ClothMaterial& material,
                                          const FabricSolverSettings& settings) {
    return std::make_unique<MixedBody>(patch, layout, regions, material, settings);
}

ClothMesh patchMesh(const FabricPatch& patch) {
    ClothMesh m;
    m.points = static_cast<Index>(patch.x.size());
    m.triangles = patch.triangles;
    m.rest = patch.plane;
    findHinges(m);
    return m;
}

ClothMaterial patchMaterial(const FabricLayout& layout) {
    const CrossingNetwork& net = layout.network;
    Index warp = 0, weft = 0;
    for (Index y = 0; y < net.yarns(); ++y) {
        if (layout.yarns[y].family == YarnFamily::Warp) warp = net.material[y];
        if (layout.yarns[y].family == YarnFamily::Weft) weft = net.material[y];
    }
    return homogenise(net.materials[warp], net.materials[weft], layout.warpSpacing,
                      layout.weftSpacing);
}

} // namespace purl
