// Where Houdini polygons and the cloth solver meet: the polygons of a Detail as a sheet with its
// material, pins and goals, and a simulated state back as its points.
#pragma once

#include "purl/cloth/material.h"
#include "purl/cloth/polygons.h"
#include "purl/io/detail.h"
#include "purl/scene/scene_file.h"

namespace purl {

struct SheetGoal {
    Index node;
    double stiffness; // N/m, weight already in it
};

struct SheetInput {
    ClothInput cloth;
    ClothMaterial material;
    ClothPaint paint;
    std::vector<double> density; // kg/m2: one, or one a triangle
    std::vector<Vec3> velocity;  // m/s, per node; empty: at rest
    std::vector<Index> pins;     // nodes, ascending
    std::vector<SheetGoal> goals;
    std::vector<Vec3> targets; // m, per node: where pins and goals are to go
};

// Reads uv, rest, warpdir, v, density, stretchstiffness, bendstiffness, stretchscale, bendscale,
// stopped, pintoanimation, targetP, targetstiffness, targetweight and material, see docs/cli.md.
SheetInput sheetOf(const Detail& detail, const std::string& file, const SceneFile& wanted,
                   std::vector<std::string>& warnings);

// The geometry of a scene's sheet: its file, or its grid as quads with uv in metres and the groups
// edge_top, edge_bottom, edge_left, edge_right and corners. `name` is what messages call it.
Detail loadSheet(const ClothEntry& wanted, std::string& name, std::vector<std::string>& warnings);

// The material of preset and numbers; `file`'s own detail attribute `material` may name the preset.
ClothMaterial clothMaterialOf(const Detail& detail, const std::string& file,
                              const ClothEntry& wanted);

// Puts positions and velocities of the nodes into the points that they belong to; v is made if
// there is none.
void putSheet(Detail& detail, const ClothInput& cloth, Span<const Vec3> x, Span<const Vec3> v,
              bool positions);

} // namespace purl
