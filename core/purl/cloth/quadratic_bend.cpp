#include "purl/cloth/quadratic_bend.h"

#include "purl/base/error.h"
#include "purl/cloth/quadratic_hinge.h"

namespace purl::cloth {

void checkFlat(const ClothMesh& mesh, const char* model) {
    for (std::size_t h = 0; h < mesh.restAngle.size(); ++h)
        if (mesh.restAngle[h] != 0)
            throw Error("cloth: hinge " + std::to_string(h),
                        "rest angle is " + std::to_string(mesh.restAngle[h]) +
                            " rad, but bending '" + model +
                            "' knows sheets that are flat at rest only; use discrete_shells, "
                            "bridson, baraff_witkin or loop");
}

std::unique_ptr<ClothEnergy> makeQuadraticBend(const ClothMesh& mesh, const ClothMaterial& m,
                                               const ClothPaint& paint) {
    checkHinges(mesh);
    checkFlat(mesh, "quadratic");
    QuadraticHinges q;
    for (Index h = 0; h < static_cast<Index>(mesh.hinges.size()); ++h) {
        const HingeShape s = hingeShape(mesh, h, m, paint);
        q.k[0].push(s.cot03 + s.cot04);
        q.k[1].push(s.cot01 + s.cot02);
        q.k[2].push(-s.cot01 - s.cot03);
        q.k[3].push(-s.cot02 - s.cot04);
        q.c.push(s.rigidity / s.area);
        q.damping.push(m.bendDamping * s.rigidity * s.length * s.length / s.area);
    }
    for (Constant& k : q.k) k.finish();
    q.c.finish();
    q.damping.finish();
    return std::make_unique<PackedEnergy<QuadraticModel>>(std::move(q), mesh);
}

} // namespace purl::cloth
