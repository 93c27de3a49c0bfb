// The first half of buildCloth: clean loops of points, all the same way round.
#pragma once

#include "purl/cloth/polygons.h"

namespace purl {

struct PolygonLoop {
    Index polygon; // of the input
    std::vector<Index> point;
    std::vector<Vec2> uv; // per point of the loop, or empty
};

// "12 primitives have no area (the first is primitive 3); they are left out", or nothing for 0.
struct RepairCount {
    Index count = 0, first = -1;
    void add(Index which) {
        if (count++ == 0) first = which;
    }
    void say(const std::string& file, const std::string& one, const std::string& many,
             const std::string& done, std::vector<std::string>& warnings,
             const char* what = "primitive") const;
};

// Throws for what is refused. `restX`: where areas are measured.
std::vector<PolygonLoop> repairPolygons(const Polygons& polygons, Span<const Vec3> restX,
                                        const std::string& file,
                                        std::vector<std::string>& warnings);

// Twice the area as a vector, by Newell's formula: of any loop, flat or not.
Vec3 loopNormal(Span<const Vec3> x, Span<const Index> loop);

} // namespace purl
