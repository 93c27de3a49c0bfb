// Where yarns lie that triangles carry: not on the flat triangles, which have a kink at every edge,
// but on the surface that two steps of Loop's subdivision make of them (physics 8.6). Only what
// that lies off the triangle, along its normal, is taken: in the plane yarns stay where they were
// laid.
#pragma once

#include "purl/cloth/mesh.h"

namespace purl {

class LoopPlaces {
public:
    // triangle, weights: per node, its place on the mesh; nodes whose `wanted` is 0 are left out.
    LoopPlaces(const ClothMesh& mesh, Span<const Index> triangle, Span<const Vec3> weights,
               Span<const char> wanted);

    // The position of node i on vertices v, and its velocity if `rates` is not empty.
    Vec3 at(Index i, Span<const Vec3> v) const;
    Vec3 rate(Index i, Span<const Vec3> v, Span<const Vec3> rates) const;
    std::size_t bytes() const;

private:
    Vec3 flat(Index i, Span<const Vec3> v) const;
    Vec3 smooth(Index i, Span<const Vec3> v) const; // on the subdivided surface
    Vec3 normal(Index i, Span<const Vec3> v) const;

    const ClothMesh& mesh_;
    std::vector<Index> triangle_;
    std::vector<Vec3> weights_;
    std::vector<Index> first_, vertex_; // rows of the subdivided surface; empty: left out
    std::vector<float> share_;
};

} // namespace purl
