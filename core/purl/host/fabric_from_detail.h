// Where Houdini polygons and fabrics of crossings meet: the polygons of a Detail as a patch with a
// draft laid on it, its pins as nodes of the fabric.
#pragma once

#include "purl/crossing/fabric_layout.h"
#include "purl/host/cloth_from_detail.h"

namespace purl {

struct FabricInput {
    SheetInput sheet; // the polygons, and pins and targets per point of them
    FabricPatch patch;
    FabricLayout layout;
    std::vector<Index> pins;    // nodes of the fabric, ascending
    std::vector<Vec3> velocity; // m/s, per node of the fabric; empty: at rest
    std::vector<double> paint;  // per point of the sheet: above 0.5 yarns; empty: all yarn
};

// Reads P, uv, rest, v, stopped, pintoanimation, targetP, the pin groups, `material` (a fibre,
// detail), `yarn` (point, or a group: where the yarns are) and `nosliding` (point: above 0.5 yarns
// stay where they cross); see docs/cli.md.
FabricInput fabricOf(const Detail& detail, const std::string& file, const SceneFile& wanted,
                     const Draft& draft, std::vector<std::string>& warnings);

// The patch of a scene's fabric: its file, or its grid. `name` is what messages call it.
Detail loadPatch(const FabricEntry& wanted, std::string& name, std::vector<std::string>& warnings);

// Where a patch of the same points is painted: per node of the sheet, above 0.5 yarns; empty if it
// is not painted at all. Throws Error if it has other points.
std::vector<double> paintOf(const Detail& detail, const std::string& file, const FabricInput& in);

// Where the pins are to go, from where points of the patch are (m, per node of the sheet).
std::vector<Vec3> pinTargets(const FabricInput& in, Span<const Vec3> perPoint);

} // namespace purl
