// Centre lines dressed for the render: tubes, or plies twisted about each other. Purely geometric;
// the same points in the same order for every frame of the same yarns.
#pragma once

#include "purl/io/detail.h"

namespace purl {

struct TubeSettings {
    enum class Output { Tube, Plies, PlyCurves };
    Output output = Output::Tube;
    int sides = 8;         // polygons around
    int pieces = 2;        // smooth pieces of each segment
    double widthScale = 1; // of the radius
    int plies = 3;
    double twist = 120; // 1/m, turns of the plies
    bool caps = true;   // on the ends of open tubes
};

// `detail` has curves with a radius; `name` is for messages. Reads orient if it is there. Writes
// uv, yarnid, ply, Cd, width (of curves) and curveu.
Detail dressYarns(const Detail& detail, const std::string& name, const TubeSettings& settings,
                  std::vector<std::string>& warnings);

} // namespace purl
