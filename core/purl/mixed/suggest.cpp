#include "purl/mixed/suggest.h"

#include "purl/base/error.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <string>

namespace purl {

namespace {

struct Stretches {
    double least, most;
};

Stretches stretchesOf(const ClothMesh& mesh, Index t, Span<const Vec3> x) {
    const auto& r = mesh.rest[t];
    const auto& v = mesh.triangles[t];
    Eigen::Matrix2d rest;
    rest << r[1] - r[0], r[2] - r[0];
    Eigen::Matrix<double, 3, 2> now;
    now << x[v[1]] - x[v[0]], x[v[2]] - x[v[0]];
    const Eigen::Matrix<double, 3, 2> f = now * rest.inverse();
    const Eigen::Matrix2d c = f.transpose() * f;
    const double mean = 0.5 * c.trace(),
                 off = std::sqrt(std::max(0.0, mean * mean - c.determinant()));
    return {std::sqrt(std::max(0.0, mean - off)), std::sqrt(mean + off)};
}

// rad, of the normals either side of the edge from x0 to x1.
double angleOf(const Vec3& x0, const Vec3& x1, const Vec3& x2, const Vec3& x3) {
    const Vec3 e = x1 - x0, a = e.cross(x2 - x0), b = (x3 - x0).cross(e);
    return std::atan2(a.cross(b).dot(e) / std::max(e.norm(), 1e-300), a.dot(b));
}

} // namespace

void suggestYarn(const ClothMesh& mesh, Span<const Vec3> x, const SuggestSettings& settings,
                 Span<double> map) {
    const std::size_t n = static_cast<std::size_t>(mesh.points);
    if (x.size() != n || map.size() != n)
        throw Error("suggest", "a sheet of " + std::to_string(n) + " points at " +
                                   std::to_string(x.size()) + " positions, expected as many");
    std::vector<double> area(n, 0), stretch(n, 0), press(n, 0), fold(n, 0);
    const auto areaOf = [&](Index t) {
        const auto& r = mesh.rest[t];
        const Vec2 e = r[1] - r[0], f = r[2] - r[0];
        return 0.5 * std::abs(e.x() * f.y() - e.y() * f.x());
    };
    for (Index t = 0; t < mesh.faces(); ++t) {
        const double a = areaOf(t);
        if (!(a > 0)) continue;
        const Stretches s = stretchesOf(mesh, t, x);
        for (Index v : mesh.triangles[t]) {
            area[v] += a;
            stretch[v] += a * std::max(0.0, s.most - 1);
            press[v] += a * std::max(0.0, 1 - s.least);
        }
    }
    for (std::size_t h = 0; h < mesh.hinges.size(); ++h) {
        const auto& e = mesh.hinges[h];
        const double rest = mesh.restAngle.empty() ? 0 : mesh.restAngle[h],
                     turn = std::abs(angleOf(x[e[0]], x[e[1]], x[e[2]], x[e[3]]) - rest);
        for (int k = 0; k < 2; ++k) fold[e[k]] = std::max(fold[e[k]], turn);
    }
    for (std::size_t i = 0; i < n; ++i) {
        if (!(area[i] > 0)) continue;
        const double most =
            std::max({stretch[i] / (area[i] * settings.stretch),
                      press[i] / (area[i] * settings.compression), fold[i] / settings.fold});
        map[i] = std::max(map[i], std::clamp(most, 0.0, 1.0));
    }
}

} // namespace purl
