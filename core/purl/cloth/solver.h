// Triangle cloth in time: polygons in, cloth out. State, energies, pins and goals, air, colliders
// with friction, a hook for self-collision, and steps that are taken back when they go wrong.
#pragma once

#include "purl/base/monitor.h"
#include "purl/cloth/air_drag.h"
#include "purl/cloth/collision_hook.h"
#include "purl/cloth/dynamics.h"
#include "purl/cloth/goals.h"
#include "purl/collide/respond.h"
#include "purl/solve/integrator.h"
#include "purl/solve/step_control.h"

namespace purl {

struct ClothSettings {
    ForceSettings forces; // gravity, wind and drag; per face, physics 6.7
    IntegratorSettings integrator;
    ClothPreconditioner preconditioner = ClothPreconditioner::TwoLevel;
    double radius = 0.5e-3; // m, kept free between the sheet's middle and a collider

    bool adaptive = true; // shorter steps where one went wrong
    StepControlSettings control;
    double largestStrainChange = 0.25; // growth of an edge's |strain| in one step; more rejects it
};

struct ClothStepReport {
    StepReport solve;
    CollisionFigures collision;
    int steps = 0;           // taken
    int rejected = 0;        // taken back
    int turns = 0;           // solves of the whole sheet, with other contacts each time
    bool broken = false;     // no step short enough was found: the state is that before
    double strainChange = 0; // largest growth of the steps
};

struct DrapeSettings { // of the quasistatic mode
    int iterations = 400;
    double tolerance = 1e-3;     // largest free force, against the largest weight of a node
    double firstStep = 1.0 / 48; // s, pseudo time of the first damped Newton step
};

struct DrapeReport {
    int iterations = 0;
    double residual = 0;                 // as DrapeSettings::tolerance
    double energyBefore = 0, energy = 0; // J, elastic and gravity
    bool converged = false;
};

class ClothSolver {
public:
    // areaDensity (kg/m2): one number, or one a triangle. Throws Error on a mesh that cannot move.
    ClothSolver(const ClothMesh& mesh, std::vector<Vec3> x, Span<const double> areaDensity,
                std::vector<std::unique_ptr<ClothEnergy>> energies, const ClothSettings& settings,
                std::vector<ClothGoal> goals = {});
    ~ClothSolver();

    // Pinned points follow their targets exactly. Targets are where they are at the frame's end.
    void setPins(std::vector<Index> points);
    void setPinTargets(Span<const Vec3> targets /*m*/);
    void setGoalTargets(Span<const Vec3> targets /*m*/);
    // A point that slides in a plane, or on a line, of its own.
    void setSliding(Index point, const Vec3& held);
    void setColliders(std::vector<CollisionBody> bodies);
    void setCollisionHook(std::unique_ptr<CollisionHook> hook) { hook_ = std::move(hook); }
    void setWind(const Vec3& wind /*m/s*/);
    // N per node, from fields outside of the solver, until the next call; empty: none.
    void setForces(std::vector<Vec3> newtons) { dynamics_->outside = std::move(newtons); }

    // One step of dt (s), in pieces if it has to be; the frame goes from t0 to t1 in [0, 1].
    ClothStepReport step(double dt, double t0 = 1, double t1 = 1);
    // A frame of `seconds` in `substeps` steps; targets and colliders move through it.
    ClothStepReport advanceFrame(double seconds, int substeps, Monitor& monitor);
    // Minimises energy: the drape that motion would end in, without the motion.
    DrapeReport drape(const DrapeSettings& settings, Monitor& monitor);

    Span<const Vec3> x() const { return {x_.data(), x_.size()}; } // m
    Span<const Vec3> v() const { return {v_.data(), v_.size()}; } // m/s
    void setState(Span<const Vec3> x, Span<const Vec3> v);
    Span<const double> mass() const { return dynamics_->mass(); } // kg
    const ClothMesh& mesh() const { return mesh_; }
    double energy(); // J: elastic, goals and gravity, at the present state
    double kineticEnergy() const;
    double time() const { return time_; } // s
    std::uint64_t hash() const;           // equal for equal states, to the last bit
    ClothDynamics& dynamics() { return *dynamics_; }

