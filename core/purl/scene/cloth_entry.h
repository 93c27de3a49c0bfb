// What a scene file says of a sheet of cloth: names and numbers, as they are written. A host turns
// the names into models and the polygons into a mesh.
#pragma once

#include "purl/base/types.h"

#include <optional>
#include <string>

namespace purl {

class JsonObject;

struct GridEntry { // a rectangle of squares, for scenes that need no file
    int columns = 40, rows = 40;
    double width = 1, height = 1; // m
    Vec3 centre{0, 0, 0};         // m
    bool lie = true;              // in the x-z plane with the front up, else upright in x-y
};

struct ClothEntry {
    std::string file;              // polygons
    std::optional<GridEntry> grid; // instead of a file
    bool there() const { return !file.empty() || grid; }
    std::optional<std::string> preset; // else the file's `material`, else cotton
    std::string inPlane = "stvk", bending = "discrete_shells", integrator = "linear_implicit";
    std::string rest = "auto"; // auto, rest, uv, input
    double uvScale = 1;        // m a unit of uv; 0: so that the area is that of the polygons
    bool flat = false;         // rest angles 0
    std::optional<std::string> compression, conditionScale; // options of single models
    // Each replaces what the preset says; see ClothMaterial for the units.
    std::optional<double> density, thickness, stretchWarp, stretchWeft, shear, poisson,
        stretchDamping, bendWarp, bendWeft, bendPoisson, bendDamping, yieldCurvature, plasticShare;
    bool selfCollision = true;
    std::optional<double> selfThickness; // m; else the cloth's thickness, but at least 1 mm
    double selfFriction = 0.2;           // Coulomb coefficient
    bool culling = true;
    bool drape = false;   // every frame is where the sheet comes to rest, not how it gets there
    bool adaptive = true; // shorter steps where one goes wrong
    int iterations = 0;   // of the linear solver at most; 0: its own bound
    double tolerance = 0; // of the linear solver; 0: its own
};

GridEntry readGridEntry(JsonObject object);

// All keys but "file", which needs the scene's folder. Throws Error with file and path.
void readClothEntry(JsonObject object, ClothEntry& out);

} // namespace purl
