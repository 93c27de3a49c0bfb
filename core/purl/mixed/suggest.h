// Where yarns would be worth their cost, from how triangles lie (docs/mixed.md): a map of stress
// and curvature over the points of a sheet.
#pragma once

#include "purl/cloth/mesh.h"

namespace purl {

struct SuggestSettings {       // what counts as 1
    double stretch = 0.05;     // along the direction that is drawn most
    double compression = 0.05; // across it: wrinkles that triangles are too coarse for
    double fold = 0.8;         // rad, of an edge against its rest
};

// Per point, 0 to 1: the largest of the three; strains are means over the triangles that meet
// there, of edges the sharpest counts. What `map` holds already stays where it is larger: frames of
// a motion add up.
void suggestYarn(const ClothMesh& mesh, Span<const Vec3> x, const SuggestSettings& settings,
                 Span<double> map);

} // namespace purl
