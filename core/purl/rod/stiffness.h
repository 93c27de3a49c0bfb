// How stiff rods are, for implicit steps: Gauss-Newton of bending and twist (physics 2.7), positive
// semidefinite, in the two edge vectors of a vertex. Frames are quasistatic and taken as they are:
// that they would turn and soften the yarn a little is neglected in the matrix, never in the force.
#pragma once

#include "purl/base/simd.h"

#include <array>
#include <vector>

namespace purl {

// Of the vertex at each slot: second derivatives in (e, f), N/m. ee and ff are symmetric and kept
// as xx xy xz yy yz zz; ef is full, row by row (rows e, columns f).
struct RodStiffness {
    std::array<std::vector<double>, 6> ee, ff;
    std::array<std::vector<double>, 9> ef;
    void resize(std::size_t n) {
        for (auto& a : ee) a.assign(n, 0.0);
        for (auto& a : ff) a.assign(n, 0.0);
        for (auto& a : ef) a.assign(n, 0.0);
    }
};

} // namespace purl
