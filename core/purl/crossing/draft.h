// What a fabric is made after: a woven draft (which yarn is over at each crossing) or a knit field
// (knit or purl at each stitch), with the colours, spacings and thicknesses its source gave.
//
// Rows are wefts (picks) or courses from the first worked one, columns warps (ends) or wales from
// the left; written down or drawn, the first row is the lowest.
#pragma once

#include "purl/pattern/pattern.h"

namespace purl {

struct Draft {
    std::string name;
    bool woven = true;
    StitchField field; // woven: 1 warp over weft, 0 under; knit: +1 knit, -1 purl
    // Each per column or per row of the field, or empty when the source says nothing.
    std::vector<Vec3> warpColor, weftColor;         // linear RGB
    std::vector<double> warpSpacing, weftSpacing;   // m to the next thread
    std::vector<double> warpDiameter, weftDiameter; // m
};

// By name:
//   plain                      over one, under one
//   twillA/B, twillA/B/C/D...  over A, under B, ..., each weft one warp further; a last letter s
//                              runs the diagonals the other way (z is the default)
//   satinN, satinN/STEP        N-end satin, warp on the face; sateenN: weft on the face
//   basketN, basketA/B         A warps and B wefts as one, as plain
//   herringboneA/B, ...xW      a twill that turns every W warps (two repeats)
//   ribAxB                     knit: A wales knit, B purl
//   stockinette, garter, moss and every other name of patternNames()
// or a matrix in place: rows of 0 and 1 with commas between, the upper first ("0110,1100,1001").
// Throws Error naming the text and what was expected.
Draft draftByName(const std::string& text);
// One line a name, for help pages.
std::string draftNames();

// A matrix as text: a row a line, the upper first; 0 or . is under, 1, x or # over; blanks and
// commas between cells; what follows // is for people. Throws Error naming line and column.
Draft draftFromText(const std::string& text, const std::string& name);

// Throws Error unless the field has its cells, all of them allowed; `name` is for the message.
void validateDraft(const Draft& draft, const std::string& name);

// What will not hold: a thread that never interlaces, a cloth that falls apart into layers (it
// hangs together when every strand is over a strand that is over ... every other: Clapham 1980).
// One line each; none for a sound draft, and none for knits.
std::vector<std::string> draftWarnings(const Draft& draft);

// Spacing of threads (wales) in yarn radii when nobody gave one: close, but not jammed.
double usualSpacing(const Draft& draft);

} // namespace purl
