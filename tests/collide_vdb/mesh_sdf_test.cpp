#include "purl/collide/mesh_sdf.h"

#include "purl/base/error.h"
#include "purl/collide/distance_field.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

using namespace purl;

namespace {
TriMesh box(const Vec3& low, const Vec3& high) {
    TriMesh m;
    for (int k = 0; k < 8; ++k)
        m.x.emplace_back(k & 1 ? high.x() : low.x(), k & 2 ? high.y() : low.y(),
                         k & 4 ? high.z() : low.z());
    const int quads[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                             {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    for (const auto& q : quads) {
        m.triangles.push_back({q[0], q[1], q[2]});
        m.triangles.push_back({q[0], q[2], q[3]});
    }
    return m;
}

double boxDistance(const Vec3& x, const Vec3& half) { // the closed form, centred
    const Vec3 q = x.cwiseAbs() - half;
    return q.cwiseMax(0).norm() + std::min(0.0, q.maxCoeff());
}

double volume(const TriMesh& m) {
    double v = 0;
    for (const auto& t : m.triangles) v += m.x[t[0]].dot(m.x[t[1]].cross(m.x[t[2]])) / 6;
    return v;
}
} // namespace

TEST(MeshSdf, ABoxHasItsClosedFormInAndOut) {
    const Vec3 half(0.05, 0.08, 0.06);
    MeshSdfOptions options;
    options.voxel = 0.002;
    const FieldPtr field = meshSdf(box(-half, half), options);
    std::mt19937 random(1);
    std::uniform_real_distribution<double> u(-0.09, 0.09);
    int tested = 0;
    for (int i = 0; i < 20000; ++i) {
        const Vec3 x(u(random), u(random), u(random));
        const double exact = boxDistance(x, half), found = field->distance(x);
        if (exact > 0.01) {
            EXPECT_LE(found, exact + 0.3 * options.voxel);
        } else {
            // Trilinear cells, 4 mm coarse ones inside, round the ridges off.
            EXPECT_NEAR(found, exact, 1.1 * options.voxel) << x.transpose();
            ++tested;
        }
    }
    EXPECT_GT(tested, 5000);
    Vec3 normal;
    field->sample(Vec3(0.01, 0.079, 0), normal);
    EXPECT_LT((normal - Vec3::UnitY()).norm(), 1e-3);
}

TEST(MeshSdf, OrientationDoesNotMatter) {
    TriMesh inside = box(Vec3(-0.1, -0.1, -0.1), Vec3(0.1, 0.1, 0.1));
    for (auto& t : inside.triangles) std::swap(t[0], t[1]);
    MeshSdfOptions options;
    options.yarnRadius = 0.004;
    const FieldPtr field = meshSdf(inside, options);
    EXPECT_NEAR(field->voxel, 0.004, 1e-12);
    EXPECT_NEAR(field->distance(Vec3(0, 0, 0)), -0.1, 0.004);
    EXPECT_NEAR(field->distance(Vec3(0.105, 0, 0)), 0.005, 0.0005);
}

TEST(MeshSdf, AnOpenSheetIsAShell) {
    TriMesh sheet;
    sheet.x = {Vec3(-0.1, 0, -0.1), Vec3(0.1, 0, -0.1), Vec3(0.1, 0, 0.1), Vec3(-0.1, 0, 0.1)};
    sheet.triangles = {{0, 1, 2}, {0, 2, 3}};
    MeshSdfOptions options;
    options.voxel = 0.003;
    const FieldPtr field = meshSdf(sheet, options);
    for (double y : {0.004, 0.006, -0.004, -0.006}) {
        Vec3 normal;
        EXPECT_NEAR(field->sample(Vec3(0.02, y, 0.03), normal), std::abs(y) - 0.003, 3e-4);
        EXPECT_NEAR(normal.y(), y > 0 ? 1 : -1, 1e-3);
    }
    EXPECT_LT(field->distance(Vec3(0.02, 0.0005, 0.03)), 0);
}

TEST(MeshSdf, TwoFramesGiveVelocities) {
    const TriMesh before = box(Vec3(-0.1, -0.1, -0.1), Vec3(0.1, 0.1, 0.1));
    TriMesh after = before;
    for (Vec3& x : after.x) x += Vec3(0.1 * x.y(), 0.02, 0); // shear and rise
    const std::vector<Vec3> v = meshVelocity(before, after, 0.5);
    MeshSdfOptions options;
    options.voxel = 0.005;
    const FieldPtr field = meshSdf(after, options, v);
    EXPECT_NEAR((field->velocity(Vec3(0.02, 0.12, 0.03)) - Vec3(0.02, 0.04, 0)).norm(), 0, 2e-3);
    EXPECT_NEAR((field->velocity(Vec3(0.1, 0.02, 0)) - Vec3(0, 0.04, 0)).norm(), 0, 2e-3);
    TriMesh other = after;
    other.triangles.pop_back();
    EXPECT_THROW(meshVelocity(before, other, 0.5), Error);
}

TEST(MeshSdf, BadMeshesAreRefused) {
    MeshSdfOptions options;
    EXPECT_THROW(meshSdf(TriMesh(), options), Error);
    TriMesh mesh = box(Vec3(-1, -1, -1), Vec3(1, 1, 1));
    mesh.x[3].y() = NAN;
    EXPECT_THROW(meshSdf(mesh, options), Error);
    mesh = box(Vec3(-1, -1, -1), Vec3(1, 1, 1));
    mesh.triangles[2][1] = 8;
    EXPECT_THROW(meshSdf(mesh, options), Error);
    const std::vector<Vec3> few(3, Vec3::Zero());
    EXPECT_THROW(meshSdf(box(Vec3(-1, -1, -1), Vec3(1, 1, 1)), options, few), Error);
}

TEST(MeshSdf, AFieldsSurfaceComesBackClosedAndOutward) {
    const Vec3 half(0.1, 0.1, 0.1);
    MeshSdfOptions options;
    options.voxel = 0.005;
    const FieldPtr field = meshSdf(box(-half, half), options);
    const TriMesh mesh = fieldMesh(*field);
    ASSERT_GT(mesh.triangles.size(), 1000u);
    EXPECT_NEAR(volume(mesh), 0.008, 0.0002); // positive: outward
    for (const Vec3& x : mesh.x) EXPECT_NEAR(boxDistance(x, half), 0, 0.6 * options.voxel);
    std::map<std::pair<Index, Index>, int> edges;
    for (const auto& t : mesh.triangles)
        for (int k = 0; k < 3; ++k) ++edges[{t[k], t[(k + 1) % 3]}];
    for (const auto& [edge, count] : edges) EXPECT_EQ(edges.count({edge.second, edge.first}), 1u);
}
