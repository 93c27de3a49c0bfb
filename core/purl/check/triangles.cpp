#include "purl/check/triangles.h"

#include "purl/base/parallel.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace purl {

namespace {

// 113 bits: differences of doubles and their products come out exact unless coordinates lie more
// than a factor 1000 apart, and then to 1e-30.
__extension__ typedef __float128 Real;

Real magnitude(Real v) { return v < 0 ? -v : v; }

struct Point {
    Real x, y, z;
};
Point minus(const Vec3& a, const Vec3& b) {
    return {Real(a.x()) - b.x(), Real(a.y()) - b.y(), Real(a.z()) - b.z()};
}
Point crossOf(const Point& a, const Point& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
Real dotOf(const Point& a, const Point& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

// The side of plane abc that d is on: in doubles where their rounding cannot change the sign, else
// in extended precision, where only what is exactly flat is 0.
int side(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    const Vec3 u = b - a, v = c - a, w = d - a;
    const double volume = u.cross(v).dot(w);
    const double size = u.lpNorm<1>() * v.lpNorm<1>() * w.lpNorm<1>();
    if (std::abs(volume) > 1e-14 * size && size > 1e-250) return volume > 0 ? 1 : -1;
    const Point p = minus(b, a), q = minus(c, a), r = minus(d, a);
    const Real exact = dotOf(crossOf(p, q), r);
    if (magnitude(exact) <= Real(1e-30) * Real(size)) return 0;
    return exact > 0 ? 1 : -1;
}

int turn(const Vec2& a, const Vec2& b, const Vec2& c) {
    const Real v = (Real(b.x()) - a.x()) * (Real(c.y()) - a.y()) -
                   (Real(b.y()) - a.y()) * (Real(c.x()) - a.x());
    return v > 0 ? 1 : (v < 0 ? -1 : 0);
}

bool inside(const Vec2& p, const Vec2* t) {
    const int s[3] = {turn(t[0], t[1], p), turn(t[1], t[2], p), turn(t[2], t[0], p)};
    return !((s[0] > 0 || s[1] > 0 || s[2] > 0) && (s[0] < 0 || s[1] < 0 || s[2] < 0));
}

bool within(const Vec2& a, const Vec2& b, const Vec2& p) { // p is on the line ab
    return (p - a).dot(p - b) <= 0;
}

bool segmentsMeet(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& d) {
    const int s1 = turn(a, b, c), s2 = turn(a, b, d), s3 = turn(c, d, a), s4 = turn(c, d, b);
    if (s1 * s2 < 0 && s3 * s4 < 0) return true;
    return (s1 == 0 && within(a, b, c)) || (s2 == 0 && within(a, b, d)) ||
           (s3 == 0 && within(c, d, a)) || (s4 == 0 && within(c, d, b));
}

// An edge in the triangle's own plane.
bool coplanarMeet(const Vec3& p, const Vec3& q, const Vec3* t) {
    const Vec3 n = (t[1] - t[0]).cross(t[2] - t[0]);
    int drop = 0;
    if (!(n.cwiseAbs().maxCoeff(&drop) > 0)) return false;
    const auto flat = [drop](const Vec3& v) { return Vec2(v[(drop + 1) % 3], v[(drop + 2) % 3]); };
    const Vec2 f[3] = {flat(t[0]), flat(t[1]), flat(t[2])}, a = flat(p), b = flat(q);
    if (inside(a, f) || inside(b, f)) return true;
    for (int i = 0; i < 3; ++i)
        if (segmentsMeet(a, b, f[i], f[(i + 1) % 3])) return true;
    return false;
}

bool edgeMeets(const Vec3& p, const Vec3& q, const Vec3* t) {
    const int sp = side(t[0], t[1], t[2], p), sq = side(t[0], t[1], t[2], q);
    if (sp == sq) return sp == 0 && coplanarMeet(p, q, t);
    const int s[3] = {side(p, q, t[0], t[1]), side(p, q, t[1], t[2]), side(p, q, t[2], t[0])};
    const bool plus = s[0] > 0 || s[1] > 0 || s[2] > 0, minus = s[0] < 0 || s[1] < 0 || s[2] < 0;
    return plus != minus;
}

// Edges of s that share no point with t, against t.
bool halfMeets(Span<const Vec3> x, const std::array<Index, 3>& s, const std::array<Index, 3>& t) {
    const Vec3 corner[3] = {x[t[0]], x[t[1]], x[t[2]]};
    const auto in = [&](Index p) { return p == t[0] || p == t[1] || p == t[2]; };
    for (int k = 0; k < 3; ++k) {
        const Index a = s[k], b = s[(k + 1) % 3];
        if (!in(a) && !in(b) && edgeMeets(x[a], x[b], corner)) return true;
    }
    return false;
}

struct Bounds {
    Vec3 lo, hi;
};
Bounds boundsOf(Span<const Vec3> x, const std::array<Index, 3>& t) {
    return {x[t[0]].cwiseMin(x[t[1]]).cwiseMin(x[t[2]]),
            x[t[0]].cwiseMax(x[t[1]]).cwiseMax(x[t[2]])};
}
bool boundsMeet(const Bounds& a, const Bounds& b) {
    return (a.lo.array() <= b.hi.array()).all() && (b.lo.array() <= a.hi.array()).all();
}

Index finish(std::vector<TrianglePair>& all, std::vector<TrianglePair>* first, Index listed) {
    std::sort(all.begin(), all.end(), [](const TrianglePair& p, const TrianglePair& q) {
        return p.a != q.a ? p.a < q.a : p.b < q.b;
    });
    if (first)
        first->assign(all.begin(), all.begin() + std::min<std::size_t>(
                                                     all.size(), static_cast<std::size_t>(listed)));
    return static_cast<Index>(all.size());
}

using Cell = std::array<std::int32_t, 3>;
struct Entry {
    Cell cell;
    Index triangle;
    bool operator<(const Entry& o) const {
        return cell != o.cell ? cell < o.cell : triangle < o.triangle;
    }
};

} // namespace

bool trianglesMeet(Span<const Vec3> x, const std::array<Index, 3>& s,
                   const std::array<Index, 3>& t) {
    return halfMeets(x, s, t) || halfMeets(x, t, s);
}

Index countIntersectionsOfAll(Span<const Vec3> x, Span<const std::array<Index, 3>> triangles,
                              std::vector<TrianglePair>* first, Index listed) {
    std::vector<TrianglePair> all;
    const Index n = static_cast<Index>(triangles.size());
    for (Index a = 0; a < n; ++a) {
        const Bounds box = boundsOf(x, triangles[a]);
        for (Index b = a + 1; b < n; ++b)
            if (boundsMeet(box, boundsOf(x, triangles[b])) &&
                trianglesMeet(x, triangles[a], triangles[b]))
                all.push_back({a, b});
    }
    return finish(all, first, listed);
}

Index countIntersections(Span<const Vec3> x, Span<const std::array<Index, 3>> triangles,
                         std::vector<TrianglePair>* first, Index listed) {
    const Index n = static_cast<Index>(triangles.size());
    std::vector<Bounds> box(n);
    Vec3 origin = Vec3::Constant(1e300);
    double sum = 0, most = 0;
    for (Index t = 0; t < n; ++t) {
        box[t] = boundsOf(x, triangles[t]);
        const double extent = (box[t].hi - box[t].lo).maxCoeff();
        if (!std::isfinite(extent)) continue;
        origin = origin.cwiseMin(box[t].lo);
        sum += extent;
        most = std::max(most, extent);
    }
    // Few triangles a cell, few cells a triangle, and cell numbers that fit.
    double size = std::max(2 * sum / std::max<Index>(n, 1), most / 16);
    for (Index t = 0; t < n; ++t)
        if ((box[t].hi - origin).allFinite())
            size = std::max(size, (box[t].hi - origin).maxCoeff() / 1e6);
    if (!(size > 0)) size = 1;
    const auto cellOf = [&](const Vec3& p) {
        Cell c;
        for (int d = 0; d < 3; ++d)
            c[d] = static_cast<std::int32_t>(std::floor((p[d] - origin[d]) / size));
        return c;
    };
    std::vector<Entry> entries;
    for (Index t = 0; t < n; ++t) {
        if (!(box[t].hi - box[t].lo).allFinite()) continue;
        const Cell lo = cellOf(box[t].lo), hi = cellOf(box[t].hi);
        for (std::int32_t i = lo[0]; i <= hi[0]; ++i)
            for (std::int32_t j = lo[1]; j <= hi[1]; ++j)
                for (std::int32_t k = lo[2]; k <= hi[2]; ++k) entries.push_back({{i, j, k}, t});
    }
    std::sort(entries.begin(), entries.end());
    std::vector<std::size_t> start;
    for (std::size_t i = 0; i < entries.size(); ++i)
        if (i == 0 || entries[i].cell != entries[i - 1].cell) start.push_back(i);
    start.push_back(entries.size());
    std::vector<std::vector<TrianglePair>> found(start.size() - 1);
    parallelFor(static_cast<Index>(found.size()), 64, [&](Index begin, Index end) {
        for (Index c = begin; c < end; ++c)
            for (std::size_t i = start[c]; i < start[c + 1]; ++i)
                for (std::size_t j = i + 1; j < start[c + 1]; ++j) {
                    const Index a = entries[i].triangle, b = entries[j].triangle;
                    if (!boundsMeet(box[a], box[b])) continue;
                    // A pair that meets in several cells belongs to the first of its common box.
                    if (cellOf(box[a].lo.cwiseMax(box[b].lo)) != entries[i].cell) continue;
                    if (trianglesMeet(x, triangles[a], triangles[b])) found[c].push_back({a, b});
                }
    });
    std::vector<TrianglePair> all;
    for (const auto& f : found) all.insert(all.end(), f.begin(), f.end());
    return finish(all, first, listed);
}

} // namespace purl
