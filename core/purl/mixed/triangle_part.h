// The triangles of the mixed model as a linear system in the order of their vertices: energies
// weighted by 1 - alpha, and their mass.
#pragma once

#include "purl/cloth/assembly.h"
#include "purl/cloth/mesh.h"
#include "purl/mixed/enriched_patch.h"
#include "purl/solve/operator.h"

#include <Eigen/SparseCore>
#include <memory>

namespace purl {

struct ClothMaterial;

class TrianglePart final : public LinearOperator {
public:
    TrianglePart(const ClothMesh& mesh, const ClothMaterial& material, const EnrichedPatch& patch);
    ~TrianglePart() override;

    // Gradient (N) of the elastic energy at v with velocities rates (damping of the cloth models
    // included); returns the energy, J.
    double evaluate(Span<const Vec3> v, Span<const Vec3> rates, Span<Vec3> g);
    // Keeps M (1 + h c) + h D + h^2 K.
    void linearise(Span<const Vec3> v, Span<const Vec3> rates, double h, double massDamping);

    Index size() const override { return static_cast<Index>(mass_.size()); }
    void apply(Span<const Vec3> x, Span<Vec3> y) const override;
    // The kept matrix, 3 rows a vertex.
    const Eigen::SparseMatrix<double>& sparse();
    Span<const double> mass() const { return mass_; }
    std::vector<Span<double>> memory(); // of the energies: for checkpoints

private:
    struct Sheet; // energies, assembly, matrix
    void toSparse(Sheet& sheet);

    std::vector<double> mass_; // kg, per vertex
    std::unique_ptr<Sheet> weighted_;
    mutable std::vector<Vec3> in_, out_; // in rows
};

} // namespace purl
