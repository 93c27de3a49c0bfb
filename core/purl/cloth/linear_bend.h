// Volino and Magnenat-Thalmann's linear bending (2006; physics 6.5): R = sum_i alpha_i x_i with
// weights from triangle areas at rest, f_i = -lambda alpha_i R. With |N| twice the areas of the two
// triangles, lambda = 2 D l^4 (|N_A| + |N_B|) / (|N_A| |N_B|)^2: the exponent and the 2 from the
// plate (the moment about the edge of a bent cylinder), as the printed factor, quoted from memory
// in physics 6.5, has not the dimension of a rigidity. alpha is parallel to Bergou's K, so this is
// the same energy as quadratic_bend, reached by areas in place of cotangents; a test says so.
#pragma once

#include "purl/cloth/energy.h"
#include "purl/cloth/material.h"
#include "purl/cloth/mesh.h"

#include <memory>

namespace purl::cloth {

std::unique_ptr<ClothEnergy> makeLinearBend(const ClothMesh&, const ClothMaterial&,
                                            const ClothPaint&);

} // namespace purl::cloth
