#include "purl/collide/distance_field.h"

#include <algorithm>
#include <cmath>

namespace purl {

namespace {
// Trilinear value in the cell whose low corner c points to; values of neighbours along y and z are
// sy and sz apart, f is the place in the cell.
inline double trilinear(const float* c, Index sy, Index sz, const Vec3& f) {
    const auto row = [&](const float* r) { return r[0] + f[0] * (double(r[1]) - r[0]); };
    const double a = row(c), b = row(c + sy), d = row(c + sz), e = row(c + sy + sz);
    const double low = a + f[1] * (b - a), high = d + f[1] * (e - d);
    return low + f[2] * (high - low);
}

// The same with the trilinear interpolation of central differences as gradient, which is continuous
// and of second order where the cell's own would jump from cell to cell. Rows of four values along
// x are taken as one vector; y and z are done first, x last.
inline double trilinear(const float* c, Index sy, Index sz, const Vec3& f, Vec3& gradient) {
    using Row = Eigen::Array4d;
    const auto row = [&](Index y, Index z) -> Row {
        return Eigen::Map<const Eigen::Array4f>(c + y * sy + z * sz - 1).cast<double>();
    };
    const double fy = f[1], fz = f[2], gy = 1 - fy, gz = 1 - fz;
    const Row a = row(0, 0), b = row(1, 0), d = row(0, 1), e = row(1, 1);
    const Row value = gz * (gy * a + fy * b) + fz * (gy * d + fy * e);
    const Row alongY = gz * (gy * (b - row(-1, 0)) + fy * (row(2, 0) - a)) +
                       fz * (gy * (e - row(-1, 1)) + fy * (row(2, 1) - d));
    const Row alongZ = gy * (gz * (d - row(0, -1)) + fz * (row(0, 2) - a)) +
                       fy * (gz * (e - row(1, -1)) + fz * (row(1, 2) - b));
    const auto at = [&](const Row& r) { return r[1] + f[0] * (r[2] - r[1]); };
    const double before = value[2] - value[0], after = value[3] - value[1];
    gradient = Vec3(before + f[0] * (after - before), at(alongY), at(alongZ));
    return at(value);
}

inline Vec3 trilinear(const Vec3f* c, Index sy, Index sz, const Vec3& f) {
    Vec3 sum = Vec3::Zero();
    for (int k = 0; k < 8; ++k) {
        const double w =
            ((k & 1) ? f[0] : 1 - f[0]) * ((k & 2) ? f[1] : 1 - f[1]) * ((k & 4) ? f[2] : 1 - f[2]);
        sum += w * c[(k & 1) + ((k >> 1) & 1) * sy + (k >> 2) * sz].cast<double>();
    }
    return sum;
}

struct Cell {
    Index offset; // of its low corner
    Vec3 f;
};

inline Cell cellIn(const Vec3& p, const Index3& leaf) {
    Cell cell{0, p};
    Index at[3];
    for (int a = 0; a < 3; ++a) {
        const double local = p[a] - leaf[a] * DistanceField::kLeaf;
        at[a] = std::clamp<Index>(static_cast<Index>(local), 0, DistanceField::kLeaf - 1);
        cell.f[a] = local - at[a];
        ++at[a]; // the rim
    }
    cell.offset = at[0] + DistanceField::kSide * (at[1] + DistanceField::kSide * at[2]);
    return cell;
}
} // namespace

Index DistanceField::brickAt(const Vec3& p) const {
    Index at = 0, step = 1;
    for (int a = 0; a < 3; ++a) {
        // Compared as a number first: a point may be further away than an Index can say.
        const double place = p[a] * (1.0 / kLeaf) - firstLeaf[a];
        if (!(place >= 0) || !(place < leaves[a])) return -1;
        at += step * static_cast<Index>(place);
        step *= leaves[a];
    }
    return brick[at];
}

double DistanceField::distance(const Vec3& x) const {
    const Vec3 p = toIndex(x);
    const Index b = brickAt(p);
    if (b < 0) return coarseSample(p, nullptr);
    const Cell cell = cellIn(p, brickLeaf[b]);
    return trilinear(values.data() + static_cast<std::size_t>(b) * kBrick + cell.offset, kSide,
                     kSide * kSide, cell.f);
}

double DistanceField::sample(const Vec3& x, Vec3& normal) const {
    const Vec3 p = toIndex(x);
    const Index b = brickAt(p);
    double phi;
    if (b < 0) {
        phi = coarseSample(p, &normal);
    } else {
        const Cell cell = cellIn(p, brickLeaf[b]);
        phi = trilinear(values.data() + static_cast<std::size_t>(b) * kBrick + cell.offset, kSide,
                        kSide * kSide, cell.f, normal);
    }
    const double length = normal.norm();
    // On a ridge of the distance every way out is as good; any unit vector will do.
    normal = length > 1e-12 ? Vec3(rotation * (normal / length)) : Vec3::UnitY();
    return phi;
}

double DistanceField::coarseSample(const Vec3& p, Vec3* gradient) const {
    Index at[3];
    Vec3 f;
    for (int a = 0; a < 3; ++a) {
        const double q = (p[a] - coarseFirst[a]) / stride;
        if (!(q >= 1) || !(q < coarse[a] - 2)) {
            const Vec3 away = p - p.cwiseMax(boxLow).cwiseMin(boxHigh);
            if (gradient) *gradient = away;
            return std::max(reach, away.norm() * voxel);
        }
        at[a] = static_cast<Index>(q);
        f[a] = q - at[a];
    }
    const Index sy = coarse[0], sz = coarse[0] * coarse[1];
    const float* c = coarseValue.data() + at[0] + sy * at[1] + sz * at[2];
    const double phi = gradient ? trilinear(c, sy, sz, f, *gradient) : trilinear(c, sy, sz, f);
    // Between lattice points a distance is at most half the cell's diagonal below the mean; the
    // rest is for lattice points that know a point of the surface that is not quite the nearest.
    return phi > 0 ? std::max(reach, phi - 1.25 * stride * voxel) : phi;
}

Vec3 DistanceField::velocity(const Vec3& x) const {
    if (!hasVelocity()) return Vec3::Zero();
    const Vec3 p = toIndex(x);
    const Index b = brickAt(p);
    Index at[3];
    Vec3 f;
    if (b >= 0) {
        for (int a = 0; a < 3; ++a) {
            const double q = (p[a] - brickLeaf[b][a] * kLeaf) / kPace;
            at[a] = std::clamp<Index>(static_cast<Index>(q), 0, 1);
            f[a] = q - at[a];
        }
        return trilinear(velocities.data() + static_cast<std::size_t>(b) * kVelocities + at[0] +
                             3 * at[1] + 9 * at[2],
                         3, 9, f);
    }
    for (int a = 0; a < 3; ++a) {
        const double q = std::clamp((p[a] - coarseFirst[a]) / stride, 0.0, coarse[a] - 1.0);
        at[a] = std::min(static_cast<Index>(q), coarse[a] - 2);
        f[a] = q - at[a];
    }
    return trilinear(coarseVelocity.data() + at[0] + coarse[0] * (at[1] + coarse[1] * at[2]),
                     coarse[0], coarse[0] * coarse[1], f);
}

std::size_t DistanceField::bytes() const {
    return sizeof(*this) + brick.size() * sizeof(Index) + brickLeaf.size() * sizeof(Index3) +
           (values.size() + coarseValue.size()) * sizeof(float) +
           (velocities.size() + coarseVelocity.size() + surface.size()) * sizeof(Vec3f);
}

} // namespace purl
