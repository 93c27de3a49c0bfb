#include "purl/base/error.h"
#include "purl/collide/sdf.h"

#include <openvdb/io/Stream.h>
#include <openvdb/openvdb.h>
#include <openvdb/tools/LevelSetSphere.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

#include <fcntl.h>
#include <unistd.h>

namespace purl {

namespace {
// Written under a name of its own, on the disk before it gets the real one.
void writeGrids(const std::string& path, const openvdb::GridCPtrVec& grids) {
    const std::string part = path + ".part" + std::to_string(::getpid());
    const auto fail = [&](const std::string& what) {
        std::remove(part.c_str());
        throw Error(path, what, Error::Kind::Disk);
    };
    try {
        // io::File does not look whether its bytes arrive: on a full disk it says nothing
        std::ofstream file(part, std::ios::binary);
        file.exceptions(std::ios::failbit | std::ios::badbit);
        openvdb::io::Stream(file).write(grids);
        file.close();
    } catch (const std::exception& e) {
        fail(std::string("cannot be written (") + e.what() + ")");
    }
    const int handle = ::open(part.c_str(), O_RDONLY | O_CLOEXEC);
    const bool safe = handle >= 0 && ::fsync(handle) == 0;
    const int code = errno;
    if (handle >= 0) ::close(handle);
    if (!safe) fail(std::string("cannot be brought to the disk (") + std::strerror(code) + ")");
    if (std::rename(part.c_str(), path.c_str()) != 0)
        fail(std::string("cannot be put in place (") + std::strerror(errno) + ")");
}
} // namespace

void writeSphereVdb(const std::string& path, const Vec3& centre, double radius, double voxel) {
    openvdb::initialize();
    if (!(voxel > 0) || !(radius > 1.5 * voxel))
        throw Error(path, "a ball of radius " + std::to_string(radius) + " m in voxels of " +
                              std::to_string(voxel) + " m, expected a radius over 1.5 voxels");
    const auto grid = openvdb::tools::createLevelSetSphere<openvdb::FloatGrid>(
        static_cast<float>(radius), openvdb::Vec3f(centre.x(), centre.y(), centre.z()),
        static_cast<float>(voxel));
    grid->setName("surface");
    writeGrids(path, {grid});
}

} // namespace purl
