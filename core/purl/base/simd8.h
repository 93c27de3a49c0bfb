// Eight floats at once, for what is streamed: models whose numbers are kept in single precision.
#pragma once

#include "purl/base/simd.h"

#ifdef __AVX__
#include <immintrin.h>
#endif

namespace purl {

typedef float V8f __attribute__((vector_size(32)));
typedef std::int32_t V8i __attribute__((vector_size(32)));

struct Pack8 {
    V8f v;
    Pack8() = default;
    Pack8(float s) : v{s, s, s, s, s, s, s, s} {} // NOLINT: implicit on purpose, as a number is
    Pack8(V8f x) : v(x) {}                        // NOLINT
    float operator[](int i) const { return v[i]; }
};

inline Pack8 operator+(Pack8 a, Pack8 b) { return a.v + b.v; }
inline Pack8 operator-(Pack8 a, Pack8 b) { return a.v - b.v; }
inline Pack8 operator*(Pack8 a, Pack8 b) { return a.v * b.v; }
inline Pack8 operator/(Pack8 a, Pack8 b) { return a.v / b.v; }
inline Pack8 operator-(Pack8 a) { return -a.v; }
inline Pack8& operator+=(Pack8& a, Pack8 b) { return a = a + b; }
inline Pack8& operator-=(Pack8& a, Pack8 b) { return a = a - b; }
inline Pack8& operator*=(Pack8& a, Pack8 b) { return a = a * b; }
inline V8i operator<(Pack8 a, Pack8 b) { return a.v < b.v; }
inline V8i operator>(Pack8 a, Pack8 b) { return a.v > b.v; }
inline Pack8 select(V8i mask, Pack8 yes, Pack8 no) { return mask ? yes.v : no.v; }
inline Pack8 max(Pack8 a, Pack8 b) { return a.v > b.v ? a.v : b.v; }
inline Pack8 min(Pack8 a, Pack8 b) { return a.v < b.v ? a.v : b.v; }

inline Pack8 sqrt(Pack8 a) {
#ifdef __AVX__
    return static_cast<V8f>(_mm256_sqrt_ps(a.v));
#else
    Pack8 r;
    for (int i = 0; i < 8; ++i) r.v[i] = std::sqrt(a.v[i]);
    return r;
#endif
}

// One bit a lane.
inline unsigned bits(V8i m) {
#ifdef __AVX__
    return static_cast<unsigned>(_mm256_movemask_ps(reinterpret_cast<V8f>(m)));
#else
    unsigned r = 0;
    for (int i = 0; i < 8; ++i) r |= (m[i] != 0 ? 1u : 0u) << i;
    return r;
#endif
}

// Eight numbers in half precision, which halves what a matrix takes from memory.
inline std::uint16_t halfOf(float v) {
    const _Float16 h = static_cast<_Float16>(v);
    std::uint16_t bits;
    std::memcpy(&bits, &h, sizeof bits);
    return bits;
}
inline Pack8 loadHalf(const std::uint16_t* p) {
#ifdef __F16C__
    __m128i bits;
    std::memcpy(&bits, p, sizeof bits);
    return static_cast<V8f>(_mm256_cvtph_ps(bits));
#else
    Pack8 r;
    for (int i = 0; i < 8; ++i) {
        _Float16 h;
        std::memcpy(&h, p + i, sizeof h);
        r.v[i] = static_cast<float>(h);
    }
    return r;
#endif
}
inline void storeHalf(std::uint16_t* p, Pack8 a) {
#ifdef __F16C__
    const __m128i bits = _mm256_cvtps_ph(a.v, _MM_FROUND_TO_NEAREST_INT);
    std::memcpy(p, &bits, sizeof bits);
#else
    for (int i = 0; i < 8; ++i) p[i] = halfOf(a.v[i]);
#endif
}
inline void store(float* p, Pack8 a) { std::memcpy(p, &a.v, sizeof a.v); }
inline Pack8 loadPack8(const float* p) {
    Pack8 r;
    std::memcpy(&r.v, p, sizeof r.v);
    return r;
}

// Four rows of two halves each: in every half the 4 x 4 numbers are transposed.
inline void transposeHalves(Pack8& a, Pack8& b, Pack8& c, Pack8& d) {
    const V8f ab0 = __builtin_shuffle(a.v, b.v, V8i{0, 8, 1, 9, 4, 12, 5, 13});
    const V8f ab1 = __builtin_shuffle(a.v, b.v, V8i{2, 10, 3, 11, 6, 14, 7, 15});
    const V8f cd0 = __builtin_shuffle(c.v, d.v, V8i{0, 8, 1, 9, 4, 12, 5, 13});
    const V8f cd1 = __builtin_shuffle(c.v, d.v, V8i{2, 10, 3, 11, 6, 14, 7, 15});
    a = __builtin_shuffle(ab0, cd0, V8i{0, 1, 8, 9, 4, 5, 12, 13});
    b = __builtin_shuffle(ab0, cd0, V8i{2, 3, 10, 11, 6, 7, 14, 15});
    c = __builtin_shuffle(ab1, cd1, V8i{0, 1, 8, 9, 4, 5, 12, 13});
    d = __builtin_shuffle(ab1, cd1, V8i{2, 3, 10, 11, 6, 7, 14, 15});
}
// Rows become columns.
inline void transpose8(Pack8 r[8]) {
    transposeHalves(r[0], r[1], r[2], r[3]);
    transposeHalves(r[4], r[5], r[6], r[7]);
    for (int i = 0; i < 4; ++i) {
        const V8f low = __builtin_shuffle(r[i].v, r[4 + i].v, V8i{0, 1, 2, 3, 8, 9, 10, 11});
        const V8f high = __builtin_shuffle(r[i].v, r[4 + i].v, V8i{4, 5, 6, 7, 12, 13, 14, 15});
        r[i] = low;
        r[4 + i] = high;
    }
}

} // namespace purl
