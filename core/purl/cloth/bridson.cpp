#include "purl/cloth/bridson.h"

#include "purl/cloth/hinge_energy.h"

namespace purl::cloth {

namespace {

struct Mode {
    Constant k; // N m: D l^2 / A
    Constant damping;

    LawValue at(Index s, P theta, P rest) const {
        P sine, cosine, restSine, restCosine;
        for (int l = 0; l < 4; ++l) {
            sine.v[l] = std::sin(0.5 * theta[l]), cosine.v[l] = std::cos(0.5 * theta[l]);
            restSine.v[l] = std::sin(0.5 * rest[l]), restCosine.v[l] = std::cos(0.5 * rest[l]);
        }
        const P two(2.0), kk = k.pack(s);
        return {two * kk * (two * (restCosine - cosine) - (theta - rest) * restSine),
                two * kk * (sine - restSine), kk * cosine};
    }
};

} // namespace

std::unique_ptr<ClothEnergy> makeBridson(const ClothMesh& mesh, const ClothMaterial& m,
                                         const ClothPaint& paint) {
    checkHinges(mesh);
    Mode law;
    for (Index h = 0; h < static_cast<Index>(mesh.hinges.size()); ++h) {
        const HingeShape s = hingeShape(mesh, h, m, paint);
        const double k = s.rigidity * s.length * s.length / s.area;
        law.k.push(k);
        law.damping.push(m.bendDamping * k);
    }
    law.k.finish();
    law.damping.finish();
    return std::make_unique<PackedEnergy<HingeModel<Mode>>>(std::move(law), mesh, m, paint);
}

} // namespace purl::cloth
