#include "purl/cloth/linear_bend.h"

#include "purl/cloth/quadratic_hinge.h"

namespace purl::cloth {

std::unique_ptr<ClothEnergy> makeLinearBend(const ClothMesh& mesh, const ClothMaterial& m,
                                            const ClothPaint& paint) {
    checkHinges(mesh);
    checkFlat(mesh, "linear");
    QuadraticHinges q;
    for (Index h = 0; h < static_cast<Index>(mesh.hinges.size()); ++h) {
        const HingeShape s = hingeShape(mesh, h, m, paint);
        // The hinge laid flat: C at the origin, D at (l, 0), A above, B below.
        const double l = s.length;
        const double above = l / (s.cot01 + s.cot03), below = l / (s.cot02 + s.cot04);
        const Vec2 c(0, 0), d(l, 0), a(above * s.cot01, above), b(below * s.cot02, -below);
        const auto twice = [](const Vec2& p, const Vec2& q, const Vec2& r) {
            const Vec2 u = q - p, w = r - p;
            return std::abs(u.x() * w.y() - u.y() * w.x());
        };
        const double nA = twice(a, c, d), nB = twice(b, d, c);
        // Signed: a hinge whose flat shape is not convex has one of its edge points outside.
        const Vec2 ab = b - a;
        const auto side = [&](const Vec2& p) {
            return ab.x() * (p.y() - a.y()) - ab.y() * (p.x() - a.x());
        };
        const double nC = side(c), nD = -side(d);
        q.k[0].push(-nD / (nC + nD));
        q.k[1].push(-nC / (nC + nD));
        q.k[2].push(nB / (nA + nB));
        q.k[3].push(nA / (nA + nB));
        q.c.push(2 * s.rigidity * l * l * l * l * (nA + nB) / (nA * nB * nA * nB));
        q.damping.push(m.bendDamping * s.rigidity * l * l / s.area);
    }
    for (Constant& k : q.k) k.finish();
    q.c.finish();
    q.damping.finish();
    return std::make_unique<PackedEnergy<QuadraticModel>>(std::move(q), mesh);
}

} // namespace purl::cloth
