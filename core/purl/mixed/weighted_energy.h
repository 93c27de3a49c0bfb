// A cloth energy with a weight a stencil: the triangles' share 1 - alpha of physics 8.1. Stencils
// of no weight are left out, so that triangles under yarns cost nothing.
#pragma once

#include "purl/cloth/energy.h"

#include <memory>

namespace purl {

class WeightedEnergy final : public ClothEnergy {
public:
    WeightedEnergy(std::unique_ptr<ClothEnergy> energy, std::vector<double> weight);
    const Stencils& stencils() const override { return stencils_; }
    void evaluate(Index begin, Index end, Span<const Vec3> x, Span<const Vec3> v,
                  const EnergySlots& out) const override;
    void exactHessian(Index begin, Index end, Span<const Vec3> x, Span<Mat3> out) const override;
    void endStep(Span<const Vec3> x) override { energy_->endStep(x); }
    Span<double> memory() override { return energy_->memory(); }

private:
    std::unique_ptr<ClothEnergy> energy_;
    Stencils stencils_;
    std::vector<Index> source_; // per stencil of ours: that of the energy
    std::vector<double> weight_;
};

} // namespace purl
