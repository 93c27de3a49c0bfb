// Rows of a flat fabric (courses, wefts, warps) and the turns at their ends.
#pragma once

#include "purl/pattern/strand_set.h"

namespace purl {

struct Node {
    Index point;
    Tag tag;
};
using Row = std::vector<Node>; // from left to right, or from bottom to top

// How a thread turns at the end of a row and works back: row i meets row i + 1 at the far end
// (right, top) if i is even, at the near one if it is odd. The outermost point of a turn is shared
// by both rows: welded, or passed by the one yarn.
struct Turning {
    Vec3 along{1, 0, 0}; // unit, the rows' direction
    double reach = 0;    // m, how far a turn stands out
    std::uint8_t nearEdge = kLeft, farEdge = kRight;
    bool continuous = false; // no cut at the turns
};
// turns[i] is between rows i and i + 1.
std::vector<Node> makeTurns(StrandSet&, const std::vector<Row>&, const Turning&);
// Chains for all rows; without turns each row stays alone.
void addRows(StrandSet&, const std::vector<Row>&, const std::vector<Node>& turns, double edge);

} // namespace purl
