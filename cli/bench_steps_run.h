// One scene run by one integrator, timed and judged: what `purl bench steps` and `weave` compare.
#pragma once

#include "cli/bench_steps_scenes.h"
#include "purl/sim/simulation.h"

namespace purl::cli {

struct StepsVariant {
    std::string name;
    Stepping kind = Stepping::Explicit;
    double dt = 0; // s, longest step; 0: as the solver chooses
    double liveliness = 1;
    bool guard = true;
    int threads = 0;
};

struct StepsFigures {
    std::string name;
    bool finished = false;
    std::string reason;            // why not
    double simulated = 0;          // s
    double wall = 0, cpu = 0;      // s, of the frames alone
    double dt = 0, smallestDt = 0; // s
    long steps = 0, iterations = 0, rejections = 0, lenient = 0;
    double guardShare = 0; // of the wall time
    double guardSeconds = 0;
    long passes = 0; // by the judge of `purl check`, on frames of 4 ms
    long doubts = 0;
    double minGap = 1;          // of r_a + r_b, at frames
    double kinetic = 0;         // J, mean over the last 20 ms
    std::vector<double> curve;  // J, kinetic at every frame of 4 ms
    FrameReport::Phases phases; // s
    double largestSpeed = 0;    // m/s
    std::uint64_t hash = 0;
    std::vector<Vec3> x; // m, at the end
    double wallPerSecond() const { return simulated > 0 ? wall / simulated : 0; }
    double cpuPerSecond() const { return simulated > 0 ? cpu / simulated : 0; }
};

// `judge` false leaves out the pass test of frames. Stops at Ctrl-C.
StepsFigures runSteps(const StepsScene&, const StepsVariant&, bool judge = true);

// The longest explicit step (s) that runs the first `seconds` of a scene without rejections: found
// by bisection between `good` and four times that.
double largestStable(const StepsScene&, double good, double seconds);

// The figures of a run to a file and back: a slow reference need not be run twice.
void saveFigures(const std::string& file, const StepsFigures&);
bool loadFigures(const std::string& file, StepsFigures&); // false if there is none

double rmsBetween(const std::vector<Vec3>& a, const std::vector<Vec3>& b); // m

} // namespace purl::cli
