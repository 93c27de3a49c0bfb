// Two vertices that are one (a knot, a selvedge, a point shared by two curves).
#pragma once

#include "purl/base/types.h"

namespace purl {

struct Weld {
    Index a, b; // vertices of Curves
};

} // namespace purl
