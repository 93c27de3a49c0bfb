#include "purl/check/distance.h"

#include "purl/base/parallel.h"
#include "purl/geometry/catmull_rom.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace purl {

namespace {
constexpr Index kPieces = FineLayout::kPieces;
constexpr double kMargin = 1e-4; // of the radius; see crossing.cpp
// How much nearer than its straight pieces a spline may come, as a part of the shorter segment: the
// sagitta of a quarter of a segment that turns by 90 degrees is 0.012 of it.
constexpr double kSagitta = 0.025;

bool deeper(const ClosePlace& a, const ClosePlace& b) {
    if (!b.found()) return a.found();
    return a.found() && std::tie(a.ratio, a.segA, a.segB) < std::tie(b.ratio, b.segA, b.segB);
}
} // namespace

SegmentBoxes::SegmentBoxes(const FineLayout& layout, const std::vector<Vec3>& start,
                           const std::vector<Vec3>& end, const std::vector<std::uint8_t>& ok) {
    for (Index g = 0; g < layout.segments(); ++g)
        if (ok[layout.segYarn[g]]) segments.push_back(g);
    boxes.resize(segments.size());
    parallelFor(static_cast<Index>(segments.size()), 512, [&](Index begin, Index last) {
        for (Index i = begin; i < last; ++i) {
            const Index f = layout.segFirst[segments[i]], y = layout.segYarn[segments[i]];
            boxes[i] = MovingBox::around(&start[f], &end[f], kPieces + 1, kMargin * layout.scale[y],
                                         layout.scale[y]);
        }
    });
}

ClosePlace DistanceSearch::pair(Index segA, Index segB, double reach) const {
    if (segA > segB) std::swap(segA, segB);
    const Index ya = layout_.segYarn[segA], yb = layout_.segYarn[segB];
    const Index fa = layout_.segFirst[segA], fb = layout_.segFirst[segB];
    const double touch = layout_.radius[ya] + layout_.radius[yb];
    ClosePlace best;
    if (!(layout_.radius[ya] > 0 && layout_.radius[yb] > 0 && std::isfinite(touch))) return best;
    const double apart = layout_.exclusion(segA, segB);
    const double slack = kSagitta * (layout_.segmentLength(segA) + layout_.segmentLength(segB));
    double bestPieces = reach * touch + slack;
    double s = -1, t = -1;
    for (Index i = 0; i < kPieces; ++i)
        for (Index j = 0; j < kPieces; ++j) {
            const double sa = layout_.arcAt(fa + i, 0.5), sb = layout_.arcAt(fb + j, 0.5);
            if (ya == yb && layout_.arcDistance(ya, sa, sb) < apart) continue;
            const ClosestParams c =
                closestOnPieces(fine_[fa + i], fine_[fa + i + 1], fine_[fb + j], fine_[fb + j + 1]);
            if (!(c.squared < bestPieces * bestPieces)) continue;
            if (glue_.joins(layout_, ya, sa, yb, sb, apart)) continue;
            bestPieces = std::sqrt(c.squared);
            s = (i + c.s) / kPieces;
            t = (j + c.t) / kPieces;
        }
    if (s < 0) return best;
    best.segA = segA;
    best.segB = segB;
    best.yarnA = ya;
    best.yarnB = yb;
    refine(best, s, t);
    best.ratio = best.distance / touch;
    return best.ratio < reach ? best : ClosePlace{};
}

// Zooms in on the splines themselves: four chords on either side over an interval that halves.
void DistanceSearch::refine(ClosePlace& place, double s, double t) const {
    constexpr int chords = 4;
    const Segment a = segmentOf(curves_, place.yarnA, place.segA - layout_.yarnSeg[place.yarnA]);
    const Segment b = segmentOf(curves_, place.yarnB, place.segB - layout_.yarnSeg[place.yarnB]);
    double half = 1.0 / kPieces;
    for (int level = 0; level < 6; ++level, half *= 0.5) {
        const double s0 = std::max(0.0, s - half), s1 = std::min(1.0, s + half);
        const double t0 = std::max(0.0, t - half), t1 = std::min(1.0, t + half);
        Vec3 pa[chords + 1], pb[chords + 1];
        for (int k = 0; k <= chords; ++k) {
            pa[k] = pointAt(curves_.x, a, s0 + (s1 - s0) * k / chords);
            pb[k] = pointAt(curves_.x, b, t0 + (t1 - t0) * k / chords);
        }
        double least = -1;
        for (int i = 0; i < chords; ++i)
            for (int j = 0; j < chords; ++j) {
                const ClosestParams c = closestOnPieces(pa[i], pa[i + 1], pb[j], pb[j + 1]);
                if (least >= 0 && c.squared >= least) continue;
                least = c.squared;
                s = s0 + (s1 - s0) * (i + c.s) / chords;
                t = t0 + (t1 - t0) * (j + c.t) / chords;
            }
    }
    const Vec3 x = pointAt(curves_.x, a, s), y = pointAt(curves_.x, b, t);
    place.distance = (x - y).norm();
    place.at = 0.5 * (x + y);
    place.arcA = layout_.arc[layout_.segFirst[place.segA]] + s * layout_.segmentLength(place.segA);
    place.arcB = layout_.arc[layout_.segFirst[place.segB]] + t * layout_.segmentLength(place.segB);
    place.uA = layout_.curveU(place.yarnA, place.arcA);
    place.uB = layout_.curveU(place.yarnB, place.arcB);
}

