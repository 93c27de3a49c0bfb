// Where the picture is seen from, and how to see a whole box.
#pragma once

#include "purl/base/types.h"

namespace purl {

struct Bounds {
    Vec3 lower{1e300, 1e300, 1e300}, upper{-1e300, -1e300, -1e300}; // m
    bool empty() const { return (lower.array() > upper.array()).any(); }
    void add(const Vec3& p, double radius = 0) {
        lower = lower.cwiseMin(p - Vec3::Constant(radius));
        upper = upper.cwiseMax(p + Vec3::Constant(radius));
    }
    void add(const Bounds& b) {
        lower = lower.cwiseMin(b.lower);
        upper = upper.cwiseMax(b.upper);
    }
};

struct Camera {
    Vec3 eye{0, 0, 1}, target{0, 0, 0}, up{0, 1, 0};
    double fovDegrees = 30; // vertical field of view
};

// The camera's axes, orthonormal. If up is along the line of sight, another up is taken.
struct CameraAxes {
    Vec3 right, up, forward;
};
CameraAxes axesOf(const Camera&);

// The nearest camera that looks along `viewDirection` and has the whole box in a picture of
// aspect = width / height, with `margin` (a share of the picture) left free on each side.
Camera autoCamera(const Bounds&, const Vec3& viewDirection, double aspect, double fovDegrees = 30,
                  double margin = 0.05);

// What a camera sees of a point, prepared for asking often.
class View {
public:
    View(const Camera&, int width, int height);
    // Pixel of the point (x to the right, y down, from the upper left corner) and its depth (m).
    Vec3 project(const Vec3& point) const;
    // Length in px of something of that size (m) at the point; large behind the camera.
    double pixels(const Vec3& point, double size) const;
    // Whether a ball at the point may be in the picture.
    bool sees(const Vec3& point, double radius) const;
    const CameraAxes& axes() const { return axes_; }
    const Vec3& eye() const { return eye_; }
    double scale() const { return scale_; } // px of a length at a distance of the same length

private:
    Vec3 eye_;
    CameraAxes axes_;
    double width_, height_, scale_;
};

// Pixel of a point (x to the right, y down, in px from the upper left corner) and its depth along
// the line of sight (m); the inverse of the rays that render() sends.
Vec3 project(const Camera&, int width, int height, const Vec3& point);

} // namespace purl
