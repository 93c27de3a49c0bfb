// The yarns as the judge sees them: each Catmull-Rom segment cut into a few straight pieces. What
// never changes over a sequence (which piece belongs where, arc length, radius) is the layout; the
// fine points are one array a frame.
#pragma once

#include "purl/geometry/curves.h"

#include <array>
#include <utility>

namespace purl {

struct FineLayout {
    static constexpr Index kPieces = 4; // straight pieces a segment (physics 4.10, step 2)

    // Yarn y owns the fine points first[y] .. first[y+1]-1, segments(y) * kPieces + 1 of them; a
    // closed yarn's last one repeats its first, so that a piece is always (k, k+1).
    std::vector<Index> first;
    std::vector<Index> segFirst; // segments() entries: the fine point a segment starts at
    std::vector<Index> segYarn;  // the yarn of a segment
    std::vector<Index> yarnSeg;  // yarns() + 1 entries: the first segment of a yarn
    std::vector<std::uint8_t> closed;
    std::vector<double> radius; // m, as given
    std::vector<double>
        scale; // m, the radius, or a quarter of an edge where the radius is not usable
    std::vector<double> arc; // m, per fine point, by chords of the frame the yarn was measured in
    std::vector<double> length; // m, per yarn; 0 until measured

    explicit FineLayout(const Curves& curves);
    FineLayout() = default;

    Index yarns() const { return static_cast<Index>(closed.size()); }
    Index segments() const { return static_cast<Index>(segFirst.size()); }
    Index points() const { return first.back(); }
    Index segments(Index yarn) const { return yarnSeg[yarn + 1] - yarnSeg[yarn]; }
    double segmentLength(Index seg) const {
        return arc[segFirst[seg] + kPieces] - arc[segFirst[seg]];
    }

    // Takes arc lengths from this frame, for a yarn seen whole for the first time.
    void measure(const Curves& curves, Index yarn);

    // The place of the fine parameter t (0..1 over piece k) along its yarn.
    double arcAt(Index k, double t) const { return arc[k] + t * (arc[k + 1] - arc[k]); }
    double curveU(Index yarn, double arcAlong) const {
        return length[yarn] > 0 ? arcAlong / length[yarn] : 0.0;
    }
    // The shorter way along the yarn (closed yarns: round either side).
    double arcDistance(Index yarn, double s, double t) const {
        const double d = s < t ? t - s : s - t;
        return closed[yarn] && length[yarn] - d < d ? length[yarn] - d : d;
    }
    // Same-yarn neighbours are no contact nearer than this along the yarn (physics 3.4).
    double exclusion(Index segA, Index segB) const;
};

// Whether a yarn can be judged in this frame: two points or more, all finite and of sane size.
bool usable(const Curves& curves, Index yarn);

// The fine points of one frame. Each is moved by a fixed random 1e-7 of the radius, the same in
// every frame: yarns that meet exactly at a vertex or lie exactly in one plane, as authored data
// like to do, then have one definite answer. Yarns not in `ok` are left at the origin.
constexpr double kFineJitter = 1e-7; // of the radius
Vec3 fineJitter(Index point);        // -1 .. 1 in each direction
std::vector<Vec3> finePoints(const Curves& curves, const FineLayout& layout,
                             const std::vector<std::uint8_t>& ok);

// Closest points of two straight pieces p0 p1 and q0 q1: the parameters and the squared distance.
struct ClosestParams {
    double s, t, squared;
};
ClosestParams closestOnPieces(const Vec3& p0, const Vec3& p1, const Vec3& q0, const Vec3& q1);

} // namespace purl
