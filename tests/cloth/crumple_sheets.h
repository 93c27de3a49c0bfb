// Sheets for the tests of self-collision, and the plainest dynamics that can crumple them: springs
// along edges by projection. Nothing of the cloth solver.
#pragma once

#include "purl/check/triangles.h"
#include "purl/cloth/self_collision.h"

#include <cmath>
#include <functional>

namespace purl::test {

struct CrumpleSheet {
    ClothMesh mesh;
    std::vector<Vec3> x, v;
    std::vector<double> inverseMass;
    std::vector<std::array<Index, 2>> springs;
    std::vector<double> length;

    // Adds an nx by ny grid of squares; place(s, t) with s, t in 0..1.
    void add(int nx, int ny, double sx, double sy, const std::function<Vec3(double, double)>& place,
             const Vec3& speed = Vec3::Zero(), double mass = 1e-4) {
        const Index first = mesh.points;
        const auto id = [&](int i, int j) { return first + i + j * (nx + 1); };
        const auto rest = [&](int i, int j) { return Vec2(sx * i / nx, sy * j / ny); };
        for (int j = 0; j <= ny; ++j)
            for (int i = 0; i <= nx; ++i) {
                x.push_back(place(double(i) / nx, double(j) / ny));
                v.push_back(speed);
                inverseMass.push_back(1 / mass);
                const auto spring = [&](int k, int l) {
                    if (k > nx || l > ny || k < 0) return;
                    springs.push_back({id(i, j), id(k, l)});
                    length.push_back((rest(i, j) - rest(k, l)).norm());
                };
                spring(i + 1, j);
                spring(i, j + 1);
                spring(i + 1, j + 1);
                spring(i - 1, j + 1);
            }
        for (int j = 0; j < ny; ++j)
            for (int i = 0; i < nx; ++i) {
                const bool flip = (i + j) % 2;
                const auto tri = [&](int a, int b, int c, int d, int e, int f) {
                    mesh.triangles.push_back({id(a, b), id(c, d), id(e, f)});
                    mesh.rest.push_back({rest(a, b), rest(c, d), rest(e, f)});
                };
                if (flip) {
                    tri(i, j, i + 1, j, i, j + 1);
                    tri(i + 1, j, i + 1, j + 1, i, j + 1);
                } else {
                    tri(i, j, i + 1, j, i + 1, j + 1);
                    tri(i, j, i + 1, j + 1, i, j + 1);
                }
            }
        mesh.points = static_cast<Index>(x.size());
    }

    // Where the step would end without self-collision.
    std::vector<Vec3> predict(double dt, const Vec3& gravity,
                              const std::function<void(std::vector<Vec3>&)>& bound) const {
        std::vector<Vec3> p(x.size());
        for (std::size_t i = 0; i < x.size(); ++i)
            p[i] = x[i] + dt * v[i] + (inverseMass[i] > 0 ? Vec3(dt * dt * gravity) : Vec3::Zero());
        for (int sweep = 0; sweep < 8; ++sweep) {
            for (std::size_t s = 0; s < springs.size(); ++s) {
                const auto [a, b] = springs[s];
                const Vec3 d = p[b] - p[a];
                const double l = d.norm(), w = inverseMass[a] + inverseMass[b];
                if (!(w > 0) || !(l > 0)) continue;
                const Vec3 c = 0.8 * (l - length[s]) / (l * w) * d;
                p[a] += inverseMass[a] * c;
                p[b] -= inverseMass[b] * c;
            }
            if (bound) bound(p);
        }
        return p;
    }

    // One step; returns the statistics of the self-collision.
    SelfCollisionStats step(SelfCollision& self, double dt, const Vec3& gravity,
                            const std::function<void(std::vector<Vec3>&)>& bound = {}) {
        std::vector<Vec3> p = predict(dt, gravity, bound);
        for (std::size_t i = 0; i < x.size(); ++i) v[i] = (p[i] - x[i]) / dt;
        self.resolve(x, p, v, inverseMass, dt);
        x = p;
        return self.stats();
    }

    Index intersections(std::vector<TrianglePair>* first = nullptr) const {
        return countIntersections(x, mesh.triangles, first);
    }
};

inline Vec3 flatPlace(double s, double t, double sx, double sy, double y) {
    return {sx * (s - 0.5), y, sy * (0.5 - t)};
}

} // namespace purl::test
