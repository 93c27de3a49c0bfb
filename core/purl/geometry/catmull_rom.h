// Catmull-Rom pieces (physics 1.1, 1.2). Segment i of a yarn runs from vertex i to i+1 and is ruled
// by four control points; at the ends of an open yarn the missing one is the linear reflection
// q[-1] = 2 q[0] - q[1], folded into the weights of the others, which still sum to one.
#pragma once

#include "purl/geometry/curves.h"

#include <array>
#include <cmath>

namespace purl {

using Weights4 = std::array<double, 4>;

inline Weights4 catmullRom(double s) {
    const double s2 = s * s, s3 = s2 * s;
    return {0.5 * (-s3 + 2 * s2 - s), 0.5 * (3 * s3 - 5 * s2 + 2), 0.5 * (-3 * s3 + 4 * s2 + s),
            0.5 * (s3 - s2)};
}
inline Weights4 catmullRomFirst(double s) { // d/ds
    const double s2 = s * s;
    return {0.5 * (-3 * s2 + 4 * s - 1), 0.5 * (9 * s2 - 10 * s), 0.5 * (-9 * s2 + 8 * s + 1),
            0.5 * (3 * s2 - 2 * s)};
}
inline Weights4 catmullRomSecond(double s) { // d2/ds2
    return {-3 * s + 2, 9 * s - 5, -9 * s + 4, 3 * s - 1};
}

// The control points of a segment as indices into Curves::x, and how a missing end is reflected.
struct Segment {
    std::array<Index, 4> q; // control points; a reflected end repeats the nearest real one
    bool reflectStart = false;
    bool reflectEnd = false;

    // Weights on q[0..3] with the reflection folded in: a repeated point has weight zero.
    Weights4 fold(Weights4 b) const {
        if (reflectStart) {
            b[1] += 2 * b[0];
            b[2] -= b[0];
            b[0] = 0;
        }
        if (reflectEnd) {
            b[2] += 2 * b[3];
            b[1] -= b[3];
            b[3] = 0;
        }
        return b;
    }
};

// Segment `seg` (0 .. curves.edges(yarn)-1) of a yarn.
inline Segment segmentOf(const Curves& curves, Index yarn, Index seg) {
    const Index n = curves.size(yarn), f = curves.first[yarn];
    Segment s;
    if (curves.closed[yarn]) {
        s.q = {f + (seg + n - 1) % n, f + seg, f + (seg + 1) % n, f + (seg + 2) % n};
    } else {
        s.reflectStart = seg == 0;
        s.reflectEnd = seg == n - 2;
        s.q = {f + (s.reflectStart ? 0 : seg - 1), f + seg, f + seg + 1,
               f + (s.reflectEnd ? n - 1 : seg + 2)};
    }
    return s;
}

inline Vec3 blend(const std::vector<Vec3>& x, const Segment& s, const Weights4& b) {
    return b[0] * x[s.q[0]] + b[1] * x[s.q[1]] + b[2] * x[s.q[2]] + b[3] * x[s.q[3]];
}
inline Vec3 pointAt(const std::vector<Vec3>& x, const Segment& seg, double s) {
    return blend(x, seg, seg.fold(catmullRom(s)));
}
inline Vec3 tangentAt(const std::vector<Vec3>& x, const Segment& seg, double s) {
    return blend(x, seg, seg.fold(catmullRomFirst(s)));
}

// Arc length of a segment by 5-point Gauss-Legendre (relative error 1e-8 at 45 degrees a segment).
inline double arcLength(const std::vector<Vec3>& x, const Segment& seg) {
    constexpr double node[3] = {0.0, 0.5384693101056831, 0.9061798459386640};
    constexpr double weight[3] = {0.5688888888888889, 0.4786286704993665, 0.2369268850561891};
    double sum = weight[0] * tangentAt(x, seg, 0.5).norm();
    for (int k = 1; k < 3; ++k) {
        sum += weight[k] * (tangentAt(x, seg, 0.5 - 0.5 * node[k]).norm() +
                            tangentAt(x, seg, 0.5 + 0.5 * node[k]).norm());
    }
    return 0.5 * sum;
}

} // namespace purl
