// A triangle mesh as flat arrays.
#pragma once

#include "purl/base/types.h"

#include <array>

namespace purl {

struct TriMesh {
    std::vector<Vec3> x; // m
    std::vector<std::array<Index, 3>> triangles;
};

} // namespace purl
