// Knit and woven patterns as yarn centre lines that do not touch to start from.
// The patch lies in the x-y plane, centred at the origin: wales run along y, courses along x, and
// the front (the knit face of stockinette) looks towards +z. A tube stands around the y axis with
// its front outwards. Everything is in metres.
#pragma once

#include "purl/geometry/curves.h"

#include <array>
#include <string>

namespace purl {

// A matrix of +1/-1 (knit or purl, as seen from the front) or of 1/0 (warp over weft or under it).
// at(row, column) repeats it without end; row 0 is the first course (the bottom).
struct StitchField {
    Index rows = 1, columns = 1;
    std::vector<std::int8_t> cells{1};
    int at(Index row, Index column) const {
        const Index i = ((row % rows) + rows) % rows, j = ((column % columns) + columns) % columns;
        return cells[static_cast<std::size_t>(i) * columns + j];
    }
};

// What one can ask for by name, in the order of a help page.
struct PatternName {
    std::string name;
    bool woven;
    std::string about; // one line for people
};
const std::vector<PatternName>& patternNames();
// The smallest repeat of a named pattern; throws Error with the known names for an unknown one.
StitchField fieldByName(const std::string& name);
bool isWoven(const std::string& name);

struct PatternSettings {
    std::string name = "stockinette"; // one of patternNames(), ignored if `field` has rows > 0
    StitchField field{0, 0, {}};      // own knit/purl field or 0/1 draft (see `woven`)
    bool woven = false;               // what `field` is; a name knows by itself
    Index wales = 24;                 // loops in a course; woven: warp threads
    Index courses = 24;               // rows of loops; woven: weft threads
    double radius = 1.25e-3;          // m, of the yarn
    double waleSpacing = 0;           // m between neighbouring wales (warps); 0: from the radius
    double courseSpacing = 0;         // m between neighbouring courses (wefts); 0: from the radius
    bool tube = false;                // knitted in the round
    bool continuous = false;          // one yarn: turns at the selvedges, or a helix
    bool bindSelvedges = true;        // weld course ends in pairs, as flat knitting turns
    bool bindOff = true;              // a last thread through the live loops of the top course
};

struct Pattern {
    Curves curves;
    std::vector<std::int32_t> course; // per point; the bind-off thread has course = courses
    std::vector<std::int32_t> wale;   // per point; woven: a weft has course >= 0 and wale -1 and
                                      // a warp wale >= 0 and course -1
    std::vector<double> curveu;       // per point: 0..1 along its yarn by arc length
    std::vector<Vec3> color;          // per yarn, linear RGB
    std::vector<Vec3> rest;           // m, the positions
    std::vector<std::array<Index, 2>> welds; // pairs of points that coincide and stay together
    std::vector<Index> edgeLeft, edgeRight, edgeBottom,
        edgeTop;                               // point groups; a tube has no sides
    double waleSpacing = 0, courseSpacing = 0; // m, as used
};

// Throws Error for numbers that make no sense, and for a gauge that cannot hold the yarn, naming
// the largest radius that it was found to hold.
Pattern makePattern(const PatternSettings&);

} // namespace purl
