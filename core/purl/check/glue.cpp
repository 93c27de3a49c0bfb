#include "purl/check/glue.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace purl {

GluedPlaces::GluedPlaces(const Curves& curves, const FineLayout& layout,
                         const std::vector<GluedPoints>& pairs) {
    std::map<Index, Index> parent;
    const auto root = [&](Index p) {
        parent.emplace(p, p);
        while (parent[p] != p) p = parent[p];
        return p;
    };
    for (const GluedPoints& g : pairs) {
        if (std::min(g.first, g.second) < 0 || std::max(g.first, g.second) >= curves.points())
            continue;
        const Index a = root(g.first), b = root(g.second);
        parent[std::max(a, b)] = std::min(a, b);
    }
    std::map<Index, std::vector<Index>> groups;
    for (const auto& entry : parent) groups[root(entry.first)].push_back(entry.first);
    if (groups.empty()) return;
    places_.resize(layout.yarns());
    const auto yarnOf = [&](Index point) {
        const auto next = std::upper_bound(curves.first.begin(), curves.first.end(), point);
        return static_cast<Index>(next - curves.first.begin()) - 1;
    };
    const auto arcOf = [&](Index yarn, Index point) {
        return layout.arc[layout.first[yarn] + (point - curves.first[yarn]) * FineLayout::kPieces];
    };
    for (const auto& group : groups)
        for (Index p : group.second)
            for (Index q : group.second) {
                const Index yp = yarnOf(p), yq = yarnOf(q);
                if (p == q || layout.segments(yp) == 0 || layout.segments(yq) == 0) continue;
                places_[yp].push_back({yq, arcOf(yp, p), arcOf(yq, q)});
            }
}

bool GluedPlaces::joins(const FineLayout& layout, Index yarnA, double arcA, Index yarnB,
                        double arcB, double apart) const {
    if (places_.empty()) return false;
    for (const Place& p : places_[yarnA])
        if (p.other == yarnB && layout.arcDistance(yarnA, arcA, p.arc) < apart &&
            layout.arcDistance(yarnB, arcB, p.otherArc) < apart)
            return true;
    return false;
}

std::vector<GluedPoints> coincidentEnds(const Curves& curves, const std::vector<std::uint8_t>& ok,
                                        double tolerance) {
    if (!(tolerance > 0)) return {};
    std::vector<Index> byX;
    for (Index y = 0; y < curves.yarns(); ++y)
        for (Index i = curves.first[y]; ok[y] && i < curves.first[y + 1]; ++i) byX.push_back(i);
    std::sort(byX.begin(), byX.end(), [&](Index a, Index b) {
        return curves.x[a][0] != curves.x[b][0] ? curves.x[a][0] < curves.x[b][0] : a < b;
    });
    std::vector<GluedPoints> found;
    for (Index y = 0; y < curves.yarns(); ++y) {
        if (!ok[y] || curves.closed[y] || !(curves.radius[y] > 0)) continue;
        const double reach = tolerance * curves.radius[y];
        for (Index end : {curves.first[y], curves.first[y + 1] - 1}) {
            const Vec3& p = curves.x[end];
            auto at = std::lower_bound(byX.begin(), byX.end(), p[0] - reach,
                                       [&](Index i, double v) { return curves.x[i][0] < v; });
            for (; at != byX.end() && curves.x[*at][0] <= p[0] + reach; ++at) {
                const bool beside = *at >= curves.first[y] && *at < curves.first[y + 1] &&
                                    std::abs(*at - end) < 2; // a doubled point is no weld
                if (!beside && (curves.x[*at] - p).norm() <= reach) found.emplace_back(end, *at);
            }
        }
    }
    return found;
}

} // namespace purl
