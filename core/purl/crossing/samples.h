// Small fabrics by number: what tests and benchmarks are made of. Real ones come from
// fabric_layout.h.
#pragma once

#include "purl/crossing/network.h"

namespace purl {

struct WovenSample {
    Index warps = 20, wefts = 20;
    double warpSpacing = 3e-4, weftSpacing = 3e-4; // m, between warps, and between wefts
    double tail = 3e-4; // m, of yarn beyond the outermost crossings; 0: yarns end there
    Index over = 1, under = 1, shift = 1; // a twill's draft; 1/1 is plain
};
// In the plane z = 0, warps along y, the first crossing at the origin. Crossing (warp i, weft j) is
// node j * warps + i; ends follow. Warp i is yarn i, weft j is yarn warps + j.
CrossingNetwork wovenSample(const WovenSample& s, const CrossingMaterial& material);

struct KnitSample {
    Index wales = 8, courses = 8;
    double width = 4e-3, height = 3e-3; // m, of a stitch: between wales, and between courses
    double loopLength =
        0; // m, of yarn a stitch at rest; 0: as long as the polygon through the nodes
};
// Stockinette in the plane z = 0, courses along x: four contact nodes a stitch (physics 7.3).
// Course r is yarn r, knitted from left to right. Courses are open at the top: the heads of the
// last are nodes of their own.
CrossingNetwork stockinetteSample(const KnitSample& s, const CrossingMaterial& material);

} // namespace purl
