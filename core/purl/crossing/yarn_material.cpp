#include "purl/crossing/yarn_material.h"

namespace purl {

CrossingMaterial yarnMaterial(const std::string& fibre, double radius, double tex, int ply) {
    const Material rod = materialByName(fibre, radius, tex, ply);
    CrossingMaterial m;
    const double area = (radius / m.radius) * (radius / m.radius);
    m.name = fibre;
    m.radius = radius;
    m.density = rod.density;
    m.bend = rod.bendStiffness;
    m.stretch *= area;
    m.shear *= area;
    m.pretension *= area;
    return m;
}

} // namespace purl
