// Fabric in time: a network of crossings in, moving yarns out. Backward Euler with Newton's method
// and MPCG over positions and sliding together, friction that sticks and slips, pins, colliders,
// self-collision by spheres, and steps that are taken back when they go wrong.
#pragma once

#include "purl/base/monitor.h"
#include "purl/crossing/touches.h"
#include "purl/solve/mpcg.h"
#include "purl/solve/step_control.h"

#include <memory>

namespace purl {

class AssembledStiffness;
class Stiffness;
class YarnLines;

enum class FabricMatrix {
    Free,     // no matrix: elements are multiplied one by one
    Assembled // 3 x 3 blocks with incomplete Cholesky: the reference, several times the memory
};

struct FabricSolverSettings {
    ForceSettings forces; // gravity, velocityDamping; wind and drag on the cloth's face
    FabricMatrix matrix = FabricMatrix::Free;
    SolveSettings linear{1e-3, 2000, 400, SolveSettings::Norm::Preconditioned};
    int newtonIterations = 12;
    double newtonTolerance = 1e-2; // of the residual, against the first one
    // Yarn radii: residuals are mostly stretch, so a small one is believed only if what Newton
    // moved last was small too: what is soft, as sliding, may still be on its way.
    double nearMove = 0.1;
    double stillMove = 1e-3; // yarn radii: a Newton step that moves nothing further is enough
    bool friction = true;    // between yarns, on sliding
    bool sliding = true;     // false: all yarns stay where they cross
    TouchSettings touch;     // with colliders and with itself

    bool adaptive = true; // shorter steps where one went wrong
    StepControlSettings control;
};

struct FabricReport {
    int steps = 0;       // taken
    int rejected = 0;    // taken back
    int newton = 0;      // iterations
    long linear = 0;     // iterations of the linear solver
    int halvings = 0;    // by the line search
    bool broken = false; // no step short enough was found: the state is that before
    bool interrupted = false;
    bool converged = true;  // every step's Newton reached its tolerance
    double residual = 0;    // N, largest free force left by settle()
    Index slipping = 0;     // links whose friction gave way in the last step
    Index touching = 0;     // nodes on colliders in the last step
    Index selfTouching = 0; // pairs of spheres that touched in the last step
};

class FabricSolver {
public:
    FabricSolver(const CrossingNetwork& net, const FabricSolverSettings& settings);
    ~FabricSolver();

    // Pinned nodes follow their targets exactly; a grip also holds the yarns against sliding.
    void setPins(std::vector<Index> nodes, bool grip = true);
    void setPinTargets(Span<const Vec3> targets /*m, at the frame's end*/);
    void setFrozen(Span<const std::uint8_t> bits); // per node: bit s, side s does not slide
    void setFrictionOn(bool on);
    void setColliders(std::vector<CollisionBody> bodies);
    void setExternal(std::vector<Vec3> newtons); // per node, constant until changed; empty: none
    // Shares of elements, for the mixed model. Mass goes with the pieces.
    void setWeights(ElementWeights weights);

    FabricReport step(double dt, double t0 = 1, double t1 = 1);
    FabricReport advanceFrame(double seconds, int substeps, Monitor& monitor);
    // To rest without motion: long steps whose speed is dropped, until no free node has more than
    // `tolerance` (N) of force left. Friction acts as in motion.
    FabricReport settle(double dt, int steps, double tolerance, Monitor& monitor);

    Index nodes() const { return fabric_.nodes(); }
    Span<const Vec3> x() const { return {q_.data(), q_.size() / 2}; }                // m
    Span<const Vec3> v() const { return {v_.data(), v_.size() / 2}; }                // m/s
    Span<const Vec3> slides() const { return {q_.data() + nodes(), q_.size() / 2}; } // m
    Span<const Vec3> unknowns() const { return q_; } // both: links.h
    Span<const Vec3> rates() const { return v_; }    // of both
    void setState(Span<const Vec3> unknowns, Span<const Vec3> rates);
    // N, per unknown: minus the force on it; at a pin, the force that holds it at rest.
    void gradient(Span<Vec3> out);
    Span<const double> mass() const { return mass_; } // kg, per node
    Span<const double> anchors() const { return fabric_.friction.anchor; }
    Span<const float> frictionLimit() const { return fabric_.friction.limit; }
    void setAnchors(Span<const double> anchors);
    double energy();              // J, elastic, friction springs and weight
    double kineticEnergy() const; // J
    double time() const { return time_; }
    std::uint64_t hash() const;
    // Everything that outlives a frame; loading wants a fabric of the same nodes and pins. A frame
    // that was interrupted leaves a state that is not to be used: load the one from before.
    void save(class SnapshotWriter&) const;
    void load(class SnapshotReader&); // throws Error
    std::size_t bytes() const;        // all that is kept
    std::size_t matrixBytes() const;  // matrix (or forms) and preconditioner alone
    const Fabric& fabric() const { return fabric_; }

private:
    template <class Self, class Archive>
    static void fields(Self& s, Archive& a);
    enum class Outcome { Good, Slow, Failed };
    Outcome newton(double h, FabricReport& report);
    double longestShare(double h) const;
    bool solveLinear(double h, FabricReport& report);
    double residual(double h); // rhs_ from q1_, v1_; returns its free norm, infinite if unusable
    void holdForStep(double h, double t1);
    bool tooFar() const;
    void rebuildFilter();
    void accept(double h, FabricReport& report);
    void refreshFriction();

    Fabric fabric_;
    FabricSolverSettings settings_;
    std::unique_ptr<Stiffness> stiffness_;
    std::unique_ptr<YarnLines> lines_;
    std::unique_ptr<AssembledStiffness> assembled_;
    std::unique_ptr<Touches> touches_;
    std::vector<CollisionBody> bodies_;
    Mpcg solver_;
    Monitor* asked_ = nullptr; // in the middle of solves, while a frame is solved
    NodeFilter filter_;
    StepControl control_;

    std::vector<Vec3> q_, v_;   // state, 2 n
    std::vector<Vec3> q1_, v1_; // of the step
    std::vector<Vec3> rhs_, dv_, scratch_;
    std::vector<Vec3> external_;
    std::vector<double> mass_, inverseMass_;
    std::vector<std::uint8_t> frozen_;
    std::vector<Index> pins_;
    std::vector<Vec3> pinStart_, pinEnd_;
    std::vector<Vec3> heldV_; // per pin, m/s
    bool grip_ = true;
    double radius_ = 0;   // m, the thinnest yarn's
    double stiffest_ = 0; // N, the largest k_s
    double time_ = 0;
};

} // namespace purl
