// Numbers with units as people write them: "1.25 mm", "40 tex", or a bare number in SI.
#pragma once

#include <string>

namespace purl {

enum class Dimension {
    None,
    Length,        // m
    Time,          // s
    Speed,         // m/s
    Acceleration,  // m/s2
    LinearDensity, // kg/m
    Tex,           // tex (g/km)
    Bending,       // N m2
    Stiffness,     // N/m
    Rate,          // 1/s
    Density,       // kg/m3
    Angle,         // degrees
    AreaDensity,   // kg/m2
    PlateBending,  // N m: moment a width and curvature
    Curvature      // 1/m
};

// The value in the unit named above. Throws Error naming `where`, the text, and the units that fit,
// when it is no finite number or its unit is of another kind ("2 kg" for a length).
double parseQuantity(const std::string& text, Dimension dimension, const std::string& where);

// A short text for a number, as messages show it.
std::string numberText(double value);

// Throws Error unless the yarn radius (m) is above 0 and not so large that it must have been given
// in other units.
void checkRadius(double radius, const std::string& where, const std::string& name = "radius");

} // namespace purl
