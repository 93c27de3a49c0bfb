// What a Simulation is made of. One flat State; the physics folders do not see each other: what
// joins them is here.
#pragma once

#include "purl/base/parallel.h"
#include "purl/collide/respond.h"
#include "purl/contact/acl.h"
#include "purl/contact/exact.h"
#include "purl/contact/hierarchy.h"
#include "purl/guard/pass_guard.h"
#include "purl/integrate/block_damping.h"
#include "purl/integrate/glue.h"
#include "purl/integrate/length.h"
#include "purl/model/state.h"
#include "purl/rod/air.h"
#include "purl/rod/rod.h"
#include "purl/sim/energy_audit.h"
#include "purl/sim/frame_clock.h"
#include "purl/sim/simulation.h"
#include "purl/sim/step_result.h"

#include <chrono>

namespace purl {

struct ImplicitParts;

struct Simulation::Impl {
    explicit Impl(const Scene&);
    ~Impl();

    void step(double dt, double t1); // one step, whatever comes of it
    // A step in two halves. What `attempt` changes is x and v of the state, what implicit steps
    // remember, and a few sums: `undo` puts them back. Frames and plastic shapes stand at the start
    // of the step until `accept` moves them on. Contact sets stand at the start as well with
    // explicit steps; implicit ones ask them about the end they foresee, and a shorter attempt asks
    // about another: models are made anew wherever they do not fit, springs go on from there.
    void attempt(double dt, double t1); // of whatever integrator; `result` says how it went
    void accept(double dt);
    void begin(); // keeps what attempt will change
    void undo();
    // Steps to the end of the frame, halving what must not stand (step_guard.cpp).
    bool stepThrough(FrameReport&, Monitor&);
    Rejection judge(double dt, double t1, FrameReport&, std::string& where);
    Rejection crossed(const StepVerdict&, std::string& where) const;
    std::pair<Index, double> swallowed(const Collider&, Index first, Index last, double dt,
                                       double t0, double t1) const;
    Index yarnOf(Index node) const;
    bool tunnelled(double dt, double t1, std::string& where) const;
    std::string fastestName() const; // the first point that is not finite or too fast
    void stepExplicit(double dt, double t1);
    void stepImplicit(double dt, double t1);
    bool isImplicit() const { return scene.settings.step.kind == Stepping::Implicit; }
    void forces();
    void survey(FrameReport&); // energies and contact at the present positions
    bool contactBy(ContactMethod m) const {
        return scene.settings.contact.enabled && scene.settings.contact.method == m;
    }
    void accelerate(double dt, double t1);
    void constrain(double dt, double t1);
    void project();
    void mend();
    void collide(double dt, double t1);
    void move(double dt, double t1);
    void pull(double dt, double t1); // goals
    void note(std::vector<Vec3>& stage) const;
    void balance(FrameReport&);
    void count(bool outside, FunctionRef<void()> work);
    double pushedOut() const;
    AclContact newAcl() const; // of this scene, without any set yet
    bool guarded() const { return scene.settings.contact.enabled && scene.settings.guard.enabled; }
    Vec3 target(Index node, double t) const {
        return targetStart[node] + t * (targetEnd[node] - targetStart[node]);
    }
    // Where a node goes: a pinned one to its target.
    Vec3 ahead(Index i, double dt, double t1) const {
        return state.inverseMass[i] > 0 ? Vec3(state.x[i] + dt * state.v[i]) : target(i, t1);
    }
    // Parts of an implicit step.
    void addContact(Padded3& at); // contact forces at these positions, to f
    void predictEnd(double h, double dt, double t1);
    void assembleSystem(double h, double dt, double t1);
    void finishStep(double h, double dt);
    void catchStrays(double dt, double t1);

    Scene scene;
    Curves rest; // curves with rest positions
    State state;
    Rods rods;
    ExactContact exact; // the one of these that the settings name is made
    AclContact acl;
    HierarchyContact hierarchy;
    LengthProjection length;
    Glue glue;
    BlockDamping damping;
    Air air;
    CollisionResponse response;
    std::vector<CollisionBody> bodies, strays; // strays: with the gap that implicit steps end at
    std::unique_ptr<ImplicitParts> implicit;   // with implicit steps only
    StepResult result;                         // of the last step
    CollisionFigures figures;
    double frictionHeat = 0, slideHeat = 0; // J, at colliders; of yarns, in frames before
    std::vector<Vec3> targetStart, targetEnd, predicted;
    bool keepContactForce = false;  // in the next forces()
    std::vector<Vec3> contactForce; // N, per node
    std::vector<Vec3> shown;        // m, at the end of a frame: positions with their lengths mended
    Padded3 x, f;                   // in layout order
    bool fresh = false;             // f is of the present x
    Padded3 next;                   // positions after the attempt, in layout order
    PassGuard guard;
    EnergyAudit audit;
    EnergyAudit::Step audited; // of the attempt
    EnergyAudit::Stages stages;
    EnergyLedger ledger;
    double given = 0;          // J, what the attempt's colliders, pins, wind and goals put in
    double beforeCollide = -1; // J, kinetic, in explicit steps with colliders
    double stored = 0;         // J, in bends and contacts at the last survey
    FrameClock clock;
    struct { // at the start of a step
        std::vector<Vec3> v;
        std::vector<double> removed;
        double frictionHeat = 0;
        CollisionFigures figures;
        std::vector<Vec3> pastX, pastV, pastChange, dv; // of implicit steps
        double pastDt = 0;
        std::vector<double> normalForce;
    } kept;
    FrameReport unfinished; // of a frame that was interrupted; no steps: none was
    int stepsWanted = 0;    // of that frame
    double automatic = 0;   // s
    double thinnest = 0;    // m, the smallest radius of a yarn
    std::chrono::duration<double> rodTime{0}, contactTime{0}, projectTime{0}, collideTime{0};
};

} // namespace purl
