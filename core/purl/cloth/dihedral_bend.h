// Baraff and Witkin's bend condition (1998; physics 6.5): C = theta - rest, E = k_b/2 C^2 a hinge,
// with no metric factor: long edges and short ones, wide hinges and narrow ones count the same. k_b
// = 2/sqrt(3) D makes it discrete shells on equilateral meshes; on others it is another cloth.
#pragma once

#include "purl/cloth/energy.h"
#include "purl/cloth/material.h"
#include "purl/cloth/mesh.h"

#include <memory>

namespace purl::cloth {

std::unique_ptr<ClothEnergy> makeDihedralBend(const ClothMesh&, const ClothMaterial&,
                                              const ClothPaint&);

} // namespace purl::cloth
