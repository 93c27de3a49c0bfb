// A pattern as Houdini geometry with the attributes and groups an artist expects.
#pragma once

#include "purl/io/detail.h"
#include "purl/scene/scene_file.h"

namespace purl {

Detail patternDetail(const PatternEntry& entry, const std::string& material = "");

} // namespace purl
