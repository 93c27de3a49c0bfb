// Orthotropic Saint Venant-Kirchhoff sheet (physics 6.3; garment tutorial, Eq. 22):
//   e = (|w_u|^2/2 - 1/2, |w_v|^2/2 - 1/2, w_u.w_v),  E = a/2 e^T C e,  C of plane stress.
// Exact under large rotations; gets soft when squeezed below 1/sqrt(3) of its length, where cloth
// has long buckled.
#pragma once

#include "purl/cloth/energy.h"
#include "purl/cloth/material.h"
#include "purl/cloth/mesh.h"

#include <memory>

namespace purl::cloth {

std::unique_ptr<ClothEnergy> makeStVK(const ClothMesh&, const ClothMaterial&, const ClothPaint&);

} // namespace purl::cloth
