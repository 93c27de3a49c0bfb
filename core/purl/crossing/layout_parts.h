// What laying woven and knitted fabric have in common.
#pragma once

#include "purl/crossing/fabric_layout.h"
#include "purl/crossing/seam.h"

namespace purl {

struct FabricSizes {
    double warp, weft, radius; // m: between warps (wales), between wefts (courses), of the yarn
};

// Fills what was not given. Throws Error for what cannot be; says if there is no room.
FabricSizes fabricSizes(const Draft& draft, const LayoutSettings& s, const std::string& name,
                        std::vector<std::string>& warnings);
// Throws Error if no piece holds two threads each way (m between them along the plane's axes), or
// if there would be too many.
void requireRoomOnPatch(const FabricPatch& p, double alongX, double alongY,
                        const std::string& name);

Index addLayoutNode(const FabricPatch& p, FabricLayout& out, NodeKind kind, Index triangle,
                    const Vec3& weights, const Vec2& plane, double spacing);

// m, what the draft's diameters are measured by: the mean of the warps; 0: it has none.
double referenceDiameter(const Draft& draft);

// A material for each thread of a repeat, few as they differ: its index, per thread. A thread of
// the reference diameter has the radius; the others are in proportion.
std::vector<Index> addThreadMaterials(CrossingNetwork& net, const CrossingMaterial& base,
                                      const std::vector<double>& diameters, Index threads,
                                      double radius, double reference);
Index addSeamMaterial(CrossingNetwork& net, const LayoutSettings& s, double radius);

// Where an end of a yarn is sewn on.
struct SeamSlot {
    Index node = -1;
    int side = 0;
};
// Makes the nodes of the seams and fills the slots of the ends (one each, in order of the ends that
// findSeams was given). Returns the nodes of each seam.
std::vector<std::vector<Index>> placeSeamNodes(const FabricPatch& p, const std::vector<Seam>& seams,
                                               Span<SeamSlot*> slots, const FabricSizes& z,
                                               FabricLayout& out);
void addSeamYarns(const std::vector<Seam>& seams, const std::vector<std::vector<Index>>& nodes,
                  Index material, FabricLayout& out);

void sayBarePieces(const FabricPatch& p, Span<const std::uint8_t> used, const std::string& name,
                   std::vector<std::string>& warnings);

// Of knits: turns sides so that side 0 x side 1 looks to the front of the patch, as lifts count.
void faceFront(const FabricPatch& p, FabricLayout& out);
struct StitchPair {
    Index a, b; // nodes, in the order in which both yarns pass
    int turn;   // +1 a knit's left contact or a purl's right one, else -1
};
// Adds the stitch contacts whose yarns go on at both ends.
void addStitches(const FabricPatch& p, const std::vector<StitchPair>& pairs, FabricLayout& out);
// The rest shape of loops: their yarn is longer than the lines through the crossings, and bent.
// What is inside a stitch contact stays as long as it is laid. Throws Error if a loop is too short.
void shapeLoops(const std::vector<StitchPair>& pairs, const LayoutSettings& settings,
                const std::string& name, FabricLayout& out);

FabricLayout layKnit(const FabricPatch& patch, const Draft& draft, const LayoutSettings& settings,
                     const std::string& name, std::vector<std::string>& warnings);

} // namespace purl
