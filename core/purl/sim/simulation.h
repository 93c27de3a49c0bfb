// The whole public face of the solver: describe (Scene), build, advance frame by frame, read out.
#pragma once

#include "purl/base/monitor.h"
#include "purl/scene/scene.h"

#include <cstdint>
#include <memory>

namespace purl {

struct Energies { // J
    double kinetic = 0, bend = 0, twist = 0, contact = 0, gravity = 0;
    double plastic = 0, damping = 0, friction = 0; // dissipated so far
};

struct FrameReport {
    enum class Outcome { Done, Interrupted, Diverged };
    Outcome outcome = Outcome::Done;
    std::string reason; // of a divergence: yarn and point
    int steps = 0;
    double dt = 0;          // s, the step
    double maxStrain = 0;   // largest |length change| of an edge at the frame's end
    double maxSpeed = 0;    // m/s
    double smallestGap = 1; // smallest centre-line distance / (r_a + r_b)
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
    const class AclContact* acl() const; // null with another contact; for tools that measure
    double automaticStep() const;        // s, from the stiffest term
    double time() const;                 // s
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
