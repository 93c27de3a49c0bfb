// Provot's mass-springs in the plane (1995): a linear spring along every edge of the triangles;
// edges along warp and weft are his structural springs, slanted ones his shear springs. k = E(phi)
// A / l^2 (Van Gelder) with Young's modulus in the edge's direction and the area A of the edge's
// triangles: right for a grid pulled along its axes, but no choice of k makes springs a given sheet
// on every mesh, and the answer changes with the mesh (docs/cloth-models.md).
// Option: Choi and Ko's compression, where a spring gives way by bowing out (choi_ko.h).
#pragma once

#include "purl/cloth/energy.h"
#include "purl/cloth/material.h"
#include "purl/cloth/mesh.h"

#include <memory>

namespace purl::cloth {

std::unique_ptr<ClothEnergy> makeSprings(const ClothMesh&, const ClothMaterial&, const ClothPaint&);

// Provot's flexion springs, as bending: between the opposite points of every hinge. Such a spring
// shortens with the square of the angle, so its energy goes as theta^4 and no k is a rigidity; ours
// costs what the plate does at one radian, and less and less as the mesh is refined.
std::unique_ptr<ClothEnergy> makeFlexionSprings(const ClothMesh&, const ClothMaterial&,
                                                const ClothPaint&);

} // namespace purl::cloth
