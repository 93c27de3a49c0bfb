// The .yarns files of the textiles lab: chunks "f3.." points, "src." source lines, "yarn" ranges
// with radius and colour, "strs", "unit", "chk.".
#pragma once

#include "purl/io/byte_source.h"
#include "purl/io/detail.h"

namespace purl {

// Point attributes P, pscale (the radius) and src (source line); primitive attribute Cd, Alpha.
Detail readYarns(ByteStream&, Budget&, std::vector<std::string>& warnings);

} // namespace purl
