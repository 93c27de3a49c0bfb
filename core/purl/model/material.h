// Materials by name from what is written on a ball of yarn: fibre, tex, ply (physics 2.11).
#pragma once

#include "purl/model/settings.h"

namespace purl {

struct Fibre {
    const char* name;
    double modulus;       // Pa, E_f
    double shear;         // Pa, G_f
    double diameter;      // m, d_f
    double density;       // kg/m3, rho_f
    double packing;       // share of the yarn's cross-section that is fibre, loosely spun
};

const std::vector<Fibre>& fibres();

// The material of a yarn of this fibre and radius. tex (g/km of one ply) and ply are optional: with
// tex = 0 the linear density follows from the radius and the fibre's usual packing.
Material materialByName(const std::string& name, double radius, double tex = 0, int ply = 1);

} // namespace purl
