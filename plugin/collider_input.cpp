// The one source file of the plugin that sees OpenVDB.
#include "plugin/collider_input.h"

#include "plugin/geometry.h"
#include "purl/base/error.h"
#include "purl/base/hash.h"
#include "purl/collide/sdf_grids.h"

#include <GEO/GEO_PrimVDB.h>
#include <GU/GU_Detail.h>
#include <GU/GU_PrimVDB.h>

namespace purl::houdini {

namespace {

template <class Grid>
bool addValues(Hash& h, const openvdb::GridBase& base) {
    if (!base.isType<Grid>()) return false;
    const Grid& grid = static_cast<const Grid&>(base);
    for (auto leaf = grid.tree().cbeginLeaf(); leaf; ++leaf) {
        const openvdb::Coord& origin = leaf->origin();
        h.bytes(&origin, sizeof origin);
        h.bytes(leaf->buffer().data(),
                sizeof(typename Grid::ValueType) * Grid::TreeType::LeafNodeType::SIZE);
    }
    return true;
}

void addGrid(Hash& h, const NamedGrid& g) {
    h.bytes(g.name.data(), g.name.size());
    const openvdb::Vec3d a = g.grid->indexToWorld(openvdb::Vec3d(0, 0, 0)),
                         b = g.grid->indexToWorld(openvdb::Vec3d(1, 1, 1));
    h.bytes(&a, sizeof a);
    h.bytes(&b, sizeof b);
    if (!addValues<openvdb::FloatGrid>(h, *g.grid) && !addValues<openvdb::Vec3SGrid>(h, *g.grid))
        h.add(static_cast<std::uint64_t>(g.grid->activeVoxelCount()));
}

} // namespace

ColliderFrame readCollider(const GU_Detail* gdp, const std::string& name,
                           std::vector<std::string>& warnings) {
    ColliderFrame out;
    if (!gdp || gdp->getNumPrimitives() == 0) return out;
    std::vector<NamedGrid> grids;
    GA_Size others = 0, firstOther = -1;
    for (GA_Index i = 0; i < gdp->getNumPrimitives(); ++i) {
        const GEO_Primitive* p = gdp->getGEOPrimitive(gdp->primitiveOffset(i));
        const int type = p->getTypeId().get();
        if (type == GA_PRIMVDB) {
            const auto* vdb = static_cast<const GEO_PrimVDB*>(p);
            if (vdb->hasGrid()) grids.push_back({vdb->getGridName(), vdb->getConstGridPtr()});
        } else if (type != GA_PRIMPOLY && others++ == 0) {
            firstOther = i;
        }
    }
    if (others > 0)
        warnings.push_back(name + ": " + std::to_string(others) +
                           " primitives are neither polygons nor VDBs (the first is primitive " +
                           std::to_string(firstOther) + "); nothing collides with them");
    if (grids.empty()) {
        readMesh(readGeometry(*gdp), name, out);
        return out;
    }
    Hash h;
    for (const NamedGrid& g : grids) addGrid(h, g);
    out.digest = h.value();
    out.grids = [grids, name](const SdfOptions& options) {
        return sdfFromGrids(grids, name, options);
    };
    return out;
}

void appendMeshVdb(GU_Detail& gdp, const ColliderFrame& mesh, double voxel, double yarnRadius,
                   bool velocity, const std::string& surfaceName, const std::string& velocityName,
                   const std::string& where) {
    MeshSdfOptions options;
    options.voxel = voxel;
    options.yarnRadius = yarnRadius;
    options.where = where;
    const MeshGrids grids =
        meshGrids(mesh.mesh, options, velocity ? mesh.velocity : std::vector<Vec3>());
    GU_PrimVDB::buildFromGrid(gdp, grids.surface, nullptr, surfaceName.c_str());
    if (grids.v) GU_PrimVDB::buildFromGrid(gdp, grids.v, nullptr, velocityName.c_str());
}

} // namespace purl::houdini
