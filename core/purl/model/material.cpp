#include "purl/model/material.h"

#include "purl/base/error.h"

namespace purl {

namespace {
// Spun yarn bends as its fibres do, each by itself (c = 1); twist holds some of them together.
constexpr double kTightness = 2;
// k_contact = kappa EI / r^3: the dimensionless group of physics oracle 28, from the values that a
// prototype found to work (8 N/m at EI 1e-7 N m2 and r 1.25 mm).
constexpr double kContactRatio = 0.16;
constexpr double kPi = 3.14159265358979323846;
} // namespace

const std::vector<Fibre>& fibres() {
    static const std::vector<Fibre> table = {
        {"wool", 3.5e9, 1.3e9, 22e-6, 1310, 0.10},
        {"cotton", 8e9, 2e9, 13e-6, 1520, 0.20},
        {"acrylic", 5e9, 1.5e9, 19e-6, 1170, 0.10},
        {"linen", 50e9, 4e9, 15e-6, 1450, 0.35},
        {"polyester", 10e9, 1.2e9, 12e-6, 1380, 0.25},
        {"nylon", 3e9, 0.6e9, 16e-6, 1140, 0.20},
        {"silk", 10e9, 2.5e9, 12e-6, 1340, 0.30},
        {"mohair", 4e9, 1.3e9, 30e-6, 1310, 0.05},
    };
    return table;
}

Material materialByName(const std::string& name, double radius, double tex, int ply) {
    for (const Fibre& f : fibres()) {
        if (name != f.name) continue;
        Material m;
        m.name = name;
        m.density = tex > 0 ? tex * 1e-6 * ply : f.packing * f.density * kPi * radius * radius;
        const double perDensity = f.diameter * f.diameter / f.density * kTightness * m.density;
        m.bendStiffness = f.modulus * perDensity / 16;
        m.twistStiffness = f.shear * perDensity / 8;
        m.contactStiffness = kContactRatio * m.bendStiffness / (radius * radius * radius);
        return m;
    }
    std::string known;
    for (const Fibre& f : fibres()) known += std::string(known.empty() ? "" : ", ") + f.name;
    throw Error("material", "'" + name + "' is not known, expected one of " + known);
}

} // namespace purl
