#include "purl/mixed/triangle_part.h"

#include "purl/base/parallel.h"
#include "purl/cloth/models.h"
#include "purl/mixed/ring_membrane.h"
#include "purl/mixed/weighted_energy.h"

#include <utility>

namespace purl {

struct TrianglePart::Sheet {
    Sheet(const ClothMesh& mesh, const ClothMaterial& material, std::vector<double> face,
          std::vector<double> ringFace, std::vector<double> hinge)
        : inPlane(makeInPlane(InPlaneModel::StVK, mesh, material), std::move(face)),
          ring(makeRingMembrane(mesh, material), std::move(ringFace)),
          bending(makeBending(BendingModel::DiscreteShells, mesh, material), std::move(hinge)),
          assembly(mesh.points, {&inPlane, &ring, &bending}), matrix(assembly.pattern()) {}

    WeightedEnergy inPlane, ring, bending;
    ClothAssembly assembly;
    BlockMatrix matrix;
    Eigen::SparseMatrix<double> sparse; // in the order of vertices
    std::vector<Vec3> g;
    bool fresh = false;

    void linearise(Span<const Vec3> v, Span<const Vec3> rates, double h, double massFactor,
                   Span<const double> mass) {
        ClothAssembly::Derivatives d;
        d.matrix = &matrix;
        d.damping = h;
        d.stiffness = h * h;
        g.resize(v.size());
        assembly.evaluate(v, rates, g, d);
        const BlockPattern& p = matrix.pattern();
        for (Index r = 0; r < p.size(); ++r)
            matrix.blocks()[p.row[r]].diagonal().array() += massFactor * mass[p.order[r]];
        fresh = false;
    }
};

TrianglePart::TrianglePart(const ClothMesh& mesh, const ClothMaterial& material,
                           const EnrichedPatch& patch)
    : mass_(patch.vertexMass) {
    std::vector<double> face = patch.faceWeight, ring(face.size(), 0);
    for (std::size_t t = 0; t < face.size(); ++t)
        if (face[t] < 1) std::swap(face[t], ring[t]);
    weighted_ = std::make_unique<Sheet>(mesh, material, std::move(face), std::move(ring),
                                        patch.hingeWeight);
    in_.resize(mass_.size()), out_.resize(mass_.size());
}

TrianglePart::~TrianglePart() = default;

double TrianglePart::evaluate(Span<const Vec3> v, Span<const Vec3> rates, Span<Vec3> g) {
    return weighted_->assembly.evaluate(v, rates, g);
}

void TrianglePart::linearise(Span<const Vec3> v, Span<const Vec3> rates, double h,
                             double massDamping) {
    weighted_->linearise(v, rates, h, 1 + h * massDamping, mass_);
}

void TrianglePart::apply(Span<const Vec3> x, Span<Vec3> y) const {
    const BlockPattern& p = weighted_->matrix.pattern();
    const Index n = size();
    parallelFor(n, 1024, [&](Index r0, Index r1) {
        for (Index r = r0; r < r1; ++r) in_[r] = x[p.order[r]];
    });
    weighted_->matrix.apply(in_, out_);
    parallelFor(n, 1024, [&](Index r0, Index r1) {
        for (Index r = r0; r < r1; ++r) y[p.order[r]] = out_[r];
    });
}

void TrianglePart::toSparse(Sheet& sheet) {
    const BlockPattern& p = sheet.matrix.pattern();
    const Span<const Mat3> blocks = std::as_const(sheet.matrix).blocks();
    std::vector<Eigen::Triplet<double>> t;
    t.reserve(blocks.size() * 18);
    for (Index r = 0; r < p.size(); ++r)
        for (Index b = p.row[r]; b < p.row[r + 1]; ++b) {
            const Index c = p.column[b];
            const bool mirror = c != r && p.partOf(c) == p.partOf(r); // kept once
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 3; ++j) {
                    const int row = static_cast<int>(3 * p.order[r] + i),
                              column = static_cast<int>(3 * p.order[c] + j);
                    t.emplace_back(row, column, blocks[b](i, j));
                    if (mirror) t.emplace_back(column, row, blocks[b](i, j));
                }
        }
    sheet.sparse.resize(3 * size(), 3 * size());
    sheet.sparse.setFromTriplets(t.begin(), t.end());
    sheet.fresh = true;
}

const Eigen::SparseMatrix<double>& TrianglePart::sparse() {
    if (!weighted_->fresh) toSparse(*weighted_);
    return weighted_->sparse;
}

std::vector<Span<double>> TrianglePart::memory() {
    return {weighted_->inPlane.memory(), weighted_->bending.memory()};
}

} // namespace purl
