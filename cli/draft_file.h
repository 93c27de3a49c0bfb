// A draft as `--draft` names it: by name, as rows of 0 and 1, or in a file.
#pragma once

#include "purl/crossing/draft.h"
#include "purl/scene/fabric_entry.h"

namespace purl::cli {

// .wif: Weaving Information File; .txt: rows of 0 and 1; .json: the same as lists; .png: a pixel a
// crossing, black over and white under unless the legend says otherwise; else a name.
Draft readDraft(const FabricEntry& wanted, std::vector<std::string>& warnings);

} // namespace purl::cli
