// What a group of the patch's points holds of the fabric on it.
#pragma once

#include "purl/crossing/fabric_layout.h"

namespace purl {

// Nodes of the fabric that held points of the patch hold: those in a triangle whose corners are all
// held; within `reach` (m, in the plane) of an edge with both ends held, or of a held point; and
// the nearest one of a held point that has none that near. Ascending.
std::vector<Index> heldNodes(const FabricPatch& patch, const FabricLayout& layout,
                             Span<const std::uint8_t> held, double reach);

// A vector per point of the patch at the nodes of the fabric: where pins go, velocities.
std::vector<Vec3> atNodes(const FabricPatch& patch, const FabricLayout& layout,
                          Span<const Vec3> perPoint);

} // namespace purl
