// A woven square on a coarse sheet of triangles, painted in part: what the tests of the mixed
// solver and of fitting work on.
#pragma once

#include "purl/cloth/sheets.h"
#include "purl/crossing/fabric_layout.h"
#include "purl/mixed/homogenise.h"
#include "purl/mixed/solver.h"

namespace purl::test {

struct WovenPatch {
    FlatSheet sheet;
    FabricPatch patch;
    FabricLayout layout;
    LayoutSettings fabric;
    std::vector<std::string> warnings;
    ClothMaterial material;

    // side: m; across: triangles along a side; spacing: m between threads.
    WovenPatch(double side, Index across, double spacing, const char* draft = "plain") {
        sheet = rectangleSheet(across, across, side, side);
        PatchInput in;
        in.x = sheet.x;
        in.triangles = sheet.mesh.triangles;
        in.uv = sheet.mesh.rest;
        for (Index t = 0; t < sheet.mesh.faces(); ++t) in.number.push_back(t);
        PatchSettings flat;
        flat.autoScale = false;
        patch = flattenPatch(in, flat, "patch", warnings);
        fabric.warpSpacing = fabric.weftSpacing = spacing;
        fabric.radius = 0.35 * spacing;
        layout = layFabric(patch, draftByName(draft), fabric, "patch", warnings);
        const CrossingMaterial& m = layout.network.materials[0];
        material = homogenise(m, m, spacing, spacing);
    }
    // Paint of points whose x is in [from, to] (m).
    std::vector<double> paint(double from, double to) const {
        std::vector<double> p;
        for (const Vec3& x : sheet.x) p.push_back(x.x() > from - 1e-9 && x.x() < to + 1e-9);
        return p;
    }
    Regions regions(double from, double to) const {
        return findRegions(sheet.mesh.triangles, paint(from, to), "patch");
    }
    // Points and nodes within `width` of the edge x = -side/2.
    std::vector<Index> vertexPins(double at) const {
        std::vector<Index> out;
        for (std::size_t i = 0; i < sheet.x.size(); ++i)
            if (sheet.x[i].x() < at) out.push_back(static_cast<Index>(i));
        return out;
    }
    std::vector<Index> nodePins(double at) const {
        std::vector<Index> out;
        for (Index i = 0; i < layout.network.nodes(); ++i)
            if (layout.network.x[i].x() < at) out.push_back(i);
        return out;
    }
};

} // namespace purl::test
