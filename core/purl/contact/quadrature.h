// All quadrature points of all yarns, in blocks of four (one SIMD register a coordinate). Blocks
// are what lists and kernels work on; the last block of a segment is filled up with NaN points,
// which are near nothing (every comparison with them is false).
#pragma once

#include "purl/model/layout.h"
#include "purl/model/settings.h"

namespace purl {

class Quadrature {
public:
    Quadrature() = default;
    Quadrature(const Curves& rest, const Layout& layout, const std::vector<Material>& material,
               int pointsPerSegment);

    void evaluate(const Padded3& x); // all points from control points; the first call makes room
    void spread(Padded3& f);         // adds force[] of the points to f, with ghosts
    Index blocks() const { return static_cast<Index>(segmentOf.size()); }
    Index segments() const { return static_cast<Index>(slot.size()); }
    int blocksPerSegment() const { return blocksPerSegment_; }
    int pointsPerSegment() const { return points_; }
    Vec3 point(Index p) const {
        return {at[12 * (p / 4) + p % 4], at[12 * (p / 4) + 4 + p % 4],
                at[12 * (p / 4) + 8 + p % 4]};
    }

    // Per block.
    std::vector<Index> segmentOf; // its segment
    std::vector<Index> yarnOf;
    std::vector<double> scale;  // sqrt(k_contact) l / b: a pair's stiffness is the product of two
    std::vector<double> radius; // m
    std::vector<double> arc;    // m, rest arc length of each of the four points (4 a block)
    std::vector<double> at;     // 12 a block: x x x x y y y y z z z z
    std::vector<double> force;  // 12 a block, likewise
    // Per segment and per yarn.
    std::vector<Index> slot;        // slot of a segment's first vertex (second control point)
    std::vector<double> yarnLength; // m, rest arc length
    std::vector<double> exclusion;  // m, arc distance within which a yarn does not touch itself
    std::vector<std::uint8_t> closed;
    std::vector<double> arcOfNode; // m, rest arc length at each vertex of Curves

private:
    int points_ = 0, blocksPerSegment_ = 0;
    std::vector<double> weight_;           // [block][control][4]
    std::vector<std::vector<double>> out_; // 12 arrays [control][coordinate] by slot
    const Layout* layout_ = nullptr;
};

} // namespace purl
