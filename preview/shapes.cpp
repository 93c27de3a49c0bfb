#include "preview/shapes.h"

#include "purl/base/error.h"

#include <Eigen/Geometry>
#include <cmath>

namespace purl {

TriMesh sphereMesh(const Vec3& centre, double radius, int rings) {
    return capsuleMesh(centre, centre, radius, rings);
}

TriMesh capsuleMesh(const Vec3& a, const Vec3& b, double radius, int rings) {
    if (!(radius > 0) || rings < 4) {
        throw Error("capsule", "radius is " + std::to_string(radius) + " m with " +
                                   std::to_string(rings) + " rings, expected > 0 and at least 4");
    }
    const Vec3 axis = (b - a).norm() > 0 ? Vec3((b - a).normalized()) : Vec3(0, 1, 0);
    const Vec3 e1 = axis.unitOrthogonal(), e2 = axis.cross(e1);
    const int around = 2 * rings, half = rings / 2;
    const double pi = 3.14159265358979323846;
    TriMesh mesh;
    mesh.x.push_back(a - radius * axis);
    const auto ring = [&](const Vec3& centre, double latitude) {
        for (int k = 0; k < around; ++k) {
            const double angle = 2 * pi * k / around;
            mesh.x.push_back(centre + radius * (std::sin(latitude) * axis +
                                                std::cos(latitude) *
                                                    (std::cos(angle) * e1 + std::sin(angle) * e2)));
        }
    };
    for (int i = 1; i <= half; ++i) ring(a, pi / 2 * (static_cast<double>(i) / half - 1));
    const bool sphere = (b - a).norm() == 0; // its two equators are one
    for (int i = sphere ? 1 : 0; i < half; ++i) ring(b, pi / 2 * i / half);
    mesh.x.push_back(b + radius * axis);

    const int count = (static_cast<int>(mesh.x.size()) - 2) / around;
    const auto at = [&](int r, int k) { return static_cast<Index>(1 + r * around + k % around); };
    const auto top = static_cast<Index>(mesh.x.size() - 1);
    for (int k = 0; k < around; ++k) {
        mesh.triangles.push_back({0, at(0, k + 1), at(0, k)});
        mesh.triangles.push_back({top, at(count - 1, k), at(count - 1, k + 1)});
        for (int r = 0; r + 1 < count; ++r) {
            mesh.triangles.push_back({at(r, k), at(r, k + 1), at(r + 1, k + 1)});
            mesh.triangles.push_back({at(r, k), at(r + 1, k + 1), at(r + 1, k)});
        }
    }
    return mesh;
}

} // namespace purl
