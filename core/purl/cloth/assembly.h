// Sums a list of cloth energies over all nodes: forces, and their derivatives as a block matrix.
// Part by part, each part's stencils evaluated into a small buffer and added at once (slot_map.h),
// in an order that does not depend on the threads.
#pragma once

#include "purl/cloth/energy.h"
#include "purl/solve/block_matrix.h"
#include "purl/solve/slot_map.h"

namespace purl {

class ClothAssembly {
public:
    // The energies outlive this, and keep their stencils.
    ClothAssembly(Index nodes, std::vector<const ClothEnergy*> energies);

    std::shared_ptr<const BlockPattern> pattern() const { return pattern_; }

    // What is wanted besides the gradient.
    struct Derivatives {
        BlockMatrix* matrix = nullptr; // damping D + stiffness K; nothing of the mass
        double damping = 0;            // s
        double stiffness = 0;          // s2
        Span<const Vec3> w;            // per node; empty: kw is not wanted
        Span<Vec3> kw;                 // K w, per node
        bool exact = false;            // K as it is, not made positive
    };
    // x (m) and v (m/s) per node, v empty for rest. g (N): dE/dx less damping forces, per node;
    // may be empty. Returns the energy, J.
    double evaluate(Span<const Vec3> x, Span<const Vec3> v, Span<Vec3> g, const Derivatives& d);
    double evaluate(Span<const Vec3> x, Span<const Vec3> v, Span<Vec3> g) {
        return evaluate(x, v, g, Derivatives());
    }

private:
    struct Buffers;
    double evaluatePart(Index p, Span<const Vec3> x, Span<const Vec3> v, bool wantGradient,
                        const Derivatives& d, Buffers& b);

    std::vector<const ClothEnergy*> energies_;
    std::vector<StencilView> stencils_;
    std::shared_ptr<const BlockPattern> pattern_;
    std::vector<SlotMap> maps_;
    AsideGather gather_;
    std::vector<Mat3> asideBlock_;
    std::vector<Vec3> asideG_, asideKw_;
    std::vector<Vec3> g_, kw_; // per row
    std::vector<double> partEnergy_;
};

} // namespace purl
