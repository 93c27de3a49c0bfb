#include "purl/cloth/discrete_shells.h"

#include "purl/cloth/hinge_energy.h"

namespace purl::cloth {

namespace {

struct Shells {
    Constant k; // N m, W'' of the hinge
    Constant damping;

    LawValue at(Index s, P theta, P rest) const {
        const P d = theta - rest, kk = k.pack(s);
        return {P(0.5) * kk * d * d, kk * d, kk};
    }
};

} // namespace

std::unique_ptr<ClothEnergy> makeDiscreteShells(const ClothMesh& mesh, const ClothMaterial& m,
                                                const ClothPaint& paint) {
    checkHinges(mesh);
    Shells law;
    for (Index h = 0; h < static_cast<Index>(mesh.hinges.size()); ++h) {
        const HingeShape s = hingeShape(mesh, h, m, paint);
        const double k = s.rigidity / 3 * (3 * s.length * s.length / s.area);
        law.k.push(k);
        law.damping.push(m.bendDamping * k);
    }
    law.k.finish();
    law.damping.finish();
    return std::make_unique<PackedEnergy<HingeModel<Shells>>>(std::move(law), mesh, m, paint);
}

} // namespace purl::cloth
