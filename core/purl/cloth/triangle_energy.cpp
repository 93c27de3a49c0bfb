#include "purl/cloth/triangle_energy.h"

#include "purl/base/error.h"

namespace purl::cloth {

RestShape restShape(const ClothMesh& mesh, Index triangle) {
    const auto& r = mesh.rest[static_cast<std::size_t>(triangle)];
    const Vec2 a = r[1] - r[0], b = r[2] - r[0];
    const double det = a.x() * b.y() - a.y() * b.x();
    if (!(det > 0) || !std::isfinite(det))
        throw Error("cloth: triangle " + std::to_string(triangle),
                    "rest area is " + std::to_string(0.5 * det) +
                        " m2, expected counter-clockwise corners around an area > 0");
    // The inverse of Dm = [a b]; a^u are the first column of its rows, a^v the second.
    return {b.y() / det, -a.y() / det, -b.x() / det, a.x() / det, 0.5 * det};
}

TriangleRest triangleRest(const ClothMesh& mesh, const ClothPaint& paint) {
    TriangleRest rest;
    Constant* all[] = {&rest.au1, &rest.au2, &rest.av1, &rest.av2, &rest.weight};
    for (Constant* c : all) c->reserve(mesh.faces());
    for (Index t = 0; t < mesh.faces(); ++t) {
        const RestShape s = restShape(mesh, t);
        const double scale = paint.stretch.empty() ? 1 : paint.stretch[static_cast<std::size_t>(t)];
        rest.au1.push(s.au1), rest.au2.push(s.au2), rest.av1.push(s.av1), rest.av2.push(s.av2);
        rest.weight.push(s.area * scale);
    }
    for (Constant* c : all) c->finish();
    return rest;
}

PlaneStress planeStress(const ClothMaterial& m) {
    const double nuU = m.poisson, nuV = m.poisson * m.stretchWeft / m.stretchWarp;
    const double k = 1 / (1 - nuU * nuV);
    return {k * m.stretchWarp, k * m.stretchWeft, k * nuU * m.stretchWeft, m.shear};
}

} // namespace purl::cloth
