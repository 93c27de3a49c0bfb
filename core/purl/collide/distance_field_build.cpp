// From the narrow band of a level set to distances everywhere: points of the surface are read off
// the band, a vector distance transform carries the nearest of them over a coarse lattice, and each
// is then walked along the surface to the foot of its perpendicular.
#include "purl/base/error.h"
#include "purl/base/parallel.h"
#include "purl/collide/distance_field.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace purl {

namespace {
constexpr std::int64_t kCoarsePoints = 1 << 18; // about 64^3 points on the coarse lattice
constexpr float kUnknown = std::numeric_limits<float>::max();

Index corner(Index i, Index j, Index k) {
    return i + DistanceField::kSide * (j + DistanceField::kSide * k);
}

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

// Gives the blocks of `leaf` a number and a lattice of their own.
void layBricks(DistanceField& f, const std::vector<Index3>& leaf) {
    Index3 low = leaf[0], high = leaf[0];
    for (const Index3& l : leaf)
        for (int a = 0; a < 3; ++a) {
            low[a] = std::min(low[a], l[a]);
            high[a] = std::max(high[a], l[a]);
        }
    f.firstLeaf = low;
    for (int a = 0; a < 3; ++a) f.leaves[a] = high[a] - low[a] + 1;
    f.brick.assign(static_cast<std::size_t>(f.leaves[0]) * f.leaves[1] * f.leaves[2], -1);
    f.brickLeaf = leaf;
    for (std::size_t b = 0; b < leaf.size(); ++b)
        f.brick[leaf[b][0] - low[0] +
                f.leaves[0] * (leaf[b][1] - low[1] +
                               static_cast<std::size_t>(f.leaves[1]) * (leaf[b][2] - low[2]))] =
            static_cast<Index>(b);
    f.values.resize(leaf.size() * DistanceField::kBrick);
}

void readBricks(DistanceField& f, const FieldSource& source) {
    constexpr Index n = DistanceField::kSide;
    parallelFor(static_cast<Index>(f.brickLeaf.size()), 4, [&](Index first, Index last) {
        for (Index b = first; b < last; ++b) {
            Index3 low = f.brickLeaf[b];
            for (Index& l : low) l = l * DistanceField::kLeaf - 1;
            source.read(low, {n, n, n}, 1,
                        f.values.data() + static_cast<std::size_t>(b) * DistanceField::kBrick);
        }
    });
}

// One point of the surface for every voxel within one voxel of it; also judges whether the values
// are distances at all.
void findSurface(DistanceField& f, const FieldSource& source) {
    const double band = 0.999 * source.band;
    double sumSlope = 0, lowest = 0, highest = 0;
    for (std::size_t b = 0; b < f.brickLeaf.size(); ++b) {
        const float* v = f.values.data() + b * DistanceField::kBrick;
        for (Index k = 1; k <= 8; ++k)
            for (Index j = 1; j <= 8; ++j)
                for (Index i = 1; i <= 8; ++i) {
                    const float* c = v + corner(i, j, k);
                    lowest = std::min<double>(lowest, *c);
                    highest = std::max<double>(highest, *c);
                    if (std::abs(*c) >= f.voxel) continue;
                    const Index step[3] = {1, DistanceField::kSide,
                                           DistanceField::kSide * DistanceField::kSide};
                    Vec3 slope;
                    bool whole = true, crosses = *c == 0;
                    for (int a = 0; a < 3; ++a) {
                        const float before = c[-step[a]], after = c[step[a]];
                        whole = whole && std::abs(before) < band && std::abs(after) < band;
                        crosses = crosses || before * *c < 0 || after * *c < 0;
                        slope[a] = (after - before) / (2 * f.voxel);
                    }
                    const double length = slope.norm();
                    if (!whole || !crosses || !(length > 0.1)) continue;
                    sumSlope += length;
                    const Index3& l = f.brickLeaf[b];
                    const Vec3 p(l[0] * 8 + i - 1, l[1] * 8 + j - 1, l[2] * 8 + k - 1);
                    const Vec3 foot = p - slope * (*c / f.voxel / (length * length));
                    f.surface.push_back(foot.cast<float>());
                    f.centroid += foot;
                }
    }
    std::ostringstream text;
    if (f.surface.empty()) {
        text << "no surface found: values go from " << lowest << " to " << highest
             << " m and none lies in a narrow band around 0, expected a level set of signed "
                "distances, negative inside, with a band of 3 voxels on each side";
        throw Error(source.where, text.str());
    }
    const double slope = sumSlope / static_cast<double>(f.surface.size());
    if (!(slope > 0.5 && slope < 2)) {
        text << "values change by " << slope
             << " a metre across the surface, expected signed distances in metres (1 a metre): a "
                "fog volume, or distances in another unit";
        throw Error(source.where, text.str());
    }
    f.centroid = f.toWorld(f.centroid / static_cast<double>(f.surface.size()));
    f.boxLow = f.boxHigh = f.surface[0].cast<double>();
    for (const Vec3f& p : f.surface) {
        f.boxLow = f.boxLow.cwiseMin(p.cast<double>());
        f.boxHigh = f.boxHigh.cwiseMax(p.cast<double>());
    }
}

void layCoarse(DistanceField& f) {
    const double pad = f.reach / f.voxel + 2;
    for (f.stride = 1;; f.stride *= 2) {
        std::int64_t points = 1;
        for (int a = 0; a < 3; ++a) {
            f.coarseFirst[a] = static_cast<Index>(std::floor(f.boxLow[a] - pad)) - 3 * f.stride;
            f.coarse[a] = static_cast<Index>(
                std::ceil((f.boxHigh[a] + pad - f.coarseFirst[a]) / f.stride) + 4);
            points *= f.coarse[a];
        }
        if (points <= kCoarsePoints) return;
    }
}

// The nearest surface point of every coarse point: seeded where the surface passes, then swept
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
    for (const Vec3f& s : f.surface) {
        const Index n = coarseNear(f, s.cast<double>());
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

// Walks a surface point towards the foot of the perpendicular from p, both in voxels.
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

void fillCoarse(DistanceField& f, const FieldSource& source, std::vector<Vec3f>& foot) {
    const std::size_t size = coarseSize(f);
    f.coarseValue.resize(size);
    source.read(f.coarseFirst, f.coarse, f.stride, f.coarseValue.data());
    std::vector<float> value(size);
    parallelFor(static_cast<Index>(size), 4096, [&](Index first, Index last) {
        for (Index n = first; n < last; ++n) {
            const Vec3 p = coarsePoint(f, n);
            const Vec3 q = walkFoot(f, p, foot[n].cast<double>(), 3);
            foot[n] = q.cast<float>();
            value[n] = static_cast<float>(
                std::copysign((p - q).norm() * f.voxel, static_cast<double>(f.coarseValue[n])));
        }
    });
    f.coarseValue.swap(value);
}

// Blocks for everything nearer than reach on the outside, besides those of the source.
std::vector<Index3> reachedLeaves(const DistanceField& f, const std::vector<Index3>& own) {
    const double limit = f.reach / f.voxel + 0.87 * (DistanceField::kLeaf + f.stride);
    const Index grow = static_cast<Index>(std::ceil(f.reach / f.voxel / DistanceField::kLeaf)) + 1;
    Index3 low{}, count{};
    for (int a = 0; a < 3; ++a) {
        low[a] = static_cast<Index>(std::floor(f.boxLow[a] / DistanceField::kLeaf)) - grow;
        count[a] =
            static_cast<Index>(std::floor(f.boxHigh[a] / DistanceField::kLeaf)) + grow - low[a] + 1;
    }
    const auto place = [&](const Index3& l) {
        return l[0] - low[0] +
               static_cast<std::size_t>(count[0]) * (l[1] - low[1] + count[1] * (l[2] - low[2]));
    };
    const auto within = [&](const Index3& l) {
        for (int a = 0; a < 3; ++a)
            if (l[a] < low[a] || l[a] >= low[a] + count[a]) return false;
        return true;
    };
    std::vector<char> taken(static_cast<std::size_t>(count[0]) * count[1] * count[2], 0);
    std::vector<Index3> all;
    for (const Index3& l : own)
        if (within(l)) {
            taken[place(l)] = 1;
            all.push_back(l);
        }
    for (Index k = low[2]; k < low[2] + count[2]; ++k)
        for (Index j = low[1]; j < low[1] + count[1]; ++j)
            for (Index i = low[0]; i < low[0] + count[0]; ++i) {
                if (taken[place({i, j, k})]) continue;
                const Vec3 centre = Vec3(i, j, k) * DistanceField::kLeaf + Vec3::Constant(3.5);
                const Index near = coarseNear(f, centre);
                const double d = f.coarseValue[near] / f.voxel;
                if (d > 0 && d <= limit) all.push_back({i, j, k});
            }
    return all;
}

// Voxels that the source left at its background get their distance to the nearest of the surface
// points that the surrounding coarse points know.
void fillBricks(DistanceField& f, const FieldSource& source, const std::vector<Vec3f>& foot) {
    const double band = 0.999 * source.band;
    constexpr Index side = DistanceField::kSide;
    parallelFor(static_cast<Index>(f.brickLeaf.size()), 1, [&](Index first, Index last) {
        for (Index b = first; b < last; ++b) {
            float* v = f.values.data() + static_cast<std::size_t>(b) * DistanceField::kBrick;
            for (Index n = 0; n < DistanceField::kBrick; ++n) {
                if (std::abs(v[n]) < band) continue;
                const Vec3 p(f.brickLeaf[b][0] * 8 + n % side - 1,
                             f.brickLeaf[b][1] * 8 + n / side % side - 1,
                             f.brickLeaf[b][2] * 8 + n / side / side - 1);
                double nearest = 1e30;
                for (int c = 0; c < 8; ++c) {
                    const Vec3 o =
                        p + 0.5 * f.stride * Vec3(c & 1 ? 1 : -1, c & 2 ? 1 : -1, c & 4 ? 1 : -1);
                    nearest = std::min(nearest, (foot[coarseNear(f, o)].cast<double>() - p).norm());
                }
                v[n] = static_cast<float>(
                    std::copysign(std::max(band, nearest * f.voxel), static_cast<double>(v[n])));
            }
        }
    });
}

// Velocities at the points themselves where they are known, else at the nearest point of the
// surface: a body's motion goes on along its normals.
void fillVelocities(DistanceField& f, const FieldSource& source, const std::vector<Vec3f>& foot) {
    const auto look = [&](const Vec3& p, const Vec3f& nearest) {
        Vec3 v = Vec3::Zero();
        if (!source.velocity(f.toWorld(p), v) &&
            !source.velocity(f.toWorld(nearest.cast<double>()), v))
            v.setZero();
        return Vec3f(v.cast<float>());
    };
    f.coarseVelocity.resize(foot.size());
    parallelFor(static_cast<Index>(foot.size()), 1024, [&](Index first, Index last) {
        for (Index n = first; n < last; ++n) f.coarseVelocity[n] = look(coarsePoint(f, n), foot[n]);
    });
    f.velocities.resize(f.brickLeaf.size() * DistanceField::kVelocities);
    parallelFor(static_cast<Index>(f.brickLeaf.size()), 8, [&](Index first, Index last) {
        for (Index b = first; b < last; ++b)
            for (Index n = 0; n < DistanceField::kVelocities; ++n) {
                const Index3& l = f.brickLeaf[b];
                const Vec3 p(l[0] * 8 + n % 3 * DistanceField::kPace,
                             l[1] * 8 + n / 3 % 3 * DistanceField::kPace,
                             l[2] * 8 + n / 9 * DistanceField::kPace);
                f.velocities[static_cast<std::size_t>(b) * DistanceField::kVelocities + n] =
                    look(p, foot[coarseNear(f, p)]);
            }
    });
    for (const auto* list : {&f.velocities, &f.coarseVelocity})
        for (const Vec3f& v : *list) f.maxSpeed = std::max<double>(f.maxSpeed, v.norm());
}
} // namespace

DistanceField buildDistanceField(const FieldSource& source, double reach) {
    if (source.leaf.empty())
        throw Error(source.where, "the grid is empty, expected a level set with a narrow band");
    DistanceField f;
    f.voxel = source.voxel;
    f.rotation = source.rotation;
    f.origin = source.origin;
    f.reach = std::max(reach, 2 * source.voxel);
    layBricks(f, source.leaf);
    readBricks(f, source);
    findSurface(f, source);
    layCoarse(f);
    std::vector<Vec3f> foot = sweepFeet(f);
    fillCoarse(f, source, foot);
    layBricks(f, reachedLeaves(f, source.leaf));
    readBricks(f, source);
    fillBricks(f, source, foot);
    if (source.hasVelocity) fillVelocities(f, source, foot);
    return f;
}

} // namespace purl
