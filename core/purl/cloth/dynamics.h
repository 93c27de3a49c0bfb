// A sheet as the integrators see it: masses, gravity, cloth energies, a filter, and the linear
// solver with its matrix and preconditioner.
#pragma once

#include "purl/cloth/assembly.h"
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

    Index nodes() const override { return static_cast<Index>(mass_.size()); }
    Span<const double> mass() const override { return mass_; }
    const NodeFilter& filter() const override { return held; }
    double force(Span<const Vec3> x, Span<const Vec3> v, Span<Vec3> f) override;
    void linearise(Span<const Vec3> x, Span<const Vec3> v, double damping, double stiffness,
                   Span<const Vec3> w, Span<Vec3> f, Span<Vec3> kw) override;
    SolveReport solve(Span<const Vec3> b, Span<const Vec3> z, Span<Vec3> y,
                      const SolveSettings& settings) override;

    // A y - b of the last solve: the impulses (N s) that held what the filter holds; zero
    // elsewhere.
    void reaction(Span<Vec3> out);

    // The present system, rows in the order of its pattern: for benchmarks and tests.
    const BlockMatrix& matrix() const { return matrix_; }
    struct Seconds { // spent so far
        double assemble = 0, factor = 0, solve = 0;
    };
    const Seconds& seconds() const { return seconds_; }

private:
    double withGravity(double energy, Span<const Vec3> x, Span<Vec3> f) const;

    std::vector<double> mass_;
    ClothAssembly assembly_;
    BlockMatrix matrix_;
    ClothPreconditioner kind_;
    BlockJacobi jacobi_;
    std::unique_ptr<BlockIncompleteCholesky> cholesky_;
    std::unique_ptr<TwoLevel> twoLevel_;
    Mpcg solver_;
    NodeFilter rowFilter_;
    std::vector<Vec3> b_, z_, y_; // in rows
    Seconds seconds_;
};

} // namespace purl
