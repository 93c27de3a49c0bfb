// A fabric laid on a patch: warps and wefts of a draft, or the stitches of a knit field, in the
// plane of every piece, trimmed at borders, holes and darts, carried over to space by the triangles
// that they lie in, sewn together where pieces meet (physics 7.1, 7.3, 8.6).
//
// Threads lie on a grid that starts half a spacing from the plane's origin, so that pieces cut from
// one plane have one pattern. A thread that leaves a piece and comes back (around a hole, over a
// dart) is as many yarns. A crossing nearer than a quarter of a spacing to an end of one of its
// yarns is left out, and so is a yarn that fewer than two crossings would hold.
//
//   spacing larger than the patch          refused, with both sizes
//   piece too small for two threads        left bare, said with its primitive
//   piece that lies over itself in uv      refused, with the two primitives
//   more than 50 million crossings         refused
//   yarns thicker than their spacing holds said
#pragma once

#include "purl/crossing/draft.h"
#include "purl/crossing/fabric_patch.h"
#include "purl/crossing/network.h"

namespace purl {

// A loop's yarn against the straight lines through its crossings: as in the relaxed stockinette of
// rods (pattern/knit_tile.h), 29.8 radii at 8.3 by 5.3 radii a stitch.
constexpr double kLoopShare = 1.25;

enum class YarnFamily : std::uint8_t { Warp, Weft, Course, Seam };
const char* familyName(YarnFamily); // "warp", "weft", "course", "seam"

struct LayoutSettings {
    // m between warps (wales) and between wefts (courses); 0: what the draft says, else from the
    // radius. A draft with spacings of its own keeps their proportions.
    double warpSpacing = 0, weftSpacing = 0;
    double radius = 0;           // m; 0: what the draft says, else from the spacing
    CrossingMaterial warp, weft; // radius aside
    CrossingMaterial seam;       // the sewing thread; radius 0: that of the warp
    bool seams = true;           // else yarns end free at seams
    // Of knits. m of yarn in a loop; 0: kLoopShare times the straight lines through its crossings.
    double loopLength = 0;
    double loopSet = 0.75; // 0..1, share of the loops' bends that the yarn has taken on
    bool bindKnit = true;  // border stitches of knits do not slide: bound off, selvedge
};

struct FabricYarn {
    YarnFamily family = YarnFamily::Warp;
    Index thread = 0;          // number of its line in the grid; a seam's own number
    Index piece = 0;           // -1 for seams
    Vec3 color{0.8, 0.8, 0.8}; // linear RGB
};

struct FabricLayout {
    CrossingNetwork network;
    // Per node: where it is in the patch. The mixed model's B has these weights (physics 8.2).
    std::vector<Index> triangle;
    std::vector<Vec3> weights; // of the triangle's corners, sum 1
    std::vector<Vec2> plane;   // m, in the plane of its piece
    std::vector<FabricYarn> yarns;
    double warpSpacing = 0, weftSpacing = 0, radius = 0; // m, as used (means)
    Index crossings = 0;                                 // nodes of two yarns
    Index leftOut = 0;                                   // yarns that nothing would have held
};

// Throws Error; `name` is the patch's name. Warnings are added to `warnings`.
FabricLayout layFabric(const FabricPatch& patch, const Draft& draft, const LayoutSettings& settings,
                       const std::string& name, std::vector<std::string>& warnings);

} // namespace purl
