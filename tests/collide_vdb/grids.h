// Grids written for the tests, with OpenVDB itself and not with the code under test.
#pragma once

#include "purl/base/types.h"

#include <openvdb/io/Stream.h>
#include <openvdb/openvdb.h>
#include <openvdb/tools/LevelSetSphere.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <unistd.h>

namespace purl {

// A file in a folder of this process' own, which goes with it.
inline std::string scratch(const std::string& name) {
    struct Folder {
        std::filesystem::path path =
            std::filesystem::temp_directory_path() / ("purl_collide_" + std::to_string(::getpid()));
        Folder() { std::filesystem::create_directories(path); }
        ~Folder() {
            std::error_code ignored;
            std::filesystem::remove_all(path, ignored);
        }
    };
    static const Folder folder;
    return (folder.path / name).string();
}

inline std::string bytesOf(const openvdb::GridCPtrVec& grids) {
    std::ostringstream out(std::ios::binary);
    openvdb::io::Stream(out).write(grids);
    return out.str();
}

inline openvdb::FloatGrid::Ptr ballGrid(const Vec3& centre, double radius, double voxel,
                                        double halfWidth = 3) {
    openvdb::initialize();
    auto grid = openvdb::tools::createLevelSetSphere<openvdb::FloatGrid>(
        float(radius), openvdb::Vec3f(centre.x(), centre.y(), centre.z()), float(voxel),
        float(halfWidth));
    grid->setName("surface");
    return grid;
}

// A velocity grid with the topology of `like`.
template <class F>
openvdb::Vec3SGrid::Ptr velocityGrid(const openvdb::FloatGrid& like, F velocity) {
    auto grid = openvdb::Vec3SGrid::create(openvdb::Vec3f(0));
    grid->setTransform(like.transform().copy());
    grid->tree().topologyUnion(like.tree());
    for (auto it = grid->beginValueOn(); it; ++it) {
        const openvdb::Vec3d x = grid->indexToWorld(it.getCoord());
        const Vec3 v = velocity(Vec3(x.x(), x.y(), x.z()));
        it.setValue(openvdb::Vec3f(v.x(), v.y(), v.z()));
    }
    grid->setName("v");
    return grid;
}

} // namespace purl
