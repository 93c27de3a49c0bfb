// One polygon, convex or not, as triangles on its own points.
#pragma once

#include "purl/base/types.h"

#include <array>

namespace purl {

// Corners (indices into x) of triangles that cover the polygon and run the same way round. Cuts
// ears off the polygon seen along its mean normal, the best-shaped first. `simple` is set false if
// it crosses itself: what is left is then a fan.
std::vector<std::array<Index, 3>> triangulate(Span<const Vec3> x, bool& simple);

} // namespace purl
