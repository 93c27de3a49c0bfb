#include "purl/contact/segment_distance.h"

#include "purl/geometry/catmull_rom.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace purl {

namespace {
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kRounding = 2e-6f; // of a coordinate: four products, a difference, a length

V8f all(float s) { return V8f{s, s, s, s, s, s, s, s}; }
} // namespace

SegmentDistance::SegmentDistance(int pointsPerSegment) : points_(pointsPerSegment) {
    for (int g = 0; g < 16; ++g) {
        const Weights4 w = catmullRom((g + 0.5) / points_);
        for (int c = 0; c < 4; ++c) {
            exact_[c][g] = w[c];
            weight_[c][g] =
                g < points_ ? static_cast<float>(w[c]) : std::numeric_limits<float>::quiet_NaN();
        }
    }
}

void SegmentDistance::evaluate(const Padded3& x, Index place, const Vec3& origin,
                               Points& out) const {
    const double* from[3] = {x.x.data() + place, x.y.data() + place, x.z.data() + place};
    float* to[3] = {out.x, out.y, out.z};
    float size = 0;
    for (int c = 0; c < 3; ++c) {
        V8f low = all(0), high = all(0);
        for (int i = 0; i < 4; ++i) {
            const float q = static_cast<float>(from[c][i] - origin[c]);
            size = std::max(size, std::abs(q));
            low += load8(weight_[i]) * q;
            high += load8(weight_[i] + 8) * q;
        }
        std::memcpy(to[c], &low, sizeof low);
        std::memcpy(to[c] + 8, &high, sizeof high);
    }
    out.size = size;
}

float SegmentDistance::smallest(const Points& a, const Points& b, const PairBits& dead) const {
    const V8f bx0 = load8(b.x), by0 = load8(b.y), bz0 = load8(b.z);
    const V8f bx1 = load8(b.x + 8), by1 = load8(b.y + 8), bz1 = load8(b.z + 8);
    const V8i lane = {1, 2, 4, 8, 16, 32, 64, 128};
    const bool masked = dead.any();
    const std::uint32_t full = (1u << points_) - 1;
    V8f best0 = all(kInfinity), best1 = best0;
    for (int i = 0; i < points_; ++i) {
        const std::uint32_t row = masked ? dead.bits(i * points_, points_) : 0;
        if (row == full) continue;
        const V8f x0 = bx0 - a.x[i], y0 = by0 - a.y[i], z0 = bz0 - a.z[i];
        const V8f x1 = bx1 - a.x[i], y1 = by1 - a.y[i], z1 = bz1 - a.z[i];
        const V8f d0 = x0 * x0 + y0 * y0 + z0 * z0, d1 = x1 * x1 + y1 * y1 + z1 * z1;
        V8i near0 = d0 < best0, near1 = d1 < best1; // NaN is not
        if (row != 0) {
            near0 &= (lane & static_cast<std::int32_t>(row)) == 0;
            near1 &= (lane & static_cast<std::int32_t>(row >> 8)) == 0;
        }
        best0 = near0 ? d0 : best0;
        best1 = near1 ? d1 : best1;
    }
    float best = kInfinity;
    for (int k = 0; k < 8; ++k) best = std::min(best, std::min(best0[k], best1[k]));
    return std::sqrt(best) - kRounding * (a.size + b.size);
}

void SegmentDistance::touching(const Padded3& x, Index placeA, Index placeB, double reach,
                               const PairBits& dead, Index firstA, Index firstB,
                               std::vector<PointPair>& out) const {
    auto point = [&](Index place, int g) {
        Vec3 p = Vec3::Zero();
        for (int c = 0; c < 4; ++c) p += exact_[c][g] * x.at(place + c);
        return p;
    };
    Vec3 b[16];
    for (int j = 0; j < points_; ++j) b[j] = point(placeB, j);
    for (int i = 0; i < points_; ++i) {
        const Vec3 a = point(placeA, i);
        for (int j = 0; j < points_; ++j)
            if ((a - b[j]).squaredNorm() < reach * reach && !dead.test(i * points_ + j))
                out.push_back({firstA + i, firstB + j});
    }
}

} // namespace purl
