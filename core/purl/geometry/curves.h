// Yarn centre lines as flat arrays: yarn y owns the vertices first[y] .. first[y+1]-1.
#pragma once

#include "purl/base/types.h"

namespace purl {

struct Curves {
    std::vector<Vec3> x;              // m, all vertices of all yarns, one after the other
    std::vector<Index> first{0};      // yarns() + 1 entries
    std::vector<std::uint8_t> closed; // per yarn: the last vertex is joined to the first
    std::vector<double> radius;       // m, per yarn

    Index yarns() const { return static_cast<Index>(closed.size()); }
    Index points() const { return static_cast<Index>(x.size()); }
    Index size(Index yarn) const { return first[yarn + 1] - first[yarn]; }
    Index edges(Index yarn) const { return size(yarn) - (closed[yarn] ? 0 : 1); }
    Span<const Vec3> yarn(Index y) const {
        return {x.data() + first[y], static_cast<std::size_t>(size(y))};
    }
    void add(Span<const Vec3> points, bool isClosed, double yarnRadius) {
        x.insert(x.end(), points.begin(), points.end());
        first.push_back(static_cast<Index>(x.size()));
        closed.push_back(isClosed ? 1 : 0);
        radius.push_back(yarnRadius);
    }
};

} // namespace purl
