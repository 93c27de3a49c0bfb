// Triangles that behave like a woven fabric, in closed form (physics 8.5 [D]): stiffness of the
// yarns over their spacing. `purl fit` measures the same on a tile, and knits too.
#pragma once

#include "purl/cloth/material.h"
#include "purl/crossing/network.h"

namespace purl {

// Spacings in m: warpSpacing between warps, weftSpacing between wefts.
ClothMaterial homogenise(const CrossingMaterial& warp, const CrossingMaterial& weft,
                         double warpSpacing, double weftSpacing);

} // namespace purl
