// A level set made ready for sampling: signed distances in blocks of 8^3 voxels near the surface,
// and on a coarse lattice everywhere else, so that a point deep inside knows its depth and the way
// out, and a point far outside knows at once that it is far. Blocks carry a rim of their
// neighbours' values: a sample, with a gradient from central differences, is a few loads from one
// block.
#pragma once

#include "purl/base/types.h"

#include <array>
#include <string>

namespace purl {

using Index3 = std::array<Index, 3>;
using Vec3f = Eigen::Vector3f;

struct DistanceField {
    static constexpr Index kLeaf = 8;  // voxels along a block
    static constexpr Index kSide = 11; // with its rim: -1 .. 9
    static constexpr Index kBrick = kSide * kSide * kSide;
    static constexpr Index kPace = 4;        // voxels between velocities in a block
    static constexpr Index kVelocities = 27; // 3^3 of them

    // m. Exact to a fraction of a voxel nearer than `reach` and inside; further out a lower bound.
    double distance(const Vec3& x) const;
    // The same, and the unit gradient.
    double sample(const Vec3& x, Vec3& normal) const;
    // m/s; zero without velocities, the nearest known one outside of the lattice.
    Vec3 velocity(const Vec3& x) const;
    bool hasVelocity() const { return !coarseVelocity.empty(); }

    Vec3 toIndex(const Vec3& x) const { return toVoxels * (x - origin); }
    Vec3 toWorld(const Vec3& p) const { return rotation * (voxel * p) + origin; }
    // The block that holds index space point p, or -1.
    Index brickAt(const Vec3& p) const;
    // The coarse lattice alone, at index space point p: m, and the gradient in index space.
    double coarseSample(const Vec3& p, Vec3* gradient) const;
    std::size_t bytes() const;

    // world = rotation * (voxel * index) + origin
    double voxel = 1; // m
    Mat3 rotation = Mat3::Identity();
    Mat3 toVoxels = Mat3::Identity(); // the inverse of voxel * rotation
    Vec3 origin = Vec3::Zero();       // m
    double reach = 0;                 // m

    Index3 firstLeaf{}, leaves{};  // the lattice of blocks, in units of blocks
    std::vector<Index> brick;      // per place of that lattice: block number or -1
    std::vector<Index3> brickLeaf; // per block: its place, in units of blocks
    std::vector<float> values;     // m, kBrick a block
    std::vector<Vec3f> velocities; // m/s, kVelocities a block, or empty

    Index stride = 1;               // voxels between points of the coarse lattice
    Index3 coarseFirst{}, coarse{}; // its first voxel and its points an axis
    std::vector<float> coarseValue; // m
    std::vector<Vec3f> coarseVelocity;

    Vec3 boxLow = Vec3::Zero(), boxHigh = Vec3::Zero(); // voxels: box of the surface
    std::vector<Vec3f> surface;   // voxels: points of the surface, about one a voxel
    Vec3 centroid = Vec3::Zero(); // m, of those
    double maxSpeed = 0;          // m/s
};

// Where a DistanceField gets its numbers from: an OpenVDB grid behind a small face, so that
// building and sampling do not know OpenVDB.
class FieldSource {
public:
    virtual ~FieldSource() = default;
    // Values (m) at the voxels first + stride * (i, j, k), i fastest; beyond the band its
    // background with the right sign. Called from several threads.
    virtual void read(const Index3& first, const Index3& count, Index stride, float* out) const = 0;
    // m/s at a point of the world (m); false where none is known. Called from several threads.
    virtual bool velocity(const Vec3& /*x*/, Vec3& /*v*/) const { return false; }

    double voxel = 1; // m
    Mat3 rotation = Mat3::Identity();
    Vec3 origin = Vec3::Zero();
    double band = 0;          // m, half width of the band in which values are distances
    std::vector<Index3> leaf; // blocks of 8^3 that hold values of the band, in units of blocks
    bool hasVelocity = false;
    std::string where; // for messages: file and grid
};

// reach (m): how far outside distances shall be exact; a yarn's radius, thickness and some more.
// Throws Error if the source has no surface or its values are not distances in metres.
DistanceField buildDistanceField(const FieldSource& source, double reach);

} // namespace purl
