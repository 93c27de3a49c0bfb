// A fabric as Houdini geometry: its yarns as curves to render, or its network of crossings.
#pragma once

#include "purl/crossing/curves_out.h"
#include "purl/io/detail.h"

namespace purl {

// One polyline a yarn. Points: P, pscale, width, yarnid, curveu (0..1 along the yarn's material),
// slide (m, the same in metres), Cd, orient, N, v, node (-1 between crossings). Primitives: yarnid,
// family (warp, weft, course, seam), thread, piece. Groups of primitives: warp, weft, course, seam;
// of points: yarn_ends.
Detail fabricDetail(const FabricLayout& layout, const FabricCurves& curves,
                    const std::string& material);
// The parts that move: P, orient, N, slide, curveu and v (per point of the curves; empty: 0).
void putFabric(Detail& detail, const FabricCurves& curves, Span<const Vec3> velocity);

// The nodes as points (P, kind, slide: one number a side, frozen, lift, prim and bary: where in the
// patch, piece, uvw: place in its plane, m) and the yarns as polylines through them.
Detail networkDetail(const FabricLayout& layout, const FabricPatch& patch, Span<const Vec3> x,
                     Span<const Vec3> slides);

} // namespace purl
