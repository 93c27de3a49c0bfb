#include "purl/solve/nested_order.h"

#include <algorithm>

namespace purl {

namespace {
constexpr std::size_t kLeaf = 48; // rows that are not cut further

struct Dissector {
    const BlockPattern& q;
    std::vector<std::vector<Index>> near; // per row, without itself
    std::vector<Index> tag;               // which set a row is in
    std::vector<char> seen;
    Index nextTag = 1;
    NestedOrder out;

    explicit Dissector(const BlockPattern& pattern)
        : q(pattern), near(static_cast<std::size_t>(q.size())), tag(near.size(), 0),
          seen(near.size(), 0) {
        for (Index i = 0; i < q.size(); ++i)
            for (Index k = q.row[i] + 1; k < q.row[i + 1]; ++k) {
                const Index j = q.column[k];
                near[i].push_back(j);
                if (q.partOf(i) == q.partOf(j)) near[j].push_back(i);
            }
        for (auto& list : near) std::sort(list.begin(), list.end());
    }

    // The rows of a set along a front from its far end; sets that fall apart, piece by piece.
    std::vector<Index> front(const std::vector<Index>& rows, Index t) {
        std::vector<Index> queue;
        const auto spread = [&](Index start) {
            const std::size_t begin = queue.size();
            queue.push_back(start);
            seen[start] = 1;
            for (std::size_t head = begin; head < queue.size(); ++head)
                for (Index j : near[queue[head]])
                    if (tag[j] == t && !seen[j]) {
                        seen[j] = 1;
                        queue.push_back(j);
                    }
        };
        for (Index start : rows) {
            if (seen[start]) continue;
            const std::size_t begin = queue.size();
            for (int turn = 0; turn < 3; ++turn) { // twice to the far end, then for good
                const Index from = turn == 0 ? start : queue.back();
                for (std::size_t k = begin; k < queue.size(); ++k) seen[queue[k]] = 0;
                queue.resize(begin);
                spread(from);
            }
        }
        for (Index i : queue) seen[i] = 0;
        return queue;
    }

    // Appends the fronts of a set; returns the last one, -1 if the set is empty.
    Index cut(const std::vector<Index>& rows, Index t) {
        if (rows.empty()) return -1;
        if (rows.size() <= kLeaf) return add(rows, -1, -1);
        const std::vector<Index> order = front(rows, t);
        const std::size_t half = order.size() / 2;
        const Index left = nextTag++, right = nextTag++;
        for (std::size_t k = 0; k < order.size(); ++k) tag[order[k]] = k < half ? left : right;
        // What of the first half touches the second separates them.
        std::vector<Index> a, b(order.begin() + static_cast<std::ptrdiff_t>(half), order.end()),
            middle;
        for (std::size_t k = 0; k < half; ++k) {
            const Index i = order[k];
            const bool touches = std::any_of(near[i].begin(), near[i].end(),
                                             [&](Index j) { return tag[j] == right; });
            (touches ? middle : a).push_back(i);
        }
        for (Index i : middle) tag[i] = 0;
        const Index one = cut(a, left), two = cut(b, right);
        return add(middle, one, two);
    }

    Index add(const std::vector<Index>& rows, Index one, Index two) {
        const Index me = static_cast<Index>(out.fronts.size());
        out.fronts.emplace_back();
        out.fronts.back().own = rows;
        for (Index child : {one, two})
            if (child >= 0) out.fronts[child].parent = me;
        return me;
    }

    void finish() {
        out.rank.assign(near.size(), -1);
        Index next = 0;
        for (const auto& f : out.fronts)
            for (Index i : f.own) out.rank[i] = next++;
        std::vector<Index> height(out.fronts.size(), 0);
        const auto later = [&](Index a, Index b) { return out.rank[a] < out.rank[b]; };
        for (std::size_t k = 0; k < out.fronts.size(); ++k) {
            auto& f = out.fronts[k];
            const Index last = f.own.empty() ? -1 : out.rank[f.own.back()];
            for (Index i : f.own)
                for (Index j : near[i])
                    if (out.rank[j] > last) f.border.push_back(j);
            std::sort(f.border.begin(), f.border.end(), later);
            f.border.erase(std::unique(f.border.begin(), f.border.end()), f.border.end());
            if (f.parent >= 0) {
                auto& p = out.fronts[f.parent];
                const Index end = p.own.empty() ? -1 : out.rank[p.own.back()];
                for (Index j : f.border)
                    if (out.rank[j] > end) p.border.push_back(j);
                height[f.parent] = std::max(height[f.parent], height[k] + 1);
            }
            const auto level = static_cast<std::size_t>(height[k]);
            if (out.levels.size() <= level) out.levels.resize(level + 1);
            out.levels[level].push_back(static_cast<Index>(k));
        }
    }
};
} // namespace

NestedOrder nestedOrder(const BlockPattern& pattern) {
    Dissector d(pattern);
    std::vector<Index> all;
    for (Index i = 0; i < pattern.size(); ++i) all.push_back(i);
    d.cut(all, 0);
    d.finish();
    return std::move(d.out);
}

} // namespace purl
