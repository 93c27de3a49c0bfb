#include "purl/cloth/springs.h"

#include "purl/cloth/choi_ko.h"
#include "purl/cloth/spring_energy.h"

namespace purl::cloth {

namespace {

struct Linear {
    Constant k;       // N/m
    Constant length;  // m
    Constant damping; // N s/m

    LawValue at(Index s, P l) const {
        const P d = l - length.pack(s), kk = k.pack(s);
        return {P(0.5) * kk * d * d, kk * d, kk};
    }
};

} // namespace

std::unique_ptr<ClothEnergy> makeSprings(const ClothMesh& mesh, const ClothMaterial& m,
                                         const ClothPaint& paint) {
    const std::vector<Spring> springs = edgeSprings(mesh, m, paint);
    if (m.compression == Compression::Buckling) return bucklingSprings(springs, m, true);
    Linear law;
    for (const Spring& s : springs) {
        law.k.push(s.stiffness());
        law.length.push(s.length);
        law.damping.push(m.stretchDamping * s.stiffness());
    }
    law.k.finish(), law.length.finish(), law.damping.finish();
    return std::make_unique<PackedEnergy<SpringModel<Linear>>>(std::move(law), springs);
}

std::unique_ptr<ClothEnergy> makeFlexionSprings(const ClothMesh& mesh, const ClothMaterial& m,
                                                const ClothPaint& paint) {
    const std::vector<Spring> springs = crossSprings(mesh, m, paint);
    Linear law;
    for (const Spring& s : springs) {
        // D l^2/A theta^2/2 = k (L/2)^2 theta^4/32 at theta = 1.
        const double k = 64 * s.bend * s.edge * s.edge / (s.area * s.length * s.length);
        law.k.push(k);
        law.length.push(s.length);
        law.damping.push(m.bendDamping * k);
    }
    law.k.finish(), law.length.finish(), law.damping.finish();
    return std::make_unique<PackedEnergy<SpringModel<Linear>>>(std::move(law), springs);
}

} // namespace purl::cloth
