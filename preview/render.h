// Pictures of yarns: Embree's round Catmull-Rom curves, one for every ply, in soft studio light.
// The same input gives the same pixels at every thread count.
#pragma once

#include "preview/camera.h"
#include "preview/image.h"
#include "purl/geometry/curves.h"
#include "purl/geometry/trimesh.h"

namespace purl {

struct Solid { // a collider, shown as matte clay
    TriMesh mesh;
    Vec3 color{0.50, 0.46, 0.42}; // linear RGB
};

struct Picture {
    Curves curves;
    std::vector<Vec3> color; // linear RGB per point; empty: a palette by yarn
    std::vector<Solid> solids;
    bool ground = true;
    double groundHeight = 0; // m, along up
    Vec3 up{0, 1, 0};
};

enum class YarnLook {
    Plies, // every yarn as twisted plies inside its radius, with fibres
    Tube   // the solver's own tube of constant radius, with the plies painted on
};

struct RenderSettings {
    int width = 960, height = 720; // px
    int samples = 16;              // rays a pixel
    int skyRays = 1;               // rays for the sky's light, a sample
    YarnLook look = YarnLook::Plies;
    int plies = 3;                   // plies a yarn, 1 to 6
    double plyPitch = 4.5;           // length of one turn of a ply, in yarn diameters
    double fuzz = 1.0;               // amount of loose fibres, 0 for none
    double exposure = 1.0;           // brightness
    Vec3 backdrop{0.86, 0.82, 0.76}; // linear RGB of the studio's wall and floor
};

// Throws Error if the picture or the settings cannot be used.
Image render(const Picture&, const Camera&, const RenderSettings&);

Bounds boundsOf(const Curves&); // with radii; points that are not finite are left out
Bounds boundsOf(const TriMesh&);

} // namespace purl
