#include "purl/mixed/homogenise.h"

#include <cmath>

namespace purl {

ClothMaterial homogenise(const CrossingMaterial& warp, const CrossingMaterial& weft,
                         double warpSpacing, double weftSpacing) {
    ClothMaterial m;
    m.areaDensity = warp.density / warpSpacing + weft.density / weftSpacing;
    m.thickness = 2 * (warp.radius + weft.radius);
    m.stretchWarp = warp.stretch / warpSpacing;
    m.stretchWeft = weft.stretch / weftSpacing;
    // A crossing has four corners, each 1/2 k_x L gamma^2, on an area of both spacings. Corners
    // take the mean of the two yarns, and L is the mean spacing.
    const double kx = std::sqrt(warp.shear * weft.shear), l = 0.5 * (warpSpacing + weftSpacing);
    m.shear = 4 * kx * l / (warpSpacing * weftSpacing);
    m.poisson = 0; // crossings have no crimp to interchange
    m.bendWarp = warp.bend / warpSpacing;
    m.bendWeft = weft.bend / weftSpacing;
    m.bendPoisson = 0;
    m.stretchDamping = m.bendDamping = 0; // damping of the two sides has to be the same: by mass
    return m;
}

} // namespace purl
