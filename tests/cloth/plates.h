// The rigidity that a bent sheet shows, for the tests of bending.
#pragma once

#include "cloth/sheets.h"
#include "purl/cloth/material.h"

namespace purl::test {

const double pi = std::acos(-1.0);

inline ClothMaterial plate(double d, double poisson = 0.3) {
    ClothMaterial m;
    m.bendWarp = m.bendWeft = d;
    m.bendPoisson = poisson;
    m.stretchWarp = m.stretchWeft = 1e7; // Choi and Ko's springs: stiff, so that they bow at once
    m.shear = 1e7 / 2.4;
    return m;
}

// Energy over 1/2 kappa^2 times the area it lies in, away from the edges: the sheet's D.
inline double rigidity(const Sheet& s, const ClothEnergy& e, double kappa) {
    Vec2 low = s.flat[0], high = s.flat[0];
    for (const Vec2& p : s.flat) low = low.cwiseMin(p), high = high.cwiseMax(p);
    const Vec2 middle = 0.5 * (low + high);
    const double reach = 0.27 * (high - low).minCoeff();
    const std::vector<double> energies = energiesOf(e, s.x);
    const auto area = [&](Index t) {
        const auto& r = s.mesh.rest[static_cast<std::size_t>(t)];
        const Vec2 a = r[1] - r[0], b = r[2] - r[0];
        return 0.5 * (a.x() * b.y() - a.y() * b.x());
    };
    double energy = 0, region = 0;
    const bool hinges = e.stencils().count() == static_cast<Index>(s.mesh.hinges.size());
    for (std::size_t k = 0; k < energies.size(); ++k) {
        Vec2 at;
        double share = 0;
        if (hinges) {
            at = 0.5 * (s.flat[s.mesh.hinges[k][0]] + s.flat[s.mesh.hinges[k][1]]);
            for (Index t : s.mesh.hingeTriangles[k]) share += area(t) / 3;
        } else {
            const auto& n = s.mesh.triangles[k];
            at = (s.flat[n[0]] + s.flat[n[1]] + s.flat[n[2]]) / 3;
            share = area(static_cast<Index>(k));
        }
        if ((at - middle).norm() > reach) continue;
        energy += energies[k];
        region += share;
    }
    return 2 * energy / (kappa * kappa * region);
}

} // namespace purl::test
