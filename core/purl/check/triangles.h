// Does a triangle mesh go through itself? The judge of every cloth test and of `purl check`; it
// shares no code with the solver's collision tests.
#pragma once

#include "purl/base/types.h"

#include <array>

namespace purl {

struct TrianglePair {
    Index a, b; // a < b
    bool operator==(const TrianglePair& o) const { return a == o.a && b == o.b; }
};

// Pairs of triangles that have a place in common other than their shared points. Triangles are
// closed: touching counts. Two that share an edge are never counted. Signs of volumes are exact.
// Non-finite triangles meet nothing.
// `first` receives the first `listed` pairs in ascending order.
Index countIntersections(Span<const Vec3> x, Span<const std::array<Index, 3>> triangles,
                         std::vector<TrianglePair>* first = nullptr, Index listed = 10);
// The same by testing all pairs.
Index countIntersectionsOfAll(Span<const Vec3> x, Span<const std::array<Index, 3>> triangles,
                              std::vector<TrianglePair>* first = nullptr, Index listed = 10);

bool trianglesMeet(Span<const Vec3> x, const std::array<Index, 3>& s,
                   const std::array<Index, 3>& t);

} // namespace purl
