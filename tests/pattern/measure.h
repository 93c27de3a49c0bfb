// Measures of a pattern made by brute force, without the generator's own code.
#pragma once

#include "purl/geometry/catmull_rom.h"
#include "purl/pattern/pattern.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace purl::test {

struct Spot {
    Vec3 p;
    Index yarn, seg;
    double s, arc;
};

class Measure {
public:
    explicit Measure(const Pattern& pattern) : c_(pattern.curves) {
        for (Index y = 0; y < c_.yarns(); ++y) {
            double arc = 0;
            vertexArc_.emplace_back();
            for (Index k = 0; k < c_.edges(y); ++k) {
                vertexArc_[y].push_back(arc);
                const double length = arcLength(c_.x, segmentOf(c_, y, k));
                for (int i = 0; i <= kPer; ++i)
                    spots_.push_back({pointAt(c_.x, segmentOf(c_, y, k), double(i) / kPer), y, k,
                                      double(i) / kPer, arc + length * i / kPer});
                arc += length;
            }
            vertexArc_[y].push_back(arc);
        }
        // Welded vertices, in classes.
        std::map<Index, Index> leader;
        const auto find = [&](Index v) {
            while (leader.count(v) && leader[v] != v) v = leader[v];
            return v;
        };
        for (const auto& w : pattern.welds) {
            leader.emplace(w[0], w[0]);
            leader[find(w[1])] = find(w[0]);
        }
        for (const auto& w : pattern.welds)
            for (Index v : w) {
                auto& members = welds_[find(v)];
                const Index y = static_cast<Index>(
                    std::upper_bound(c_.first.begin(), c_.first.end(), v) - c_.first.begin() - 1);
                members.insert({y, vertexArc_[y][v - c_.first[y]]});
            }
    }

    // Smallest distance of centre lines; the same yarn is left out within max(two segments,
    // 1.1 pi r) of arc, through welds too.
    double smallest(double reach) const {
        std::map<std::tuple<int, int, int>, std::vector<std::size_t>> cells;
        const auto cell = [&](const Vec3& p, int axis) { return int(std::floor(p[axis] / reach)); };
        for (std::size_t i = 0; i < spots_.size(); ++i) {
            const Vec3& p = spots_[i].p;
            cells[{cell(p, 0), cell(p, 1), cell(p, 2)}].push_back(i);
        }
        double least = reach;
        for (const auto& [key, members] : cells)
            for (int n = 0; n < 27; ++n) {
                const auto [x, y, z] = key;
                const auto other = cells.find({x + n % 3 - 1, y + n / 3 % 3 - 1, z + n / 9 - 1});
                if (other == cells.end()) continue;
                for (std::size_t i : members)
                    for (std::size_t j : other->second)
                        if (i < j && (spots_[i].p - spots_[j].p).norm() < least * 1.02 &&
                            !excluded(spots_[i], spots_[j]))
                            least = std::min(least, refined(spots_[i], spots_[j]));
            }
        return least;
    }

private:
    static constexpr int kPer = 14;

    double length(Index yarn) const { return vertexArc_[yarn].back(); }
    double apart(Index yarn, double a, double b) const {
        double d = std::abs(a - b);
        if (c_.closed[yarn]) d = std::min(d, length(yarn) - d);
        return d;
    }
    double segment(const Spot& a) const {
        return vertexArc_[a.yarn][a.seg + 1] - vertexArc_[a.yarn][a.seg];
    }
    bool excluded(const Spot& a, const Spot& b) const {
        const double reach =
            std::max(segment(a) + segment(b), 1.1 * 3.14159265 * c_.radius[a.yarn]);
        if (a.yarn == b.yarn && apart(a.yarn, a.arc, b.arc) < reach) return true;
        for (const auto& [leader, members] : welds_)
            for (const auto& [ya, arcA] : members)
                if (ya == a.yarn && apart(ya, arcA, a.arc) < reach)
                    for (const auto& [yb, arcB] : members)
                        if (yb == b.yarn && apart(ya, arcA, a.arc) + apart(yb, arcB, b.arc) < reach)
                            return true;
        return false;
    }
    // Walks downhill on the two segments in ever smaller steps.
    double refined(const Spot& a, const Spot& b) const {
        const Segment sa = segmentOf(c_, a.yarn, a.seg), sb = segmentOf(c_, b.yarn, b.seg);
        double s = a.s, t = b.s, best = (a.p - b.p).norm();
        for (double step = 0.5 / kPer; step > 1e-4; step *= 0.5)
            for (int i = -1; i <= 1; ++i)
                for (int j = -1; j <= 1; ++j) {
                    const double u = std::clamp(s + i * step, 0.0, 1.0);
                    const double v = std::clamp(t + j * step, 0.0, 1.0);
                    const double d = (pointAt(c_.x, sa, u) - pointAt(c_.x, sb, v)).norm();
                    if (d < best) {
                        best = d;
                        s = u;
                        t = v;
                    }
                }
        return best;
    }

    const Curves& c_;
    std::vector<Spot> spots_;
    std::vector<std::vector<double>> vertexArc_;
    std::map<Index, std::set<std::pair<Index, double>>> welds_;
};

} // namespace purl::test
