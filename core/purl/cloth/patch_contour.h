// Which patches cannot meet themselves (Volino and Magnenat-Thalmann 1994, made sound): if all
// normals of the step lie in a cone and the patch's outline, seen along the cone's axis, stays
// star-shaped through the step, the patch is a height field over a plain region at every time of
// it. The outline test is that of Schvartzman et al. 2010 (star-shaped about one point), here about
// a whole disc, so that parts of the outline that are near in space are near along the sheet too.
#pragma once

#include "purl/cloth/features.h"
#include "purl/cloth/patch_tree.h"

namespace purl {

class PatchContours {
public:
    PatchContours(const ClothMesh& mesh, const MeshFeatures& features, const PatchTree& tree);

    // True only if no two parts of the patch meet between x0 and x1 (the tree is fitted to them).
    bool cannotMeetItself(const PatchTree& tree, Index node, Span<const Vec3> x0,
                          Span<const Vec3> x1) const;

private:
    std::vector<Index> first_; // per node + 1: its outline in points_, empty if not one loop
    std::vector<Index> points_;
};

} // namespace purl
