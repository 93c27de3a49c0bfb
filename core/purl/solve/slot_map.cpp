#include "purl/solve/slot_map.h"

#include <algorithm>

namespace purl {

SlotMap::SlotMap(const BlockPattern& pattern, const StencilView& stencils, Index& asideBlocks,
                 Index& asideNodes)
    : width(stencils.width) {
    const Index count = stencils.count();
    const int w = width;
    const auto rowAt = [&](Index s, int a) {
        return pattern.position[stencils.nodes[static_cast<std::size_t>(s) * w + a]];
    };
    // Runs end where the part changes, but not sooner than a pack of the kernels is full.
    constexpr Index kShortest = 8;
    std::vector<std::vector<Run>> ofPart(static_cast<std::size_t>(pattern.parts()));
    for (Index s = 0; s < count;) {
        const Index home = pattern.partOf(rowAt(s, 0));
        Index end = s + 1;
        while (end < count && end - s < kLongestRun &&
               (end - s < kShortest || pattern.partOf(rowAt(end, 0)) == home))
            ++end;
        ofPart[home].push_back({s, end});
        s = end;
    }
    block.resize(static_cast<std::size_t>(count) * w * w);
    rowOf.resize(static_cast<std::size_t>(count) * w);
    firstRun.assign(1, 0);
    for (Index p = 0; p < pattern.parts(); ++p) {
        for (const Run& run : ofPart[p]) {
            runs.push_back(run);
            for (Index s = run.begin; s < run.end; ++s)
                for (int a = 0; a < w; ++a) {
                    const Index i = rowAt(s, a);
                    const bool own = pattern.partOf(i) == p;
                    const std::size_t node = static_cast<std::size_t>(s) * w + a;
                    rowOf[node] = own ? i : -2 - asideNodes++;
                    for (int b = 0; b < w; ++b) {
                        const Index j = rowAt(s, b);
                        Index& target = block[node * w + b];
                        if (pattern.partOf(i) == pattern.partOf(j) && j < i)
                            target = kNowhere;
                        else
                            target = own ? pattern.find(i, j) : -2 - asideBlocks++;
                    }
                }
        }
        firstRun.push_back(static_cast<Index>(runs.size()));
    }
}

namespace {
AsideGather::List sorted(std::vector<std::pair<Index, Index>>& pairs) {
    std::sort(pairs.begin(), pairs.end());
    AsideGather::List list;
    for (const auto& [target, slot] : pairs) {
        if (list.target.empty() || list.target.back() != target) {
            list.target.push_back(target);
            list.first.push_back(static_cast<Index>(list.slot.size()));
        }
        list.slot.push_back(slot);
    }
    list.first.push_back(static_cast<Index>(list.slot.size()));
    return list;
}
} // namespace

AsideGather::AsideGather(const BlockPattern& pattern, Span<const SlotMap> maps,
                         Span<const StencilView> stencils, Index asideBlocks, Index asideNodes) {
    std::vector<std::pair<Index, Index>> blockPairs, rowPairs;
    blockPairs.reserve(static_cast<std::size_t>(asideBlocks));
    rowPairs.reserve(static_cast<std::size_t>(asideNodes));
    for (std::size_t m = 0; m < maps.size(); ++m) {
        const int w = maps[m].width;
        for (std::size_t k = 0; k < maps[m].rowOf.size(); ++k) {
            const Index i = pattern.position[stencils[m].nodes[k]];
            if (maps[m].rowOf[k] < SlotMap::kNowhere)
                rowPairs.push_back({i, SlotMap::aside(maps[m].rowOf[k])});
            for (int b = 0; b < w; ++b) {
                const Index target = maps[m].block[k * w + b];
                if (target >= SlotMap::kNowhere) continue;
                const Index j = pattern.position[stencils[m].nodes[k / w * w + b]];
                blockPairs.push_back({pattern.find(i, j), SlotMap::aside(target)});
            }
        }
    }
    blocks = sorted(blockPairs);
    rows = sorted(rowPairs);
}

} // namespace purl
