// A sheet as the integrators see it: masses, gravity, cloth energies, a filter, and the linear
// solver with its matrix and preconditioner.
#pragma once

#include "purl/cloth/assembly.h"
#include "purl/cloth/layer_terms.h"
#include "purl/solve/block_cholesky.h"
#include "purl/solve/block_ic.h"
#include "purl/solve/block_jacobi.h"
#include "purl/solve/dynamics.h"
#include "purl/solve/two_level.h"

namespace purl {

enum class ClothPreconditioner {
    BlockJacobi,
    IncompleteCholesky,
    TwoLevel // with a coarse system: iterations hardly grow with the mesh
};

class ClothDynamics final : public Dynamics {
public:
    ClothDynamics(std::vector<double> mass /*kg*/, std::vector<const ClothEnergy*> energies,
                  ClothPreconditioner preconditioner);

    Vec3 gravity = Vec3::Zero(); // m/s2
    std::vector<Vec3> external;  // N, per node, constant through a step; empty: none
    std::vector<Vec3> outside;   // N, the same from fields outside of the solver
    NodeFilter held;             // what filter() answers; change it between steps
    LayerTerms layers;           // of cloth against itself; change them between solves

    Index nodes() const override { return static_cast<Index>(mass_.size()); }
    Span<const double> mass() const override { return mass_; }
    const NodeFilter& filter() const override { return held; }
    double force(Span<const Vec3> x, Span<const Vec3> v, Span<Vec3> f) override;
    void linearise(Span<const Vec3> x, Span<const Vec3> v, double damping, double stiffness,
                   Span<const Vec3> w, Span<Vec3> f, Span<Vec3> kw) override;
    SolveReport solve(Span<const Vec3> b, Span<const Vec3> z, Span<Vec3> y,
                      const SolveSettings& settings) override;

    // For a drape, without layers: keeps M + stiffness K at rest, factored directly, K made
    // positive or exact; false if that is not positive definite. f as force() gives it.
    bool factorDirectly(Span<const Vec3> x, double stiffness /*s2*/, bool exact, Span<Vec3> f);
    void solveDirectly(Span<const Vec3> b, Span<Vec3> y); // y may be b

    // A y - b of the last solve: the impulses (N s) that held what the filter holds; zero
    // elsewhere.
    void reaction(Span<Vec3> out);

    // The present system, rows in the order of its pattern, without what couples layers: for
    // benchmarks and tests.
    const BlockMatrix& matrix() const { return matrix_; }
    struct Seconds { // spent so far
        double assemble = 0, factor = 0, solve = 0;
    };
    const Seconds& seconds() const { return seconds_; }

private:
    void addMass();
    double withGravity(double energy, Span<const Vec3> x, Span<Vec3> f) const;

    std::vector<double> mass_;
    ClothAssembly assembly_;
    BlockMatrix matrix_;
    LooseBlocks loose_; // of layers
    ClothPreconditioner kind_;
    BlockJacobi jacobi_;
    std::unique_ptr<BlockIncompleteCholesky> cholesky_;
    std::unique_ptr<TwoLevel> twoLevel_;
    std::unique_ptr<BlockCholesky> direct_; // made when it is first asked for
    Mpcg solver_;
    NodeFilter rowFilter_;
    std::vector<Vec3> b_, z_, y_; // in rows
    Seconds seconds_;
};

} // namespace purl
