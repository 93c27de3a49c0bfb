// Closest points of a point and a triangle, and of two edges, for any input: slivers, points and
// parallel edges are met by falling back to ends and edges, never by dividing by nearly nothing. A
// distance is never reported larger than it is by more than rounding.
#pragma once

#include "purl/base/types.h"

#include <array>
#include <cmath>

namespace purl {

enum class FeaturePair : std::uint8_t {
    VertexFace, // nodes: the vertex, then the face's three
    EdgeEdge    // nodes: two and two
};

// The vector between the closest points is sum(weight[i] * x[i]), from the second party (face,
// second edge) to the first.
struct Closest {
    double squared = 0; // m2
    std::array<double, 4> weight;
};

inline double pointOnEdge(const Vec3& p, const Vec3& a, const Vec3& b) { // 0 at a, 1 at b
    const Vec3 e = b - a;
    const double ee = e.squaredNorm(), t = e.dot(p - a);
    return t <= 0 || !(ee > 0) ? 0.0 : (t >= ee ? 1.0 : t / ee);
}

inline Closest closestVertexFace(const Vec3* x) {
    const Vec3 e1 = x[2] - x[1], e2 = x[3] - x[1], d = x[0] - x[1];
    const double a = e1.squaredNorm(), b = e1.dot(e2), c = e2.squaredNorm();
    const double det = a * c - b * b;
    if (det > 1e-10 * a * c) {
        const double p = e1.dot(d), q = e2.dot(d);
        const double s = (c * p - b * q) / det, t = (a * q - b * p) / det;
        if (s >= 0 && t >= 0 && s + t <= 1)
            return {(d - s * e1 - t * e2).squaredNorm(), {1, s + t - 1, -s, -t}};
    }
    Closest best{1e300, {}};
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3;
        const double t = pointOnEdge(x[0], x[1 + i], x[1 + j]);
        const double squared = (x[0] - (1 - t) * x[1 + i] - t * x[1 + j]).squaredNorm();
        if (squared < best.squared) {
            best = {squared, {1, 0, 0, 0}};
            best.weight[1 + i] = t - 1;
            best.weight[1 + j] = -t;
        }
    }
    return best;
}

inline Closest closestEdgeEdge(const Vec3* x) {
    const Vec3 e = x[1] - x[0], f = x[3] - x[2], d = x[2] - x[0];
    const double a = e.squaredNorm(), b = e.dot(f), c = f.squaredNorm();
    const double det = a * c - b * b;
    if (det > 1e-10 * a * c) { // the lines' own closest points
        const double p = e.dot(d), q = f.dot(d);
        const double s = (c * p - b * q) / det, t = (b * p - a * q) / det;
        if (s >= 0 && s <= 1 && t >= 0 && t <= 1)
            return {(d + t * f - s * e).squaredNorm(), {1 - s, s, t - 1, -t}};
    }
    Closest best{1e300, {}}; // else an end of one and the other
    for (int i = 0; i < 4; ++i) {
        const int other = i < 2 ? 2 : 0;
        const double t = pointOnEdge(x[i], x[other], x[other + 1]);
        const double squared = (x[i] - (1 - t) * x[other] - t * x[other + 1]).squaredNorm();
        if (squared < best.squared) {
            const double sign = i < 2 ? 1 : -1;
            best = {squared, {0, 0, 0, 0}};
            best.weight[i] = sign;
            best.weight[other] = sign * (t - 1);
            best.weight[other + 1] = -sign * t;
        }
    }
    return best;
}

inline Closest closest(FeaturePair kind, const Vec3* x) {
    return kind == FeaturePair::VertexFace ? closestVertexFace(x) : closestEdgeEdge(x);
}

inline Vec3 weighted(const std::array<double, 4>& w, const Vec3* x) {
    return w[0] * x[0] + w[1] * x[1] + w[2] * x[2] + w[3] * x[3];
}

} // namespace purl
