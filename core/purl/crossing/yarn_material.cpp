#include "purl/crossing/yarn_material.h"

namespace purl {

CrossingMaterial yarnMaterial(const std::string& fibre, double radius, double tex, int ply,
                              bool knit) {
    const Material rod = materialByName(fibre, radius, tex, ply);
    CrossingMaterial m;
    const double area = (radius / m.radius) * (radius / m.radius);
    m.name = fibre;
    m.radius = radius;
    m.density = rod.density;
    m.bend = rod.bendStiffness;
    m.stretch = knit ? 5e6 * 3.14159265358979323846 * radius * radius : m.stretch * area;
    m.shear *= area;
    m.pretension *= area;
    return m;
}

} // namespace purl
