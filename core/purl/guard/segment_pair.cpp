#include "purl/guard/segment_pair.h"

#include "purl/geometry/catmull_rom.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace purl {

namespace {
constexpr Index kPieces = FineLayout::kPieces;
constexpr PieceMask kAll = 0xffff;
} // namespace

SegmentPairs::SegmentPairs(const Curves& rest, const Layout& layout, const std::vector<Weld>& welds)
    : fine_(rest) {
    for (Index y = 0; y < rest.yarns(); ++y) {
        if (fine_.segments(y) > 0) fine_.measure(rest, y);
        for (Index s = 0; s < fine_.segments(y); ++s) place_.push_back(layout.base[y] + s);
    }
    std::vector<GluedPoints> pairs;
    for (const Weld& w : welds) pairs.emplace_back(w.a, w.b);
    glue_ = GluedPlaces(rest, fine_, pairs);
    nearGlue_.assign(place_.size(), 0);
    for (const Weld& w : welds)
        for (Index node : {w.a, w.b}) {
            const Index y =
                static_cast<Index>(std::upper_bound(rest.first.begin(), rest.first.end(), node) -
                                   rest.first.begin()) -
                1;
            if (fine_.segments(y) == 0) continue;
            const double at = fine_.arc[fine_.first[y] + (node - rest.first[y]) * kPieces];
            double longest = 0;
            for (Index s = fine_.yarnSeg[y]; s < fine_.yarnSeg[y + 1]; ++s)
                longest = std::max(longest, fine_.segmentLength(s));
            // No pair of segments is excluded farther than this from a weld.
            const double reach = 8 * longest + 4 * fine_.scale[y];
            for (Index s = fine_.yarnSeg[y]; s < fine_.yarnSeg[y + 1]; ++s)
                if (fine_.arcDistance(y, fine_.arc[fine_.segFirst[s]], at) < reach)
                    nearGlue_[s] = 1;
        }
}

PieceMask SegmentPairs::counted(Index a, Index b) const {
    const Index ya = fine_.segYarn[a], yb = fine_.segYarn[b];
    const bool glued = nearGlue_[a] && nearGlue_[b];
    if (ya != yb && !glued) return kAll;
    const double apart = fine_.exclusion(a, b);
    const Index fa = fine_.segFirst[a], fb = fine_.segFirst[b];
    if (ya == yb && !glued &&
        fine_.arcDistance(ya, fine_.arc[fa], fine_.arc[fb]) >
            apart + fine_.segmentLength(a) + fine_.segmentLength(b))
        return kAll;
    PieceMask mask = 0;
    // A piece is near a weld if all of it is: what is half near still counts.
    const double half = 0.5 * std::max(fine_.segmentLength(a), fine_.segmentLength(b)) / kPieces;
    for (Index i = 0; i < kPieces; ++i)
        for (Index j = 0; j < kPieces; ++j) {
            const double sa = fine_.arcAt(fa + i, 0.5), sb = fine_.arcAt(fb + j, 0.5);
            if (ya == yb && fine_.arcDistance(ya, sa, sb) < apart) continue;
            if (glued && glue_.joins(fine_, ya, sa, yb, sb, apart - half)) continue;
            mask = static_cast<PieceMask>(mask | 1u << (kPieces * i + j));
        }
    return mask;
}

void SegmentPairs::points(const Padded3& x, Index seg, FineSegment& out) const {
    static const Weights4 weight[kPieces] = {catmullRom(0.0), catmullRom(0.25), catmullRom(0.5),
                                             catmullRom(0.75)};
    const Index y = fine_.segYarn[seg], p = place_[seg], f = fine_.segFirst[seg];
    const Vec3 q[4] = {x.at(p), x.at(p + 1), x.at(p + 2), x.at(p + 3)};
    const double size = kFineJitter * fine_.scale[y];
    out.p[0] = q[1] + size * fineJitter(f);
    for (Index k = 1; k < kPieces; ++k) {
        const Weights4& w = weight[k];
        out.p[k] = w[0] * q[0] + w[1] * q[1] + w[2] * q[2] + w[3] * q[3] + size * fineJitter(f + k);
    }
    const Index last = f + kPieces;
    const bool seam = fine_.closed[y] && last == fine_.first[y + 1] - 1;
    out.p[kPieces] = q[2] + size * fineJitter(seam ? fine_.first[y] : last);
}

