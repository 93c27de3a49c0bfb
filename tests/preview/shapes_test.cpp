#include "preview/shapes.h"

#include "purl/base/error.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <gtest/gtest.h>
#include <map>

namespace purl {
namespace {

double volume(const TriMesh& mesh) {
    double sum = 0;
    for (const auto& t : mesh.triangles) {
        sum += mesh.x[t[0]].dot(mesh.x[t[1]].cross(mesh.x[t[2]])) / 6;
    }
    return sum;
}

void expectWatertight(const TriMesh& mesh) {
    std::map<std::pair<Index, Index>, int> edges; // directed: each must have its opposite
    for (const auto& t : mesh.triangles) {
        for (int k = 0; k < 3; ++k) ++edges[{t[k], t[(k + 1) % 3]}];
    }
    for (const auto& [edge, count] : edges) {
        EXPECT_EQ(count, 1);
        EXPECT_EQ(edges.count({edge.second, edge.first}), 1U);
    }
}

TEST(Shapes, SphereIsRoundClosedAndFacesOutwards) {
    const Vec3 centre(0.1, -0.2, 0.4);
    const TriMesh mesh = sphereMesh(centre, 0.25);
    for (const Vec3& p : mesh.x) EXPECT_NEAR((p - centre).norm(), 0.25, 1e-12);
    expectWatertight(mesh);
    EXPECT_NEAR(volume(mesh), 4.18879 * 0.25 * 0.25 * 0.25, 2e-4);
}

TEST(Shapes, CapsuleIsTheHullOfTwoBalls) {
    const Vec3 a(0, 0.1, 0), b(0.3, 0.5, -0.2);
    const double r = 0.1, length = (b - a).norm();
    const TriMesh mesh = capsuleMesh(a, b, r);
    for (const Vec3& p : mesh.x) {
        const double s = std::clamp((p - a).dot(b - a) / (length * length), 0.0, 1.0);
        EXPECT_NEAR((p - a - s * (b - a)).norm(), r, 1e-12);
    }
    expectWatertight(mesh);
    EXPECT_NEAR(volume(mesh), 3.14159265 * r * r * (4 * r / 3 + length), 1e-4);
    EXPECT_THROW(sphereMesh(a, 0), Error);
}

} // namespace
} // namespace purl
