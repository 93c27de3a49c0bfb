// `purl bench crossings --oracles`: physics 9, rows 20 to 23, in numbers and as a picture.
#pragma once

#include <string>

namespace purl::cli {

// picture: a file to plot to (.svg), or none. Throws Error if it cannot be written.
void benchOracles(const std::string& picture, bool json);

} // namespace purl::cli