double SegmentPairs::distance(const FineSegment& a, const FineSegment& b, PieceMask mask,
                              double best) {
    // Balls round the pieces sort out most pairs.
    double ra[kPieces], rb[kPieces];
    Vec3 ma[kPieces], mb[kPieces];
    for (Index k = 0; k < kPieces; ++k) {
        ma[k] = 0.5 * (a.p[k] + a.p[k + 1]);
        mb[k] = 0.5 * (b.p[k] + b.p[k + 1]);
        ra[k] = 0.5 * (a.p[k + 1] - a.p[k]).norm();
        rb[k] = 0.5 * (b.p[k + 1] - b.p[k]).norm();
    }
    for (Index i = 0; i < kPieces; ++i)
        for (Index j = 0; j < kPieces; ++j) {
            if (!(mask >> (kPieces * i + j) & 1)) continue;
            const double reach = best + ra[i] + rb[j];
            if ((ma[i] - mb[j]).squaredNorm() >= reach * reach) continue;
            const double squared = closestOnPieces(a.p[i], a.p[i + 1], b.p[j], b.p[j + 1]).squared;
            if (squared < best * best) best = std::sqrt(squared);
        }
    return best;
}

NearSegment::NearSegment(const Float4* q) {
    static const Weights4 w[kPieces] = {catmullRom(0.0), catmullRom(0.25), catmullRom(0.5),
                                        catmullRom(0.75)};
    V4f p[kPieces + 1] = {q[1].v, {}, {}, {}, q[2].v};
    for (Index k = 1; k < kPieces; ++k)
        p[k] = static_cast<float>(w[k][0]) * q[0].v + static_cast<float>(w[k][1]) * q[1].v +
               static_cast<float>(w[k][2]) * q[2].v + static_cast<float>(w[k][3]) * q[3].v;
    for (Index k = 0; k < kPieces; ++k) {
        const V4f u = p[k + 1] - p[k];
        x[k] = p[k][0], y[k] = p[k][1], z[k] = p[k][2];
        ux[k] = u[0], uy[k] = u[1], uz[k] = u[2];
    }
}

// Closest points of one piece of a and the four of b: the rule of closestOnPieces, without
// branches.
float SegmentPairs::distance(const NearSegment& a, const NearSegment& b, PieceMask mask,
                             float best) {
    const V4f zero{0, 0, 0, 0}, one{1, 1, 1, 1}, tiny = 1e-30f + zero;
    const auto clamp = [&](V4f t) { return lower(upper(t, zero), one); };
    const V4f vv = b.ux * b.ux + b.uy * b.uy + b.uz * b.uz, perVv = one / upper(vv, tiny);
    V4f least = best * best + zero;
    for (Index i = 0; i < kPieces; ++i) {
        const unsigned bits = mask >> (kPieces * i) & 15u;
        if (bits == 0) continue;
        const float ux = a.ux[i], uy = a.uy[i], uz = a.uz[i];
        const V4f wx = a.x[i] - b.x, wy = a.y[i] - b.y, wz = a.z[i] - b.z;
        const float uu = ux * ux + uy * uy + uz * uz, perUu = 1 / std::max(uu, 1e-30f);
        const V4f uv = ux * b.ux + uy * b.uy + uz * b.uz, uw = ux * wx + uy * wy + uz * wz;
        const V4f vw = b.ux * wx + b.uy * wy + b.uz * wz;
        const V4f det = uu * vv - uv * uv;
        V4f s = det > 1e-6f * uu * vv ? clamp((uv * vw - vv * uw) / upper(det, tiny)) : 0.5f + zero;
        V4f t = clamp((uv * s + vw) * perVv);
        // Nearly parallel pieces need some more turns.
        for (int turn = 0; turn < 2; ++turn) {
            s = clamp((uv * t - uw) * perUu);
            t = clamp((uv * s + vw) * perVv);
        }
        const V4f dx = wx + s * ux - t * b.ux, dy = wy + s * uy - t * b.uy,
                  dz = wz + s * uz - t * b.uz;
        const V4f squared = dx * dx + dy * dy + dz * dz;
        for (int j = 0; j < 4; ++j)
            if (bits >> j & 1) least[j] = std::min(least[j], squared[j]);
    }
    return std::sqrt(std::min(std::min(least[0], least[1]), std::min(least[2], least[3])));
}

