// What a step changes: one flat node array for everything that is simulated. What a force remembers
// on purpose (frames, plastic rest shapes) is kept by that force.
#pragma once

#include "purl/base/types.h"

namespace purl {

struct State {
    std::vector<Vec3> x;              // m
    std::vector<Vec3> v;              // m/s
    std::vector<double> mass;         // kg
    std::vector<double> inverseMass;  // 1/kg; 0 for a pinned node
    double time = 0;                  // s since the start of the simulation
    Index size() const { return static_cast<Index>(x.size()); }
};

} // namespace purl
