// Layers of a sheet that press on each other, as terms of the step's own system: what one layer
// does to the other then reaches the whole sheet within the step, where impulses after it move
// single points and stretch the edges beside them.
//
// A term is a spring along a fixed normal between two features (a point and a face, or two edges),
// or between a place on a face and a collider, which is no point of the sheet:
//   E = k/2 (n . sum w_i x_i - target)^2   while it is active,
// k many times the inertia of its four points, so that it hardly gives; and a drag across the
// normal that is Coulomb's force at the pressure and the speed of the solve before (lagged). Both
// are positive. Whoever steps the sheet lets go of terms that pull and adds what is missing.
#pragma once

#include "purl/solve/block_matrix.h"
#include "purl/solve/loose_blocks.h"

#include <array>

namespace purl {

struct LayerTerm {
    std::array<Index, 4> node;
    std::array<double, 4> weight; // gap vector: sum of weight * x; > 0 for the first feature. Of a
                                  // place on a face: its coordinates, and 0
    Vec3 normal;                  // unit, from the second feature to the first
    Vec3 carried{0, 0, 0};        // m/s, of the collider there
    double target = 0;            // m, the gap wanted at the end of the step
    double least = 0;             // m, what will do where others want room as well
    double friction = 0;          // Coulomb
    double stiffness = 0;         // N/m
    double drag = 0;              // N s/m, across the normal
    bool active = true;

    Vec3 between(Span<const Vec3> x) const { // sum of weight * x
        return weight[0] * x[node[0]] + weight[1] * x[node[1]] + weight[2] * x[node[2]] +
               weight[3] * x[node[3]];
    }
};

class LayerTerms {
public:
    std::vector<LayerTerm> list;

    // f += force (N) at x (m) and v (m/s, empty: at rest).
    void addForce(Span<const Vec3> x, Span<const Vec3> v, Span<Vec3> f) const;
    // kw += K w, K = -df/dx.
    void addStiffness(Span<const Vec3> w, Span<Vec3> kw) const;
    // Adds damping D + stiffness K: what couples points of one feature to `a`, which has places for
    // it; the rest to `loose`, in rows of `a`.
    void assemble(double damping /*s*/, double stiffness /*s2*/, BlockMatrix& a,
                  LooseBlocks& loose) const;
};

} // namespace purl
