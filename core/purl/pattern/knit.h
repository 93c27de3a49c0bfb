// A knitted patch or tube, cropped from the endless fabric, with its selvedges and its bind-off.
#pragma once

#include "purl/pattern/knit_tile.h"

namespace purl {

// `settings` has been validated and its gauge filled in.
Pattern makeKnit(const StitchField&, const PatternSettings&);

} // namespace purl
