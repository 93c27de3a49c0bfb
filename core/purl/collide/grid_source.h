// An OpenVDB scalar grid as the source of a DistanceField. A template, so that this header does not
// include OpenVDB: the files that do are collide/sdf_*.cpp and collide/mesh_sdf.cpp.
#pragma once

#include "purl/base/error.h"
#include "purl/collide/distance_field.h"

#include <cmath>
#include <sstream>

namespace purl {

template <class Grid>
class GridSource : public FieldSource {
public:
    GridSource(const Grid& grid, const std::string& name) : grid_(grid) {
        where = name;
        setTransform();
        band = grid.background();
        for (auto it = grid.tree().cbeginLeaf(); it; ++it) {
            if (it->isValueMaskOff()) continue;
            const auto o = it->origin(); // a multiple of 8
            leaf.push_back({o[0] / 8, o[1] / 8, o[2] / 8});
        }
    }

    void read(const Index3& first, const Index3& count, Index stride, float* out) const override {
        typename Grid::ConstAccessor accessor = grid_.getConstAccessor();
        for (Index k = 0; k < count[2]; ++k)
            for (Index j = 0; j < count[1]; ++j)
                for (Index i = 0; i < count[0]; ++i)
                    *out++ = static_cast<float>(accessor.getValue(
                        {first[0] + i * stride, first[1] + j * stride, first[2] + k * stride}));
    }

private:
    void setTransform() {
        if (!grid_.transform().isLinear())
            throw Error(where, "the grid has a frustum transform, expected cubic voxels");
        const auto map = grid_.transform().baseMap();
        const auto o = map->applyMap({0, 0, 0});
        Mat3 m;
        for (int a = 0; a < 3; ++a) {
            const auto e = map->applyMap({a == 0 ? 1. : 0., a == 1 ? 1. : 0., a == 2 ? 1. : 0.});
            for (int b = 0; b < 3; ++b) m(b, a) = e[b] - o[b];
        }
        voxel = m.col(0).norm();
        rotation = m / voxel;
        origin = Vec3(o[0], o[1], o[2]);
        const double off =
            (rotation.transpose() * rotation - Mat3::Identity()).cwiseAbs().maxCoeff();
        if (!(off < 1e-4)) {
            std::ostringstream text;
            text << "voxels measure " << m.col(0).norm() << " x " << m.col(1).norm() << " x "
                 << m.col(2).norm() << " m, expected cubes that are not sheared: resample the grid";
            throw Error(where, text.str());
        }
    }

    const Grid& grid_;
};

} // namespace purl
