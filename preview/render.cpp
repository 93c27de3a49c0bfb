#include "preview/render.h"

#include "preview/color.h"
#include "preview/shade.h"
#include "purl/base/error.h"
#include "purl/base/parallel.h"

#include <algorithm>
#include <cmath>

namespace purl {
namespace {

void validate(const Picture& picture, const RenderSettings& s) {
    const auto range = [](const char* name, double value, double low, double high) {
        if (!(value >= low && value <= high)) {
            throw Error(std::string("preview: ") + name,
                        "is " + std::to_string(value) + ", expected " + std::to_string(low) +
                            " to " + std::to_string(high));
        }
    };
    range("width", s.width, 1, 16384);
    range("height", s.height, 1, 16384);
    range("samples", s.samples, 1, 4096);
    range("skyRays", s.skyRays, 1, 64);
    range("plies", s.plies, 1, 6);
    range("plyPitch", s.plyPitch, 0.5, 1000);
    range("fuzz", s.fuzz, 0, 10);
    range("exposure", s.exposure, 1e-3, 1e3);
    const std::size_t colors = picture.color.size(), points = picture.curves.x.size();
    if (colors != 0 && colors != points) {
        throw Error("preview: colour", "has " + std::to_string(colors) + " values, expected " +
                                           std::to_string(points) + ", one a point");
    }
    if (!(picture.up.norm() > 0)) throw Error("preview: up", "is zero, expected a direction");
    for (const Solid& solid : picture.solids) {
        for (const auto& t : solid.mesh.triangles) {
            for (Index v : t) {
                if (v >= 0 && static_cast<std::size_t>(v) < solid.mesh.x.size()) continue;
                throw Error("preview: solid", "a triangle names point " + std::to_string(v) +
                                                  ", expected less than " +
                                                  std::to_string(solid.mesh.x.size()));
            }
        }
    }
}

// Film: straight up to the middle, then rolling off towards white, so that highlights keep colour.
float film(float x) {
    constexpr float knee = 0.55F;
    return x <= knee ? x : knee + (1 - knee) * (1 - std::exp(-(x - knee) / (1 - knee)));
}

// Spreads a pixel's samples as a tent of twice the pixel's width: smoother than a box at edges.
float tent(float u) { return u < 0.5F ? std::sqrt(2 * u) - 1 : 1 - std::sqrt(2 - 2 * u); }

struct Lens {
    Vec3f eye, right, up, forward; // right and up scaled by the field of view, a half picture high
    int width, height;
    Vec3f ray(float x, float y) const { // px
        const float half = 0.5F * static_cast<float>(height);
        const float sx = (x - 0.5F * static_cast<float>(width)) / half;
        return (forward + sx * right - (y - half) / half * up).normalized();
    }
};

Vec3f samplePixel(const RayScene& scene, const Studio& studio, const RenderSettings& settings,
                  const Lens& lens, float x, float y, const PixelSampler& sampler,
                  std::uint32_t sample) {
    const Vec3f d = lens.ray(x, y);
    const Hit hit = scene.look(lens.eye, d);
    const float slope = d.dot(studio.up);
    const float above = lens.eye.dot(studio.up) - studio.groundHeight;
    const bool floor = studio.ground && above > 0 && slope < -1e-4F;
    const float floorAt = floor ? -above / slope : 0;
    if (hit.kind != Hit::Kind::None && (!floor || hit.distance < floorAt)) {
        return shadeHit(scene, studio, settings, hit, d, sampler, sample);
    }
    const Vec3f wall = backdropAt(studio, 2 * x / static_cast<float>(lens.width) - 1,
                                  1 - 2 * y / static_cast<float>(lens.height));
    if (!floor) return wall;
    return wall.cwiseProduct(
        floorLight(scene, studio, settings, lens.eye + floorAt * d, sampler, sample));
}

} // namespace

Image render(const Picture& picture, const Camera& camera, const RenderSettings& settings) {
    validate(picture, settings);
    const CameraAxes axes = axesOf(camera);
    const double t = std::tan(0.5 * camera.fovDegrees * 3.14159265358979323846 / 180);
    const Lens lens{camera.eye.cast<float>(),     (t * axes.right).cast<float>(),
                    (t * axes.up).cast<float>(),  axes.forward.cast<float>(),
                    settings.width,               settings.height};
    const RayScene scene(picture, settings);
    const Studio studio = makeStudio(picture, axes, settings, scene.size());
    const auto exposure = static_cast<float>(settings.exposure);

    Image image(settings.width, settings.height);
    constexpr int kTile = 16; // px: neighbouring rays meet the same curves
    const int across = (settings.width + kTile - 1) / kTile;
    const int down = (settings.height + kTile - 1) / kTile;
    const auto pixel = [&](int x, int y) {
        const PixelSampler sampler(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y),
                                   settings.samples);
        Vec3f sum = Vec3f::Zero();
        for (int i = 0; i < settings.samples; ++i) {
            const auto sample = static_cast<std::uint32_t>(i);
            const auto u = sampler.pair(sample, 0);
            const Vec3f c = samplePixel(scene, studio, settings, lens,
                                        static_cast<float>(x) + 0.5F + 0.85F * tent(u[0]),
                                        static_cast<float>(y) + 0.5F + 0.85F * tent(u[1]), sampler,
                                        sample);
            // Through the film before the mean: a bright sample cannot outshine its neighbours.
            for (int k = 0; k < 3; ++k) sum[k] += film(exposure * c[k]);
        }
        const Vec3f mean = sum / static_cast<float>(settings.samples);
        image.set(x, y, toSrgb(mean.cast<double>()));
    };
    parallelFor(across * down, 1, [&](Index begin, Index end) {
        for (Index tile = begin; tile < end; ++tile) {
            const int x0 = tile % across * kTile, y0 = tile / across * kTile;
            for (int y = y0; y < std::min(y0 + kTile, settings.height); ++y) {
                for (int x = x0; x < std::min(x0 + kTile, settings.width); ++x) pixel(x, y);
            }
        }
    });
    return image;
}

Bounds boundsOf(const Curves& curves) {
    Bounds bounds;
    for (Index y = 0; y < curves.yarns(); ++y) {
        for (const Vec3& p : curves.yarn(y)) {
            if (p.allFinite()) bounds.add(p, curves.radius[y]);
        }
    }
    return bounds;
}

Bounds boundsOf(const TriMesh& mesh) {
    Bounds bounds;
    for (const Vec3& p : mesh.x) {
        if (p.allFinite()) bounds.add(p);
    }
    return bounds;
}

} // namespace purl
