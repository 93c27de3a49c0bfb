// Weaving Information Files, version 1.1 (1997; 1.0 reads the same): an INI text that weaving
// programs exchange. Read: WEAVING, WARP, WEFT, THREADING, TIEUP, TREADLING, LIFTPLAN, COLOR
// PALETTE, COLOR TABLE, and WARP / WEFT COLORS, SPACING, THICKNESS.
//
// Repaired, with one warning for each kind that names the first line:
//   no [WIF] header, or a version other than 1.0 and 1.1      read as 1.1
//   line that is neither key=value, [section] nor ;comment    left out
//   section twice                                             joined; a key twice: the last counts
//   shaft or treadle above the number that [WEAVING] gives    taken, the number was too small
//   more threads than [WARP] or [WEFT] gives                  taken
//   fewer threads than it gives, the last ones missing        left out: no part of the draft
//   end without shaft, pick without treadle                   warp under all; all warps under
//   numbering that starts at 0                                moved up by one
//   treadling without tie-up                                  treadle n lifts shaft n
//   colour above its range, index without an entry            cut off; the thread's default
//   no Range, or one that is none (values above 255 there)    0 to 999, else 0 to 255
//   spacing or thickness that is no length > 0                the warp's or weft's own
//   CONTENTS that says true of a section that is not there    said, if it would have been read
// Private sections (PRIVATE ..., or any that the format does not know) are left alone.
//
// Refused, naming the line: bytes that are no text; a number that is none where shafts and treadles
// stand; no threading; neither lift plan nor treadling; more than 100,000 threads, or 10^8 cells.
#pragma once

#include "purl/crossing/draft.h"

namespace purl {

// `name` is what messages call the text. The draft's name is the file's title, if it has one.
Draft parseWif(const std::string& text, const std::string& name,
               std::vector<std::string>& warnings);

} // namespace purl
