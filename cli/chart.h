// A knitting or weaving chart (a PNG, a pixel a stitch) as the stitches of a pattern.
#pragma once

#include "purl/pattern/pattern.h"

namespace purl::cli {

struct ChartPattern {
    StitchField field; // the bottom row of pixels is the first course
    bool woven = false;
};

// `legend` says what colours mean: "white=knit, #000000=purl", or a file that says it so, one a
// line. Knits: knit and purl, as seen from the front; weaves: over and under (the warp). Empty:
// white is knit and black purl. Throws Error naming the pixel whose colour the legend has not.
ChartPattern readChartPattern(const std::string& path, const std::string& legend);

} // namespace purl::cli
