// Triangles of the hybrid ring in their plane (ours; physics 8.5). There the triangles are the best
// match of yarns that may be wrinkled more finely than triangles can be: what then looks like
// compression is none, it is length that lies in wrinkles. Triangles that are as stiff to it as
// yarns along themselves would force waves on the yarns that triangles can follow. So compression
// along either family costs what a strip as long as a triangle needs to buckle (Euler's load), and
// is stiff again where no wrinkle could take more. Drawn and sheared the ring is as StVK is.
#pragma once

#include "purl/cloth/energy.h"
#include "purl/cloth/material.h"
#include "purl/cloth/mesh.h"

#include <memory>

namespace purl {

// Over all triangles; without Poisson's ratio and viscosity, which homogenised weaves have none of.
std::unique_ptr<ClothEnergy> makeRingMembrane(const ClothMesh& mesh, const ClothMaterial& material);

} // namespace purl
