// What would break a run, found before it begins: each with its place, what was expected and how
// to put it right. Says nothing of passing through, which is for sequences (check.h).
#pragma once

#include "purl/check/glue.h"
#include "purl/geometry/curves.h"

#include <array>
#include <string>

namespace purl {

struct InputFinding {
    enum class Kind {
        NonFinite,
        BadRadius,
        DoubledPoints, // neighbours along a yarn at one place
        Crossing,      // centre lines that go through each other
        Overlap,       // yarns that begin deep inside each other
        Units,         // a size that cloth does not have
        Spacing,       // points too near or too far for the radius
        Pins,          // a group or attribute that holds nothing
        UvOverlap,     // uv triangles on top of each other
        UvDegenerate   // uv triangles without area
    };
    Kind kind;
    bool breaks;        // false: a doubt
    std::string place;  // "yarn 3, point 17"
    std::string text;   // what was found and what was expected
    std::string repair; // what helps
    bool safe = false;  // --repair can do it
};
const char* nameOf(InputFinding::Kind kind);

struct InputLimits {
    double smallest = 2e-3, largest = 30; // m, of the whole: a swatch of a doll to a stage curtain
    double thinnest = 2e-5, thickest = 0.03; // m, radius: a silk filament to a rope
    double shortEdge = 0.35, longEdge = 12;  // radii: nearer, or farther, than contact works well
    double crossed = 0.05, deep = 0.5;       // of the sum of radii, between centre lines
    Index listed = 20;                       // findings of a kind; the last one tells how many more
};

// `scale` is what a unit of the file was taken for (m), for the advice on units.
std::vector<InputFinding> checkYarnInput(const Curves& curves,
                                         const std::vector<GluedPoints>& glued, double scale = 1,
                                         const InputLimits& limits = {});
// Size of a sheet, and points that are no numbers.
std::vector<InputFinding> checkSheetInput(Span<const Vec3> x, const InputLimits& limits = {});

// Triangles of uv space. `primitive` names them.
std::vector<InputFinding> checkUv(Span<const std::array<Vec2, 3>> triangles,
                                  Span<const Index> primitive, const InputLimits& limits = {});

// Spreads doubled points evenly between the neighbours that are apart, along the yarn. Numbers of
// points and yarns stay. Returns how many were moved.
Index spreadDoubled(Curves& curves, double least /*of the radius*/ = 0.1);

} // namespace purl
