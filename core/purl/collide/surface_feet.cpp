#include "purl/collide/surface_feet.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace purl {

namespace {
constexpr float kUnknown = std::numeric_limits<float>::max();
} // namespace

std::size_t coarseSize(const DistanceField& f) {
    return static_cast<std::size_t>(f.coarse[0]) * f.coarse[1] * f.coarse[2];
}

Vec3 coarsePoint(const DistanceField& f, std::size_t n) { // voxels
    const Index i = static_cast<Index>(n % f.coarse[0]);
    const Index j = static_cast<Index>(n / f.coarse[0] % f.coarse[1]);
    const Index k = static_cast<Index>(n / f.coarse[0] / f.coarse[1]);
    return Vec3(f.coarseFirst[0] + i * f.stride, f.coarseFirst[1] + j * f.stride,
                f.coarseFirst[2] + k * f.stride);
}

Index coarseNear(const DistanceField& f, const Vec3& p) {
    Index at[3];
    for (int a = 0; a < 3; ++a)
        at[a] =
            std::clamp<Index>(static_cast<Index>(std::lround((p[a] - f.coarseFirst[a]) / f.stride)),
                              0, f.coarse[a] - 1);
    return at[0] + f.coarse[0] * (at[1] + f.coarse[1] * at[2]);
}

// Seeded where the surface passes, then swept
// forward and back over the lattice (a vector distance transform after Danielsson 1980).
std::vector<Vec3f> sweepFeet(const DistanceField& f) {
    const std::size_t size = coarseSize(f);
    std::vector<Vec3f> foot(size, Vec3f::Constant(kUnknown));
    std::vector<float> best(size, kUnknown);
    const auto offer = [&](std::size_t n, const Vec3f& at, const Vec3f& candidate) {
        const float d = (at - candidate).squaredNorm();
        if (d < best[n]) {
            best[n] = d;
            foot[n] = candidate;
        }
    };
    for (const Vec3f& s : f.surface)
        for (int c = 0; c < 8; ++c) { // to all corners of its cell
            const Vec3 corner(c & 1 ? 0.5 : -0.5, c & 2 ? 0.5 : -0.5, c & 4 ? 0.5 : -0.5);
            const Index n = coarseNear(f, s.cast<double>() + f.stride * corner);
            offer(n, coarsePoint(f, n).cast<float>(), s);
        }
    const Index nx = f.coarse[0], ny = f.coarse[1], nz = f.coarse[2];
    for (int round = 0; round < 2; ++round)
        for (int direction : {1, -1}) {
            const auto place = [&](Index i, Index n) { return direction > 0 ? i : n - 1 - i; };
            for (Index kk = 0; kk < nz; ++kk)
                for (Index jj = 0; jj < ny; ++jj)
                    for (Index ii = 0; ii < nx; ++ii) {
                        const Index i = place(ii, nx), j = place(jj, ny), k = place(kk, nz);
                        const std::size_t n = i + static_cast<std::size_t>(nx) * (j + ny * k);
                        const Vec3f at = coarsePoint(f, n).cast<float>();
                        // The 13 neighbours that this sweep has already passed.
                        for (int m = 0; m < 13; ++m) {
                            const Index di = i + direction * (m % 3 - 1);
                            const Index dj = j + direction * (m / 3 % 3 - 1);
                            const Index dk = k + direction * (m / 9 - 1);
                            if (di < 0 || dj < 0 || dk < 0 || di >= nx || dj >= ny || dk >= nz)
                                continue;
                            const std::size_t o =
                                di + static_cast<std::size_t>(nx) * (dj + ny * dk);
                            if (best[o] < kUnknown) offer(n, at, foot[o]);
                        }
                    }
        }
    return foot;
}

Vec3 walkFoot(const DistanceField& f, const Vec3& p, Vec3 foot, int rounds) {
    for (int round = 0; round < rounds; ++round) {
        Vec3 normal;
        f.sample(f.toWorld(foot), normal);
        normal = f.rotation.transpose() * normal;
        Vec3 along = (p - foot) - (p - foot).dot(normal) * normal;
        // At most two voxels a round, so that the next distance is still read in the band.
        const double length = along.norm();
        if (length < 1e-3) break;
        if (length > 2) along *= 2 / length;
        Vec3 next = foot + along;
        const double phi = f.sample(f.toWorld(next), normal);
        if (std::abs(phi) > 2 * f.voxel) break;
        next -= (phi / f.voxel) * (f.rotation.transpose() * normal);
        if ((p - next).squaredNorm() >= (p - foot).squaredNorm()) break;
        foot = next;
    }
    return foot;
}

SurfaceBins::SurfaceBins(DistanceField& f) {
    const auto block = [](const Vec3f& s) {
        Index3 b{};
        for (int a = 0; a < 3; ++a)
            b[a] = static_cast<Index>(std::floor(s[a] / DistanceField::kLeaf));
        return b;
    };
    first = block(f.boxLow.cast<float>());
    const Index3 last = block(f.boxHigh.cast<float>());
    std::size_t bins = 1;
    for (int a = 0; a < 3; ++a) {
        count[a] = last[a] - first[a] + 1;
        bins *= count[a];
    }
    const auto binOf = [&](const Vec3f& s) {
        const Index3 b = block(s);
        return b[0] - first[0] + count[0] * (b[1] - first[1] + count[1] * (b[2] - first[2]));
    };
    start.assign(bins + 1, 0);
    for (const Vec3f& s : f.surface) ++start[binOf(s) + 1];
    for (std::size_t b = 0; b < bins; ++b) {
        if (start[b + 1] > 0) list_.push_back(static_cast<Index>(b));
        start[b + 1] += start[b];
    }
    std::vector<Index> next(start.begin(), start.end() - 1);
    std::vector<Vec3f> sorted(f.surface.size());
    for (const Vec3f& s : f.surface) sorted[next[binOf(s)]++] = s;
    f.surface.swap(sorted);
}

void SurfaceBins::nearest(const DistanceField& f, const Vec3& p, Vec3& best) const {
    double d = (best - p).norm();
    Index low[3], high[3];
    for (int a = 0; a < 3; ++a) { // bins that a ball of radius d around p meets
        low[a] = std::max<Index>(
            static_cast<Index>(std::floor((p[a] - d) / DistanceField::kLeaf)) - first[a], 0);
        high[a] = std::min<Index>(
            static_cast<Index>(std::floor((p[a] + d) / DistanceField::kLeaf)) - first[a],
            count[a] - 1);
    }
    for (Index k = low[2]; k <= high[2]; ++k)
        for (Index j = low[1]; j <= high[1]; ++j)
            for (Index i = low[0]; i <= high[0]; ++i) {
                const Index bin = i + count[0] * (j + count[1] * k);
                if (start[bin] == start[bin + 1]) continue;
                const Vec3 corner =
                    Vec3(first[0] + i, first[1] + j, first[2] + k) * DistanceField::kLeaf;
                const Vec3 gap =
                    (corner - p).cwiseMax(p - corner - Vec3::Constant(DistanceField::kLeaf));
                if (gap.cwiseMax(0).squaredNorm() >= d * d) continue;
                for (Index n = start[bin]; n < start[bin + 1]; ++n) {
                    const Vec3 s = f.surface[n].cast<double>();
                    const double e = (s - p).squaredNorm();
                    if (e >= d * d) continue;
                    d = std::sqrt(e);
                    best = s;
                }
            }
}

} // namespace purl
