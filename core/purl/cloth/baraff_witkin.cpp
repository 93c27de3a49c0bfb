#include "purl/cloth/baraff_witkin.h"

#include "purl/cloth/triangle_energy.h"

namespace purl::cloth {

namespace {

struct Conditions {
    double warp, weft, shear; // N/m
    double viscosity;         // s

    static P root(P c) { return sqrt(max(c, P(1e-24))); }
    Density density(Index, const Metric& m) const {
        const P half(0.5), one(1.0), zero(0.0), quarter(0.25);
        const P ku(warp), kv(weft), ks(shear);
        const P lu = root(m.uu), lv = root(m.vv);
        Density d;
        d.psi =
            half * (ku * (lu - one) * (lu - one) + kv * (lv - one) * (lv - one) + ks * m.uv * m.uv);
        d.p[0] = half * ku * (one - one / lu);
        d.p[1] = half * kv * (one - one / lv);
        d.p[2] = ks * m.uv;
        d.gauss = {quarter * ku / (lu * lu), quarter * kv / (lv * lv), ks, zero, zero, zero};
        d.full = {
            quarter * ku / (lu * lu * lu), quarter * kv / (lv * lv * lv), ks, zero, zero, zero};
        d.fullIsPositive = V4i{-1, -1, -1, -1};
        return d;
    }
};

} // namespace

std::unique_ptr<ClothEnergy> makeBaraffWitkin(const ClothMesh& mesh, const ClothMaterial& m,
                                              const ClothPaint& paint) {
    TriangleRest rest = triangleRest(mesh, paint);
    const double power = m.conditionScale == ConditionScale::SqrtArea ? 0
                         : m.conditionScale == ConditionScale::Area   ? 1
                                                                      : 0.5;
    if (power > 0)
        for (Index t = 0; t < mesh.faces(); ++t)
            rest.weight[t] *= std::pow(restShape(mesh, t).area / m.referenceArea, power);
    return std::make_unique<PackedEnergy<TriangleModel<Conditions>>>(
        Conditions{m.stretchWarp, m.stretchWeft, m.shear, m.stretchDamping}, mesh, std::move(rest));
}

} // namespace purl::cloth
