#include "preview/shade.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace purl {
namespace {

constexpr float kPi = 3.14159265F;
constexpr float kSunTan = 0.22F; // tangent of half the angle that the key light spans: soft edges
enum Purpose : std::uint32_t { KeyLight = 1, SkyLight = 2 };

Vec3f mixed(const Vec3f& a, const Vec3f& b, float s) { return (1 - s) * a + s * b; }

Vec3f skyColor(const Studio& studio, const Vec3f& d) {
    const float h = d.dot(studio.up);
    const Vec3f zenith(0.60F, 0.68F, 0.80F), horizon(0.56F, 0.54F, 0.52F), low(0.24F, 0.21F, 0.19F);
    return h > 0 ? mixed(horizon, zenith, std::sqrt(h)) : mixed(horizon, low, std::sqrt(-h));
}

// A direction about n, more often the nearer to it (cosine law).
Vec3f aboutNormal(const Vec3f& n, float a, float b) {
    const float z = 1 - 2 * a, r = std::sqrt(std::max(0.0F, 1 - z * z));
    const Vec3f d = n + 0.999F * Vec3f(r * std::cos(2 * kPi * b), r * std::sin(2 * kPi * b), z);
    return d.normalized();
}

Vec3f towardsKey(const Studio& studio, float a, float b) {
    const float r = kSunTan * std::sqrt(a);
    return (studio.key + r * std::cos(2 * kPi * b) * studio.keyAcross +
            r * std::sin(2 * kPi * b) * studio.keyAside)
        .normalized();
}

float latticeValue(int x, int y, int z) {
    return unitFloat(hashOf(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y),
                            static_cast<std::uint32_t>(z)));
}

float smoothNoise(float x, float y, float z) { // 0..1
    const float fx = std::floor(x), fy = std::floor(y), fz = std::floor(z);
    const int i = static_cast<int>(fx), j = static_cast<int>(fy), k = static_cast<int>(fz);
    const auto fade = [](float t) { return t * t * (3 - 2 * t); };
    const float u = fade(x - fx), v = fade(y - fy), w = fade(z - fz);
    float sum = 0;
    for (int c = 0; c < 8; ++c) {
        sum += (c & 1 ? u : 1 - u) * (c & 2 ? v : 1 - v) * (c & 4 ? w : 1 - w) *
               latticeValue(i + (c & 1), j + ((c >> 1) & 1), k + (c >> 2));
    }
    return sum;
}

// Height of the fibres over a strand: streaks along the fibre's direction, without a seam where the
// angle wraps.
float fibres(float angle, float along) {
    const float c = std::cos(angle), s = std::sin(angle);
    return 0.45F * smoothNoise(5 * c, 5 * s, 0.4F * along) +
           0.55F * smoothNoise(16 * c + 31, 16 * s, 0.8F * along);
}

struct Surface {
    Vec3f normal, color;
};

// Bends the normal and varies the colour by the fibres; on tubes also by the plies' grooves.
Surface yarnSurface(const Hit& hit, const RenderSettings& settings) {
    Surface out{hit.normal, hit.color};
    const Vec3f aside = hit.tangent.cross(hit.normal);
    const float along = hit.arc / hit.radius;
    const float pitch = 2 * static_cast<float>(settings.plyPitch);
    float lean = 0, dark = 0, angle = hit.angle;
    if (settings.look == YarnLook::Tube) {
        const float lobe = 2 * kPi / static_cast<float>(settings.plies);
        const float x = 2 * (hit.angle / lobe - std::round(hit.angle / lobe)); // -1..1 across a ply
        lean = settings.plies > 1 ? 0.85F * x : 0.0F;
        dark = settings.plies > 1 ? 0.45F * x * x * x * x : 0.0F;
        angle = 2 * hit.angle;
    } else {
        // The fibres of a ply are twisted against the plies, so that they end up nearly along the
        // yarn: at the outside they turn back by the plies' angle, whose tangent is 2 pi / pitch.
        angle += 2 * kPi / pitch * along;
    }
    constexpr float kStep = 0.04F;
    const float h0 = fibres(angle, along), h1 = fibres(angle + kStep, along);
    lean -= 0.34F * (h1 - h0) / kStep * 0.25F;
    out.normal = (hit.normal + lean * aside).normalized();
    out.color *= (1 - dark) * (0.80F + 0.40F * h0);
    return out;
}

Vec3f skyRay(const RayScene& scene, const Studio& studio, const Vec3f& p, const Vec3f& d) {
    const Hit met = scene.meet(p, d);
    float floorAt = -1;
    if (studio.ground && d.dot(studio.up) < -1e-4F) {
        floorAt = (studio.groundHeight - p.dot(studio.up)) / d.dot(studio.up);
    }
    if (met.kind != Hit::Kind::None && (floorAt < 0 || met.distance < floorAt)) {
        // What it meets is lit too: a second bounce, guessed from which way that surface faces.
        const float lit = 0.5F + 0.5F * met.normal.dot(studio.key);
        return met.color * (0.10F + 0.34F * lit * lit);
    }
    if (floorAt >= 0) {
        const float away = std::min(1.0F, 2.5F * floorAt / studio.size);
        return studio.backdrop * (0.30F + 0.45F * away);
    }
    return skyColor(studio, d);
}

} // namespace

