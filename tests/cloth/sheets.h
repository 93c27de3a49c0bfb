// Sheets for the tests of the cloth models: an equilateral and a right-angled grid, a crooked one,
// and the hinges of any of them.
#pragma once

#include "purl/cloth/energy.h"
#include "purl/cloth/mesh.h"

#include <cmath>
#include <map>
#include <random>

namespace purl::test {

struct Sheet {
    ClothMesh mesh;
    std::vector<Vec2> flat; // m, where the points lie at rest
    std::vector<Vec3> x;    // m, the same in space
};

// Rest shapes from flat points, and one hinge an inner edge (physics 6.5's numbering).
inline Sheet makeSheet(std::vector<Vec2> flat, std::vector<std::array<Index, 3>> triangles) {
    Sheet s;
    s.mesh.points = static_cast<Index>(flat.size());
    s.mesh.triangles = std::move(triangles);
    std::map<std::pair<Index, Index>, std::pair<Index, Index>> edges; // directed -> triangle, apex
    for (Index t = 0; t < s.mesh.faces(); ++t) {
        const auto& n = s.mesh.triangles[static_cast<std::size_t>(t)];
        s.mesh.rest.push_back({flat[n[0]], flat[n[1]], flat[n[2]]});
        for (int c = 0; c < 3; ++c) edges[{n[c], n[(c + 1) % 3]}] = {t, n[(c + 2) % 3]};
    }
    for (const auto& [edge, side] : edges) {
        const auto other = edges.find({edge.second, edge.first});
        if (edge.first > edge.second || other == edges.end()) continue;
        s.mesh.hinges.push_back({edge.first, edge.second, side.second, other->second.second});
        s.mesh.hingeTriangles.push_back({side.first, other->second.first});
    }
    s.mesh.restAngle.assign(s.mesh.hinges.size(), 0);
    for (const Vec2& p : flat) s.x.emplace_back(p.x(), p.y(), 0);
    s.flat = std::move(flat);
    return s;
}

inline Sheet grid(int nx, int ny, double width, double height, bool equilateral, double jitter = 0,
                  double turned = 0) {
    std::vector<Vec2> flat;
    std::vector<std::array<Index, 3>> triangles;
    std::mt19937 random(7);
    std::uniform_real_distribution<double> u(-1, 1);
    const double dx = width / nx, dy = height / ny;
    const double c = std::cos(turned), si = std::sin(turned);
    for (int j = 0; j <= ny; ++j)
        for (int i = 0; i <= nx; ++i) {
            const double lean = equilateral && j % 2 ? 0.5 * dx : 0;
            const Vec2 p(i * dx + lean + jitter * dx * u(random), j * dy + jitter * dy * u(random));
            flat.emplace_back(c * p.x() - si * p.y(), si * p.x() + c * p.y());
        }
    for (int j = 0; j < ny; ++j)
        for (int i = 0; i < nx; ++i) {
            const Index a = j * (nx + 1) + i, b = a + 1, d = a + nx + 1, e = d + 1;
            if (equilateral && j % 2) {
                triangles.push_back({a, b, e});
                triangles.push_back({a, e, d});
            } else {
                triangles.push_back({a, b, d});
                triangles.push_back({b, e, d});
            }
        }
    return makeSheet(std::move(flat), std::move(triangles));
}

// n triangles along the side of a square-like sheet of equilateral triangles.
inline Sheet equilateral(int n, double side, double turned = 0) {
    const double edge = side / n;
    const int rows = static_cast<int>(std::lround(side / (edge * std::sqrt(0.75))));
    return grid(n, rows, side, rows * edge * std::sqrt(0.75), true, 0, turned);
}

// A flat sheet rolled onto a cylinder of this radius, bent along direction `along` (radians from
// the warp): an isometry.
inline void roll(Sheet& s, double radius, double along) {
    const Vec2 d(std::cos(along), std::sin(along)), e(-d.y(), d.x());
    for (std::size_t i = 0; i < s.flat.size(); ++i) {
        const double p = s.flat[i].dot(d) / radius, q = s.flat[i].dot(e);
        s.x[i] = Vec3(radius * std::sin(p) * d.x() + q * e.x(),
                      radius * std::sin(p) * d.y() + q * e.y(), radius * (1 - std::cos(p)));
    }
}

inline void shake(std::vector<Vec3>& x, double by, unsigned seed = 3) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> u(-by, by);
    for (Vec3& p : x) p += Vec3(u(random), u(random), u(random));
}

struct Slots {
    std::vector<double> energy;
    std::vector<Vec3> gradient;
    std::vector<Mat3> hessian, damping;
    EnergySlots spans() { return {energy, gradient, hessian, damping}; }
};

inline Slots evaluate(const ClothEnergy& e, Span<const Vec3> x, Span<const Vec3> v = {}) {
    Slots s;
    const std::size_t n = static_cast<std::size_t>(e.stencils().count());
    const std::size_t w = static_cast<std::size_t>(e.stencils().width);
    s.energy.resize(n), s.gradient.resize(n * w);
    s.hessian.resize(n * w * w), s.damping.resize(n * w * w);
    e.evaluate(0, static_cast<Index>(n), x, v, s.spans());
    return s;
}

inline std::vector<double> energiesOf(const ClothEnergy& e, Span<const Vec3> x) {
    std::vector<double> slots(static_cast<std::size_t>(e.stencils().count()));
    EnergySlots out;
    out.energy = slots;
    e.evaluate(0, e.stencils().count(), x, {}, out);
    return slots;
}
inline double energyOf(const ClothEnergy& e, Span<const Vec3> x) {
    double sum = 0;
    for (double s : energiesOf(e, x)) sum += s;
    return sum;
}

// Slots gathered to the points: what the solver does.
inline Eigen::VectorXd gathered(const ClothEnergy& e, const std::vector<Vec3>& slots,
                                Index points) {
    Eigen::VectorXd g = Eigen::VectorXd::Zero(3 * points);
    for (std::size_t k = 0; k < slots.size(); ++k)
        g.segment<3>(3 * e.stencils().nodes[k]) += slots[k];
    return g;
}
inline Eigen::MatrixXd gathered(const ClothEnergy& e, const std::vector<Mat3>& slots,
                                Index points) {
    Eigen::MatrixXd h = Eigen::MatrixXd::Zero(3 * points, 3 * points);
    const int w = e.stencils().width;
    for (Index s = 0; s < e.stencils().count(); ++s)
        for (int i = 0; i < w; ++i)
            for (int j = 0; j < w; ++j)
                h.block<3, 3>(3 * e.stencils().nodes[s * w + i],
                              3 * e.stencils().nodes[s * w + j]) +=
                    slots[static_cast<std::size_t>((s * w + i) * w + j)];
    return h;
}

} // namespace purl::test
