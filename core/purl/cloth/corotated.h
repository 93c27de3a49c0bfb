// Corotated linear finite elements (Etzmuss 2003; physics 6.4): F = R S, e = S - I, E = a/2 e^T C
// e. S = sqrt(F^T F) has a closed form, so the rotation never appears and the gradient is exact.
// The paper holds R fixed, which is the same for isotropic sheets but loses energy for orthotropic
// ones (2.8 % of the force at 10 % strain, physics 6.4).
#pragma once

#include "purl/cloth/energy.h"
#include "purl/cloth/material.h"
#include "purl/cloth/mesh.h"

#include <memory>

namespace purl::cloth {

std::unique_ptr<ClothEnergy> makeCorotated(const ClothMesh&, const ClothMaterial&,
                                           const ClothPaint&);

} // namespace purl::cloth
