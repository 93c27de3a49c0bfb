#include "purl/check/pass_through.h"

#include "purl/base/parallel.h"
#include "purl/check/gauss.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

namespace purl {

namespace {

constexpr Index kWindow = 160; // pieces on either side of a place, at most

// A stretch of a yarn around a place, as indices of fine points.
struct Window {
    std::vector<Index> points;
    double from = 0, to = 0; // m, arc; may leave 0..length on a closed yarn
};

class Judge {
public:
    Judge(const FineLayout& layout, const std::vector<Vec3>& start, const std::vector<Vec3>& end,
          const std::vector<Crossing>& all, const PassSettings& settings)
        : layout_(layout), start_(start), end_(end), all_(all), settings_(settings) {}

    double touch(const Crossing& c) const {
        return layout_.scale[c.yarnA] + layout_.scale[c.yarnB];
    }

    // In sums of radii: a slide that cuts a corner crosses as far apart as it went, and more.
    double slideFar(const Crossing& a, const Crossing& b) const {
        return settings_.slideFar + 2 * std::max(a.move, b.move) / touch(a);
    }

    bool together(const Crossing& a, const Crossing& b) const {
        const double unit = touch(a);
        const double da = layout_.arcDistance(a.yarnA, a.arcA, b.arcA) / unit;
        const double db = layout_.arcDistance(a.yarnB, a.arcB, b.arcB) / unit;
        const double less = std::min(da, db), more = std::max(da, db);
        if (more < settings_.samePlace) return true;
        if (a.sign == b.sign) return false;
        if (less < settings_.slideNear && more < slideFar(a, b)) return true;
        return more < settings_.parallelFar && more - less < 0.15 * more && a.sine < 0.5 &&
               b.sine < 0.5;
    }

    double wayToEnd(Index yarn, double arc) const {
        const double l = layout_.length[yarn];
        return layout_.closed[yarn] ? std::numeric_limits<double>::infinity()
                                    : std::min(arc, l - arc);
    }

    // Members are indices into all_, of one yarn pair, sorted.
    Encounter weigh(const std::vector<Index>& members, bool withGauss) const {
        Encounter e;
        const Crossing* head = &all_[members[0]];
        double last = 0;
        for (Index m : members) {
            const Crossing& c = all_[m];
            e.net += c.sign;
            e.move = std::max(e.move, c.move / touch(c));
            last = std::max(last, c.time);
            if (c.time < head->time) head = &c;
        }
        e.yarnA = head->yarnA;
        e.yarnB = head->yarnB;
        e.arcA = head->arcA;
        e.arcB = head->arcB;
        e.crossings = static_cast<int>(members.size());
        e.endWay = std::min(wayToEnd(e.yarnA, e.arcA), wayToEnd(e.yarnB, e.arcB)) / touch(*head);
        if (e.net == 0 || e.endWay < settings_.endShare * e.move) return e;
        e.passed = true;
        if (!withGauss) return e;
        // Before and after: the frames themselves, or, if the yarns came from further, the moments
        // at which they were about settings_.weighAt away.
        const double reach = settings_.weighAt / std::max(e.move, settings_.weighAt);
        const double before = std::max(0.0, head->time - reach),
                     after = std::min(1.0, last + reach);
        for (double half : {3.0, 8.0, 24.0}) {
            e.jump = jump(members, e, half * touch(*head), before, after);
            if (e.jump > settings_.gaussJump) return e;
        }
        e.passed = false;
        return e;
    }

private:
    // Points of the yarn from `back` before the place to `ahead` after it.
    Window window(Index yarn, double arc, double back, double ahead) const {
        const Index first = layout_.first[yarn],
                    count = layout_.segments(yarn) * FineLayout::kPieces;
        const double* begin = layout_.arc.data() + first;
        const Index at = std::clamp<Index>(
            static_cast<Index>(std::upper_bound(begin, begin + count, arc) - begin) - 1, 0,
            count - 1);
        const double length = layout_.length[yarn];
        const auto arcOf = [&](Index k) { // any k on a closed yarn
            const Index turn = k >= 0 ? k / count : -((count - 1 - k) / count);
            return begin[k - turn * count] + turn * length;
        };
        const bool closed = layout_.closed[yarn];
        Index lo = at, hi = at + 1;
        const auto room = [&] { return !closed || hi - lo < count; };
        const auto lower = [&] {
            return room() && at - lo < kWindow && (closed || lo > 0) && arcOf(lo) > arc - back;
        };
        const auto higher = [&] {
            return room() && hi - at < kWindow && (closed || hi < count) &&
                   (closed ? arcOf(hi) : begin[hi]) < arc + ahead;
        };
        for (bool more = true; more;) {
            more = false;
            if (lower()) --lo, more = true;
            if (higher()) ++hi, more = true;
        }
        Window w;
        for (Index k = lo; k <= hi; ++k)
            w.points.push_back(first + (closed ? ((k % count) + count) % count : k));
        w.from = closed ? arcOf(lo) : begin[lo];
        w.to = closed ? arcOf(hi) : begin[hi];
        return w;
    }

    // The way from one place to another, signed, the shorter way round on a closed yarn.
    double along(Index yarn, double from, double to) const {
        const double d = to - from, l = layout_.length[yarn];
        if (!layout_.closed[yarn]) return d;
        return d > 0.5 * l ? d - l : (d < -0.5 * l ? d + l : d);
    }

