// Bridson's bending mode with rest angles (2003; physics 6.5): a force k l^2 / (|N1| + |N2|)
// (sin theta/2 - sin rest/2) along u = dtheta/dx, damping along the same mode. k = 4 D gives the
// plate for small angles. The paper's l and N are the current ones and its elastic force has no
// energy; ours are the rest ones, so it has: W = 2 D l^2/A (2 cos rest/2 - 2 cos theta/2 - ...).
#pragma once

#include "purl/cloth/energy.h"
#include "purl/cloth/material.h"
#include "purl/cloth/mesh.h"

#include <memory>

namespace purl::cloth {

std::unique_ptr<ClothEnergy> makeBridson(const ClothMesh&, const ClothMaterial&, const ClothPaint&);

} // namespace purl::cloth
