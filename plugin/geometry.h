// Houdini geometry as the core's Detail, and back.
#pragma once

#include "purl/io/detail.h"

class GU_Detail;

namespace purl::houdini {

// Topology, groups of points and primitives, and every attribute of numbers or strings that is
// public. Numbers are read in single precision, as Houdini's files hold them. VDBs and what else is
// no polygon or curve are counted as primitives without a body.
Detail readGeometry(const GU_Detail& gdp);

// Writes point attributes, one value a point, making those that are not there.
void writePointAttributes(GU_Detail& gdp, const std::vector<Attribute>& attributes);
void writeAttribute(GU_Detail& gdp, Owner owner, const Attribute& attribute);

// Adds all of it: points, polygons and curves, attributes, groups. The points' first number is
// returned.
Index appendGeometry(GU_Detail& gdp, const Detail& detail);

} // namespace purl::houdini
