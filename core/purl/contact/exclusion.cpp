#include "purl/contact/exclusion.h"

#include <algorithm>
#include <cmath>

namespace purl {

Exclusion::Exclusion(const Quadrature& q, const std::vector<Weld>& welds, const Curves& rest)
    : weldsOf_(rest.yarns()), length_(q.yarnLength), exclusion_(q.exclusion), closed_(q.closed) {
    std::vector<Index> yarnOf(rest.points());
    for (Index y = 0; y < rest.yarns(); ++y)
        for (Index i = rest.first[y]; i < rest.first[y + 1]; ++i) yarnOf[i] = y;
    for (const auto& cluster : weldClusters(welds)) // all that meet in a knot are near each other
        for (Index a : cluster)
            for (Index b : cluster)
                if (a != b)
                    weldsOf_[yarnOf[a]].push_back({yarnOf[b], q.arcOfNode[a], q.arcOfNode[b]});
}

double Exclusion::arcGap(Index yarn, double s, double t) const {
    const double d = std::abs(s - t);
    return closed_[yarn] ? std::min(d, length_[yarn] - d) : d;
}

bool Exclusion::allowed(Index yarnU, double s, Index yarnV, double t) const {
    if (yarnU == yarnV && arcGap(yarnU, s, t) < exclusion_[yarnU]) return false;
    const double limit = std::max(exclusion_[yarnU], exclusion_[yarnV]);
    for (const WeldArc& w : weldsOf_[yarnU])
        if (w.otherYarn == yarnV && arcGap(yarnU, s, w.arc) + arcGap(yarnV, t, w.otherArc) < limit)
            return false;
    return true;
}

} // namespace purl
