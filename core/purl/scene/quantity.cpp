#include "purl/scene/quantity.h"

#include "purl/base/error.h"

#include <cmath>
#include <cstdlib>
#include <sstream>

namespace purl {

namespace {

struct Unit {
    Dimension dimension;
    const char* name;
    double factor; // to the dimension's own unit, which comes first
};

const Unit kUnits[] = {
    {Dimension::Length, "m", 1},
    {Dimension::Length, "cm", 1e-2},
    {Dimension::Length, "mm", 1e-3},
    {Dimension::Length, "um", 1e-6},
    {Dimension::Time, "s", 1},
    {Dimension::Time, "ms", 1e-3},
    {Dimension::Speed, "m/s", 1},
    {Dimension::Speed, "cm/s", 1e-2},
    {Dimension::Speed, "km/h", 1 / 3.6},
    {Dimension::Acceleration, "m/s2", 1},
    {Dimension::LinearDensity, "kg/m", 1},
    {Dimension::LinearDensity, "g/m", 1e-3},
    {Dimension::LinearDensity, "tex", 1e-6},
    {Dimension::Tex, "tex", 1},
    {Dimension::Tex, "g/km", 1},
    {Dimension::Tex, "kg/m", 1e6},
    {Dimension::Bending, "N m2", 1},
    {Dimension::Bending, "N mm2", 1e-6},
    {Dimension::Stiffness, "N/m", 1},
    {Dimension::Stiffness, "N/mm", 1e3},
    {Dimension::Rate, "1/s", 1},
    {Dimension::Density, "kg/m3", 1},
    {Dimension::Angle, "deg", 1},
    {Dimension::AreaDensity, "kg/m2", 1},
    {Dimension::AreaDensity, "g/m2", 1e-3},
    {Dimension::PlateBending, "N m", 1},
    {Dimension::PlateBending, "uN m", 1e-6},
    {Dimension::PlateBending, "gf cm2/cm", 9.80665e-5}, // as KES-F prints it
    {Dimension::Curvature, "1/m", 1},
    {Dimension::Curvature, "1/cm", 1e2},
};

std::string expected(Dimension d) {
    switch (d) {
    case Dimension::None:
        return "a number without unit";
    case Dimension::Length:
        return "a length";
    case Dimension::Time:
        return "a time";
    case Dimension::Speed:
        return "a speed";
    case Dimension::Acceleration:
        return "an acceleration";
    case Dimension::LinearDensity:
        return "a mass per length";
    case Dimension::Tex:
        return "a yarn count";
    case Dimension::Bending:
        return "a bending stiffness";
    case Dimension::Stiffness:
        return "a stiffness";
    case Dimension::Rate:
        return "a rate";
    case Dimension::Density:
        return "a density";
    case Dimension::Angle:
        return "an angle";
    case Dimension::AreaDensity:
        return "a mass per area";
    case Dimension::PlateBending:
        return "a bending stiffness of a sheet";
    case Dimension::Curvature:
        return "a curvature";
    }
    return "a number";
}

std::string unitsOf(Dimension d) {
    std::string s;
    for (const Unit& u : kUnits)
        if (u.dimension == d) s += (s.empty() ? "" : ", ") + std::string(u.name);
    return s.empty() ? "" : " in " + s;
}

} // namespace

std::string numberText(double v) {
    std::ostringstream s;
    s << v;
    return s.str();
}

double parseQuantity(const std::string& text, Dimension d, const std::string& where) {
    const char* begin = text.c_str();
    char* end = nullptr;
    const double v = std::strtod(begin, &end);
    std::string unit(end);
    while (!unit.empty() && unit.front() == ' ') unit.erase(0, 1);
    while (!unit.empty() && unit.back() == ' ') unit.pop_back();
    if (end != begin && std::isfinite(v)) {
        if (unit.empty()) return v;
        for (const Unit& u : kUnits)
            if (u.dimension == d && unit == u.name) return v * u.factor;
    }
    throw Error(where, "'" + text + "' was found, expected " + expected(d) + unitsOf(d));
}

void checkRadius(double r, const std::string& where, const std::string& name) {
    if (!(r > 0) || !std::isfinite(r))
        throw Error(where, name + " is " + numberText(r) + ", expected a yarn radius > 0 m");
    if (r > 0.1)
        throw Error(where, name + " is " + numberText(r) +
                               " m, expected a yarn radius of at most 0.1 m (are these other units "
                               "than metres? 1.25 mm is 0.00125 m)");
}

} // namespace purl
