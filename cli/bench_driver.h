// A bench scene in motion, step by step, with one kind of contact: the one place where the bench
// meets the solver.
#pragma once

#include "cli/bench_scene.h"
#include "purl/sim/simulation.h"

namespace purl::cli {

enum class BenchMethod { Hierarchy, Exact, Acl };
const char* methodName(BenchMethod);

// Seconds and counts, summed over steps.
struct StepTally {
    long steps = 0;      // all
    long timedSteps = 0; // those whose seconds are here
    double total = 0, contact = 0, rods = 0, project = 0, collide = 0;
    // ACL: sets at the end of each step, summed; models rebuilt; schedule entries.
    double sets = 0, rebuilt = 0, entries = 0, examined = 0, processed = 0;
    double bytesStreamed = 0; // by the evaluation, in the timed steps
    double detect = 0, create = 0, evaluate = 0, remake = 0, commit = 0; // s, parts of contact

    double rest() const { return total - contact - rods - project - collide; }
    double other() const { return total - contact; } // s, everything but contact
    double perStep(double sum) const { return timedSteps ? sum / timedSteps : 0; }
    double mean(double sum) const { return steps ? sum / steps : 0; }
    double updatesPercent() const { return sets > 0 ? 100 * rebuilt / sets : 0; }
    void add(const StepTally& o);
};

class BenchDriver {
public:
    BenchDriver(const Scene&, BenchMethod, double tau, double friction);

    double dt() const { return dt_; } // s
    // One step. Timed if `timed`, counted always.
    void step(bool timed, StepTally& to);
    bool touchesCollider() const; // any yarn, now
    double speed() const;         // m/s, root mean square over the points
    double bytesPerSet() const;   // all that ACL keeps, over its sets; 0 for the others
    Simulation& sim() { return sim_; }
    const Simulation& sim() const { return sim_; }

private:
    Simulation sim_;
    std::vector<std::shared_ptr<Collider>> colliders_;
    double radius_; // m
    double dt_;
};

} // namespace purl::cli
