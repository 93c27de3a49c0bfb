// From the narrow band of a level set to distances everywhere: points of the surface are read off
// the band, a vector distance transform carries the nearest of them over a coarse lattice, and each
// is then walked along the surface to the foot of its perpendicular.
#include "purl/base/error.h"
#include "purl/base/parallel.h"
#include "purl/collide/distance_field.h"
#include "purl/collide/surface_feet.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace purl {

namespace {
constexpr std::int64_t kCoarsePoints = 1 << 18; // about 64^3 points on the coarse lattice
constexpr Index kPlainStride = 4;               // up to here the coarse lattice alone serves inside

Index corner(Index i, Index j, Index k) {
    return i + DistanceField::kSide * (j + DistanceField::kSide * k);
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

void fillCoarse(DistanceField& f, const FieldSource& source, std::vector<Vec3f>& foot) {
    const std::size_t size = coarseSize(f);
    f.coarseValue.resize(size);
    source.read(f.coarseFirst, f.coarse, f.stride, f.coarseValue.data());
    std::vector<float> value(size);
    parallelFor(static_cast<Index>(size), 4096, [&](Index first, Index last) {
        for (Index n = first; n < last; ++n) {
            const Vec3 p = coarsePoint(f, n);
            const Vec3 q = walkFoot(f, p, foot[n].cast<double>(), 3 + f.stride / 2);
            foot[n] = q.cast<float>();
            value[n] = static_cast<float>(
                std::copysign((p - q).norm() * f.voxel, static_cast<double>(f.coarseValue[n])));
        }
    });
    f.coarseValue.swap(value);
}

// Blocks for everything nearer than reach on the outside, besides those of the source.
std::vector<Index3> reachedLeaves(const DistanceField& f, const FieldSource& source,
                                  const SurfaceBins& bins) {
    std::vector<Index3> all;
    bins.blocksWithin(f.reach / f.voxel, [&](const Index3& block) {
        const Vec3 centre = Vec3(block[0] + 0.5, block[1] + 0.5, block[2] + 0.5);
        if (f.brickAt(centre * DistanceField::kLeaf) < 0) { // not the source's: of one sign
            float value;
            source.read({block[0] * 8 + 4, block[1] * 8 + 4, block[2] * 8 + 4}, {1, 1, 1}, 1,
                        &value);
            if (value < 0) return;
        }
        all.push_back(block);
    });
    return all;
}

// Voxels that the source left at its background get their distance to the nearest of the surface
// points that the surrounding coarse points know. Each voxel is worked out once, by the block that
// owns it; rims are copied afterwards.
void fillBricks(DistanceField& f, const FieldSource& source, const std::vector<Vec3f>& foot,
                const SurfaceBins& bins) {
    const double band = 0.999 * source.band;
    constexpr Index side = DistanceField::kSide, leaf = DistanceField::kLeaf;
    const auto bricks = static_cast<Index>(f.brickLeaf.size());
    std::vector<float> filled = f.values; // walkFoot reads the band while this is being written
    const auto eachVoxel = [&](auto&& work) {
        parallelFor(bricks, 1, [&](Index first, Index last) {
            for (Index b = first; b < last; ++b)
                for (Index n = 0; n < DistanceField::kBrick; ++n) {
                    const Vec3 p(f.brickLeaf[b][0] * leaf + n % side - 1,
                                 f.brickLeaf[b][1] * leaf + n / side % side - 1,
                                 f.brickLeaf[b][2] * leaf + n / side / side - 1);
                    const std::size_t at = static_cast<std::size_t>(b) * DistanceField::kBrick + n;
                    if (std::abs(f.values[at]) >= band) work(b, p, at);
                }
        });
    };
    eachVoxel([&](Index b, const Vec3& p, std::size_t at) {
        const Index owner = f.brickAt(p);
        if (owner >= 0 && owner != b) return;
        double deep = 0, share = 0; // deep inside the coarse lattice will do; faded in, no step
        if (f.values[at] < 0 && f.stride <= kPlainStride) {
            deep = f.coarseSample(p, nullptr);
            share = std::clamp((-deep - band) / (5 * f.voxel), 0.0, 1.0);
            filled[at] = static_cast<float>(deep);
            if (share == 1) return;
        }
        Vec3 nearest = foot[coarseNear(f, p)].cast<double>();
        double d = (nearest - p).norm();
        // Beyond reach a bound is enough; elsewhere coarse points may not know a small part nearby.
        const double reach = f.reach / f.voxel + 2;
        if (f.values[at] < 0 || d < reach + 2 * f.stride) {
            bins.nearest(f, p, nearest);
            nearest = walkFoot(f, p, nearest, 2);
            d = (nearest - p).norm();
        }
        d = std::copysign(std::max(band, d * f.voxel), static_cast<double>(f.values[at]));
        filled[at] = static_cast<float>(share * deep + (1 - share) * d);
    });
    f.values.swap(filled);
    filled = f.values;
    const std::vector<float>& own = filled;
    parallelFor(bricks, 4, [&](Index first, Index last) {
        for (Index b = first; b < last; ++b)
            for (Index n = 0; n < DistanceField::kBrick; ++n) {
                const Index i = n % side - 1, j = n / side % side - 1, k = n / side / side - 1;
                if (i >= 0 && j >= 0 && k >= 0 && i < leaf && j < leaf && k < leaf) continue;
                const Index3& l = f.brickLeaf[b];
                const Index owner =
                    f.brickAt(Vec3(l[0] * leaf + i, l[1] * leaf + j, l[2] * leaf + k));
                if (owner < 0) continue;
                f.values[static_cast<std::size_t>(b) * DistanceField::kBrick + n] =
                    own[static_cast<std::size_t>(owner) * DistanceField::kBrick +
                        corner((i + leaf) % leaf + 1, (j + leaf) % leaf + 1,
                               (k + leaf) % leaf + 1)];
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
    f.toVoxels = source.rotation.transpose() / source.voxel;
    f.origin = source.origin;
    f.reach = std::max(reach, 2 * source.voxel);
    layBricks(f, source.leaf);
    readBricks(f, source);
    findSurface(f, source);
    const SurfaceBins bins(f);
    layCoarse(f);
    std::vector<Vec3f> foot = sweepFeet(f);
    fillCoarse(f, source, foot);
    layBricks(f, reachedLeaves(f, source, bins));
    readBricks(f, source);
    fillBricks(f, source, foot, bins);
    if (source.hasVelocity) fillVelocities(f, source, foot);
    return f;
}

} // namespace purl
