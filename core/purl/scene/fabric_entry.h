// What a scene file says of a fabric of crossings: a patch of polygons, the draft that is laid on
// it, its yarns. A host reads the files and makes the network.
#pragma once

#include "purl/pattern/pattern.h"
#include "purl/scene/cloth_entry.h"

namespace purl {

struct FabricEntry {
    std::string file;              // polygons
    std::optional<GridEntry> grid; // instead of a file
    bool there() const { return !file.empty() || grid; }

    std::string draft = "plain";  // a name, or a file: .wif, .txt, .png, .json
    std::string legend;           // of a .png: what its colours mean
    StitchField matrix{0, 0, {}}; // instead of `draft`: rows > 0
    double warpSpacing = 0;       // m between warps (wales); 0: the draft's, or by the radius
    double weftSpacing = 0;       // m between wefts (courses)
    double radius = 0;            // m; 0: the draft's, or by the spacing
    double angle = 0;             // degrees, warp against the direction in which u grows
    std::string rest = "auto";    // where yarns are laid: auto, uv, rest, input
    double uvScale = 1;           // m a unit of uv; 0: so that the area is that of the polygons
    bool seams = true;            // yarns are sewn together where pieces meet
    bool bind = true;             // border stitches of a knit do not slide
    double loopLength = 0;        // m of yarn in a knit's loop; 0: as usual at this spacing
    double loopSet = 0.75;        // 0..1, share of the loops' bends that the yarn has taken on

    std::optional<std::string> material; // fibre; else the file's `material`, else cotton
    double tex = 0;                      // g/km of one ply; 0: from the radius
    int ply = 1;
    // Each replaces what the fibre says; see CrossingMaterial for the units.
    std::optional<double> density, stretch, bend, shear, friction, pretension, crimpSet, wrap;

    int points = 4;    // of a yarn's curve from crossing to crossing
    double twist = 0;  // turns a metre
    std::string nodes; // file (one a frame) for the network of crossings itself; empty: none

    std::string region = "paint";    // where yarns are simulated: paint, all, none
    bool sliding = true;             // false: yarns stay where they cross
    bool selfCollision = true;       // spheres at the nodes
    std::string matrixForm = "free"; // or assembled: the reference, several times the memory
    double settle = 0; // s of rest that is found before the first frame moves; 0: none
};

// A draft as JSON: [[0, 1], [1, 0]], the upper row first; knits of 1 and -1.
StitchField parseMatrix(const std::string& text, const std::string& file);

// All keys but "file", "draft" (when it is a file) and "nodes", which need the scene's folder.
void readFabricEntry(JsonObject object, FabricEntry& out);

} // namespace purl
