#include "purl/solve/block_pattern.h"

#include "purl/base/error.h"
#include "purl/base/parallel.h"
#include "purl/solve/graph_parts.h"

#include <algorithm>
#include <string>

namespace purl {

namespace {
struct Graph {
    std::vector<Index> first, neighbour;
};

// Who shares a stencil with whom; each list sorted, without the node itself.
Graph couple(Index n, Span<const StencilView> stencils) {
    std::vector<std::size_t> room(static_cast<std::size_t>(n) + 1, 0);
    for (const StencilView& s : stencils)
        for (Index i : s.nodes) {
            if (i < 0 || i >= n)
                throw Error("block matrix", "a stencil uses node " + std::to_string(i) +
                                                ", expected 0 to " + std::to_string(n - 1));
            room[i + 1] += s.width - 1;
        }
    for (Index i = 0; i < n; ++i) room[i + 1] += room[i];
    std::vector<Index> all(room[n]);
    std::vector<std::size_t> at(room.begin(), room.end() - 1);
    for (const StencilView& s : stencils)
        for (Index k = 0; k < s.count(); ++k) {
            const Index* node = s.nodes.data() + static_cast<std::size_t>(k) * s.width;
            for (int a = 0; a < s.width; ++a)
                for (int b = 0; b < s.width; ++b)
                    if (a != b) all[at[node[a]]++] = node[b];
        }
    std::vector<Index> count(static_cast<std::size_t>(n));
    parallelFor(n, 256, [&](Index i0, Index i1) {
        for (Index i = i0; i < i1; ++i) {
            const auto begin = all.begin() + room[i], end = all.begin() + room[i + 1];
            std::sort(begin, end);
            auto last = std::unique(begin, end);
            last = std::remove(begin, last, i);
            count[i] = static_cast<Index>(last - begin);
        }
    });
    Graph g;
    g.first.assign(static_cast<std::size_t>(n) + 1, 0);
    for (Index i = 0; i < n; ++i) g.first[i + 1] = g.first[i] + count[i];
    g.neighbour.resize(g.first[n]);
    for (Index i = 0; i < n; ++i)
        std::copy_n(all.begin() + room[i], count[i], g.neighbour.begin() + g.first[i]);
    return g;
}
} // namespace

BlockPattern::BlockPattern(Index n, Span<const StencilView> stencils) {
    const Graph g = couple(n, stencils);
    // Sixteen parts or more keep several threads busy on small sheets; from the size alone.
    const Index largest = std::clamp<Index>((n + 15) / 16, 64, kLargestPart);
    GraphParts cut = cutGraph(g.first, g.neighbour, largest);
    order = std::move(cut.order);
    part = std::move(cut.first);
    position.resize(order.size());
    rowPart.resize(order.size());
    for (Index r = 0; r < n; ++r) position[order[r]] = r;
    for (Index p = 0; p < parts(); ++p)
        for (Index r = part[p]; r < part[p + 1]; ++r) rowPart[r] = p;

    row.assign(static_cast<std::size_t>(n) + 1, 0);
    outer.resize(static_cast<std::size_t>(n));
    std::vector<Index> mine, theirs;
    for (Index r = 0; r < n; ++r) {
        const Index node = order[r];
        mine.assign(1, r);
        theirs.clear();
        for (Index k = g.first[node]; k < g.first[node + 1]; ++k) {
            const Index c = position[g.neighbour[k]];
            if (rowPart[c] != rowPart[r])
                theirs.push_back(c);
            else if (c > r)
                mine.push_back(c);
        }
        std::sort(mine.begin(), mine.end());
        std::sort(theirs.begin(), theirs.end());
        column.insert(column.end(), mine.begin(), mine.end());
        outer[r] = static_cast<Index>(column.size());
        column.insert(column.end(), theirs.begin(), theirs.end());
        row[r + 1] = static_cast<Index>(column.size());
    }
}

Index BlockPattern::find(Index i, Index j) const {
    const bool same = rowPart[i] == rowPart[j];
    const auto begin = column.begin() + (same ? row[i] : outer[i]);
    const auto end = column.begin() + (same ? outer[i] : row[i + 1]);
    const auto at = std::lower_bound(begin, end, j);
    return at != end && *at == j ? static_cast<Index>(at - column.begin()) : -1;
}

} // namespace purl
