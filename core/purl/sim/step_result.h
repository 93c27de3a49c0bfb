// What the last step says of itself, for whoever decides whether to keep it.
#pragma once

#include "purl/sim/simulation.h"
#include "purl/solve/mpcg.h"

namespace purl {

struct StepResult {
    SolveOutcome outcome = SolveOutcome::Converged; // of the linear solve; explicit steps have none
    int iterations = 0;
    double residual = 0;    // relative
    double largestMove = 0; // m, of a node in the step
    double roughness = 0;   // m, rms over nodes, by which the step's change of velocity was not
                            // that of the step before
    FrameReport::Phases seconds; // of this step
    bool good() const { return outcome == SolveOutcome::Converged; }
};

} // namespace purl