ClosePlace DistanceSearch::deepest(const BoxTree& tree, const std::vector<Index>& segments,
                                   double reach) const {
    constexpr Index block = 64; // leaves that share one slot of results
    std::vector<ClosePlace> slots((tree.size() + block - 1) / block);
    parallelFor(static_cast<Index>(slots.size()), 1, [&](Index begin, Index end) {
        for (Index b = begin; b < end; ++b) {
            double bound = reach;
            for (Index p = b * block; p < std::min(tree.size(), (b + 1) * block); ++p) {
                const MovingBox& own = tree.box(p);
                tree.later(
                    p,
                    [&](const MovingBox& other) {
                        const double d = bound * (own.radius + other.radius);
                        return squaredGapAtEnd(own, other) <= d * d;
                    },
                    [&](Index q) {
                        const ClosePlace found =
                            pair(segments[tree.leaf(p)], segments[tree.leaf(q)], bound);
                        if (!deeper(found, slots[b])) return;
                        slots[b] = found;
                        bound = found.ratio;
                    });
            }
        }
    });
    ClosePlace best;
    for (const ClosePlace& s : slots)
        if (deeper(s, best)) best = s;
    return best;
}

std::vector<ClosePlace> DistanceSearch::all(const BoxTree& tree, const std::vector<Index>& segments,
                                            double ratio) const {
    std::vector<std::vector<ClosePlace>> slots(tree.size());
    parallelFor(tree.size(), 64, [&](Index begin, Index end) {
        for (Index p = begin; p < end; ++p) {
            const MovingBox& own = tree.box(p);
            tree.later(
                p,
                [&](const MovingBox& other) {
                    const double d = ratio * (own.radius + other.radius);
                    return squaredGapAtEnd(own, other) <= d * d;
                },
                [&](Index q) {
                    const ClosePlace found =
                        pair(segments[tree.leaf(p)], segments[tree.leaf(q)], ratio);
                    if (found.found()) slots[p].push_back(found);
                });
        }
    });
    std::vector<ClosePlace> places, kept;
    for (const auto& slot : slots) places.insert(places.end(), slot.begin(), slot.end());
    std::sort(places.begin(), places.end(), deeper);
    for (const ClosePlace& p : places) {
        const double touch = layout_.radius[p.yarnA] + layout_.radius[p.yarnB];
        const bool known = std::any_of(kept.begin(), kept.end(), [&](const ClosePlace& k) {
            return k.yarnA == p.yarnA && k.yarnB == p.yarnB &&
                   layout_.arcDistance(p.yarnA, k.arcA, p.arcA) < touch &&
                   layout_.arcDistance(p.yarnB, k.arcB, p.arcB) < touch;
        });
        if (!known) kept.push_back(p);
    }
    return kept;
}

namespace {
// The fine curves and the tree of one configuration.
struct Still {
    FineLayout layout;
    std::vector<std::uint8_t> ok;
    std::vector<Vec3> fine;
    SegmentBoxes boxes;
    BoxTree tree;

    explicit Still(const Curves& curves)
        : layout(curves), ok(measured(curves, layout)), fine(finePoints(curves, layout, ok)),
          boxes(layout, fine, fine, ok), tree(std::move(boxes.boxes)) {}
    static std::vector<std::uint8_t> measured(const Curves& curves, FineLayout& layout) {
        std::vector<std::uint8_t> ok(curves.yarns());
        for (Index y = 0; y < curves.yarns(); ++y) {
            ok[y] = usable(curves, y) && curves.radius[y] > 0 && std::isfinite(curves.radius[y]);
            if (ok[y]) layout.measure(curves, y);
        }
        return ok;
    }
};
} // namespace

ClosePlace minCentreDistance(const Curves& curves, double reach,
                             const std::vector<GluedPoints>& glued) {
    const Still still(curves);
    const GluedPlaces glue(curves, still.layout, glued);
    const DistanceSearch search(curves, still.layout, still.fine, glue);
    return search.deepest(still.tree, still.boxes.segments, reach);
}

std::vector<ClosePlace> closePlaces(const Curves& curves, double ratio,
                                    const std::vector<GluedPoints>& glued) {
    const Still still(curves);
    const GluedPlaces glue(curves, still.layout, glued);
    const DistanceSearch search(curves, still.layout, still.fine, glue);
    return search.all(still.tree, still.boxes.segments, ratio);
}

} // namespace purl
