// The twelve quartic box splines of a regular Loop patch, with derivatives (Loop 1987; Stam 1998).
#pragma once

#include <array>

namespace purl::cloth {

// A number with its first and second derivatives by two parameters.
struct Jet {
    double f = 0, v = 0, w = 0, vv = 0, ww = 0, vw = 0;
};
inline Jet operator+(const Jet& a, const Jet& b) {
    return {a.f + b.f, a.v + b.v, a.w + b.w, a.vv + b.vv, a.ww + b.ww, a.vw + b.vw};
}
inline Jet operator*(const Jet& a, const Jet& b) {
    return {a.f * b.f,
            a.v * b.f + a.f * b.v,
            a.w * b.f + a.f * b.w,
            a.vv * b.f + 2 * a.v * b.v + a.f * b.vv,
            a.ww * b.f + 2 * a.w * b.w + a.f * b.ww,
            a.vw * b.f + a.v * b.w + a.w * b.v + a.f * b.vw};
}
inline Jet operator*(double s, const Jet& a) { return Jet{s} * a; }

// Control points of a patch around the triangle (0, 1, 2): its corners; beyond[k], across the edge
// opposite to corner k; outer[k][s], the two points at corner k that no edge-neighbour has: s = 0
// next to beyond[k + 2], that is, on the side of corner k + 1; s = 1 on that of corner k + 2.
template <class T>
struct LoopPatch {
    std::array<T, 3> corner, beyond;
    std::array<std::array<T, 2>, 3> outer;
};

// At corner weights (1 - v - w, v, w).
inline LoopPatch<Jet> boxSplines(double v, double w) {
    const Jet b[3] = {{1 - v - w, -1, -1}, {v, 1, 0}, {w, 0, 1}};
    const auto power = [](const Jet& a, int n) {
        Jet r{1};
        for (int i = 0; i < n; ++i) r = r * a;
        return r;
    };
    LoopPatch<Jet> n;
    for (int k = 0; k < 3; ++k) {
        const Jet &u = b[k], &p = b[(k + 1) % 3], &q = b[(k + 2) % 3];
        const auto m = [&](double c, int i, int j, int l) {
            return (c / 12) * (power(u, i) * power(p, j) * power(q, l));
        };
        n.corner[k] = m(6, 4, 0, 0) + m(24, 3, 0, 1) + m(24, 2, 0, 2) + m(8, 1, 0, 3) +
                      m(1, 0, 0, 4) + m(24, 3, 1, 0) + m(60, 2, 1, 1) + m(36, 1, 1, 2) +
                      m(6, 0, 1, 3) + m(24, 2, 2, 0) + m(36, 1, 2, 1) + m(12, 0, 2, 2) +
                      m(8, 1, 3, 0) + m(6, 0, 3, 1) + m(1, 0, 4, 0);
        n.beyond[k] = m(2, 1, 0, 3) + m(1, 0, 0, 4) + m(6, 1, 1, 2) + m(6, 0, 1, 3) +
                      m(6, 1, 2, 1) + m(12, 0, 2, 2) + m(2, 1, 3, 0) + m(6, 0, 3, 1) +
                      m(1, 0, 4, 0);
        n.outer[k][0] = m(1, 4, 0, 0) + m(2, 3, 1, 0);
        n.outer[k][1] = m(1, 4, 0, 0) + m(2, 3, 0, 1);
    }
    return n;
}

} // namespace purl::cloth
