// A small lying sheet of polygons as cloth, as fabric of a draft, or with half of it painted.
#pragma once

#include "purl/host/cloth_from_detail.h"
#include "purl/host/fabric_attribute.h"

namespace purl::test {

// columns and rows of 1 cm, the middle at `height` (m); draft null: cloth. Paint is beyond x = 0.
inline Detail lyingSheet(int columns, int rows, double height, const char* draft, bool painted) {
    ClothEntry entry;
    entry.grid = GridEntry{columns, rows, 0.01 * columns, 0.01 * rows, Vec3(0, height, 0), true};
    std::string name;
    std::vector<std::string> warnings;
    Detail d = loadSheet(entry, name, warnings);
    if (!draft) return d;
    FabricEntry fabric;
    fabric.draft = draft;
    fabric.warpSpacing = 0.004;
    putFabricEntry(d, fabric);
    if (!painted) return d;
    Attribute& paint = d.addFloat(Owner::Point, "yarn");
    const std::vector<Vec3> x = d.positions();
    for (Index i = 0; i < d.points(); ++i) paint.set(i, 0, x[i].x() > -0.001 ? 1 : 0);
    return d;
}

} // namespace purl::test
