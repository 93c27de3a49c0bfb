#include "preview/render.h"

#include "preview/color.h"
#include "preview/shade.h"
#include "purl/base/error.h"
#include "purl/base/parallel.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace purl {
namespace {

void validate(const Picture& picture, const RenderSettings& s) {
    const auto range = [](const char* name, double value, double low, double high) {
        if (!(value >= low && value <= high)) {
            throw Error(std::string("preview: ") + name, "is " + std::to_string(value) +
                                                             ", expected " + std::to_string(low) +
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

// What the samples of one pixel add up to. The floor is kept apart: its light is smooth, so a part
// of the samples is enough for it once it is evened out over the neighbours.
struct Pixel {
    Vec3f object = Vec3f::Zero();     // through the film; sum over the samples
    Vec3f floorLight = Vec3f::Zero(); // mean over those samples that were traced
    float floorShare = 0;             // of the samples
    float floorWeight = 0;            // in evening out: the share, then what it was mixed from
    Vec3f wall = Vec3f::Zero();       // what the floor shows in full light
};

// Plies that are narrower than a pixel cost time and memory and show as noise: a tube does.
RenderSettings withVisibleLook(const Picture& picture, const View& view, RenderSettings settings) {
    if (settings.look == YarnLook::Tube) return settings;
    const Curves& curves = picture.curves;
    double widest = 0; // px
    for (Index y = 0; y < curves.yarns(); ++y) {
        for (const Vec3& p : curves.yarn(y)) {
            if (p.allFinite() && view.sees(p, curves.radius[y])) {
                widest = std::max(widest, view.pixels(p, 2 * curves.radius[y]));
            }
        }
    }
    if (widest < 2.5) settings.look = YarnLook::Tube;
    return settings;
}

class Tracer {
public:
    Tracer(const Picture& picture, const View& view, const RenderSettings& settings)
        : settings_(withVisibleLook(picture, view, settings)), scene_(picture, settings_, view),
          studio_(makeStudio(picture, view.axes(), settings_, scene_.size())) {
        const double t = 0.5 * settings.height / view.scale();
        lens_ = {view.eye().cast<float>(),
                 (t * view.axes().right).cast<float>(),
                 (t * view.axes().up).cast<float>(),
                 view.axes().forward.cast<float>(),
                 settings.width,
                 settings.height};
    }

    Pixel trace(int x, int y) const {
        const PixelSampler sampler(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y),
                                   settings_.samples);
        Pixel pixel;
        pixel.wall = wallAt(static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F);
        int floors = 0, traced = 0;
        for (int i = 0; i < settings_.samples; ++i) {
            const auto sample = static_cast<std::uint32_t>(i);
            const auto u = sampler.pair(sample, 0);
            const Vec3f d = lens_.ray(static_cast<float>(x) + 0.5F + 0.85F * tent(u[0]),
                                      static_cast<float>(y) + 0.5F + 0.85F * tent(u[1]));
            const Hit hit = scene_.look(lens_.eye, d);
            const float floorAt = floorDistance(d);
            if (hit.kind != Hit::Kind::None && (floorAt <= 0 || hit.distance < floorAt)) {
                // Film before mean: one bright sample cannot outshine the rest.
                pixel.object += film(shadeHit(scene_, studio_, settings_, hit, d, sampler, sample));
            } else if (floorAt <= 0) {
                pixel.object += film(pixel.wall);
            } else if (floors++ % 3 == 0) {
                ++traced;
                pixel.floorLight += floorLight(scene_, studio_, settings_, lens_.eye + floorAt * d,
                                               sampler, sample);
            }
        }
        if (traced > 0) pixel.floorLight /= static_cast<float>(traced);
        pixel.object /= static_cast<float>(settings_.samples);
        pixel.floorShare = static_cast<float>(floors) / static_cast<float>(settings_.samples);
        pixel.floorWeight = pixel.floorShare;
        return pixel;
    }

    Vec3f film(const Vec3f& light) const {
        const auto exposure = static_cast<float>(settings_.exposure);
        return {purl::film(exposure * light[0]), purl::film(exposure * light[1]),
                purl::film(exposure * light[2])};
    }

private:
    float floorDistance(const Vec3f& d) const { // 0: not seen along d
        const float slope = d.dot(studio_.up);
        const float above = lens_.eye.dot(studio_.up) - studio_.groundHeight;
        return studio_.ground && above > 0 && slope < -1e-4F ? -above / slope : 0;
    }
    Vec3f wallAt(float x, float y) const {
        return backdropAt(studio_, 2 * x / static_cast<float>(lens_.width) - 1,
                          1 - 2 * y / static_cast<float>(lens_.height));
    }

    RenderSettings settings_;
    RayScene scene_;
    Studio studio_;
    Lens lens_;
};

// Evens out the floor's light over the floor around each pixel, along rows or columns; what is not
// floor has no weight.
void smoothFloor(std::vector<Pixel>& pixels, const RenderSettings& settings, bool rows) {
    constexpr int kReach = 8;
    const int lines = rows ? settings.height : settings.width;
    const int length = rows ? settings.width : settings.height;
    std::array<float, kReach + 1> bell;
    for (int k = 0; k <= kReach; ++k) bell[k] = std::exp(-static_cast<float>(k * k) / 22.0F);
    parallelFor(lines, 8, [&](Index begin, Index end) {
        std::vector<Vec3f> light(static_cast<std::size_t>(length));
        std::vector<float> weight(light.size());
        for (Index line = begin; line < end; ++line) {
            const auto pixel = [&](int i) -> Pixel& {
                const auto w = static_cast<std::size_t>(settings.width);
                const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(line);
                return pixels[rows ? b * w + a : a * w + b];
            };
            for (int i = 0; i < length; ++i) {
                Vec3f sum = Vec3f::Zero();
                float total = 0;
                for (int k = std::max(0, i - kReach); k <= std::min(length - 1, i + kReach); ++k) {
                    const Pixel& p = pixel(k);
                    if (p.floorWeight == 0) continue;
                    const float w = bell[static_cast<std::size_t>(std::abs(k - i))];
                    sum += w * p.floorWeight * p.floorLight;
                    total += w * p.floorWeight;
                }
                light[static_cast<std::size_t>(i)] = total > 0 ? Vec3f(sum / total) : sum;
                weight[static_cast<std::size_t>(i)] = total;
            }
            for (int i = 0; i < length; ++i) {
                pixel(i).floorLight = light[static_cast<std::size_t>(i)];
                pixel(i).floorWeight = weight[static_cast<std::size_t>(i)];
            }
        }
    });
}

} // namespace

Image render(const Picture& picture, const Camera& camera, const RenderSettings& settings) {
    validate(picture, settings);
    const Tracer tracer(picture, View(camera, settings.width, settings.height), settings);
    const auto at = [&](int x, int y) {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(settings.width) +
               static_cast<std::size_t>(x);
    };
    Image image(settings.width, settings.height);
    std::vector<Pixel> pixels(at(0, settings.height));
    constexpr int kTile = 16; // px: neighbouring rays meet the same curves
    const int across = (settings.width + kTile - 1) / kTile;
    const int down = (settings.height + kTile - 1) / kTile;
    parallelFor(across * down, 1, [&](Index begin, Index end) {
        for (Index tile = begin; tile < end; ++tile) {
            const int x0 = tile % across * kTile, y0 = tile / across * kTile;
            for (int y = y0; y < std::min(y0 + kTile, settings.height); ++y) {
                for (int x = x0; x < std::min(x0 + kTile, settings.width); ++x) {
                    pixels[at(x, y)] = tracer.trace(x, y);
                }
            }
        }
    });
    smoothFloor(pixels, settings, true);
    smoothFloor(pixels, settings, false);
    parallelFor(settings.height, 4, [&](Index begin, Index end) {
        for (Index y = begin; y < end; ++y) {
            for (int x = 0; x < settings.width; ++x) {
                const Pixel& p = pixels[at(x, y)];
                Vec3f c = p.object;
                if (p.floorShare > 0) {
                    c += p.floorShare * tracer.film(p.wall.cwiseProduct(p.floorLight));
                }
                const double dither = unitFloat(
                    hashOf(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), 3));
                image.set(x, y, toSrgb(c.cast<double>(), 0.9 * (dither - 0.5)));
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
