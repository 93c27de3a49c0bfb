// A woven patch: warps along y, wefts along x, crossing by a 0/1 draft.
#pragma once

#include "purl/pattern/pattern.h"

namespace purl {

// Spacing of threads in yarn radii that holds a draft with a little to spare.
double defaultThreadSpacing(const StitchField& draft);

// `settings` has been validated and its spacings filled in.
Pattern makeWeave(const StitchField& draft, const PatternSettings&);

} // namespace purl
