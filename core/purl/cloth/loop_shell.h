// Thin-shell subdivision finite elements on Loop's scheme (Cirak 2000, Thomaszewski 2006; physics
// 6.6): E = A/2 b^T H b with the change of the limit surface's second fundamental form
// b = (x,uu . n, x,vv . n, 2 x,uv . n) - rest, and H of an orthotropic plate: D_u, D_v, Poisson's
// ratio, twist (1 - nu)/2 sqrt(D_u D_v). One quadrature point, the middle, a triangle.
//   gradient   A J^T H b, J = db/dx
//   Hessian    A J^T H J + ...; positive: the first term (Gauss-Newton), rank three
//   damping    tau A J^T H J
// Bending only: the membrane is the in-plane model's, on the control triangles, where Thomaszewski
// takes it from the limit surface too. Stencils are as wide as the widest patch (12 when every
// point has six neighbours); shorter ones are filled with their first point at weight zero.
#pragma once

#include "purl/cloth/energy.h"
#include "purl/cloth/material.h"
#include "purl/cloth/mesh.h"

#include <memory>

namespace purl::cloth {

std::unique_ptr<ClothEnergy> makeLoopShell(const ClothMesh&, const ClothMaterial&,
                                           const ClothPaint&);

} // namespace purl::cloth
