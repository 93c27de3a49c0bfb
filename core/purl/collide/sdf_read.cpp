// Level sets from .vdb files and streams, with every way in which they can be unusable named.
#include "purl/base/error.h"
#include "purl/collide/grid_source.h"
#include "purl/collide/sdf_grids.h"

#include <openvdb/io/Stream.h>
#include <openvdb/openvdb.h>
#include <openvdb/tools/Interpolation.h>

#include <fstream>
#include <streambuf>

namespace purl {

using openvdb::FloatGrid;
using openvdb::GridBase;
using openvdb::Vec3SGrid;

namespace {

using Grids = std::vector<NamedGrid>;

std::string listGrids(const Grids& grids) {
    std::string text;
    for (const NamedGrid& g : grids)
        text += (text.empty() ? "'" : ", '") + g.name + "' (" + g.grid->valueType() + ", " +
                GridBase::gridClassToString(g.grid->getGridClass()) + ")";
    return text.empty() ? "no grid at all" : text;
}

const NamedGrid* named(const Grids& grids, const std::string& name) {
    for (const NamedGrid& g : grids)
        if (g.name == name) return &g;
    return nullptr;
}

const NamedGrid& chooseSurface(const Grids& grids, const std::string& where,
                               const std::string& name) {
    if (!name.empty()) {
        if (const NamedGrid* g = named(grids, name)) return *g;
        throw Error(where,
                    "found " + listGrids(grids) + ", expected a level set named '" + name + "'");
    }
    if (const NamedGrid* g = named(grids, "surface")) return *g;
    std::vector<const NamedGrid*> levelSets, floats;
    for (const NamedGrid& g : grids) {
        if (!g.grid->isType<FloatGrid>()) continue;
        floats.push_back(&g);
        if (g.grid->getGridClass() == openvdb::GRID_LEVEL_SET) levelSets.push_back(&g);
    }
    if (levelSets.size() == 1) return *levelSets[0];
    if (levelSets.empty() && floats.size() == 1) return *floats[0];
    throw Error(where, "found " + listGrids(grids) +
                           ", expected a level set named 'surface' or one level set only");
}

// Refuses what is no level set, by its own word or by its values.
void judge(const FloatGrid& grid, const GridSource<FloatGrid>& source) {
    std::ostringstream text;
    if (grid.activeVoxelCount() == 0)
        throw Error(source.where, "the grid is empty, expected a level set with a narrow band");
    float lowest = grid.background(), highest = lowest;
    for (auto it = grid.cbeginValueOn(); it; ++it) {
        if (!std::isfinite(*it)) {
            text << "value " << *it << " at voxel " << it.getCoord() << ", expected finite numbers";
            throw Error(source.where, text.str());
        }
        lowest = std::min(lowest, *it);
        highest = std::max(highest, *it);
    }
    text << "found values from " << lowest << " to " << highest << " m with background "
         << grid.background() << " m and voxels of " << source.voxel << " m";
    if (grid.getGridClass() == openvdb::GRID_FOG_VOLUME || (grid.background() == 0 && lowest >= 0))
        throw Error(source.where, "this is a fog volume: " + text.str() +
                                      ", expected a level set (signed distances, negative inside): "
                                      "convert the fog to an SDF first");
    if (!(grid.background() >= 1.5 * source.voxel))
        throw Error(source.where, "no narrow band: " + text.str() +
                                      ", expected a level set whose background is the half width "
                                      "of its band, 3 voxels as a rule");
    if (!(lowest < 0 && highest > 0) || source.leaf.empty())
        throw Error(source.where, "no narrow band: " + text.str() +
                                      ", expected distances that change sign at the surface");
}

class VdbSource : public GridSource<FloatGrid> {
public:
    VdbSource(const FloatGrid& grid, const std::string& name, Vec3SGrid::ConstPtr velocity)
        : GridSource(grid, name), velocity_(std::move(velocity)) {
        hasVelocity = velocity_ != nullptr;
    }
    bool velocity(const Vec3& x, Vec3& v) const override {
        const openvdb::Vec3d p =
            velocity_->transform().worldToIndex(openvdb::Vec3d(x.x(), x.y(), x.z()));
        Vec3SGrid::ConstAccessor accessor = velocity_->getConstAccessor();
        if (!accessor.isValueOn(openvdb::Coord::round(p))) return false;
        const openvdb::Vec3f u = velocity_->getGridClass() == openvdb::GRID_STAGGERED
                                     ? openvdb::tools::StaggeredBoxSampler::sample(accessor, p)
                                     : openvdb::tools::BoxSampler::sample(accessor, p);
        v = Vec3(u.x(), u.y(), u.z());
        return v.allFinite();
    }

private:
    Vec3SGrid::ConstPtr velocity_;
};

FieldPtr readStream(std::istream& in, const std::string& where, const SdfOptions& options) {
    openvdb::initialize();
    openvdb::GridPtrVecPtr read;
    try {
        // OpenVDB does not look at the stream's state after each read: let a short file throw.
        in.exceptions(std::ios::failbit | std::ios::badbit);
        read = openvdb::io::Stream(in, /*delayLoad=*/false).getGrids();
    } catch (const std::exception& e) {
        throw Error(where, std::string("cannot be read as OpenVDB (") + e.what() +
                               "), expected a whole .vdb file");
    }
    Grids grids;
    if (read)
        for (const GridBase::Ptr& g : *read) grids.push_back({g->getName(), g});
    return sdfFromGrids(grids, where, options);
}
struct ByteBuffer : std::streambuf {
    explicit ByteBuffer(Span<const char> bytes) {
        char* first = const_cast<char*>(bytes.data()); // read only: the get area is never written
        setg(first, first, first + bytes.size());
    }
    pos_type seekoff(off_type off, std::ios::seekdir way, std::ios::openmode) override {
        char* base = way == std::ios::beg ? eback() : way == std::ios::cur ? gptr() : egptr();
        if (off < eback() - base || off > egptr() - base) return pos_type(off_type(-1));
        setg(eback(), base + off, egptr());
        return gptr() - eback();
    }
    pos_type seekpos(pos_type pos, std::ios::openmode mode) override {
        return seekoff(off_type(pos), std::ios::beg, mode);
    }
};
} // namespace

FieldPtr sdfFromGrids(const std::vector<NamedGrid>& grids, const std::string& where,
                      const SdfOptions& options) {
    const NamedGrid& base = chooseSurface(grids, where, options.surface);
    const std::string name = where + ": grid '" + base.name + "'";
    const FloatGrid::ConstPtr grid = openvdb::gridConstPtrCast<FloatGrid>(base.grid);
    if (!grid)
        throw Error(name, "its values are of type " + base.grid->valueType() +
                              ", expected a level set of type float");
    const NamedGrid* moving = nullptr;
    if (!options.velocity.empty()) {
        moving = named(grids, options.velocity);
        if (!moving)
            throw Error(where, "found " + listGrids(grids) + ", expected a velocity grid named '" +
                                   options.velocity + "'");
    } else {
        moving = named(grids, "v");
        if (!moving) moving = named(grids, "vel");
    }
    const Vec3SGrid::ConstPtr velocity =
        moving ? openvdb::gridConstPtrCast<Vec3SGrid>(moving->grid) : nullptr;
    if (moving && !velocity)
        throw Error(where + ": grid '" + moving->name + "'",
                    "its values are of type " + moving->grid->valueType() +
                        ", expected velocities of type vec3s in m/s");
    const VdbSource source(*grid, name, velocity);
    judge(*grid, source);
    return std::make_shared<const DistanceField>(buildDistanceField(source, options.reach));
}

FieldPtr readSdf(const std::string& path, const SdfOptions& options) {
    std::ifstream in(path, std::ios::binary);
    if (!in) throw Error(path, "cannot be opened, expected a .vdb file that can be read");
    return readStream(in, path, options);
}

FieldPtr readSdfBytes(Span<const char> bytes, const std::string& where, const SdfOptions& options) {
    ByteBuffer buffer(bytes);
    std::istream in(&buffer);
    return readStream(in, where, options);
}

} // namespace purl
