// What runs of one fabric are compared by: wrinkles along yarns, shear, strain across the border of
// the yarns' region.
#pragma once

#include "purl/crossing/fabric_layout.h"
#include "purl/mixed/regions.h"

#include <functional>

namespace purl::cli {

struct Wrinkles {
    double wavelength = 0; // m
    double amplitude = 0;  // m, sqrt(2) times the RMS height
    int yarns = 0;
};
// Height of a yarn over its own straight line, in the direction `up`, a tenth of it left out at
// either end; the wavelength is Rice's, 2 pi sqrt(<y^2> / <y'^2>). Over the yarns of `family` for
// which `chosen` is true at the mean of their start positions.
Wrinkles measureWrinkles(const FabricLayout& layout, Span<const Vec3> x, YarnFamily family,
                         const Vec3& up, const std::function<bool(const Vec3&)>& chosen);

// Mean of |90 - angle of crossing| (degrees) over woven nodes that `chosen` has by their start.
double measureShear(const FabricLayout& layout, Span<const Vec3> x,
                    const std::function<bool(const Vec3&)>& chosen);

struct BorderStrain {
    double yarn = 0, ring = 0, triangles = 0; // mean strain of pieces either side and in the ring
    double jump = 0; // the largest difference of neighbours among the three, of their mean
};
// Of pieces of `family`, within `reach` (m, at the start) of the ring; pieces nearer than `margin`
// to the patch's own border (start positions) are left out.
BorderStrain measureBorder(const FabricLayout& layout, const Regions& regions, Span<const Vec3> x,
                           Span<const Vec3> slides, YarnFamily family, double reach, double margin);

} // namespace purl::cli
