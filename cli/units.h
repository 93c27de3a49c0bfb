// Files in other units than metres.
#pragma once

#include "purl/io/detail.h"

namespace purl::cli {

// Makes metres of a geometry whose unit is `scale` metres: P and the attributes that are lengths or
// velocities by their names (houdini.md E.1). What is kept without being understood cannot follow:
// it is told in `warnings`.
void scaleDetail(Detail& detail, double scale, const std::string& file,
                 std::vector<std::string>& warnings);
// The number of --scale: metres in a unit, or the name of the unit (cm, mm, in, ...).
double parseScale(const std::string& text);

} // namespace purl::cli
