// Four numbers at once, one slot of the layout each: x y z and a fourth. The Catmull-Rom
// piece of four control points lies in the box of its Bezier points, which are convex weights: a
// bound without quadratics (physics 1.4) that is exact at the ends and tight between.
#pragma once

#include "purl/base/simd8.h"
#include "purl/base/types.h"

#include <cmath>
#include <cstring>

namespace purl {

typedef float V4f __attribute__((vector_size(16)));
inline V8f load8(const float* p) {
    V8f v;
    std::memcpy(&v, p, sizeof v);
    return v;
}
inline V8i loadBytes(const std::uint8_t* p) { // eight of them
    typedef std::uint8_t Bytes __attribute__((vector_size(8)));
    Bytes b;
    std::memcpy(&b, p, sizeof b);
    return __builtin_convertvector(b, V8i);
}
struct Float4 {
    V4f v;
};
struct Double4 {
    V4d v;
};

inline V4f lower(V4f a, V4f b) { return a < b ? a : b; }
inline V4f upper(V4f a, V4f b) { return a > b ? a : b; }

struct Box4 {
    V4f low, high;
};

// Of the curve with control points q[0..3].
inline Box4 curveBox(V4f q0, V4f q1, V4f q2, V4f q3) {
    constexpr float sixth = 1.0f / 6;
    const V4f b1 = q1 + sixth * (q2 - q0), b2 = q2 - sixth * (q3 - q1);
    return {lower(lower(q1, q2), lower(b1, b2)), upper(upper(q1, q2), upper(b1, b2))};
}
inline Box4 curveBox(const Float4* q) { return curveBox(q[0].v, q[1].v, q[2].v, q[3].v); }

// Largest length of a - b with a and b anywhere in their boxes (physics 4.8).
inline float farthest(const Box4& a, const Box4& b) {
    V4f d = upper(a.high - b.low, b.high - a.low);
    d *= d;
    return std::sqrt(d[0] + d[1] + d[2]);
}
// Smallest such length.
inline float nearest(const Box4& a, const Box4& b) {
    V4f d = upper(upper(a.low - b.high, b.low - a.high), V4f{0, 0, 0, 0});
    d *= d;
    return std::sqrt(d[0] + d[1] + d[2]);
}

} // namespace purl
