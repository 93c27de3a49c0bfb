// What Embree sees of the yarns: strands, that is plies, whole yarns or loose fibres, each a chain
// of round Catmull-Rom pieces with the frame, arc length and colour that its fibres are shaded by.
#pragma once

#include "preview/render.h"

namespace purl {

using Vec3f = Eigen::Vector3f;

struct Strands {
    // Per control point, the phantom ones at the ends of every strand among them.
    std::vector<float> xyzr;          // m, four a point
    std::vector<Vec3f> normal;        // a unit vector across the strand that follows its twist
    std::vector<float> arc;           // m, along the strand
    std::vector<Vec3f> color;         // linear RGB
    std::vector<std::uint32_t> piece; // first of the four control points of every piece

    void append(const Strands&);
};

// The strands of all yarns in yarn order. Yarns with fewer than two points are left out.
Strands buildStrands(const Picture&, const RenderSettings&);

// Loose fibres standing off the yarns, a fuzz that softens their outline: those that the camera can
// make out, so none outside the picture and fewer where a yarn is only a few pixels wide.
Strands buildFuzz(const Picture&, const RenderSettings&, const View&);

} // namespace purl
