#include "purl/crossing/stitch_field.h"

#include <cmath>

namespace purl {

namespace {

constexpr double kPi = 3.14159265358979323846;

// Where the upper loop (t) meets the lower one (s): Newton on x(t) = x(s), y(t) = y(s) - 1.
Vec2 meeting(double t, double s) {
    for (int n = 0; n < 30; ++n) {
        const double a = t + 1.3 * std::sin(2 * t) - s - 1.3 * std::sin(2 * s);
        const double b = 0.8 * std::cos(t) - 0.8 * std::cos(s) + 1;
        const double at = 1 + 2.6 * std::cos(2 * t), as = -1 - 2.6 * std::cos(2 * s);
        const double bt = -0.8 * std::sin(t), bs = 0.8 * std::sin(s);
        const double det = at * bs - as * bt;
        t -= (a * bs - as * b) / det;
        s -= (at * b - a * bt) / det;
    }
    return {(t + 1.3 * std::sin(2 * t)) / (2 * kPi), 0.8 * std::cos(t)};
}

} // namespace

const StitchShape& stitchShape() {
    static const StitchShape shape = [] {
        StitchShape s;
        s.leftFoot = meeting(-2.78, -1.25);
        s.leftLeg = meeting(-1.8, -0.38);
        s.rightLeg = {-s.leftLeg.x(), s.leftLeg.y()};
        s.rightFoot = {-s.leftFoot.x(), s.leftFoot.y()};
        return s;
    }();
    return shape;
}

} // namespace purl
