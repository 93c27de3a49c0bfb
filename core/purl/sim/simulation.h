// The whole public face of the solver: describe (Scene), build, advance frame by frame, read out.
#pragma once

#include "purl/base/monitor.h"
#include "purl/scene/scene.h"

#include <array>
#include <cstdint>
#include <memory>

namespace purl {

struct Energies { // J
    double kinetic = 0, bend = 0, twist = 0, contact = 0, gravity = 0;
    double sticking = 0;                           // in the springs of friction between yarns
    double plastic = 0, damping = 0, friction = 0; // dissipated so far
    // With explicit steps, since the end of the first frame (energy_audit.h): what goals, air and
    // drag, lengths and glue, pins, and colliders put in; what is not accounted for; and all that
    // there is or was turned to heat, which that is compared with.
    double air = 0, held = 0, pins = 0, colliders = 0, balance = 0, turnover = 0;
};

// Why a step was undone and tried again at half its length.
enum class Rejection { None, NotFinite, PassedThrough, GapClosed, Tunnelled, EnergyGrew, Stalled };
constexpr int kRejections = 7;
const char* nameOf(Rejection); // as in statistics: "passed_through"

struct FrameReport {
    // PassedThrough: yarn went through yarn, or would have, at the shortest step too.
    enum class Outcome { Done, Interrupted, Diverged, PassedThrough };
    Outcome outcome = Outcome::Done;
    std::string reason;  // of a frame that broke: yarns and places
    int steps = 0;       // that stand
    long iterations = 0; // of the linear solves, also of steps that do not stand
    struct Phases {      // of implicit steps, s, also of those that do not stand
        double predict = 0, rods = 0, contact = 0, assemble = 0, factor = 0, solve = 0, rest = 0;
    } phases;
    double dt = 0;                            // s, the full step; steps may have been halved
    double smallestStep = 0, largestStep = 0; // s, of those that stand
    struct Certificate {        // yarn against yarn, over all steps of the frame (physics 4.10)
        bool given = false;     // the test was on
        long watched = 0;       // pairs of blocks of yarn at the end
        double pairSteps = 0;   // the same summed over the steps: what was cleared
        long examined = 0;      // of them, not cleared by movement alone
        long followed = 0;      // pairs of segments followed through a step
        long passes = 0;        // in steps that stand: always 0
        long doubts = 0;        // crossings at a yarn's end or along it, in steps that stand
        double smallestGap = 1; // of r_a + r_b, over all steps; 1 if none below the floor
        double seconds = 0;     // s
    } certificate;
    std::array<long, kRejections> rejected{}; // steps, by why
    long lenient = 0;          // steps that would have been rejected, but were the shortest
    std::string firstRejected; // which, when and where
    double energyExcess = 0;   // J, largest that came from nowhere
    double energyScale = 0;    // J, what it is compared with
    double maxStrain = 0;      // largest |length change| of an edge at the frame's end
    double maxSpeed = 0;       // m/s
    double smallestGap = 1;    // smallest centre-line distance / (r_a + r_b)
    // Exact contact: block pairs that touch, that are looked at; lists made anew in this frame.
    // Linearized: sets that touch, all sets; sets made anew.
    long touching = 0, listed = 0, rebuilds = 0;
    struct Linearized {                                          // of this frame
        long created = 0, deleted = 0, merged = 0, slid = 0;     // sets; slid: set and step
        long entries = 0, examined = 0, processed = 0;           // of the schedule
        double detect = 0, create = 0, evaluate = 0, commit = 0; // s
        double bytes = 0, bytesSchedule = 0;                     // B, kept
        double updatesPercent = 0;                               // of sets, a step
    } linearized;
    long collisions = 0; // points that touched a collider in the last step
    double deepest = 0;  // m, deepest in a collider in the last step
    double seconds = 0, rodSeconds = 0, contactSeconds = 0, projectSeconds = 0, collideSeconds = 0;
    Energies energy;
};

// s, in the phases of the steps since the present frame began. What is not named here (gravity,
// air, damping, moving) is the rest of a step.
struct StepSeconds {
    double rods = 0, contact = 0, project = 0, collide = 0;
};

class Simulation {
public:
    explicit Simulation(const Scene&); // throws Error if the scene is not valid
    ~Simulation();
    Simulation(Simulation&&) noexcept;

    // Where pins and goals shall be at the end of the next frame: one position a node, of which
    // only those of pins and goals are read. They move there evenly. Without a call they stay.
    void setTargets(Span<const Vec3> targets);
    // N on each node, from fields outside of the solver, until the next call.
    void setForces(Span<const Vec3> forces);
    FrameReport advanceFrame(Monitor&);
    void step(double dt,
              double t1); // one step; t1 in [0,1] is the time inside the frame at its end

    const std::vector<Vec3>& positions() const;
    const std::vector<Vec3>& velocities() const;
    // Frame at a node as a quaternion x y z w: z along the yarn, x the material director.
    Eigen::Vector4d orientation(Index node) const;
    // Of the last frame, per node: contact force in its last step, N; and how often its contacts'
    // models were made anew (all zero with exact contact).
    const std::vector<Vec3>& contactForces() const;
    std::vector<int> contactUpdates() const;
    std::vector<Vec3> nodeForces(); // N, of rods and contact at the present positions
    StepSeconds stepSeconds() const;
    const struct StepResult& lastStep() const; // how the last step's solve went
    const class AclContact* acl() const;       // null with another contact; for tools that measure
    double automaticStep() const;              // s, from the stiffest term
    double smallestGap() const;                // of the present positions: distance / (r_a + r_b)
    double time() const;                       // s
    Energies energies();
    std::uint64_t hash() const; // equal for equal states, to the last bit

    // Everything that outlives a step, so that a loaded simulation goes on to the same bits; also
    // in the middle of a frame that was interrupted, which the next advanceFrame then ends. Loading
    // wants a simulation of the same yarns; settings, pins and colliders may be others (a branch).
    void save(class SnapshotWriter&) const;
    void load(class SnapshotReader&); // throws Error
    int stepsIntoFrame() const;       // of an interrupted frame; 0 between frames

    class Rods& rods(); // for tests and tools: clamps, natural shape
    void setVelocities(Span<const Vec3>);
    void setMass(Index node, double kg); // tests hang weights on yarns

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace purl
