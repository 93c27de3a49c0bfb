// What a yarn, a solid and the studio floor look like: fibres, soft light, the backdrop.
#pragma once

#include "preview/ray_scene.h"
#include "preview/sampling.h"

namespace purl {

// The lights and the seamless wall and floor around the object. The key light comes from the upper
// left of the camera, so that relief shows from wherever one looks.
struct Studio {
    Vec3f up, key, keyColor; // key: unit, towards the light
    Vec3f keyAcross, keyAside;
    Vec3f backdrop;
    bool ground = false;
    float groundHeight = 0;
    float size = 1; // m, of the scene
};

Studio makeStudio(const Picture&, const CameraAxes&, const RenderSettings&, float size);

// Light of the wall at a place in the picture, x and y from -1 to 1 (up).
Vec3f backdropAt(const Studio&, float x, float y);

// Light that comes back from a hit along the ray that found it.
Vec3f shadeHit(const RayScene&, const Studio&, const RenderSettings&, const Hit&,
               const Vec3f& direction, const PixelSampler&, std::uint32_t sample);

// Share (by channel) of the full light that reaches the floor at p: shadows and colour bleeding.
Vec3f floorLight(const RayScene&, const Studio&, const RenderSettings&, const Vec3f& p,
                 const PixelSampler&, std::uint32_t sample);

} // namespace purl
