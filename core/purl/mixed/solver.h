// Yarns and triangles as one cloth (Casafranca 2020; physics 8): triangles everywhere but under the
// paint, yarns there, and in the ring between them yarns that ride on triangles, both carrying the
// cloth. Backward Euler with Newton's method and MPCG in the filtered unknowns (v, x, slides).
#pragma once

#include "purl/base/monitor.h"
#include "purl/cloth/material.h"
#include "purl/collide/respond.h"
#include "purl/crossing/touches.h"
#include "purl/mixed/enriched_patch.h"
#include "purl/solve/mpcg.h"
#include "purl/solve/step_control.h"

#include <memory>

namespace purl {

enum class MixedPreconditioner {
    Lines,    // triangles for what is far, yarns as lines for what is near (ours, the default)
    Woodbury, // the paper's: filtered masses, three solves
    Enriched, // the same to filtered vectors, in one solve
    Diagonal, // the naive one of the paper's Figure 2: masses, no filter
    None
};
const char* name(MixedPreconditioner);

struct MixedSettings {
    ForceSettings forces; // gravity, velocityDamping
    ClothMaterial triangles;
    MixedPreconditioner preconditioner = MixedPreconditioner::Lines;
    // Newton asks again anyway: a hundredth costs half the iterations of a thousandth, and no more
    // Newton steps.
    SolveSettings linear{1e-2, 2000, 400, SolveSettings::Norm::Preconditioned};
    int newtonIterations = 12;
    double newtonTolerance = 1e-2; // of the residual, against the first one
    // Yarn radii: residuals are mostly stretch, so a small one is believed only if what Newton
    // moved last was small too: what is soft, as falling, may still be on its way. The mean is by
    // mass; single light nodes may move further.
    double meanMove = 0.02, nearMove = 0.5;
    double stillMove = 1e-3; // yarn radii: a Newton step that moves nothing further is enough
    bool friction = true;    // between yarns, on sliding
    bool sliding = true;     // false: yarns stay where they cross, everywhere
    TouchSettings touch;     // of yarn nodes, with colliders and with each other
    Riding riding = Riding::Hybrid;
    bool adaptive = true;
    StepControlSettings control;
};

struct MixedReport {
    int steps = 0, rejected = 0, newton = 0, halvings = 0;
    long linear = 0;     // iterations of the linear solver
    bool broken = false; // no step short enough was found: the state is that before
    bool interrupted = false;
    bool converged = true;
    Index slipping = 0;     // links whose friction gave way in the last step
    Index touching = 0;     // vertices and nodes on colliders in the last step
    Index selfTouching = 0; // pairs of spheres that touched in the last step
};

class MixedSolver {
public:
    // mesh, vertices: the whole patch. The layout is that of the whole patch too.
    MixedSolver(const ClothMesh& mesh, std::vector<Vec3> vertices, const FabricLayout& layout,
                const Regions& regions, const MixedSettings& settings);
    ~MixedSolver();

    // vertices: points of the mesh. nodes: of the layout; those that ride are held by their
    // triangles alone. Targets are per vertex and per node, at the frame's end.
    void setPins(Span<const Index> vertices, Span<const Index> nodes);
    void setPinTargets(Span<const Vec3> vertexTargets, Span<const Vec3> nodeTargets);
    void setColliders(std::vector<CollisionBody> bodies);
    // N per vertex, then per node of the solver, until the next call; empty: none.
    void setExternal(std::vector<Vec3> newtons);
    // kg of the same; 0 for vertices that are no unknowns.
    std::vector<double> masses() const;

    MixedReport step(double dt, double t0 = 1, double t1 = 1);
    MixedReport advanceFrame(double seconds, int substeps, Monitor& monitor);
    // To rest without motion: steps whose speed is dropped.
    MixedReport settle(double dt, int steps, Monitor& monitor);

