// Baraff and Witkin's stretch and shear conditions (1998; physics 6.2):
//   C = s (|w_u| - 1), s (|w_v| - 1), s w_u.w_v,  E = k/2 C.C,  damping -k_d dC/dx dC/dt, k_d = tau
//   k
// with s^2 = a (a / reference)^p, p = 0, 1, 1/2 for s ~ sqrt(a), a, a^(3/4). No Poisson effect.
#pragma once

#include "purl/cloth/energy.h"
#include "purl/cloth/material.h"
#include "purl/cloth/mesh.h"

#include <memory>

namespace purl::cloth {

std::unique_ptr<ClothEnergy> makeBaraffWitkin(const ClothMesh&, const ClothMaterial&,
                                              const ClothPaint&);

} // namespace purl::cloth
