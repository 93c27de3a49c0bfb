// Geometry files as the commands read them. OpenVDB itself trusts what it reads: a damaged .vdb can
// make it write over memory (about 1 in 40 files with a changed byte). So a child process reads it
// first, and a file that the child does not survive is refused.
#pragma once

#include "purl/io/detail.h"

namespace purl::cli {

// readDetail() behind that guard.
Detail readGeometry(const std::string& path, std::vector<std::string>& warnings);
// Throw Error naming the file if its grids cannot be read alive; what else is wrong with them is
// for the real reader to say.
void guardVdbFile(const std::string& path);
void guardEmbeddedVdbs(const Detail& detail, const std::string& path);

} // namespace purl::cli
