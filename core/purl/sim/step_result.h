// What the last step says of itself, for whoever decides whether to keep it.
#pragma once

#include "purl/solve/mpcg.h"

namespace purl {

struct StepResult {
    SolveOutcome outcome = SolveOutcome::Converged; // of the linear solve; explicit steps have none
    int iterations = 0;
    double residual = 0;      // relative
    double largestMove = 0;   // m, of a node in the step
    double largestChange = 0; // m, by which the solve moved a node from where it was going
    struct Seconds {          // of the phases, s
        double rods = 0, contact = 0, assemble = 0, factor = 0, solve = 0, rest = 0;
    } seconds;
    bool good() const { return outcome == SolveOutcome::Converged; }
};

} // namespace purl
