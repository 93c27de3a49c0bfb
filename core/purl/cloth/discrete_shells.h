// Discrete shells (Grinspun 2003; physics 6.5): E = k/2 (3 l^2 / A) (theta - rest)^2 with the rest
// length l and the rest area A of both triangles. On equilateral meshes a bent cylinder has the
// plate's energy with D = 3 k, in every direction, and Poisson's ratio 1/3; so k = D / 3.
#pragma once

#include "purl/cloth/energy.h"
#include "purl/cloth/material.h"
#include "purl/cloth/mesh.h"

#include <memory>

namespace purl::cloth {

std::unique_ptr<ClothEnergy> makeDiscreteShells(const ClothMesh&, const ClothMaterial&,
                                                const ClothPaint&);

} // namespace purl::cloth