Studio makeStudio(const Picture& picture, const CameraAxes& axes, const RenderSettings& settings,
                  float size) {
    Studio s;
    s.up = picture.up.normalized().cast<float>();
    const Vec3 level = picture.up.normalized();
    s.key = (0.95 * level - 0.75 * axes.right + 0.25 * axes.up - 0.55 * axes.forward)
                .normalized()
                .cast<float>();
    s.keyColor = Vec3f(1.22F, 1.10F, 0.95F);
    s.keyAcross = s.key.unitOrthogonal();
    s.keyAside = s.key.cross(s.keyAcross);
    s.backdrop = settings.backdrop.cast<float>();
    s.ground = picture.ground;
    s.groundHeight = static_cast<float>(picture.groundHeight);
    s.size = size;
    return s;
}

Vec3f backdropAt(const Studio& studio, float x, float y) {
    const float d2 = x * x * 0.55F + (y - 0.25F) * (y - 0.25F) * 0.5F;
    return studio.backdrop * (1.06F - 0.34F * d2);
}

Vec3f shadeHit(const RayScene& scene, const Studio& studio, const RenderSettings& settings,
               const Hit& hit, const Vec3f& direction, const PixelSampler& sampler,
               std::uint32_t sample) {
    Surface surface{hit.normal, hit.color};
    const bool yarn = hit.kind == Hit::Kind::Yarn;
    if (yarn) surface = yarnSurface(hit, settings);

    // Fibres let light in a little way: start its rays above the surface and let them wrap.
    const float lift = hit.kind == Hit::Kind::Solid ? 2e-4F * studio.size : 0.10F * hit.radius;
    const Vec3f from = hit.p + lift * hit.normal;
    const float wrap = hit.kind == Hit::Kind::Solid ? 0.05F : 0.22F;

    const auto k = sampler.pair(sample, KeyLight);
    const Vec3f toKey = towardsKey(studio, k[0], k[1]);
    const float facing = (surface.normal.dot(toKey) + wrap) / (1 + wrap);
    Vec3f light = Vec3f::Zero();
    if (facing > 0 && !scene.blocked(from, toKey)) light = facing * studio.keyColor;

    Vec3f sky = Vec3f::Zero();
    // Yarn hides the grain of few rays, plain clay does not.
    const int rays = hit.kind == Hit::Kind::Solid ? 3 * settings.skyRays : settings.skyRays;
    for (int i = 0; i < rays; ++i) {
        const auto u = sampler.pair(sample, SkyLight + static_cast<std::uint32_t>(i));
        Vec3f d = aboutNormal(surface.normal, u[0], u[1]);
        const float below = d.dot(hit.normal);
        if (below < 0) d = (d - 2 * below * hit.normal).normalized();
        sky += skyRay(scene, studio, from, d);
    }
    sky /= static_cast<float>(rays);
    Vec3f out = surface.color.cwiseProduct(light + sky);
    if (hit.kind != Hit::Kind::Solid) { // the fuzz at the rim catches light from all around
        const float edge = 1 - std::abs(hit.normal.dot(direction));
        const float rim = edge * edge * edge;
        out += 0.45F * rim *
               mixed(hit.color, Vec3f::Constant(0.8F), 0.25F).cwiseProduct(0.35F * light + sky);
    }
    return out;
}

Vec3f floorLight(const RayScene& scene, const Studio& studio, const RenderSettings& settings,
                 const Vec3f& p, const PixelSampler& sampler, std::uint32_t sample) {
    const Vec3f from = p + 1e-4F * studio.size * studio.up;
    const Vec3f skyFull(0.56F, 0.60F, 0.66F);
    const Vec3f keyFull = studio.key.dot(studio.up) * studio.keyColor;
    const auto k = sampler.spreadPair(sample, KeyLight);
    Vec3f light = Vec3f::Zero();
    if (!scene.blocked(from, towardsKey(studio, k[0], k[1]))) light += keyFull;
    Vec3f sky = Vec3f::Zero();
    for (int i = 0; i < settings.skyRays; ++i) {
        const auto u = sampler.spreadPair(sample, SkyLight + static_cast<std::uint32_t>(i));
        const Hit met = scene.meet(from, aboutNormal(studio.up, u[0], u[1]));
        sky += met.kind == Hit::Kind::None ? skyFull : Vec3f(0.22F * met.color);
    }
    light += sky / static_cast<float>(settings.skyRays);
    return light.cwiseQuotient(keyFull + skyFull);
}

} // namespace purl
