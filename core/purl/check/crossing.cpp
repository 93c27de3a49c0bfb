#include "purl/check/crossing.h"

#include "purl/base/parallel.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <tuple>

namespace purl {

namespace {

int signOf(double v) { return v < 0 ? -1 : 1; }

// Roots in [0,1] of a cubic in Bernstein form, found by halving until a piece has one change of
// sign (Descartes' rule). Zero counts as positive everywhere, so that the number of roots found
// always agrees with the signs at the two ends.
class Roots {
public:
    int count = 0;
    double at[3];
    int sign[3]; // +1: from negative to positive

    void find(const double b[4], double from, double to, int depth) {
        int changes = 0;
        for (int k = 0; k < 3; ++k) changes += signOf(b[k]) != signOf(b[k + 1]);
        if (changes == 0 || count == 3) return;
        if (changes == 1) {
            at[count] = single(b, from, to);
            sign[count++] = signOf(b[3]);
            return;
        }
        // Two roots closer than this are a touch without passing: they cancel.
        if (depth == 48) {
            if (signOf(b[0]) != signOf(b[3])) {
                at[count] = 0.5 * (from + to);
                sign[count++] = signOf(b[3]);
            }
            return;
        }
        double left[4], right[4];
        const double m = 0.5 * (b[1] + b[2]);
        left[0] = b[0];
        left[1] = 0.5 * (b[0] + b[1]);
        left[2] = 0.5 * (left[1] + m);
        right[3] = b[3];
        right[2] = 0.5 * (b[2] + b[3]);
        right[1] = 0.5 * (m + right[2]);
        left[3] = right[0] = 0.5 * (left[2] + right[1]);
        const double middle = 0.5 * (from + to);
        find(left, from, middle, depth + 1);
        find(right, middle, to, depth + 1);
    }

private:
    static double value(const double b[4], double t) {
        const double u = 1 - t;
        return u * u * (u * b[0] + 3 * t * b[1]) + t * t * (3 * u * b[2] + t * b[3]);
    }
    static double single(const double b[4], double from, double to) {
        double lo = 0, hi = 1;
        for (int k = 0; k < 54; ++k) {
            const double m = 0.5 * (lo + hi);
            (signOf(value(b, m)) == signOf(b[0]) ? lo : hi) = m;
        }
        return from + 0.5 * (lo + hi) * (to - from);
    }
};

double det(const Vec3& a, const Vec3& b, const Vec3& c) { return a.dot(b.cross(c)); }

} // namespace

int edgeCrossings(const MovingPiece& a, const MovingPiece& b, EdgeCrossing out[3]) {
    // V = (d - c) x (b - a) . (c - a) with a, b the first piece and c, d the second: the volume
    // whose sign is that of the pair's Gauss integral (physics 4.10).
    const Vec3 u0 = a.to0 - a.from0, u1 = a.to1 - a.from1;
    const Vec3 v0 = b.to0 - b.from0, v1 = b.to1 - b.from1;
    const Vec3 w0 = b.from0 - a.from0, w1 = b.from1 - a.from1;
    const Vec3 n00 = v0.cross(u0), n11 = v1.cross(u1), n01 = v0.cross(u1) + v1.cross(u0);
    const double bern[4] = {n00.dot(w0), (n00.dot(w1) + n01.dot(w0)) / 3,
                            (n11.dot(w0) + n01.dot(w1)) / 3, n11.dot(w1)};
    Roots roots;
    roots.find(bern, 0, 1, 0);
    int count = 0;
    for (int k = 0; k < roots.count; ++k) {
        const double time = roots.at[k];
        const Vec3 u = u0 + time * (u1 - u0), v = v0 + time * (v1 - v0), w = w0 + time * (w1 - w0);
        const Vec3 n = u.cross(v);
        const double nn = n.squaredNorm();
        if (!(nn > 0)) continue;
        const double s = det(n, w, v) / nn, t = det(n, w, u) / nn;
        if (s >= 0 && s < 1 && t >= 0 && t < 1) out[count++] = {time, s, t, roots.sign[k]};
    }
    return count;
}

namespace {

class Finder {
public:
    Finder(const FineLayout& layout, const std::vector<Vec3>& start, const std::vector<Vec3>& end,
           const GluedPlaces& glue)
        : layout_(layout), start_(start), end_(end), glue_(glue) {}

