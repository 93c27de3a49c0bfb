#include "purl/cloth/stvk.h"

#include "purl/cloth/triangle_energy.h"

namespace purl::cloth {

namespace {

struct StVK {
    PlaneStress c;
    double viscosity; // s

    Density density(Index, const Metric& m) const {
        const P half(0.5), quarter(0.25);
        const P eu = half * (m.uu - P(1.0)), ev = half * (m.vv - P(1.0)), es = m.uv;
        const P su = P(c.uu) * eu + P(c.uv) * ev, sv = P(c.uv) * eu + P(c.vv) * ev;
        const P ss = P(c.shear) * es;
        Density d;
        d.psi = half * (su * eu + sv * ev + ss * es);
        d.p[0] = half * su, d.p[1] = half * sv, d.p[2] = ss;
        d.gauss = {
            quarter * P(c.uu), quarter * P(c.vv), P(c.shear), quarter * P(c.uv), P(0.0), P(0.0)};
        d.full = d.gauss;
        d.fullIsPositive = V4i{-1, -1, -1, -1};
        return d;
    }
};

} // namespace

std::unique_ptr<ClothEnergy> makeStVK(const ClothMesh& mesh, const ClothMaterial& m,
                                      const ClothPaint& paint) {
    return std::make_unique<PackedEnergy<TriangleModel<StVK>>>(
        StVK{planeStress(m), m.stretchDamping}, mesh, triangleRest(mesh, paint));
}

} // namespace purl::cloth
