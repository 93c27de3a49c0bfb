// Where the 3x3 blocks of a symmetric matrix are: block CSR over nodes that have been put into
// parts (physics 6.10). Inside a part only the upper triangle is kept; a block that couples two
// parts is kept in both rows, so that each part can be multiplied by one thread alone.
#pragma once

#include "purl/base/types.h"

namespace purl {

// Groups of `width` nodes that couple each other: the stencils of an energy.
struct StencilView {
    int width = 0;
    Span<const Index> nodes; // width a stencil
    Index count() const { return width ? static_cast<Index>(nodes.size()) / width : 0; }
};

class BlockPattern {
public:
    static constexpr Index kLargestPart = 1024; // nodes; scratch of a part stays in the caches

    BlockPattern() = default;
    BlockPattern(Index nodes, Span<const StencilView> stencils);

    Index size() const { return static_cast<Index>(order.size()); }
    Index parts() const { return static_cast<Index>(part.size()) - 1; }
    Index blocks() const { return static_cast<Index>(column.size()); }
    Index partOf(Index row) const { return rowPart[row]; }
    // The block of row i and column j (rows of the matrix), -1 if it is not kept there.
    Index find(Index i, Index j) const;

    std::vector<Index> order;    // per row of the matrix: the node
    std::vector<Index> position; // per node: its row
    std::vector<Index> part;     // first row of each part; parts + 1
    std::vector<Index> row;      // first block of each row, the diagonal one; rows + 1
    std::vector<Index> outer;    // per row: first block whose column is in another part
    std::vector<Index> column;   // per block

private:
    std::vector<Index> rowPart;
};

} // namespace purl
