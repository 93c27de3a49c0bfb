#include "preview/color.h"

#include <algorithm>
#include <cmath>

namespace purl {

Rgb8 toSrgb(const Vec3& linear, double dither) {
    Rgb8 out;
    for (int k = 0; k < 3; ++k) {
        const double c = std::clamp(linear[k], 0.0, 1.0);
        const double s = c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055;
        out[k] = static_cast<std::uint8_t>(std::lround(std::clamp(255 * s + dither, 0.0, 255.0)));
    }
    return out;
}

Vec3 toLinear(Rgb8 srgb) {
    Vec3 out;
    for (int k = 0; k < 3; ++k) {
        const double s = srgb[k] / 255.0;
        out[k] = s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4);
    }
    return out;
}

Vec3 rampColor(double s) {
    if (!std::isfinite(s)) return s > 0 ? rampColor(1) : s < 0 ? rampColor(0) : Vec3(1, 0, 1);
    s = std::clamp(s, 0.0, 1.0);
    // A path through OKLab (Ottosson 2020): lightness rises evenly, so that equal steps of the
    // value look equal and the order survives in grey; hue turns from indigo to yellow.
    const double lightness = 0.30 + 0.61 * s;
    const double hue = (295 - 190 * s) * 3.14159265358979323846 / 180;
    const double chroma = 0.105 + 0.06 * s * s;
    const double a = chroma * std::cos(hue), b = chroma * std::sin(hue);
    const double l = std::pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
    const double m = std::pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
    const double n = std::pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
    return Vec3(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * n,
                -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * n,
                -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * n)
        .cwiseMax(0.0)
        .cwiseMin(1.0);
}

std::vector<Vec3> colorMap(Span<const double> values, double min, double max) {
    std::vector<Vec3> out(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double v = values[i];
        out[i] = rampColor(max > min ? (v - min) / (max - min) : std::isnan(v) ? v : 0.5);
    }
    return out;
}

Vec3 yarnColor(Index yarn) {
    constexpr Rgb8 palette[] = {
        {196, 84, 58},   // terracotta
        {236, 222, 196}, // oat
        {74, 132, 130},  // sea
        {226, 164, 76},  // honey
        {52, 74, 98},    // slate
        {214, 138, 122}, // rose
    };
    constexpr Index count = sizeof palette / sizeof palette[0];
    return toLinear(palette[((yarn % count) + count) % count]);
}

std::vector<Vec3> yarnColors(const Curves& curves) {
    std::vector<Vec3> out(curves.x.size());
    for (Index y = 0; y < curves.yarns(); ++y) {
        std::fill(out.begin() + curves.first[y], out.begin() + curves.first[y + 1], yarnColor(y));
    }
    return out;
}

} // namespace purl
