// Modified preconditioned conjugate gradients with a filter, in the form of Ascher and Boxerman
// (physics 6.9): solves S(A x - b) = 0 with (I - S) x = (I - S) z.
#pragma once

#include "purl/solve/filter.h"
#include "purl/solve/operator.h"

namespace purl {

struct SolveSettings {
    double tolerance = 1e-4; // of the residual, against that of x = (I - S) z
    int maxIterations = 1000;
    int patience = 200; // iterations without a smaller residual before the solve counts as stalled
    enum class Norm {
        Preconditioned, // sqrt(r . P^-1 r), blind to how the unknowns are scaled
        Euclidean       // |r|, to compare with other solvers
    } norm = Norm::Preconditioned;
    std::vector<double>* history = nullptr; // if given: the relative residual after each iteration
};

enum class SolveOutcome {
    Converged,
    Stalled,    // out of iterations or patience; x is the best reached
    Indefinite, // a direction of no or negative curvature was met: A or P is not positive definite
    NotFinite   // b, z, A or P holds a number that is none; x is not to be used
};
const char* name(SolveOutcome);

struct SolveReport {
    SolveOutcome outcome = SolveOutcome::Converged;
    int iterations = 0;
    double residual = 0; // relative, in the norm asked for
    bool good() const { return outcome == SolveOutcome::Converged; }
};

// Keeps its vectors between solves: nothing is allocated unless the system grew.
class Mpcg {
public:
    // x: first guess of the free part in, answer out. z: prescribed values, empty for zero.
    SolveReport solve(const LinearOperator& a, const Preconditioner& p, const Filter& s,
                      Span<const Vec3> b, Span<const Vec3> z, Span<Vec3> x,
                      const SolveSettings& settings = {});

private:
    std::vector<Vec3> r_, q_, p_, s_;
};

} // namespace purl
