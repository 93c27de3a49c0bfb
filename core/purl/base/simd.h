// Four doubles at once. Kernels are templates on the number type: with `double` they are the slow
// reference, with `Pack4` the fast path, and a test compares the two. GCC and Clang vector types, so
// that the same source also builds where there is no AVX.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

namespace purl {

typedef double V4d __attribute__((vector_size(32)));
typedef std::int64_t V4i __attribute__((vector_size(32)));

struct Pack4 {
    V4d v;
    Pack4() = default;
    Pack4(double s) : v{s, s, s, s} {} // NOLINT: implicit on purpose, as a number is
    Pack4(V4d x) : v(x) {}             // NOLINT
    double operator[](int i) const { return v[i]; }
};

inline Pack4 operator+(Pack4 a, Pack4 b) { return a.v + b.v; }
inline Pack4 operator-(Pack4 a, Pack4 b) { return a.v - b.v; }
inline Pack4 operator*(Pack4 a, Pack4 b) { return a.v * b.v; }
inline Pack4 operator/(Pack4 a, Pack4 b) { return a.v / b.v; }
inline Pack4 operator-(Pack4 a) { return -a.v; }
inline Pack4& operator+=(Pack4& a, Pack4 b) { return a = a + b; }
inline Pack4& operator-=(Pack4& a, Pack4 b) { return a = a - b; }
inline Pack4& operator*=(Pack4& a, Pack4 b) { return a = a * b; }

inline Pack4 sqrt(Pack4 a) {
#ifdef __AVX__
    return static_cast<V4d>(__builtin_ia32_sqrtpd256(a.v));
#else
    return V4d{std::sqrt(a.v[0]), std::sqrt(a.v[1]), std::sqrt(a.v[2]), std::sqrt(a.v[3])};
#endif
}
inline Pack4 select(V4i mask, Pack4 yes, Pack4 no) { return mask ? yes.v : no.v; }
inline double select(bool mask, double yes, double no) { return mask ? yes : no; }
inline V4i operator<(Pack4 a, Pack4 b) { return a.v < b.v; }
inline V4i operator>(Pack4 a, Pack4 b) { return a.v > b.v; }
inline Pack4 max(Pack4 a, Pack4 b) { return a.v > b.v ? a.v : b.v; }
inline Pack4 min(Pack4 a, Pack4 b) { return a.v < b.v ? a.v : b.v; }
inline double max(double a, double b) { return a > b ? a : b; }
inline double min(double a, double b) { return a < b ? a : b; }
inline double sqrt(double a) { return std::sqrt(a); }
inline bool any(V4i m) {
#ifdef __AVX__
    return __builtin_ia32_movmskpd256(reinterpret_cast<V4d>(m)) != 0;
#else
    return (m[0] | m[1] | m[2] | m[3]) != 0;
#endif
}
inline bool any(bool m) { return m; }

inline Pack4 loadPack(const double* p) {
    Pack4 r;
    std::memcpy(&r.v, p, sizeof r.v);
    return r;
}
inline void store(double* p, Pack4 a) { std::memcpy(p, &a.v, sizeof a.v); }

template <class Real>
Real load(const double* p);
template <>
inline double load<double>(const double* p) {
    return *p;
}
template <>
inline Pack4 load<Pack4>(const double* p) {
    return loadPack(p);
}
inline void store(double* p, double a) { *p = a; }

// A vector of three numbers of either kind.
template <class R>
struct V3 {
    R x, y, z;
};
template <class R>
V3<R> operator+(const V3<R>& a, const V3<R>& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class R>
V3<R> operator-(const V3<R>& a, const V3<R>& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class R>
V3<R> operator*(R s, const V3<R>& a) {
    return {s * a.x, s * a.y, s * a.z};
}
template <class R>
R dot(const V3<R>& a, const V3<R>& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class R>
V3<R> cross(const V3<R>& a, const V3<R>& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// Three coordinates in three arrays: what the kernels read and write.
struct Soa3 {
    double* x;
    double* y;
    double* z;
};
template <class R>
V3<R> load3(const Soa3& a, std::int64_t i) {
    return {load<R>(a.x + i), load<R>(a.y + i), load<R>(a.z + i)};
}
template <class R>
void store3(const Soa3& a, std::int64_t i, const V3<R>& v) {
    store(a.x + i, v.x);
    store(a.y + i, v.y);
    store(a.z + i, v.z);
}

} // namespace purl
