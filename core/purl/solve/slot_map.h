// Where the slots of a set of stencils go in a block matrix and in a vector over nodes. Runs of
// stencils belong to the part that their nodes lie in and add to its rows directly, in order; what
// falls on rows of another part is put aside and gathered there afterwards, in order too. So the
// sums have the same bits at every thread count and no slot of all stencils is ever in memory.
#pragma once

#include "purl/solve/block_pattern.h"

namespace purl {

class SlotMap {
public:
    static constexpr Index kLongestRun = 64;

    SlotMap() = default;
    // Slots put aside are numbered from those the earlier maps of the same matrix have used.
    SlotMap(const BlockPattern& pattern, const StencilView& stencils, Index& asideBlocks,
            Index& asideNodes);

    struct Run {
        Index begin, end; // stencils
    };
    // Where something goes: >= 0 a block (or row) of the run's own part, kNowhere (the transpose is
    // kept instead), else aside.
    static constexpr Index kNowhere = -1;
    static Index aside(Index target) { return -2 - target; } // number of a target below kNowhere

    int width = 0;
    std::vector<Run> runs;           // part by part
    std::vector<Index> firstRun;     // per part; parts + 1
    std::vector<Index> block, rowOf; // targets, width * width and width a stencil
};

// What was put aside, by where it belongs.
class AsideGather {
public:
    AsideGather() = default;
    AsideGather(const BlockPattern& pattern, Span<const SlotMap> maps,
                Span<const StencilView> stencils, Index asideBlocks, Index asideNodes);

    struct List {
        std::vector<Index> target; // block or row
        std::vector<Index> first;  // targets + 1
        std::vector<Index> slot;
    };
    List blocks, rows;
};

} // namespace purl
