// An order of elimination with little fill: the graph is halved along breadth-first fronts, what
// separates the halves comes after both, and so on in each half (nested dissection, George 1973).
// Depends on the graph alone.
#pragma once

#include "purl/solve/block_pattern.h"

namespace purl {

// The tree of separators. Fronts are in an order in which children come before their parents.
struct NestedOrder {
    struct Front {
        Index parent = -1;
        std::vector<Index> own;    // rows of the pattern that are eliminated here
        std::vector<Index> border; // rows eliminated later that these are coupled to, sorted by
                                   // `rank`
    };
    std::vector<Front> fronts;
    std::vector<Index> rank; // per row of the pattern: its place in the whole order
    // Fronts by height: those of one level depend on lower levels only.
    std::vector<std::vector<Index>> levels;
};

NestedOrder nestedOrder(const BlockPattern& pattern);

} // namespace purl
