// Symmetric tridiagonal systems in O(n), open or cyclic: one yarn is one such system.
#pragma once

#include "purl/base/types.h"

namespace purl {

// Solves for x in place of `rhs`. off[i] couples i-1 and i (off[0] is the corner of a cyclic system,
// otherwise ignored). `diag` is destroyed; `work` needs n entries when the system is cyclic.
// False if a pivot was not positive: the matrix is not positive definite and x is not to be used.
inline bool solveTridiagonal(Index n, double* diag, const double* off, double* rhs) {
    bool positive = n == 0 || diag[0] > 0;
    for (Index i = 1; i < n; ++i) {
        const double w = off[i] / diag[i - 1];
        diag[i] -= w * off[i];
        rhs[i] -= w * rhs[i - 1];
        positive = positive && diag[i] > 0;
    }
    if (n > 0) rhs[n - 1] /= diag[n - 1];
    for (Index i = n - 2; i >= 0; --i) rhs[i] = (rhs[i] - off[i + 1] * rhs[i + 1]) / diag[i];
    return positive;
}

// Sherman-Morrison: the corner is a rank-one change of an open system (n >= 3).
inline bool solveCyclic(Index n, double* diag, const double* off, double* rhs, double* work) {
    const double corner = off[0];
    if (corner == 0 || n < 3) {
        return solveTridiagonal(n, diag, off, rhs);
    }
    const double gamma = -diag[0];
    diag[0] -= gamma;
    diag[n - 1] -= corner * corner / gamma;
    for (Index i = 0; i < n; ++i) work[i] = 0;
    work[0] = gamma;
    work[n - 1] = corner;
    bool positive = gamma < 0; // with a positive first entry the open part stays positive
    for (Index i = 1; i < n; ++i) {
        const double w = off[i] / diag[i - 1];
        diag[i] -= w * off[i];
        rhs[i] -= w * rhs[i - 1];
        work[i] -= w * work[i - 1];
        positive = positive && diag[i] > 0;
    }
    rhs[n - 1] /= diag[n - 1];
    work[n - 1] /= diag[n - 1];
    for (Index i = n - 2; i >= 0; --i) {
        rhs[i] = (rhs[i] - off[i + 1] * rhs[i + 1]) / diag[i];
        work[i] = (work[i] - off[i + 1] * work[i + 1]) / diag[i];
    }
    const double k =
        (rhs[0] + corner / gamma * rhs[n - 1]) / (1 + work[0] + corner / gamma * work[n - 1]);
    for (Index i = 0; i < n; ++i) rhs[i] -= k * work[i];
    return positive;
}

} // namespace purl