    bool inside(const Window& w, Index yarn, double arc) const {
        if (arc >= w.from && arc < w.to) return true;
        if (!layout_.closed[yarn]) return false;
        const double l = layout_.length[yarn];
        return (arc + l >= w.from && arc + l < w.to) || (arc - l >= w.from && arc - l < w.to);
    }

    double gauss(const Window& a, const Window& b, double time) const {
        const auto place = [&](Index k) -> Vec3 { return (1 - time) * start_[k] + time * end_[k]; };
        std::vector<Vec3> pb(b.points.size());
        for (std::size_t j = 0; j < pb.size(); ++j) pb[j] = place(b.points[j]);
        double sum = 0;
        for (std::size_t i = 0; i + 1 < a.points.size(); ++i) {
            const Vec3 p = place(a.points[i]), q = place(a.points[i + 1]);
            for (std::size_t j = 0; j + 1 < pb.size(); ++j)
                sum += gaussIntegral(p, q, pb[j], pb[j + 1]);
        }
        return sum;
    }

    // The jump of the Gauss integral over windows of `half` on either side, less what the other
    // encounters in the same windows and time make, in the direction of this one's net.
    double jump(const std::vector<Index>& members, const Encounter& e, double half, double before,
                double after) const {
        double backA = half, aheadA = half, backB = half, aheadB = half;
        for (Index m : members) { // the windows reach as far beyond every crossing of the encounter
            const double da = along(e.yarnA, e.arcA, all_[m].arcA);
            const double db = along(e.yarnB, e.arcB, all_[m].arcB);
            backA = std::max(backA, half - da);
            aheadA = std::max(aheadA, half + da);
            backB = std::max(backB, half - db);
            aheadB = std::max(aheadB, half + db);
        }
        if (e.yarnA == e.yarnB) { // the two windows of one yarn must not overlap
            const double between = e.arcB - e.arcA;
            aheadA = std::min(aheadA, 0.5 * between);
            backB = std::min(backB, 0.5 * between);
            if (layout_.closed[e.yarnA]) {
                const double rest = 0.5 * (layout_.length[e.yarnA] - between);
                backA = std::min(backA, rest);
                aheadB = std::min(aheadB, rest);
            }
        }
        const Window a = window(e.yarnA, e.arcA, backA, aheadA);
        const Window b = window(e.yarnB, e.arcB, backB, aheadB);
        double found = gauss(a, b, after) - gauss(a, b, before);
        const Crossing& any = all_[members[0]];
        const auto range = std::equal_range(
            all_.begin(), all_.end(), any, [](const Crossing& p, const Crossing& q) {
                return std::tie(p.yarnA, p.yarnB) < std::tie(q.yarnA, q.yarnB);
            });
        for (auto c = range.first; c != range.second; ++c) {
            const Index index = static_cast<Index>(c - all_.begin());
            if (c->time < before || c->time > after || !inside(a, e.yarnA, c->arcA) ||
                !inside(b, e.yarnB, c->arcB) ||
                std::binary_search(members.begin(), members.end(), index))
                continue;
            found -= c->sign;
        }
        return e.net < 0 ? -found : found;
    }

    const FineLayout& layout_;
    const std::vector<Vec3>&start_, &end_;
    const std::vector<Crossing>& all_;
    const PassSettings& settings_;
};

} // namespace

std::vector<Encounter> judgeCrossings(const FineLayout& layout, const std::vector<Vec3>& start,
                                      const std::vector<Vec3>& end,
                                      const std::vector<Crossing>& crossings,
                                      const PassSettings& settings, Index judged) {
    const Judge judge(layout, start, end, crossings, settings);
    const Index n = static_cast<Index>(crossings.size());
    std::vector<Index> group(n);
    std::iota(group.begin(), group.end(), 0);
    const auto root = [&](Index i) {
        while (group[i] != i) i = group[i] = group[group[i]];
        return i;
    };
    double move = 0;
    for (const Crossing& c : crossings) move = std::max(move, c.move / judge.touch(c));
    const double far =
        std::max({settings.samePlace, settings.slideFar + 2 * move, settings.parallelFar});
    for (Index i = 0; i < n; ++i)
        for (Index j = i + 1; j < n; ++j) {
            const Crossing &a = crossings[i], &b = crossings[j];
            if (a.yarnA != b.yarnA || a.yarnB != b.yarnB) break;
            // Sorted by arcA; a closed yarn's seam needs the rest of the list too.
            if (b.arcA - a.arcA > far * judge.touch(a) && !layout.closed[a.yarnA]) break;
            if (judge.together(a, b)) {
                const Index ra = root(i), rb = root(j);
                group[std::max(ra, rb)] = std::min(ra, rb);
            }
        }
    std::vector<std::vector<Index>> members;
    std::vector<Index> slot(n, -1);
    for (Index i = 0; i < n; ++i) {
        const Index r = root(i);
        if (slot[r] < 0) {
            slot[r] = static_cast<Index>(members.size());
            members.emplace_back();
        }
        members[slot[r]].push_back(i);
    }
    std::vector<Encounter> encounters(members.size());
    parallelFor(static_cast<Index>(members.size()), 1, [&](Index begin, Index last) {
        for (Index i = begin; i < last; ++i) encounters[i] = judge.weigh(members[i], i < judged);
    });
    return encounters;
}

} // namespace purl