    // Everything that outlives a step; loading wants a sheet of the same points. A frame that was
    // interrupted is ended by the next advanceFrame.
    void save(class SnapshotWriter&) const;
    void load(class SnapshotReader&); // throws Error
    int stepsIntoFrame() const { return stepsDone_; }

private:
    template <class Self, class Archive>
    static void fields(Self& s, Archive& a);
    void rebuildFilter();
    void holdForStep(double dt, double t1);
    double strainChange() const;
    CollisionFigures collide(double dt, double t1);
    void beginContacts(double t0);
    bool dropContacts(double h, bool mayStick);
    bool contactInSolve() const;
    void beginMeetings(double h, double t0);
    bool meet(double h, double t0, double t1, int turn);
    bool meetColliders(double h, double t0, double t1);
    void beginFaces(double h, double t0);
    bool meetFaces(double h, double t0, double t1);
    struct Entry {         // of a way into a collider
        ColliderSample at; // where it goes in
        Vec3 to;           // m, where that place of the surface is at the step's end
    };
    bool entry(const CollisionBody&, double gap, const Vec3& from, const Vec3& to, double h,
               double t0, double t1, Entry&) const;
    void forgetMeetings();
    void endContacts(double h);
    double freeResidual();
    void drapeFreely(const DrapeSettings&, Monitor&, DrapeReport&);
    void drapeInContact(const DrapeSettings&, Monitor&, DrapeReport&);

    ClothMesh mesh_;
    ClothSettings settings_;
    std::vector<std::unique_ptr<ClothEnergy>> energies_;
    Goals* goals_ = nullptr;
    AirDrag* air_ = nullptr;
    std::unique_ptr<ClothDynamics> dynamics_;
    std::unique_ptr<Integrator> integrator_;
    StepControl control_;
    std::unique_ptr<CollisionResponse> response_;
    std::unique_ptr<CollisionHook> hook_;
    std::vector<CollisionBody> bodies_;

    std::vector<Vec3> x_, v_, x1_, v1_, start_, mean_, heldV_;
    std::vector<double> inverseMass_; // 0 for pinned
    struct Edge {
        Index a, b;
        double perRest; // 1/m
    };
    std::vector<Edge> edges_;
    std::vector<Index> pins_;
    std::vector<Vec3> pinStart_, pinEnd_; // m, at the frame's start and end
    std::vector<Vec3> goalStart_, goalEnd_, goalNow_;
    std::vector<std::pair<Index, Vec3>> sliding_;
    double time_ = 0;
    int stepsDone_ = 0, stepsWanted_ = 0; // of a frame that was interrupted

    enum class Touch : std::uint8_t { None, Slide, Stick };
    struct Contact {
        Index node;
        Vec3 normal, velocity; // velocity (m/s) of the collider there
        double friction;
    };
    std::vector<Touch> state_; // per node, from the last step
    std::vector<Vec3> grip_;   // N, friction on those that slide
    bool anyContact_ = false;
    std::vector<Contact> contacts_; // of the present step
    struct Meeting {                // a contact that begins in this step
        Contact contact;
        Vec3 velocity; // m/s, takes the node to the surface by the step's end
    };
    std::vector<Meeting> meetings_;
    std::vector<double> phi_;      // m
    std::vector<Vec3> middle_;     // m, of triangles
    std::vector<Index> faceTerm_;  // per triangle and collider: its term; -1: none
    std::vector<Index> meetingOf_; // per node: >= 0 if it has one, -1 none, -2 not again
    std::vector<Index> refused_;   // nodes that would have been held back from leaving
    NodeFilter baseFilter_;        // pins and sliding points
    bool filterHasContacts_ = false;
};

} // namespace purl
