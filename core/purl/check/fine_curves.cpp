#include "purl/check/fine_curves.h"

#include "purl/base/parallel.h"
#include "purl/geometry/catmull_rom.h"

#include <algorithm>
#include <cmath>

namespace purl {

namespace {
constexpr double kSanest = 1e12; // m: beyond this, squares and cubes of a position lose their sense
constexpr double kPi = 3.14159265358979323846;

// splitmix64: a fixed, well mixed number per index.
std::uint64_t mixed(std::uint64_t z) {
    z += 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}
double unitRandom(std::uint64_t key) { // -1 .. 1
    return static_cast<double>(mixed(key) >> 11) * (2.0 / 9007199254740992.0) - 1.0;
}
} // namespace

Vec3 fineJitter(Index point) {
    const std::uint64_t key = 3 * static_cast<std::uint64_t>(point);
    return {unitRandom(key), unitRandom(key + 1), unitRandom(key + 2)};
}

FineLayout::FineLayout(const Curves& curves) : closed(curves.closed), radius(curves.radius) {
    const Index n = curves.yarns();
    first.push_back(0);
    yarnSeg.push_back(0);
    for (Index y = 0; y < n; ++y) {
        const Index segs = curves.size(y) < 2 ? 0 : curves.edges(y);
        for (Index s = 0; s < segs; ++s) {
            segFirst.push_back(first.back() + s * kPieces);
            segYarn.push_back(y);
        }
        yarnSeg.push_back(yarnSeg.back() + segs);
        first.push_back(first.back() + (segs > 0 ? segs * kPieces + 1 : 0));
    }
    scale.assign(n, 0.0);
    length.assign(n, 0.0);
    arc.assign(points(), 0.0);
}

void FineLayout::measure(const Curves& curves, Index yarn) {
    const Index n = curves.size(yarn), base = curves.first[yarn];
    double sum = 0;
    for (Index s = 0; s < segments(yarn); ++s) {
        const double edge = (curves.x[base + (s + 1) % n] - curves.x[base + s]).norm();
        for (Index k = 0; k < kPieces; ++k)
            arc[first[yarn] + s * kPieces + k] = sum + edge * k / kPieces;
        sum += edge;
    }
    arc[first[yarn + 1] - 1] = sum;
    length[yarn] = sum;
    const bool good = std::isfinite(radius[yarn]) && radius[yarn] > 0;
    scale[yarn] = good ? radius[yarn] : 0.25 * sum / segments(yarn);
}

double FineLayout::exclusion(Index segA, Index segB) const {
    return std::max(segmentLength(segA) + segmentLength(segB), 1.1 * kPi * scale[segYarn[segA]]);
}

bool usable(const Curves& curves, Index yarn) {
    if (curves.size(yarn) < 2) return false;
    for (const Vec3& p : curves.yarn(yarn))
        for (int d = 0; d < 3; ++d)
            if (!(std::abs(p[d]) < kSanest)) return false;
    return true;
}

std::vector<Vec3> finePoints(const Curves& curves, const FineLayout& layout,
                             const std::vector<std::uint8_t>& ok) {
    constexpr Index pieces = FineLayout::kPieces;
    std::array<Weights4, pieces> weights;
    for (Index k = 0; k < pieces; ++k) weights[k] = catmullRom(static_cast<double>(k) / pieces);
    std::vector<Vec3> fine(layout.points(), Vec3::Zero());
    parallelFor(layout.segments(), 256, [&](Index begin, Index end) {
        for (Index g = begin; g < end; ++g) {
            const Index y = layout.segYarn[g], s = g - layout.yarnSeg[y], f = layout.segFirst[g];
            if (!ok[y]) continue;
            const Segment seg = segmentOf(curves, y, s);
            const double size = kFineJitter * layout.scale[y];
            for (Index k = 0; k < pieces; ++k)
                fine[f + k] = blend(curves.x, seg, seg.fold(weights[k])) + size * fineJitter(f + k);
            if (s + 1 == layout.segments(y)) {
                const Index head = layout.first[y], last = f + pieces;
                fine[last] = curves.x[seg.q[2]] + size * fineJitter(layout.closed[y] ? head : last);
            }
        }
    });
    return fine;
}

ClosestParams closestOnPieces(const Vec3& p0, const Vec3& p1, const Vec3& q0, const Vec3& q1) {
    const Vec3 u = p1 - p0, v = q1 - q0, w = p0 - q0;
    const double uu = u.dot(u), uv = u.dot(v), vv = v.dot(v), uw = u.dot(w), vw = v.dot(w);
    const auto clamp = [](double a) { return a < 0 ? 0.0 : (a > 1 ? 1.0 : a); };
    const double det = uu * vv - uv * uv;
    double s = det > 1e-14 * uu * vv ? clamp((uv * vw - vv * uw) / det) : 0.5;
    double t = vv > 0 ? clamp((uv * s + vw) / vv) : 0.0;
    s = uu > 0 ? clamp((uv * t - uw) / uu) : 0.0;
    t = vv > 0 ? clamp((uv * s + vw) / vv) : 0.0;
    return {s, t, (w + s * u - t * v).squaredNorm()};
}

} // namespace purl
