#include "purl/scene/fabric_entry.h"

#include "purl/base/error.h"
#include "purl/scene/json_object.h"

namespace purl {

namespace {

using nlohmann::json;

void optional(JsonObject& o, const char* key, Dimension d, std::optional<double>& out) {
    double v;
    if (!o.number(key, d, v)) return;
    if (!(v >= 0)) throw Error(o.where(key), "is " + numberText(v) + ", expected >= 0");
    out = v;
}

void length(JsonObject& o, const char* key, double& out) {
    if (o.number(key, Dimension::Length, out) && !(out > 0))
        throw Error(o.where(key), "is " + numberText(out) + ", expected a length > 0 m");
}

// [[0, 1], [1, 0]]: rows as they are drawn, the upper first; knits of 1 and -1.
StitchField matrixOf(const json& rows, const std::string& where) {
    StitchField f;
    f.rows = static_cast<Index>(rows.size());
    f.columns = rows.empty() || !rows[0].is_array() ? 0 : static_cast<Index>(rows[0].size());
    f.cells.clear();
    if (f.columns == 0)
        throw Error(where, "is " + found(rows) + ", expected rows [[0, 1], [1, 0]]");
    for (std::size_t i = rows.size(); i-- > 0;) {
        const std::string place = where + "/" + std::to_string(i);
        if (!rows[i].is_array() || static_cast<Index>(rows[i].size()) != f.columns)
            throw Error(place, "is " + found(rows[i]) + ", expected a row of " +
                                   std::to_string(f.columns) + " cells");
        for (std::size_t j = 0; j < rows[i].size(); ++j) {
            const json& c = rows[i][j];
            if (!c.is_number_integer() || c.get<double>() < -1 || c.get<double>() > 1)
                throw Error(place + "/" + std::to_string(j),
                            "is " + found(c) + ", expected 0 or 1 (woven), 1 or -1 (knit)");
            f.cells.push_back(static_cast<std::int8_t>(c.get<int>()));
        }
    }
    return f;
}

} // namespace

StitchField parseMatrix(const std::string& text, const std::string& file) {
    const json j = parseJson(text, file);
    if (!j.is_array()) throw Error(file, "is " + found(j) + ", expected rows [[0, 1], [1, 0]]");
    return matrixOf(j, file + ": ");
}

void readFabricEntry(JsonObject o, FabricEntry& f) {
    if (o.has("grid")) f.grid = readGridEntry(o.object("grid"));
    if (const json* draft = o.value("draft")) {
        if (draft->is_array())
            f.matrix = matrixOf(*draft, o.where("draft"));
        else
            o.text("draft", f.draft);
    }
    o.text("legend", f.legend);
    length(o, "spacing", f.warpSpacing); // a weave's wefts as its warps; a knit's courses follow
    length(o, "warp_spacing", f.warpSpacing);
    length(o, "weft_spacing", f.weftSpacing);
    length(o, "radius", f.radius);
    o.number("angle", Dimension::Angle, f.angle);
    o.text("rest", f.rest);
    o.text("region", f.region);
    o.number("uv_scale", Dimension::None, f.uvScale);
    if (!(f.uvScale >= 0))
        throw Error(o.where("uv_scale"),
                    "is " + numberText(f.uvScale) + ", expected m a unit of uv, or 0");
    o.flag("seams", f.seams);
    o.flag("bind", f.bind);
    length(o, "loop_length", f.loopLength);
    o.number("loop_set", Dimension::None, f.loopSet);
    if (!(f.loopSet >= 0 && f.loopSet <= 1))
        throw Error(o.where("loop_set"), "is " + numberText(f.loopSet) + ", expected 0 to 1");
    std::string material;
    if (o.text("material", material)) f.material = material;
    o.number("tex", Dimension::Tex, f.tex);
    o.integer("ply", f.ply, 1, 100);
    optional(o, "density", Dimension::LinearDensity, f.density);
    optional(o, "stretch", Dimension::None, f.stretch);
    optional(o, "bend", Dimension::Bending, f.bend);
    optional(o, "shear", Dimension::None, f.shear);
    optional(o, "friction", Dimension::None, f.friction);
    optional(o, "pretension", Dimension::None, f.pretension);
    optional(o, "crimp_set", Dimension::None, f.crimpSet);
    optional(o, "wrap", Dimension::None, f.wrap);
    o.integer("points", f.points, 1, 64);
    o.number("twist", Dimension::None, f.twist);
    o.flag("sliding", f.sliding);
    o.flag("self_collision", f.selfCollision);
    o.text("matrix", f.matrixForm);
    o.number("settle", Dimension::Time, f.settle);
    o.finish();
}

} // namespace purl
