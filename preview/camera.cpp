#include "preview/camera.h"

#include "purl/base/error.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace purl {
namespace {
double tanHalf(double degrees) { return std::tan(0.5 * degrees * 3.14159265358979323846 / 180); }
} // namespace

CameraAxes axesOf(const Camera& camera) {
    CameraAxes axes;
    axes.forward = camera.target - camera.eye;
    if (!(axes.forward.norm() > 0) || !axes.forward.allFinite()) {
        throw Error("camera", "eye and target are the same point, expected two points");
    }
    if (!(camera.fovDegrees > 0 && camera.fovDegrees < 170)) {
        throw Error("camera", "field of view is " + std::to_string(camera.fovDegrees) +
                                  " degrees, expected more than 0 and less than 170");
    }
    axes.forward.normalize();
    axes.right = axes.forward.cross(camera.up);
    if (axes.right.norm() < 1e-6 * std::max(camera.up.norm(), 1e-300)) {
        const bool alongZ = std::abs(axes.forward.z()) > 0.9;
        axes.right = axes.forward.cross(alongZ ? Vec3(0, 1, 0) : Vec3(0, 0, -1));
    }
    axes.right.normalize();
    axes.up = axes.right.cross(axes.forward);
    return axes;
}

Camera autoCamera(const Bounds& bounds, const Vec3& viewDirection, double aspect, double fovDegrees,
                  double margin) {
    if (bounds.empty() || !bounds.lower.allFinite() || !bounds.upper.allFinite()) {
        throw Error("camera", "there is nothing to look at, expected points to frame");
    }
    Camera camera;
    camera.fovDegrees = fovDegrees;
    camera.eye = Vec3::Zero();
    camera.target = viewDirection;
    const CameraAxes axes = axesOf(camera);
    const double share = 1 - 2 * std::clamp(margin, 0.0, 0.45);
    const double ty = share * tanHalf(fovDegrees), tx = ty * aspect;

    // A corner (x, y, z) in camera axes is seen if |x - cx| <= tx (z - cz), and so for y. The eye
    // (cx, cy, cz) with the largest cz, that is the nearest, follows from the outermost corners.
    double right = -1e300, left = -1e300, top = -1e300, bottom = -1e300, nearest = 1e300, mid = 0;
    for (int k = 0; k < 8; ++k) {
        const Vec3 corner(k & 1 ? bounds.upper.x() : bounds.lower.x(),
                          k & 2 ? bounds.upper.y() : bounds.lower.y(),
                          k & 4 ? bounds.upper.z() : bounds.lower.z());
        const double x = corner.dot(axes.right), y = corner.dot(axes.up);
        const double z = corner.dot(axes.forward);
        right = std::max(right, x - z * tx);
        left = std::max(left, -x - z * tx);
        top = std::max(top, y - z * ty);
        bottom = std::max(bottom, -y - z * ty);
        nearest = std::min(nearest, z);
        mid += z / 8;
    }
    const double size = std::max((bounds.upper - bounds.lower).norm(), 1e-6);
    const double cx = 0.5 * (right - left), cy = 0.5 * (top - bottom);
    const double cz =
        std::min({-(right + left) / (2 * tx), -(top + bottom) / (2 * ty), nearest - 1e-2 * size});
    camera.eye = cx * axes.right + cy * axes.up + cz * axes.forward;
    camera.target = camera.eye + (mid - cz) * axes.forward;
    return camera;
}

View::View(const Camera& camera, int width, int height)
    : eye_(camera.eye), axes_(axesOf(camera)), width_(width), height_(height),
      scale_(0.5 * height / tanHalf(camera.fovDegrees)) {}

Vec3 View::project(const Vec3& point) const {
    const Vec3 d = point - eye_;
    const double z = d.dot(axes_.forward);
    return {0.5 * width_ + d.dot(axes_.right) * scale_ / z,
            0.5 * height_ - d.dot(axes_.up) * scale_ / z, z};
}

double View::pixels(const Vec3& point, double size) const {
    const double z = (point - eye_).dot(axes_.forward);
    return z > 1e-6 * size ? size * scale_ / z : 1e6;
}

bool View::sees(const Vec3& point, double radius) const {
    const Vec3 p = project(point + radius * axes_.forward); // the far side: seen the longest
    if (p.z() <= 0) return false;
    const double r = 2 * pixels(point, radius) + 1;
    return p.x() > -r && p.y() > -r && p.x() < width_ + r && p.y() < height_ + r;
}

Vec3 project(const Camera& camera, int width, int height, const Vec3& point) {
    return View(camera, width, height).project(point);
}

} // namespace purl
