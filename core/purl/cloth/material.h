// What a cloth is made of: every number of the cloth models, in SI, per metre of width (the
// thickness is already inside), so that fabric measurements (KES-F) go in as they are.
#pragma once

#include "purl/base/types.h"

#include <limits>
#include <string>

namespace purl {

// How Baraff and Witkin's conditions grow with the triangle's area a (physics 6.2).
enum class ConditionScale {
    SqrtArea,     // s = sqrt(a): energy as a, the same cloth at every resolution
    Area,         // s = a, as printed in the 1998 paper: finer meshes are softer
    ThreeQuarters // s = a^(3/4), of a known re-implementation
};

// What a spring does when it is shorter than at rest (physics 6.5, Choi and Ko 2002).
enum class Compression {
    Linear,  // pushes back like any spring: the post-buckling instability
    Buckling // bows out as an arc and gives way: a small, nearly constant push
};

struct ClothMaterial {
    double areaDensity = 0.15; // kg/m2
    double thickness = 0.4e-3; // m, for contact and for docs; no energy reads it

    // In plane.
    double stretchWarp = 1000;    // N/m, E_u: Young's modulus times thickness along the warp
    double stretchWeft = 1000;    // N/m, E_v
    double shear = 30;            // N/m, G: shear modulus times thickness
    double poisson = 0.2;         // nu_u: weft strain lost per warp strain; nu_v = nu_u E_v / E_u
    double stretchDamping = 1e-3; // s: viscosity of the in-plane model over its stiffness

    // Bending.
    double bendWarp = 1e-5;    // N m: moment per width and curvature when the warp is bent (KES B)
    double bendWeft = 1e-5;    // N m
    double bendPoisson = 0.2;  // of the plate; read by models with a full curvature tensor (Loop)
    double bendDamping = 1e-3; // s: viscosity of the bending model over its stiffness

    // Plastic rest angles: a hinge bent further than this from its rest keeps the rest.
    double yieldCurvature = std::numeric_limits<double>::infinity(); // 1/m; infinity: elastic
    double plasticShare = 1;       // 0..1: of what is beyond yield, the share kept at a step's end
    double maxRestCurvature = 500; // 1/m: no crease is sharper than this at rest

    // Options of single models.
    ConditionScale conditionScale = ConditionScale::SqrtArea;
    double referenceArea = 1e-4; // m2: where the other two scales give the stiffness asked for
    Compression compression = Compression::Linear; // of mass-springs in the plane
};

// Stiffness per triangle, as artists paint it: factors, each list empty (all 1) or one a triangle.
struct ClothPaint {
    std::vector<double> stretch; // of stretchWarp, stretchWeft and shear
    std::vector<double> bend;    // of bendWarp and bendWeft; a hinge takes the mean of its two
};

// Throws Error naming the value that no cloth can have. `where` says whose material it is.
void checkMaterial(const ClothMaterial& m, const std::string& where = "cloth material");

struct ClothPreset {
    const char* name;
    ClothMaterial material;
    const char* source; // where the figures are from, and which of them are typical ranges only
};

const std::vector<ClothPreset>& clothPresets();
// Throws Error naming the presets there are.
const ClothMaterial& clothPreset(const std::string& name);

} // namespace purl
