// Nearest points of a level set's surface ("feet"), for building a DistanceField: a coarse lattice
// of them, walked to the foot of the perpendicular, and bins of all of them to search.
#pragma once

#include "purl/collide/distance_field.h"

namespace purl {

// Points and neighbourhoods of the coarse lattice; places are in voxels.
std::size_t coarseSize(const DistanceField& f);
Vec3 coarsePoint(const DistanceField& f, std::size_t n);
Index coarseNear(const DistanceField& f, const Vec3& p);

// Walks a point of the surface towards the foot of the perpendicular from p, both in voxels. Reads
// the values of the band only.
Vec3 walkFoot(const DistanceField& f, const Vec3& p, Vec3 foot, int rounds);

// The nearest surface point of every coarse point (voxels): a vector distance transform.
std::vector<Vec3f> sweepFeet(const DistanceField& f);

// The surface's points by blocks of 8^3 voxels.
class SurfaceBins {
public:
    explicit SurfaceBins(DistanceField& f); // sorts f.surface by bins
    // The point of the surface nearest to p if it is nearer than `best`, which it becomes.
    void nearest(const DistanceField& f, const Vec3& p, Vec3& best) const;
    // Calls visit(block) for every block that is nearer than `reach` voxels to a bin with points.
    template <class Visit>
    void blocksWithin(double reach, Visit visit) const;

    Index3 first{}, count{};  // the lattice of bins, in units of blocks
    std::vector<Index> start; // per bin: its points are start[bin] .. start[bin + 1]

private:
    std::vector<Index> list_; // bins with points
};

template <class Visit>
void SurfaceBins::blocksWithin(double reach, Visit visit) const {
    const Index grow = static_cast<Index>(reach / DistanceField::kLeaf) + 1;
    Index3 side{};
    for (int a = 0; a < 3; ++a) side[a] = count[a] + 2 * grow;
    std::vector<char> taken(static_cast<std::size_t>(side[0]) * side[1] * side[2], 0);
    for (Index bin : list_) {
        const Index at[3] = {bin % count[0], bin / count[0] % count[1], bin / count[0] / count[1]};
        for (Index k = -grow; k <= grow; ++k)
            for (Index j = -grow; j <= grow; ++j)
                for (Index i = -grow; i <= grow; ++i) {
                    const Vec3 gap = DistanceField::kLeaf *
                                     (Vec3(i, j, k).cwiseAbs() - Vec3::Ones()).cwiseMax(0);
                    if (gap.norm() > reach) continue;
                    const std::size_t n =
                        at[0] + grow + i +
                        side[0] * (at[1] + grow + j +
                                   static_cast<std::size_t>(side[1]) * (at[2] + grow + k));
                    if (taken[n]) continue;
                    taken[n] = 1;
                    visit(Index3{first[0] + at[0] + i, first[1] + at[1] + j, first[2] + at[2] + k});
                }
    }
}

} // namespace purl