void SegmentPairs::crossings(Index a, Index b, PieceMask mask, const FineSegment& a0,
                             const FineSegment& a1, const FineSegment& b0, const FineSegment& b1,
                             std::vector<Crossing>& out) const {
    const Index ya = fine_.segYarn[a], yb = fine_.segYarn[b];
    const Index fa = fine_.segFirst[a], fb = fine_.segFirst[b];
    MovingBox boxB[kPieces];
    for (Index j = 0; j < kPieces; ++j)
        boxB[j] = MovingBox::around(&b0.p[j], &b1.p[j], 2, 1e-4 * fine_.scale[yb], 0.0);
    for (Index i = 0; i < kPieces; ++i) {
        const MovingBox boxA =
            MovingBox::around(&a0.p[i], &a1.p[i], 2, 1e-4 * fine_.scale[ya], 0.0);
        for (Index j = 0; j < kPieces; ++j) {
            if (!(mask >> (kPieces * i + j) & 1) || !meet(boxA, boxB[j])) continue;
            EdgeCrossing hit[3];
            const int hits = edgeCrossings({a0.p[i], a0.p[i + 1], a1.p[i], a1.p[i + 1]},
                                           {b0.p[j], b0.p[j + 1], b1.p[j], b1.p[j + 1]}, hit);
            for (int k = 0; k < hits; ++k) {
                const double s = hit[k].s, t = hit[k].t, time = hit[k].time;
                const auto along = [](const FineSegment& f, Index at, double u) -> Vec3 {
                    return f.p[at] + u * (f.p[at + 1] - f.p[at]);
                };
                const auto direction = [&](const FineSegment& f0, const FineSegment& f1,
                                           Index at) -> Vec3 {
                    return ((1 - time) * (f0.p[at + 1] - f0.p[at]) +
                            time * (f1.p[at + 1] - f1.p[at]))
                        .normalized();
                };
                Crossing c;
                c.yarnA = ya;
                c.yarnB = yb;
                c.arcA = fine_.arcAt(fa + i, s);
                c.arcB = fine_.arcAt(fb + j, t);
                c.time = time;
                c.sign = hit[k].sign;
                c.sine = direction(a0, a1, i).cross(direction(b0, b1, j)).norm();
                c.move =
                    (along(a1, i, s) - along(a0, i, s) - along(b1, j, t) + along(b0, j, t)).norm();
                if (!glue_.joins(fine_, ya, c.arcA, yb, c.arcB, fine_.exclusion(a, b)))
                    out.push_back(c);
            }
        }
    }
}

std::vector<Vec3> SegmentPairs::allPoints(const Padded3& x) const {
    std::vector<Vec3> all(fine_.points(), Vec3::Zero());
    for (Index s = 0; s < segments(); ++s) {
        FineSegment f;
        points(x, s, f);
        for (Index k = 0; k <= kPieces; ++k) all[fine_.segFirst[s] + k] = f.p[k];
    }
    return all;
}

} // namespace purl
