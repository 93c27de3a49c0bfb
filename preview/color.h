// Colours: linear RGB (what is rendered, and what Houdini's Cd holds) to sRGB bytes, the ramp that
// shows an attribute's values, and the yarn colours used when the file has none.
#pragma once

#include "preview/image.h"
#include "purl/geometry/curves.h"

namespace purl {

// Linear RGB, 1 is white; clamped. `dither` (-0.5..0.5) is added before rounding to bytes.
Rgb8 toSrgb(const Vec3& linear, double dither = 0);
Vec3 toLinear(Rgb8 srgb);

// A ramp of even lightness steps from deep indigo over teal to pale yellow, s in 0..1 (clamped).
// Not-a-number is magenta. Linear RGB.
Vec3 rampColor(double s);

// The ramp over values, with min at one end and max at the other; if max <= min all are the middle.
std::vector<Vec3> colorMap(Span<const double> values, double min, double max);

// A colour for every yarn of a file without colours: a warm palette, one entry a yarn. Linear RGB.
Vec3 yarnColor(Index yarn);
std::vector<Vec3> yarnColors(const Curves&); // per point

} // namespace purl
