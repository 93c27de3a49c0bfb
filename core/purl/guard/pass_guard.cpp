#include "purl/guard/pass_guard.h"

#include "purl/base/parallel.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <tuple>

namespace purl {

namespace {
constexpr Index kChunk = 1024;  // pairs a task; fixed, so that nothing depends on the threads
constexpr Index kJudged = 200;  // encounters that are weighed; more is a wreck anyway
constexpr double kFarthest = 3; // of r_a + r_b: distances are measured up to here
constexpr double kNear = 1.25;  // of r_a + r_b: farther boxes need no measuring

double skinOf(const Curves& rest) {
    double most = 0;
    for (double r : rest.radius) most = std::max(most, r);
    return 4 * most;
}
} // namespace

PassGuard::PassGuard(const Curves& rest, const Layout& layout, const std::vector<Weld>& welds,
                     const GuardSettings& settings)
    : settings_(settings), segments_(rest, layout, welds), pairs_(segments_, skinOf(rest)),
      first_(rest.first) {}

const StepVerdict& PassGuard::test(const Padded3& x0, const Padded3& x1) {
    verdict_.passes.clear();
    verdict_.doubts.clear();
    verdict_.fast.clear();
    verdict_.nearest = {};
    verdict_.examined = verdict_.measured = verdict_.followed = verdict_.returned = 0;
    verdict_.crossings = 0;
    if (empty()) return verdict_;
    pairs_.advance(segments_, x0, x1);
    verdict_.watched = pairs_.size();
    const Index chunks = (pairs_.size() + kChunk - 1) / kChunk;
    if (static_cast<Index>(work_.size()) < chunks) work_.resize(chunks);
    parallelFor(chunks, 1, [&](Index c0, Index c1) {
        for (Index c = c0; c < c1; ++c) {
            Work& work = work_[c];
            work.due.clear();
            work.crossings.clear();
            work.fast.clear();
            work.nearest = {};
            work.measured = work.followed = 0;
            pairs_.run(c * kChunk, std::min(pairs_.size(), (c + 1) * kChunk), work.due);
            for (Index pair : work.due) examine(pair, x0, x1, work);
        }
    });
    std::vector<Crossing> crossings;
    for (Index c = 0; c < chunks; ++c) {
        const Work& work = work_[c];
        verdict_.examined += static_cast<long>(work.due.size());
        verdict_.measured += work.measured;
        verdict_.followed += work.followed;
        if (work.nearest.gap < verdict_.nearest.gap) verdict_.nearest = work.nearest;
        verdict_.fast.insert(verdict_.fast.end(), work.fast.begin(), work.fast.end());
        crossings.insert(crossings.end(), work.crossings.begin(), work.crossings.end());
    }
    verdict_.crossings = static_cast<long>(crossings.size());
    if (!crossings.empty()) judge(x0, x1, crossings);
    return verdict_;
}

// What a closer look needs of the segments of one block.
struct PassGuard::View {
    Box4 box[BlockPairs::kBlock], moved[BlockPairs::kBlock]; // m, at the end; in the step
    Float4 at[BlockPairs::kBlock + 3];                       // m, at the end, about the origin
    NearSegment piece[BlockPairs::kBlock];                   // where they were asked for
    bool known[BlockPairs::kBlock] = {};
    V4f extent{0, 0, 0, 0};         // m, the largest numbers above: what rounding goes by
    Box4 all, allMoved;             // over the segments
    Index near[BlockPairs::kBlock]; // segments that may matter to the other block
    int nearCount = 0;

