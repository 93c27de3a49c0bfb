#include "purl/cloth/dihedral_bend.h"

#include "purl/cloth/hinge_energy.h"

namespace purl::cloth {

namespace {

struct Condition {
    Constant k; // N m
    Constant damping;

    LawValue at(Index s, P theta, P rest) const {
        const P d = theta - rest, kk = k.pack(s);
        return {P(0.5) * kk * d * d, kk * d, kk};
    }
};

} // namespace

std::unique_ptr<ClothEnergy> makeDihedralBend(const ClothMesh& mesh, const ClothMaterial& m,
                                              const ClothPaint& paint) {
    checkHinges(mesh);
    Condition law;
    for (Index h = 0; h < static_cast<Index>(mesh.hinges.size()); ++h) {
        const double k = 2 / std::sqrt(3.0) * hingeShape(mesh, h, m, paint).rigidity;
        law.k.push(k);
        law.damping.push(m.bendDamping * k);
    }
    law.k.finish();
    law.damping.finish();
    return std::make_unique<PackedEnergy<HingeModel<Condition>>>(std::move(law), mesh, m, paint);
}

} // namespace purl::cloth
