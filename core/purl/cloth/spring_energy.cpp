#include "purl/cloth/spring_energy.h"

#include "purl/base/error.h"

#include <map>

namespace purl::cloth {

double modulusAlong(const ClothMaterial& m, double cosine2) {
    const double c2 = cosine2, s2 = 1 - cosine2;
    const double shear =
        1 / std::max(m.shear, 1e-12 * m.stretchWarp) - 2 * m.poisson / m.stretchWarp;
    return 1 / (c2 * c2 / m.stretchWarp + s2 * s2 / m.stretchWeft + c2 * s2 * shear);
}

std::vector<Spring> edgeSprings(const ClothMesh& mesh, const ClothMaterial& m,
                                const ClothPaint& paint) {
    std::map<std::pair<Index, Index>, std::size_t> known; // in the order of the triangles
    std::vector<Spring> all;
    std::vector<int> sides;
    for (Index t = 0; t < mesh.faces(); ++t) {
        const auto at = static_cast<std::size_t>(t);
        const auto& n = mesh.triangles[at];
        const auto& r = mesh.rest[at];
        const Vec2 u = r[1] - r[0], w = r[2] - r[0];
        const double area = 0.5 * (u.x() * w.y() - u.y() * w.x());
        if (!(area > 0))
            throw Error("cloth: triangle " + std::to_string(t),
                        "rest area is " + std::to_string(area) +
                            " m2, expected counter-clockwise corners around an area > 0");
        for (int c = 0; c < 3; ++c) {
            const Index a = std::min(n[c], n[(c + 1) % 3]), b = std::max(n[c], n[(c + 1) % 3]);
            const Vec2 e = r[(c + 1) % 3] - r[c];
            const double c2 = e.x() * e.x() / e.squaredNorm();
            const double stretch = paint.stretch.empty() ? 1 : paint.stretch[at];
            const double bend = paint.bend.empty() ? 1 : paint.bend[at];
            const double root = std::sqrt(m.bendWarp) * c2 + std::sqrt(m.bendWeft) * (1 - c2);
            const auto [it, fresh] = known.try_emplace({a, b}, all.size());
            if (fresh) {
                all.push_back({a, b, 0, 0, 0, 0, 0});
                sides.push_back(0);
            }
            Spring& s = all[it->second];
            ++sides[it->second];
            s.length += e.norm(), s.area += area;
            s.modulus += stretch * modulusAlong(m, c2), s.bend += bend * root * root;
        }
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i].length /= sides[i], all[i].modulus /= sides[i], all[i].bend /= sides[i];
        all[i].edge = all[i].length;
    }
    return all;
}

std::vector<Spring> crossSprings(const ClothMesh& mesh, const ClothMaterial& m,
                                 const ClothPaint& paint) {
    checkHinges(mesh);
    std::vector<Spring> all;
    for (Index h = 0; h < static_cast<Index>(mesh.hinges.size()); ++h) {
        const HingeShape s = hingeShape(mesh, h, m, paint);
        const double above = s.length / (s.cot01 + s.cot03), below = s.length / (s.cot02 + s.cot04);
        const double along = above * s.cot01 - below * s.cot02; // between the feet, on the edge
        double length = std::hypot(along, above + below);
        if (s.restAngle != 0) // folded by the rest angle
            length = std::sqrt(along * along + above * above + below * below +
                               2 * above * below * std::cos(s.restAngle));
        const auto& tri = mesh.hingeTriangles[static_cast<std::size_t>(h)];
        double stretch = 1;
        if (!paint.stretch.empty())
            stretch = 0.5 * (paint.stretch[static_cast<std::size_t>(tri[0])] +
                             paint.stretch[static_cast<std::size_t>(tri[1])]);
        const auto& n = mesh.hinges[static_cast<std::size_t>(h)];
        all.push_back({n[2], n[3], length, s.area, stretch * modulusAlong(m, s.across), s.rigidity,
                       s.length});
    }
    return all;
}

} // namespace purl::cloth