    View(const SegmentPairs& segments, const BlockPairs::Block& block, const Padded3& x0,
         const Padded3& x1, const Vec3& origin) {
        Float4 move[BlockPairs::kBlock + 3];
        const Index place = segments.place(block.first);
        for (Index k = 0; k < block.count + 3; ++k) {
            const Index s = place + k;
            at[k].v = V4f{static_cast<float>(x1.x[s] - origin.x()),
                          static_cast<float>(x1.y[s] - origin.y()),
                          static_cast<float>(x1.z[s] - origin.z()), 0};
            move[k].v =
                V4f{static_cast<float>(x1.x[s] - x0.x[s]), static_cast<float>(x1.y[s] - x0.y[s]),
                    static_cast<float>(x1.z[s] - x0.z[s]), 0};
        }
        for (Index k = 0; k < block.count; ++k) {
            box[k] = curveBox(at + k);
            moved[k] = curveBox(move + k);
            all = k == 0 ? box[0] : Box4{lower(all.low, box[k].low), upper(all.high, box[k].high)};
            allMoved = k == 0 ? moved[0]
                              : Box4{lower(allMoved.low, moved[k].low),
                                     upper(allMoved.high, moved[k].high)};
        }
    }
    // Keeps the segments that are nearer than `reach` (m) to the other block, or than they moved
    // against it; returns how far (m) the others are at least, or `left`.
    double sift(Index count, const View& other, double reach, double slack, double left) {
        for (Index k = 0; k < count; ++k) {
            const double apart = static_cast<double>(nearest(box[k], other.all)) - slack;
            if (apart > reach &&
                apart > static_cast<double>(farthest(moved[k], other.allMoved)) + slack)
                left = std::min(left, apart);
            else
                near[nearCount++] = k;
        }
        return left;
    }
    const NearSegment& pieces(Index k) {
        if (!known[k]) piece[k] = NearSegment(at + k);
        known[k] = true;
        return piece[k];
    }
};

void PassGuard::examine(Index pair, const Padded3& x0, const Padded3& x1, Work& work) {
    const BlockPairs::Block g = pairs_.block(pairs_.first(pair));
    const BlockPairs::Block h = pairs_.block(pairs_.second(pair));
    const bool same = g.first == h.first;
    const std::vector<double>& radius = segments_.layout().scale;
    const double reach = radius[segments_.yarnOf(g.first)] + radius[segments_.yarnOf(h.first)];
    const double floor = settings_.floor * reach;
    const Vec3 origin = x1.at(segments_.place(g.first) + 1);
    View u(segments_, g, x0, x1, origin), v(segments_, h, x0, x1, origin);
    const V4f extent = upper(u.extent, v.extent);
    // More than what single precision is off by, also for nearly parallel pieces (tested).
    const double slack =
        kNearError *
        (reach + static_cast<double>(std::max(extent[0], std::max(extent[1], extent[2]))));
    // Of the nearest pair.
    double left = u.sift(g.count, v, kNear * reach, slack, kFarthest * reach);
    left = v.sift(h.count, u, kNear * reach, slack, left);
    struct Near {
        Index i, j;
        double apart, moved;
    };
    Near near[BlockPairs::kBlock * BlockPairs::kBlock];
    int count = 0;
    for (int m = 0; m < u.nearCount; ++m)
        for (int n = 0; n < v.nearCount; ++n) {
            const Index i = u.near[m], j = v.near[n];
            if (same && j < i) continue;
            const double moved = static_cast<double>(farthest(u.moved[i], v.moved[j])) + slack;
            const double apart = static_cast<double>(nearest(u.box[i], v.box[j])) - slack;
            if (apart > kNear * reach && apart > moved)
                left = std::min(left, apart); // far enough to be left unmeasured
            else
                near[count++] = {i, j, apart, moved};
        }
    for (int n = 0; n < count; ++n) {
        const Near& p = near[n];
        if (p.apart >= std::max(left, floor) && p.apart > p.moved) continue;
        const Index a = g.first + p.i, b = h.first + p.j;
        const PieceMask mask = segments_.counted(a, b);
        if (mask == 0) continue;
        ++work.measured;
        const double far = std::max({left, floor, p.moved}) + 2 * slack;
        const double gap = static_cast<double>(SegmentPairs::distance(
                               u.pieces(p.i), v.pieces(p.j), mask, static_cast<float>(far))) -
                           slack;
        if (gap < floor) close(x0, x1, a, b, mask, reach, work);
        if (gap <= p.moved) follow(x0, x1, a, b, mask, work);
        left = std::min(left, gap);
    }
    pairs_.setLeft(pair, std::max(0.0, left - floor));
}

void PassGuard::follow(const Padded3& x0, const Padded3& x1, Index a, Index b, PieceMask mask,
                       Work& work) const {
    ++work.followed;
    FineSegment a0, a1, b0, b1;
    segments_.points(x0, a, a0);
    segments_.points(x1, a, a1);
    segments_.points(x0, b, b0);
    segments_.points(x1, b, b1);
    segments_.crossings(a, b, mask, a0, a1, b0, b1, work.crossings);
}

void PassGuard::close(const Padded3& x0, const Padded3& x1, Index a, Index b, PieceMask mask,
                      double reach, Work& work) const {
    FineSegment a0, a1, b0, b1;
    segments_.points(x1, a, a1);
    segments_.points(x1, b, b1);
    const double floor = settings_.floor * reach;
    const double gap = SegmentPairs::distance(a1, b1, mask, floor);
    if (gap >= floor) return;
    segments_.points(x0, a, a0);
    segments_.points(x0, b, b0);
    // Along a yarn and across segments a pair slides into its neighbour: only what was far from all
    // of it at the start came fast.
    const double before = SegmentPairs::distance(a0, b0, mask, gap + 2 * reach);
    ClosePair c;
    c.yarnA = segments_.yarnOf(a);
    c.yarnB = segments_.yarnOf(b);
    c.pointA = a - segments_.layout().yarnSeg[c.yarnA];
    c.pointB = b - segments_.layout().yarnSeg[c.yarnB];
    c.place = x1.at(segments_.place(a) + 1);
    c.gap = gap / reach;
    c.before = before / reach;
    if (c.gap < work.nearest.gap) work.nearest = c;
    if (c.before - c.gap > settings_.fastest) work.fast.push_back(c);
}

void PassGuard::judge(const Padded3& x0, const Padded3& x1, std::vector<Crossing>& all) {
    std::sort(all.begin(), all.end(), [](const Crossing& a, const Crossing& b) {
        return std::tie(a.yarnA, a.yarnB, a.arcA, a.arcB, a.time) <
               std::tie(b.yarnA, b.yarnB, b.arcA, b.arcB, b.time);
    });
    const std::vector<Vec3> start = segments_.allPoints(x0);
    end_ = segments_.allPoints(x1);
    for (const Encounter& e : judgeCrossings(segments_.layout(), start, end_, all, {}, kJudged)) {
        if (e.passed)
            verdict_.passes.push_back(e);
        else if (e.net != 0)
            verdict_.doubts.push_back(e);
        else
            ++verdict_.returned;
    }
}

std::string PassGuard::placeName(Index yarn, double arc) const {
    const FineLayout& f = segments_.layout();
    const auto begin = f.arc.begin() + f.first[yarn], end = f.arc.begin() + f.first[yarn + 1];
    const Index piece = static_cast<Index>(std::upper_bound(begin, end, arc) - begin) - 1;
    std::ostringstream text;
    text << "yarn " << yarn << " (point " << std::max<Index>(0, piece) / FineLayout::kPieces
         << ", u " << f.curveU(yarn, arc) << ")";
    return text.str();
}

std::string PassGuard::describe(const Encounter& e) const {
    const FineLayout& f = segments_.layout();
    const auto begin = f.arc.begin() + f.first[e.yarnA], end = f.arc.begin() + f.first[e.yarnA + 1];
    const Index piece = static_cast<Index>(std::upper_bound(begin, end, e.arcA) - begin) - 1;
    const Vec3 at = end_[f.first[e.yarnA] + std::max<Index>(0, piece)];
    std::ostringstream text;
    text << placeName(e.yarnA, e.arcA) << " and " << placeName(e.yarnB, e.arcB) << " at (" << at.x()
         << ' ' << at.y() << ' ' << at.z() << ") m";
    return text.str();
}

std::string PassGuard::describe(const ClosePair& c) const {
    std::ostringstream text;
    text << "yarn " << c.yarnA << " (point " << c.pointA << ") and yarn " << c.yarnB << " (point "
         << c.pointB << ") at (" << c.place.x() << ' ' << c.place.y() << ' ' << c.place.z()
         << ") m";
    return text.str();
}

} // namespace purl
