// Quadratic isometric bending (Bergou 2006; physics 6.5): E = 1/2 x^T Q x, Q = k (3 / A) K K^T with
// the cotangents K of the flat hinge. For folds that do not stretch it is discrete shells with
// 2 (1 - cos theta) for theta^2. k = D / 3.
#pragma once

#include "purl/cloth/energy.h"
#include "purl/cloth/material.h"
#include "purl/cloth/mesh.h"

#include <memory>

namespace purl::cloth {

std::unique_ptr<ClothEnergy> makeQuadraticBend(const ClothMesh&, const ClothMaterial&,
                                               const ClothPaint&);

} // namespace purl::cloth
