// How hard the yarns of a crossing press on each other, which limits friction (physics 7.2, normal
// compression [C:G22, FS]). The model's yarns meet in one point; real ones are a diameter apart and
// go up and down: each is moved by its radius along the crossing's normal, and what its tension and
// bending then do along the normal is the pressure.
#pragma once

#include "purl/crossing/fabric.h"

namespace purl {

// limit (N, per link) = mu F_n at q; the coefficient is the mean of the two yarns'. `scratch`: a
// vector a node. Tension is that of the model's straight pieces, so that cloth laid flat at its
// rest lengths has none; bending is that of the crimped path less what finishing has set [D].
// G22 takes the mean of the two yarns' forces at equal bow; then a yarn under tension would lock
// itself, each crossing taking a third of it. Crimp interchange lets the tight yarn straighten: the
// harmonic mean, which the softer yarn limits [D].
// Wrapping adds k_w |psi - rest| at the nodes of a stitch contact [D].
void frictionLimits(const Fabric& fabric, Span<const Vec3> q, Span<Vec3> scratch,
                    Span<float> limit);

} // namespace purl
