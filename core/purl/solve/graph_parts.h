// Cuts a graph of nodes into compact parts of bounded size and puts the nodes of a part side by
// side, by halving again and again along breadth-first fronts. The parts depend on the graph alone,
// never on the threads: they are the unit of parallel work and part of the answer's bits.
#pragma once

#include "purl/base/types.h"

namespace purl {

struct GraphParts {
    std::vector<Index> order; // nodes part by part; inside a part along a front (small bandwidth)
    std::vector<Index> first; // place in `order` of each part's first node; parts + 1
};

// Neighbours of node i: neighbour[first[i]] .. neighbour[first[i + 1] - 1].
GraphParts cutGraph(Span<const Index> first, Span<const Index> neighbour, Index largest);

} // namespace purl
