// From a fibre by name (model/material.h) to a yarn of a fabric of crossings.
#pragma once

#include "purl/crossing/network.h"
#include "purl/model/material.h"

namespace purl {

// Weight and bending as rods of the same fibre have them; what else a crossing needs keeps the
// proportions of CrossingMaterial's defaults (physics 7.4, a cotton yarn of 0.12 mm): stretch,
// shear and pretension go with the cross-section. tex and ply as in materialByName. A knit's yarn
// is spun loosely: it gives more along itself (5 MPa; the knit column of physics 7.4).
CrossingMaterial yarnMaterial(const std::string& fibre, double radius /*m*/, double tex = 0,
                              int ply = 1, bool knit = false);

} // namespace purl
