// Attributes of a geometry as the commands read them.
#pragma once

#include "purl/io/detail.h"

namespace purl {

// A point attribute of 3 numbers; null if there is none. Throws Error if it is something else.
const Attribute* vectorAttribute(const Detail& d, const char* name, const std::string& file);
// A numeric attribute; null if there is none.
const Attribute* scalarAttribute(const Detail& d, Owner owner, const char* name);
// Throws Error: there is no such group; it names those that there are.
[[noreturn]] void noSuchGroup(const Detail& d, const std::string& group, const std::string& file);

} // namespace purl
