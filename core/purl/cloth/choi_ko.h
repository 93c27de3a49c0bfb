// Choi and Ko's buckling springs (2002; physics 6.5). Shorter than its rest length L, a spring is
// an arc of length L over the chord l: kappa = 2/L sinc^-1(l/L), E = k_b L kappa^2 / 2, and the
// push
//   f_b = k_b kappa^2 / (cos(kappa L/2) - sinc(kappa L/2)) < 0
// which starts at -12 k_b / L^2 (near Euler's pi^2) and grows slowly: no post-buckling instability.
// Next to L it is a linear spring, f = max(f_b, c_b (l - L)).
// As bending: springs between the opposite points of every hinge, which do not pull (that is the
// in-plane model's), with k_b = 8/9 D A / L: three directions of springs on an equilateral mesh
// then have the plate's energy, sum cos^4 = 9/8.
#pragma once

#include "purl/cloth/energy.h"
#include "purl/cloth/material.h"
#include "purl/cloth/mesh.h"
#include "purl/cloth/spring_energy.h"

#include <memory>

namespace purl::cloth {

std::unique_ptr<ClothEnergy> makeChoiKo(const ClothMesh&, const ClothMaterial&, const ClothPaint&);

// The same law on given springs; `pulls`: longer than L they are linear springs.
std::unique_ptr<ClothEnergy> bucklingSprings(const std::vector<Spring>&, const ClothMaterial&,
                                             bool pulls);

double bucklingPush(double chord, double rest, double kb);   // N, negative: pushes apart
double bucklingEnergy(double chord, double rest, double kb); // J

} // namespace purl::cloth
