#include "purl/solve/graph_parts.h"

#include <algorithm>

namespace purl {

namespace {
struct Cutter {
    Span<const Index> first, neighbour;
    Index largest;
    std::vector<Index> tag; // which set a node is in while it is being cut
    std::vector<char> seen;
    std::vector<Index> queue;
    Index nextTag = 1;
    GraphParts out;

    // Breadth first from `start` over the nodes tagged `t`, appended to the queue.
    void front(Index start, Index t) {
        std::size_t head = queue.size();
        queue.push_back(start);
        seen[start] = 1;
        for (; head < queue.size(); ++head) {
            const Index i = queue[head];
            for (Index k = first[i]; k < first[i + 1]; ++k) {
                const Index j = neighbour[k];
                if (tag[j] != t || seen[j]) continue;
                seen[j] = 1;
                queue.push_back(j);
            }
        }
    }

    // Puts the set in the order of a front that starts at its far end.
    void sortAlongFront(Span<Index> nodes, Index t) {
        queue.clear();
        for (Index start : nodes) {
            if (seen[start]) continue;
            // Twice to the last node reached: near enough to the ends of the longest way.
            const std::size_t begin = queue.size();
            for (int turn = 0; turn < 2; ++turn) {
                const Index from = turn == 0 ? start : queue.back();
                if (turn > 0)
                    for (std::size_t k = begin; k < queue.size(); ++k) seen[queue[k]] = 0;
                queue.resize(begin);
                front(from, t);
            }
            const Index end = queue.back();
            for (std::size_t k = begin; k < queue.size(); ++k) seen[queue[k]] = 0;
            queue.resize(begin);
            front(end, t);
        }
        for (std::size_t k = 0; k < nodes.size(); ++k) {
            nodes[k] = queue[k];
            seen[queue[k]] = 0;
        }
    }

    void cut(Span<Index> nodes, Index t) {
        sortAlongFront(nodes, t);
        if (nodes.size() <= static_cast<std::size_t>(largest)) {
            out.first.push_back(out.first.back() + static_cast<Index>(nodes.size()));
            return;
        }
        const std::size_t half = nodes.size() / 2;
        const Index left = nextTag++, right = nextTag++;
        for (std::size_t k = 0; k < nodes.size(); ++k) tag[nodes[k]] = k < half ? left : right;
        cut(nodes.sub(0, half), left);
        cut(nodes.sub(half, nodes.size() - half), right);
    }
};
} // namespace

GraphParts cutGraph(Span<const Index> first, Span<const Index> neighbour, Index largest) {
    const Index n = static_cast<Index>(first.size()) - 1;
    Cutter c;
    c.first = first;
    c.neighbour = neighbour;
    c.largest = std::max<Index>(1, largest);
    c.tag.assign(static_cast<std::size_t>(n), 0);
    c.seen.assign(static_cast<std::size_t>(n), 0);
    c.out.order.resize(static_cast<std::size_t>(n));
    for (Index i = 0; i < n; ++i) c.out.order[i] = i;
    c.out.first.push_back(0);
    if (n > 0) c.cut({c.out.order.data(), c.out.order.size()}, 0);
    return std::move(c.out);
}

} // namespace purl
