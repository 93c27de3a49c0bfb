#include "purl/scene/cloth_entry.h"

#include "purl/base/error.h"
#include "purl/scene/json_object.h"

namespace purl {

namespace {

void optional(JsonObject& o, const char* key, Dimension d, std::optional<double>& out) {
    double v;
    if (o.number(key, d, v)) out = v;
}

void optional(JsonObject& o, const char* key, std::optional<std::string>& out) {
    std::string v;
    if (o.text(key, v)) out = v;
}

void atLeast(JsonObject& o, const char* key, double value, double least, const char* text) {
    if (o.has(key) && !(value >= least))
        throw Error(o.where(key), "is " + numberText(value) + ", expected " + text);
}

void readSelf(JsonObject o, ClothEntry& c) {
    o.flag("enabled", c.selfCollision);
    optional(o, "thickness", Dimension::Length, c.selfThickness);
    if (c.selfThickness && !(*c.selfThickness > 0))
        throw Error(o.where("thickness"),
                    "is " + numberText(*c.selfThickness) + ", expected a thickness > 0 m");
    o.number("friction", Dimension::None, c.selfFriction);
    atLeast(o, "friction", c.selfFriction, 0, "a coefficient >= 0");
    o.flag("culling", c.culling);
    o.finish();
}

void readSolver(JsonObject o, ClothEntry& c) {
    o.text("integrator", c.integrator);
    o.flag("adaptive", c.adaptive);
    o.flag("drape", c.drape);
    o.integer("iterations", c.iterations, 0, 1000000);
    o.number("tolerance", Dimension::None, c.tolerance);
    atLeast(o, "tolerance", c.tolerance, 0, "a relative residual >= 0");
    o.finish();
}

} // namespace

GridEntry readGridEntry(JsonObject o) {
    GridEntry g;
    o.integer("columns", g.columns, 1, 10000);
    o.integer("rows", g.rows, 1, 10000);
    o.number("width", Dimension::Length, g.width);
    o.number("height", Dimension::Length, g.height);
    for (const auto& [key, value] : {std::pair("width", g.width), std::pair("height", g.height)})
        if (!(value > 0))
            throw Error(o.where(key), "is " + numberText(value) + ", expected a length > 0 m");
    o.vector("centre", Dimension::Length, g.centre);
    o.flag("lie", g.lie);
    o.finish();
    return g;
}

void readClothEntry(JsonObject o, ClothEntry& c) {
    if (o.has("grid")) c.grid = readGridEntry(o.object("grid"));
    optional(o, "preset", c.preset);
    o.text("in_plane", c.inPlane);
    o.text("bending", c.bending);
    o.text("rest", c.rest);
    o.number("uv_scale", Dimension::None, c.uvScale);
    atLeast(o, "uv_scale", c.uvScale, 0, "m a unit of uv, or 0");
    o.flag("flat", c.flat);
    optional(o, "compression", c.compression);
    optional(o, "condition_scale", c.conditionScale);
    optional(o, "density", Dimension::AreaDensity, c.density);
    optional(o, "thickness", Dimension::Length, c.thickness);
    optional(o, "stretch_warp", Dimension::Stiffness, c.stretchWarp);
    optional(o, "stretch_weft", Dimension::Stiffness, c.stretchWeft);
    optional(o, "shear", Dimension::Stiffness, c.shear);
    optional(o, "poisson", Dimension::None, c.poisson);
    optional(o, "stretch_damping", Dimension::Time, c.stretchDamping);
    optional(o, "bend_warp", Dimension::PlateBending, c.bendWarp);
    optional(o, "bend_weft", Dimension::PlateBending, c.bendWeft);
    optional(o, "bend_poisson", Dimension::None, c.bendPoisson);
    optional(o, "bend_damping", Dimension::Time, c.bendDamping);
    optional(o, "yield_curvature", Dimension::Curvature, c.yieldCurvature);
    optional(o, "plastic_share", Dimension::None, c.plasticShare);
    if (o.has("self_collision")) readSelf(o.object("self_collision"), c);
    if (o.has("solver")) readSolver(o.object("solver"), c);
    o.finish();
}

} // namespace purl
