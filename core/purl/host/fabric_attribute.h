// A fabric's description carried by the polygons it is to be laid on: detail attribute `fabric`,
// the text that a scene file has under "fabric". So a node can say what another one is to lay.
#pragma once

#include "purl/crossing/draft.h"
#include "purl/io/detail.h"
#include "purl/scene/scene_file.h"

namespace purl {

void putFabricEntry(Detail& detail, const FabricEntry& entry);
bool hasFabricEntry(const Detail& detail);
// Throws Error for text that no scene file could have.
FabricEntry fabricEntryOf(const Detail& detail, const std::string& name);

// By name, as a matrix in place, or from a .wif or .txt file. Throws Error.
Draft draftOf(const FabricEntry& entry, std::vector<std::string>& warnings);

} // namespace purl
