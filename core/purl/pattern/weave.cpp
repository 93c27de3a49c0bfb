#include "purl/pattern/weave.h"

#include "purl/pattern/knit_tile.h"
#include "purl/pattern/relax.h"
#include "purl/pattern/rows.h"

#include <algorithm>
#include <cmath>

namespace purl {

namespace {

constexpr Index kPerCrossing = 4; // control points from one crossing to the next

// Height of a thread at step k after its crossing, in half thicknesses: a cosine between crossings
// on different sides, straight along a float.
double crimp(int here, int next, Index k) {
    const double t = 0.5 - 0.5 * std::cos(3.14159265358979323846 * k / kPerCrossing);
    return (1 - t) * here + t * next;
}

// One repeat of the endless weave; wefts first, then warps. Row and column 0 cross at the origin.
struct WeaveTile {
    Index rows, columns;
    Strands strands;
    double edge = 0;

    Index wefts() const { return rows * columns * kPerCrossing; }
    static Index wrap(Index i, Index n) { return ((i % n) + n) % n; }
    // Point k after the crossing with thread `along`.
    Vec3 weft(Index row, Index along, Index k) const {
        const Index i = wrap(row, rows), j = wrap(along, columns);
        const Shift g{(along - j) / columns, (row - i) / rows};
        return strands.lattice.apply(g, strands.x[(i * columns + j) * kPerCrossing + k]);
    }
    Vec3 warp(Index column, Index along, Index k) const {
        const Index i = wrap(along, rows), j = wrap(column, columns);
        const Shift g{(column - j) / columns, (along - i) / rows};
        return strands.lattice.apply(g, strands.x[wefts() + (j * rows + i) * kPerCrossing + k]);
    }
};

WeaveTile weaveTile(const StitchField& draft, const KnitGauge& gauge) {
    WeaveTile tile;
    tile.rows = draft.rows;
    tile.columns = draft.columns;
    Lattice& lattice = tile.strands.lattice;
    lattice.stepA = {tile.columns * gauge.wale, 0, 0};
    lattice.stepB = {0, tile.rows * gauge.course, 0};
    lattice.countA = static_cast<Index>(std::ceil(1 + 4 * gauge.radius / lattice.stepA[0]));
    lattice.countB = static_cast<Index>(std::ceil(1 + 4 * gauge.radius / lattice.stepB[1]));
    // Warp height is +1 where it is over the weft; the weft has the other side.
    const auto side = [&](Index i, Index j) { return draft.at(i, j) ? 1 : -1; };
    double length = 0;
    const auto add = [&](Shift wrap, Index crossings, const auto& position) {
        Chain chain;
        chain.goesOn = true;
        chain.wrap = wrap;
        for (Index m = 0; m < crossings; ++m)
            for (Index k = 0; k < kPerCrossing; ++k) {
                chain.points.push_back(static_cast<Index>(tile.strands.x.size()));
                tile.strands.x.push_back(position(m, k));
            }
        tile.strands.chains.push_back(std::move(chain));
        const Chain& added = tile.strands.chains.back();
        for (Index k = 0; k < added.size(); ++k)
            length += (tile.strands.at(added, k + 1) - tile.strands.at(added, k)).norm();
    };
    const double h = gauge.radius, step = 1.0 / kPerCrossing;
    for (Index i = 0; i < tile.rows; ++i)
        add({1, 0}, tile.columns, [&](Index j, Index k) {
            return Vec3((j + k * step) * gauge.wale, i * gauge.course,
                        -h * crimp(side(i, j), side(i, j + 1), k));
        });
    for (Index j = 0; j < tile.columns; ++j)
        add({0, 1}, tile.rows, [&](Index i, Index k) {
            return Vec3(j * gauge.wale, (i + k * step) * gauge.course,
                        h * crimp(side(i, j), side(i + 1, j), k));
        });
    tile.edge = length / static_cast<double>(tile.strands.x.size());
    for (Chain& chain : tile.strands.chains) chain.edge = tile.edge;
    RelaxSettings settings;
    settings.radius = gauge.radius;
    requireRoom(relax(tile.strands, settings), gauge.radius);
    return tile;
}

// A thread through `count` crossings with half a spacing to spare at both ends. at(m, k): point k
// after crossing m; cross: which of its nodes are free and tagged as its near and far end.
template <class At>
Row threadRow(StrandSet& set, Index count, bool side, std::uint8_t nearEdge, std::uint8_t farEdge,
              Tag tag, const At& at) {
    Row row;
    const Index before = kPerCrossing / 2, total = (count - 1) * kPerCrossing + 2 * before;
    for (Index n = 0; n <= total; ++n) {
        const Index step = n - before + kPerCrossing; // from the crossing before the first
        const bool nearEnd = n <= 2 * before, farEnd = n >= total - 2 * before;
        Tag here = tag;
        if (nearEnd && n <= before) here.edges |= nearEdge;
        if (farEnd && n >= total - before) here.edges |= farEdge;
        row.push_back({set.addPoint(at(step / kPerCrossing - 1, step % kPerCrossing),
                                    !(side || nearEnd || farEnd)),
                       here});
    }
    return row;
}

} // namespace

// Floats let threads lie closer than a plain weave, which jams at 2 sqrt(3) r (Peirce 1937).
double defaultThreadSpacing(const StitchField& draft) {
    Index changes = 0;
    for (Index i = 0; i < draft.rows; ++i)
        for (Index j = 0; j < draft.columns; ++j)
            changes +=
                (draft.at(i, j) != draft.at(i, j + 1)) + (draft.at(i, j) != draft.at(i + 1, j));
    return 3.0 + 0.7 * changes / (2.0 * draft.rows * draft.columns);
}

Pattern makeWeave(const StitchField& draft, const PatternSettings& s) {
    const KnitGauge gauge{s.waleSpacing, s.courseSpacing, s.radius};
    const WeaveTile tile = weaveTile(draft, gauge);
    StrandSet set;
    std::vector<Row> wefts, warps;
    for (Index i = 0; i < s.courses; ++i) {
        const bool bottom = i == 0, top = i == s.courses - 1;
        const Tag tag{i, -1, static_cast<std::uint8_t>(bottom ? kBottom : top ? kTop : 0), false};
        wefts.push_back(threadRow(set, s.wales, bottom || top, kLeft, kRight, tag,
                                  [&](Index m, Index k) { return tile.weft(i, m, k); }));
    }
    for (Index j = 0; j < s.wales; ++j) {
        const bool left = j == 0, right = j == s.wales - 1;
        const Tag tag{-1, j, static_cast<std::uint8_t>(left ? kLeft : right ? kRight : 0), false};
        warps.push_back(threadRow(set, s.courses, left || right, kBottom, kTop, tag,
                                  [&](Index m, Index k) { return tile.warp(j, m, k); }));
    }
    // The weft turns as on a loom; the warps' ends are held in pairs, like loops on a rod.
    Turning weftTurning{{1, 0, 0}, 0.5 * s.courseSpacing, kLeft, kRight, s.continuous};
    Turning warpTurning{{0, 1, 0}, 0.5 * s.waleSpacing, kBottom, kTop, false};
    std::vector<Node> weftTurns, warpTurns;
    if (s.bindSelvedges || s.continuous) weftTurns = makeTurns(set, wefts, weftTurning);
    if (s.bindSelvedges) warpTurns = makeTurns(set, warps, warpTurning);
    addRows(set, wefts, weftTurns, tile.edge);
    addRows(set, warps, warpTurns, tile.edge);
    StrandSet cut = cutChains(set);
    cut.strands.flow = set.strands.chains;
    requireRoom(relaxBorder(cut.strands, s.radius), gauge.radius);
    Pattern out = toPattern(cut, s.radius);
    for (Index y = 0; y < out.curves.yarns(); ++y) { // warps light, wefts dark
        const bool warp = out.wale[out.curves.first[y]] >= 0;
        out.color[y] = warp ? Vec3(0.84, 0.73, 0.55) : Vec3(0.02, 0.18, 0.21);
    }
    return out;
}

} // namespace purl
