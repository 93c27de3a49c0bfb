#include "purl/contact/exclusion.h"

#include "purl/base/error.h"
#include "purl/geometry/catmull_rom.h"

#include <algorithm>
#include <string>

namespace purl {

namespace {
constexpr double kPi = 3.14159265358979323846;
}

Exclusion::Exclusion(const Curves& rest, const std::vector<Weld>& welds, int pointsPerSegment)
    : points_(pointsPerSegment), closed_(rest.closed) {
    if (points_ < 1 || points_ > PairBits::kMaxPoints)
        throw Error("contact.quadrature", "is " + std::to_string(points_) +
                                              " points a segment, expected 1 to 11: the schedule "
                                              "keeps 121 bits a pair of segments");
    std::vector<Index> yarnOfNode(rest.points());
    std::vector<double> arcOfNode(rest.points());
    for (Index y = 0; y < rest.yarns(); ++y) {
        double arc = 0;
        for (Index i = rest.first[y]; i < rest.first[y + 1]; ++i) yarnOfNode[i] = y;
        for (Index s = 0; s < rest.edges(y); ++s) {
            const double length = arcLength(rest.x, segmentOf(rest, y, s));
            arcOfNode[rest.first[y] + s] = arc;
            yarn_.push_back(y);
            start_.push_back(arc);
            length_.push_back(length);
            arc += length;
        }
        if (!rest.closed[y]) arcOfNode[rest.first[y + 1] - 1] = arc;
        yarnLength_.push_back(arc);
        // A bend of radius r closes on itself after an arc of pi r (physics 3.4).
        reach_.push_back(std::max(2 * arc / rest.edges(y), 1.1 * kPi * rest.radius[y]));
    }
    struct Found {
        Index yarn;
        WeldArc weld;
    };
    std::vector<Found> found;
    for (const auto& cluster : weldClusters(welds)) // all that meet in a knot are near each other
        for (Index a : cluster)
            for (Index b : cluster)
                if (a != b)
                    found.push_back({yarnOfNode[a], {arcOfNode[a], arcOfNode[b], yarnOfNode[b]}});
    std::stable_sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
        return a.yarn != b.yarn ? a.yarn < b.yarn : a.weld.arc < b.weld.arc;
    });
    weldStart_.assign(rest.yarns() + 1, 0);
    for (const Found& f : found) {
        ++weldStart_[f.yarn + 1];
        weld_.push_back(f.weld);
    }
    for (Index y = 0; y < rest.yarns(); ++y) weldStart_[y + 1] += weldStart_[y];
}

double Exclusion::arcGap(Index yarn, double s, double t) const {
    const double d = std::abs(s - t);
    return closed_[yarn] ? std::min(d, yarnLength_[yarn] - d) : d;
}

// Welds that lie within reach of segment a and lead to the yarn of b.
template <class Visit>
void Exclusion::nearWelds(Index a, Index b, Visit&& visit) const {
    const Index ya = yarn_[a], yb = yarn_[b];
    const Index first = weldStart_[ya], last = weldStart_[ya + 1];
    if (first == last) return;
    const double limit = std::max(reach_[ya], reach_[yb]);
    // A closed yarn goes on beyond its seam: look one round before and after as well.
    for (int round = closed_[ya] ? -1 : 0; round <= (closed_[ya] ? 1 : 0); ++round) {
        const double low = start_[a] - limit + round * yarnLength_[ya];
        const double high = start_[a] + length_[a] + limit + round * yarnLength_[ya];
        auto it = std::lower_bound(weld_.begin() + first, weld_.begin() + last, low,
                                   [](const WeldArc& w, double s) { return w.arc < s; });
        for (; it != weld_.begin() + last && it->arc <= high; ++it)
            if (it->otherYarn == yb) visit(*it);
    }
}

bool Exclusion::strangers(Index a, Index b) const {
    const Index ya = yarn_[a], yb = yarn_[b];
    if (ya == yb) {
        const Index lower = std::min(a, b), upper = std::max(a, b);
        const double between = start_[upper] - (start_[lower] + length_[lower]);
        const double round = yarnLength_[ya] - (start_[upper] + length_[upper] - start_[lower]);
        if (between < reach_[ya] || (closed_[ya] && round < reach_[ya])) return false;
    }
    bool near = false;
    nearWelds(a, b, [&](const WeldArc&) { near = true; });
    return !near;
}

PairBits Exclusion::excluded(Index a, Index b) const {
    PairBits out;
    if (strangers(a, b)) return out;
    const Index ya = yarn_[a], yb = yarn_[b];
    auto arc = [&](Index segment, int g) {
        return start_[segment] + length_[segment] * (g + 0.5) / points_;
    };
    if (ya == yb)
        for (int i = 0; i < points_; ++i)
            for (int j = 0; j < points_; ++j) {
                // Of one segment each pair counts once, and never inside a block of four: so it
                // is in the exact contact.
                const bool same = a == b && (j <= i || i / 4 == j / 4);
                if (same || arcGap(ya, arc(a, i), arc(b, j)) < reach_[ya]) out.set(i * points_ + j);
            }
    const double limit = std::max(reach_[ya], reach_[yb]);
    nearWelds(a, b, [&](const WeldArc& w) {
        for (int i = 0; i < points_; ++i)
            for (int j = 0; j < points_; ++j)
                if (arcGap(ya, arc(a, i), w.arc) + arcGap(yb, arc(b, j), w.otherArc) < limit)
                    out.set(i * points_ + j);
    });
    return out;
}

std::size_t Exclusion::bytes() const {
    return yarn_.size() * (sizeof(Index) + 2 * sizeof(double)) + weld_.size() * sizeof(WeldArc);
}

} // namespace purl
