// Wind and drag on every triangle, across it and along it apart (physics 6.7), as one more energy
// of the solver: it has none, but forces and their derivative by velocity.
#pragma once

#include "purl/cloth/energy.h"
#include "purl/cloth/mesh.h"
#include "purl/model/settings.h"

namespace purl {

class AirDrag final : public ClothEnergy {
public:
    // Of `settings`: wind (m/s), airDensity (kg/m3), dragNormal, dragTangent.
    AirDrag(const ClothMesh& mesh, const ForceSettings& settings);
    void setWind(const Vec3& wind /*m/s*/) { settings_.wind = wind; }

    const Stencils& stencils() const override { return stencils_; }
    void evaluate(Index begin, Index end, Span<const Vec3> x, Span<const Vec3> v,
                  const EnergySlots& out) const override;
    // By x: left out, as Baraff and Witkin do; forces by air are small against the sheet's own.
    void exactHessian(Index begin, Index end, Span<const Vec3> x, Span<Mat3> out) const override;

private:
    ForceSettings settings_;
    Stencils stencils_;
};

} // namespace purl