    void pair(Index segA, Index segB, std::vector<Crossing>& found) const {
        if (segA > segB) std::swap(segA, segB);
        const Index ya = layout_.segYarn[segA], yb = layout_.segYarn[segB];
        const Index fa = layout_.segFirst[segA], fb = layout_.segFirst[segB];
        const double apart = layout_.exclusion(segA, segB);
        MovingBox boxB[FineLayout::kPieces];
        for (Index j = 0; j < FineLayout::kPieces; ++j) boxB[j] = box(fb + j, yb);
        for (Index i = 0; i < FineLayout::kPieces; ++i) {
            const MovingBox boxA = box(fa + i, ya);
            for (Index j = 0; j < FineLayout::kPieces; ++j) {
                if (ya == yb && layout_.arcDistance(ya, layout_.arcAt(fa + i, 0.5),
                                                    layout_.arcAt(fb + j, 0.5)) < apart)
                    continue;
                if (meet(boxA, boxB[j])) pieces(ya, fa + i, yb, fb + j, apart, found);
            }
        }
    }

private:
    // The margin keeps flat boxes of axis-parallel yarns from missing each other by rounding.
    MovingBox box(Index k, Index yarn) const {
        return MovingBox::around(&start_[k], &end_[k], 2, 1e-4 * layout_.scale[yarn], 0.0);
    }
    void pieces(Index ya, Index i, Index yb, Index j, double apart,
                std::vector<Crossing>& found) const {
        EdgeCrossing hit[3];
        const int hits = edgeCrossings({start_[i], start_[i + 1], end_[i], end_[i + 1]},
                                       {start_[j], start_[j + 1], end_[j], end_[j + 1]}, hit);
        for (int k = 0; k < hits; ++k) {
            const EdgeCrossing& h = hit[k];
            const auto along = [](const std::vector<Vec3>& x, Index p, double s) -> Vec3 {
                return x[p] + s * (x[p + 1] - x[p]);
            };
            const auto direction = [&](Index p) -> Vec3 {
                return ((1 - h.time) * (start_[p + 1] - start_[p]) +
                        h.time * (end_[p + 1] - end_[p]))
                    .normalized();
            };
            Crossing c;
            c.yarnA = ya;
            c.yarnB = yb;
            c.arcA = layout_.arcAt(i, h.s);
            c.arcB = layout_.arcAt(j, h.t);
            c.time = h.time;
            c.sign = h.sign;
            c.sine = direction(i).cross(direction(j)).norm();
            c.move = (along(end_, i, h.s) - along(start_, i, h.s) - along(end_, j, h.t) +
                      along(start_, j, h.t))
                         .norm();
            if (!glue_.joins(layout_, ya, c.arcA, yb, c.arcB, apart)) found.push_back(c);
        }
    }

    const FineLayout& layout_;
    const std::vector<Vec3>&start_, &end_;
    const GluedPlaces& glue_;
};

} // namespace

std::vector<Crossing> findCrossings(const FineLayout& layout, const std::vector<Vec3>& start,
                                    const std::vector<Vec3>& end, const BoxTree& tree,
                                    const std::vector<Index>& segments, const GluedPlaces& glue) {
    constexpr Index block = 64; // leaves that share one slot of results
    const Finder finder(layout, start, end, glue);
    std::vector<std::vector<Crossing>> slots((tree.size() + block - 1) / block);
    parallelFor(static_cast<Index>(slots.size()), 1, [&](Index first, Index last) {
        for (Index b = first; b < last; ++b)
            for (Index p = b * block; p < std::min(tree.size(), (b + 1) * block); ++p)
                tree.later(
                    p, [&](const MovingBox& other) { return meet(tree.box(p), other); },
                    [&](Index q) {
                        finder.pair(segments[tree.leaf(p)], segments[tree.leaf(q)], slots[b]);
                    });
    });
    std::vector<Crossing> all;
    for (const auto& slot : slots) all.insert(all.end(), slot.begin(), slot.end());
    std::sort(all.begin(), all.end(), [](const Crossing& a, const Crossing& b) {
        return std::tie(a.yarnA, a.yarnB, a.arcA, a.arcB, a.time) <
               std::tie(b.yarnA, b.yarnB, b.arcA, b.arcB, b.time);
    });
    return all;
}

} // namespace purl
