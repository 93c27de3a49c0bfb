// Where the yarns are (physics 8.1): from an artist's paint on points to three kinds of triangles
// and the blending field alpha. Painted triangles are yarn alone; the ring of triangles around them
// is hybrid, alpha falling from 1 to 0 across it; everything else stays triangles.
#pragma once

#include "purl/base/types.h"

#include <array>
#include <string>

namespace purl {

enum class Region : std::uint8_t { Triangles, Hybrid, Yarn };

struct Regions {
    std::vector<Region> face;  // per triangle
    std::vector<double> alpha; // per vertex: 1 on the yarn region, 0 elsewhere
    std::vector<char> free;    // per vertex: in a triangle that is not all yarn
    std::vector<std::string> warnings;
    Index yarnFaces = 0, hybridFaces = 0;
    bool anyYarn() const { return yarnFaces > 0; }
};

constexpr double kPainted = 0.5;     // a point with more paint than this wants yarns
constexpr double kLeastAlpha = 0.01; // smaller ones, but not 0, are raised to it: masses

// paint: per point, 0 to 1. Throws Error on a value that is not finite; values outside are clamped
// with a warning. A painted island without a whole triangle is dropped with a warning.
Regions findRegions(Span<const std::array<Index, 3>> triangles, Span<const double> paint,
                    const std::string& where);

// alpha at a place in a triangle, as energies are weighted by: 1 in the yarn region, raised to
// kLeastAlpha in the hybrid one, 0 in triangles.
double blend(const Regions& regions, Span<const std::array<Index, 3>> triangles, Index face,
             const std::array<double, 3>& barycentric);

} // namespace purl
