#include "purl/collide/mesh_sdf.h"

#include "purl/collide/grid_source.h"
#include "purl/collide/sdf_grids.h"

#include <openvdb/openvdb.h>
#include <openvdb/tools/ChangeBackground.h>
#include <openvdb/tools/MeshToVolume.h>
#include <openvdb/tools/VolumeToMesh.h>

#include <algorithm>

namespace purl {

namespace {
using openvdb::FloatGrid;
using openvdb::Int32Grid;

// A mesh as OpenVDB asks for it.
struct MeshAdapter {
    const TriMesh& mesh;
    const openvdb::math::Transform& transform;
    std::size_t polygonCount() const { return mesh.triangles.size(); }
    std::size_t pointCount() const { return mesh.x.size(); }
    std::size_t vertexCount(std::size_t) const { return 3; }
    void getIndexSpacePoint(std::size_t n, std::size_t corner, openvdb::Vec3d& p) const {
        const Vec3& x = mesh.x[mesh.triangles[n][corner]];
        p = transform.worldToIndex(openvdb::Vec3d(x.x(), x.y(), x.z()));
    }
};

void validate(const TriMesh& mesh, const std::string& where) {
    if (mesh.triangles.empty()) throw Error(where, "no polygons, expected a surface");
    for (std::size_t i = 0; i < mesh.x.size(); ++i)
        if (!mesh.x[i].allFinite())
            throw Error(where + ": point " + std::to_string(i),
                        "position is not finite, expected numbers in metres");
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
        for (Index v : mesh.triangles[i])
            if (v < 0 || v >= static_cast<Index>(mesh.x.size()))
                throw Error(where + ": triangle " + std::to_string(i),
                            "uses point " + std::to_string(v) + ", expected 0 to " +
                                std::to_string(mesh.x.size() - 1));
}

// Closed if every edge is used as often one way as the other, or at least twice: orientation may be
// mixed in what comes from a modeller.
bool isClosed(const TriMesh& mesh) {
    std::vector<std::pair<Index, Index>> edges;
    edges.reserve(3 * mesh.triangles.size());
    for (const auto& t : mesh.triangles)
        for (int k = 0; k < 3; ++k) {
            const Index a = t[k], b = t[(k + 1) % 3];
            if (a != b) edges.emplace_back(std::min(a, b), std::max(a, b));
        }
    std::sort(edges.begin(), edges.end());
    for (std::size_t i = 0; i < edges.size();) {
        std::size_t j = i;
        while (j < edges.size() && edges[j] == edges[i]) ++j;
        if (j - i < 2) return false;
        i = j;
    }
    return true;
}

double voxelFor(const TriMesh& mesh, const MeshSdfOptions& options) {
    if (options.voxel > 0) return options.voxel;
    Vec3 low = mesh.x[mesh.triangles[0][0]], high = low;
    for (const auto& t : mesh.triangles)
        for (Index v : t) {
            low = low.cwiseMin(mesh.x[v]);
            high = high.cwiseMax(mesh.x[v]);
        }
    const double size = (high - low).maxCoeff();
    if (!(size > 0)) throw Error(options.where, "all points are in one place, expected a surface");
    return options.yarnRadius > 0 ? std::clamp(options.yarnRadius, size / 400, size / 48)
                                  : size / 128;
}

Vec3 velocityOnTriangle(const TriMesh& mesh, Span<const Vec3> velocity, Index triangle,
                        const Vec3& x) {
    const auto& t = mesh.triangles[triangle];
    const Vec3 a = mesh.x[t[0]], e = mesh.x[t[1]] - a, f = mesh.x[t[2]] - a, d = x - a;
    const double ee = e.dot(e), ef = e.dot(f), ff = f.dot(f), det = ee * ff - ef * ef;
    double u = 0, v = 0;
    if (det > 0) {
        u = std::max(0.0, (ff * d.dot(e) - ef * d.dot(f)) / det);
        v = std::max(0.0, (ee * d.dot(f) - ef * d.dot(e)) / det);
        const double sum = std::max(1.0, u + v); // beyond an edge: near enough on it
        u /= sum;
        v /= sum;
    }
    return (1 - u - v) * velocity[t[0]] + u * velocity[t[1]] + v * velocity[t[2]];
}

class MeshSource : public GridSource<FloatGrid> {
public:
    MeshSource(const FloatGrid& grid, const Int32Grid& nearest, const TriMesh& mesh,
               Span<const Vec3> velocity, const std::string& name)
        : GridSource(grid, name), nearest_(nearest), mesh_(mesh), velocity_(velocity) {
        hasVelocity = !velocity.empty();
    }
    bool velocity(const Vec3& x, Vec3& v) const override {
        const openvdb::Coord ijk = openvdb::Coord::round(
            nearest_.transform().worldToIndex(openvdb::Vec3d(x.x(), x.y(), x.z())));
        Int32Grid::ConstAccessor accessor = nearest_.getConstAccessor();
        const Index triangle = accessor.getValue(ijk);
        if (!accessor.isValueOn(ijk) || triangle < 0 ||
            triangle >= static_cast<Index>(mesh_.triangles.size()))
            return false;
        v = velocityOnTriangle(mesh_, velocity_, triangle, x);
        return true;
    }

private:
    const Int32Grid& nearest_;
    const TriMesh& mesh_;
    Span<const Vec3> velocity_;
};
} // namespace

namespace {
// Distances of a mesh, and per voxel the triangle that is nearest.
FloatGrid::Ptr distancesOf(const TriMesh& mesh, const MeshSdfOptions& options,
                           Span<const Vec3> velocity, Int32Grid& nearest) {
    openvdb::initialize();
    validate(mesh, options.where);
    if (!velocity.empty() && velocity.size() != mesh.x.size())
        throw Error(options.where, std::to_string(velocity.size()) + " velocities for " +
                                       std::to_string(mesh.x.size()) +
                                       " points, expected one each");
    const double voxel = voxelFor(mesh, options);
    const auto transform = openvdb::math::Transform::createLinearTransform(voxel);
    const MeshAdapter adapter{mesh, *transform};
    const bool closed = isClosed(mesh);
    const int flags = closed ? 0 : openvdb::tools::UNSIGNED_DISTANCE_FIELD;
    const float band = closed ? 3.0F : 4.0F;
    FloatGrid::Ptr grid =
        openvdb::tools::meshToVolume<FloatGrid>(adapter, *transform, band, band, flags, &nearest);
    nearest.setTransform(transform);
    if (!closed) {
        // Distances to a sheet have no inside: a voxel less makes a shell of it.
        const float shell = static_cast<float>(voxel);
        for (auto it = grid->beginValueOn(); it; ++it) it.setValue(*it - shell);
        openvdb::tools::changeBackground(grid->tree(), grid->background() - shell);
    }
    return grid;
}
} // namespace

FieldPtr meshSdf(const TriMesh& mesh, const MeshSdfOptions& options, Span<const Vec3> velocity) {
    Int32Grid nearest(-1);
    const FloatGrid::Ptr grid = distancesOf(mesh, options, velocity, nearest);
    const MeshSource source(*grid, nearest, mesh, velocity, options.where);
    return std::make_shared<const DistanceField>(buildDistanceField(source, options.reach));
}

MeshGrids meshGrids(const TriMesh& mesh, const MeshSdfOptions& options, Span<const Vec3> velocity) {
    Int32Grid nearest(-1);
    MeshGrids out;
    out.surface = distancesOf(mesh, options, velocity, nearest);
    out.surface->setName("surface");
    out.surface->setGridClass(openvdb::GRID_LEVEL_SET);
    if (velocity.empty()) return out;
    out.v = openvdb::Vec3SGrid::create();
    out.v->setName("v");
    out.v->setTransform(out.surface->transform().copy());
    const MeshSource source(*out.surface, nearest, mesh, velocity, options.where);
    openvdb::Vec3SGrid::Accessor accessor = out.v->getAccessor();
    for (auto it = out.surface->cbeginValueOn(); it; ++it) {
        const openvdb::Vec3d x = out.surface->transform().indexToWorld(it.getCoord());
        Vec3 v;
        if (source.velocity(Vec3(x.x(), x.y(), x.z()), v))
            accessor.setValue(it.getCoord(),
                              openvdb::Vec3s(float(v.x()), float(v.y()), float(v.z())));
    }
    return out;
}

std::vector<Vec3> meshVelocity(const TriMesh& previous, const TriMesh& current, double seconds,
                               const std::string& where) {
    if (previous.x.size() != current.x.size() || previous.triangles != current.triangles)
        throw Error(where, "the mesh has " + std::to_string(current.x.size()) + " points and " +
                               std::to_string(current.triangles.size()) + " triangles, before " +
                               std::to_string(previous.x.size()) + " and " +
                               std::to_string(previous.triangles.size()) +
                               ", expected the same points and polygons in every frame");
    std::vector<Vec3> v(current.x.size());
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = (current.x[i] - previous.x[i]) / seconds;
    return v;
}

TriMesh fieldMesh(const DistanceField& field) {
    openvdb::initialize();
    FloatGrid grid(static_cast<float>(3 * field.voxel));
    FloatGrid::Accessor accessor = grid.getAccessor();
    constexpr Index side = DistanceField::kSide;
    for (std::size_t b = 0; b < field.brickLeaf.size(); ++b) {
        const float* v = field.values.data() + b * DistanceField::kBrick;
        const Index3& l = field.brickLeaf[b];
        for (Index k = 0; k < 8; ++k)
            for (Index j = 0; j < 8; ++j)
                for (Index i = 0; i < 8; ++i) {
                    const float phi = v[i + 1 + side * (j + 1 + side * (k + 1))];
                    const openvdb::Coord ijk(8 * l[0] + i, 8 * l[1] + j, 8 * l[2] + k);
                    if (std::abs(phi) < 3 * field.voxel)
                        accessor.setValue(ijk, phi);
                    else if (phi < 0)
                        accessor.setValueOff(ijk, -grid.background());
                }
    }
    std::vector<openvdb::Vec3s> points;
    std::vector<openvdb::Vec4I> quads;
    openvdb::tools::volumeToMesh(grid, points, quads, 0.0); // index space: the transform is one
    TriMesh mesh;
    for (const auto& p : points) mesh.x.push_back(field.toWorld(Vec3(p.x(), p.y(), p.z())));
    for (const auto& q : quads)
        for (const auto& t : {std::array<Index, 3>{Index(q[0]), Index(q[1]), Index(q[2])},
                              std::array<Index, 3>{Index(q[0]), Index(q[2]), Index(q[3])}})
            mesh.triangles.push_back(t);
    return mesh;
}

} // namespace purl
