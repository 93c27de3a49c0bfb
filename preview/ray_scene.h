// The picture as Embree scenes, and the three questions asked of them: what does the camera see,
// is the way to the light free, and what does a ray of the surroundings meet.
#pragma once

#include "preview/strands.h"

#include <memory>

namespace purl {

struct Hit {
    enum class Kind { None, Yarn, Fuzz, Solid };
    Kind kind = Kind::None;
    float distance = 0; // m
    Vec3f p = Vec3f::Zero();
    Vec3f normal = Vec3f::Zero();  // unit, towards the ray's origin
    Vec3f tangent = Vec3f::Zero(); // along the strand; yarn only
    Vec3f color = Vec3f::Zero();   // linear RGB
    float radius = 0;              // m, of the strand; 0 on solids
    float arc = 0;                 // m, along the strand
    float angle = 0;               // of the normal about the strand, in the strand's own frame
};

class RayScene {
public:
    RayScene(const Picture&, const RenderSettings&, const View&);
    ~RayScene();
    RayScene(const RayScene&) = delete;
    RayScene& operator=(const RayScene&) = delete;

    Hit look(const Vec3f& origin, const Vec3f& direction) const; // with the loose fibres
    Hit meet(const Vec3f& origin, const Vec3f& direction) const; // colour, normal, distance only
    bool blocked(const Vec3f& origin, const Vec3f& direction) const;
    float size() const; // m, the diagonal of all there is

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace purl