    // All vertices; those under yarns alone are where the yarns around them say (vertices under
    // paint are filled in by refreshVertices()).
    Span<const Vec3> vertices() const { return {y_.data(), static_cast<std::size_t>(nv_)}; }
    Span<const Vec3> nodes() const { return {y_.data() + nv_, static_cast<std::size_t>(n_)}; }
    Span<const Vec3> vertexRates() const { return {r_.data(), static_cast<std::size_t>(nv_)}; }
    Span<const Vec3> nodeRates() const { return {r_.data() + nv_, static_cast<std::size_t>(n_)}; }
    Span<const Vec3> slides() const { return {y_.data() + nv_ + n_, static_cast<std::size_t>(n_)}; }
    // The whole state: vertices, nodes, slides; their rates; friction's anchors (per link).
    Span<const Vec3> state() const { return y_; }
    Span<const Vec3> rates() const { return r_; }
    Span<const double> anchors() const { return fabric_.friction.anchor; }
    void setState(Span<const Vec3> state, Span<const Vec3> rates, Span<const double> anchors);
    // Positions (and velocities, if asked for) of every node of the layout: its own, or what its
    // triangle says.
    void layoutPositions(const FabricLayout& layout, Span<Vec3> x, Span<Vec3> v = {}) const;
    // Goes on where `old`, the same patch under other paint, stands: yarns that both have keep
    // their state, new ones are laid on their triangles, and triangles follow the yarns on them.
    void adopt(const MixedSolver& old, const FabricLayout& layout);

    const EnrichedPatch& patch() const { return patch_; }
    const Fabric& fabric() const { return fabric_; }
    double kineticEnergy() const;
    double energy(); // J: elastic, friction springs and weight
    double time() const { return time_; }
    std::uint64_t hash() const;
    std::size_t bytes() const; // all that is kept
    // A frame that was interrupted leaves a state that is not to be used: load the one from before.
    void save(class SnapshotWriter&) const;
    void load(class SnapshotReader&);

    // One linear solve as the next step's first Newton iteration has it: residuals per iteration of
    // `kind`, against the first, in the norm |S r| (the paper's Figure 2).
    std::vector<double> convergence(MixedPreconditioner kind, double h, int iterations);

private:
    struct Parts; // linear algebra
    template <class Self, class Archive>
    static void fields(Self& s, Archive& a);
    double residual(double h);
    void linearise(double h);
    const Preconditioner& preconditioner(MixedPreconditioner kind, double h);
    SolveReport solveLinear(double h);
    bool newton(double h, MixedReport& report);
    double massMean(Span<const Vec3> u) const;
    void expand(Span<Vec3> d) const; // displacement unknowns to nodes: x += B v
    double begin(double h, bool moving);
    void startTouches(double h, double t1);
    void hold(double t1);
    void collide(double h, double t1, MixedReport& report); // vertices of triangles alone
    void accept(double h, MixedReport& report);
    void refreshFriction();
    void refreshVertices();
    void rebuildFilter();
    void holdPreconditioner();
    void relaxNew(const MixedSolver& old);

    ClothMesh mesh_;
    Regions regions_;
    EnrichedPatch patch_;
    MixedSettings settings_;
    Fabric fabric_;
    Index nv_ = 0, n_ = 0;
    std::unique_ptr<Parts> parts_;
    StepControl control_;
    std::vector<Vec3> y_, r_;   // state: vertices, nodes, slides; rates of the same
    std::vector<Vec3> y1_, r1_; // of the step
    std::vector<Vec3> rhs_, d_, back_, move_, scratch_;
    std::vector<double> nodeMass_, inverseMass_; // per node; vertices then nodes, 0: held
    struct Pin {
        Index unknown; // vertex, or nv + node
        Index target;  // vertex, or node of the layout
        bool vertex;
        Vec3 from, to, now; // m, at the frame's start and end, at the step's end
    };
    std::vector<Pin> pins_;
    std::vector<Index> pinnedVertices_; // as asked for, those under paint too
    std::vector<CollisionBody> bodies_;
    Monitor* asked_ = nullptr;   // in the middle of solves, while a frame is solved
    std::vector<Vec3> external_; // N; vertices, then nodes
    std::unique_ptr<CollisionResponse> response_;
    double radius_ = 0, time_ = 0;
};

} // namespace purl
