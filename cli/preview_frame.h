// A frame as `purl preview` shows it: curves and their colours, or a sheet of polygons.
#pragma once

#include "cli/sequence.h"
#include "preview/sheet.h"
#include "purl/geometry/curves.h"
#include "purl/geometry/trimesh.h"

#include <optional>

namespace purl::cli {

struct PreviewFrame {
    Curves curves;
    std::vector<double> value; // per node, of the attribute that colours them; empty: none
    std::vector<Vec3> color;   // per node, linear RGB; empty: by yarn
    TriMesh sheet;             // polygons of a file that tells no yarn radius
};

// Reads a frame; `attribute` is the one to colour by, empty for the file's own Cd.
PreviewFrame loadFrame(const SequenceFile& file, std::optional<double> radius,
                       const std::string& attribute);

// Turns values into colours over the range "a,b", or over what is found in all frames. The legend
// of it, if there is one.
std::optional<Legend> colorFrames(std::vector<PreviewFrame>& frames, const std::string& attribute,
                                  const std::string& range);

} // namespace purl::cli
