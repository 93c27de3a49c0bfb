// Sheets of polygons in files, as `check` and `preview` look at them.
#pragma once

#include "cli/sequence.h"
#include "purl/geometry/trimesh.h"
#include "purl/io/detail.h"

namespace purl::cli {

// Polygons, and no yarn radius anywhere: a sheet of cloth, not closed yarns.
bool isSheet(const Detail& detail);
// Its polygons as triangles on the same points; `primitive` receives the number of each one's.
TriMesh sheetMesh(const Detail& detail, std::vector<Index>* primitive = nullptr);

// `purl check` of sheets: where one goes through itself, points that are no numbers, stretch.
// Prints the report; returns the exit code.
int checkSheets(const std::vector<SequenceFile>& files, bool json);

} // namespace purl::cli
