#include "purl/host/fabric_from_detail.h"

#include "purl/base/error.h"
#include "purl/crossing/fabric_pins.h"
#include "purl/crossing/layout_parts.h"
#include "purl/crossing/yarn_material.h"
#include "purl/host/attributes.h"
#include "purl/scene/quantity.h"

#include <algorithm>

namespace purl {

namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kPinReach = 0.75; // spacings from a held edge to what it holds

// The sheet's reader, told to leave uv to us: for cloth a texture's uv is no rest shape, for yarns
// it is a place to lie.
SceneFile sheetWanted(const SceneFile& wanted, const Detail& d) {
    SceneFile s = wanted;
    const FabricEntry& f = wanted.fabric;
    if (f.rest != "auto" && f.rest != "uv" && f.rest != "rest" && f.rest != "input")
        throw Error("fabric rest", "'" + f.rest + "' was found, expected auto, uv, rest or input");
    s.cloth.rest = f.rest == "rest" || (f.rest == "auto" && d.findPoint("rest")) ? "rest" : "input";
    s.cloth.preset = "cotton"; // its numbers are not read
    return s;
}

CrossingMaterial materialOf(const Detail& d, const FabricEntry& f, double radius, bool knit) {
    std::string name = f.material.value_or("");
    if (const Attribute* a = d.find(Owner::Global, "material");
        name.empty() && a && a->type == Attribute::Type::String)
        name = a->text(0);
    CrossingMaterial m = yarnMaterial(name.empty() ? "cotton" : name, radius, f.tex, f.ply, knit);
    m.density = f.density.value_or(m.density);
    m.stretch = f.stretch.value_or(m.stretch);
    m.bend = f.bend.value_or(m.bend);
    m.shear = f.shear.value_or(m.shear);
    m.friction = f.friction.value_or(m.friction);
    m.pretension = f.pretension.value_or(m.pretension);
    m.crimpSet = f.crimpSet.value_or(m.crimpSet);
    m.wrap = f.wrap.value_or(m.wrap);
    return m;
}

void freeze(const Detail& d, FabricInput& in) {
    const Attribute* a = scalarAttribute(d, Owner::Point, "nosliding");
    if (!a) return;
    std::vector<Vec3> paint;
    for (Index q : in.sheet.cloth.pointOf) paint.push_back(Vec3::Constant(a->real(q)));
    const std::vector<Vec3> at = atNodes(in.patch, in.layout, paint);
    for (std::size_t n = 0; n < at.size(); ++n)
        if (at[n].x() > 0.5) in.layout.network.frozen[n] |= 7;
}

// Where the yarns are, per node of the sheet; empty: everywhere.
std::vector<double> paintOf(const Detail& d, const std::string& file, const std::string& region,
                            const ClothInput& cloth) {
    if (region == "all") return {};
    std::vector<double> paint(cloth.x.size(), 0);
    if (region == "none") return paint;
    if (region != "paint")
        throw Error("fabric region", "'" + region + "' was found, expected paint, all or none");
    const Attribute* a = d.findPoint("yarn");
    const Group* g = d.findGroup(Owner::Point, "yarn");
    if (!a && !g) return {};
    if (a && a->type != Attribute::Type::Numeric)
        throw Error(file + ": point attribute yarn", "is no number, expected paint of 0 to 1");
    for (std::size_t n = 0; n < paint.size(); ++n) {
        const Index p = cloth.pointOf[n];
        paint[n] = a ? a->real(p) : g->member[p];
    }
    return paint;
}

} // namespace

Detail loadPatch(const FabricEntry& wanted, std::string& name, std::vector<std::string>& warnings) {
    ClothEntry sheet;
    sheet.file = wanted.file;
    sheet.grid = wanted.grid;
    return loadSheet(sheet, name, warnings);
}

FabricInput fabricOf(const Detail& d, const std::string& file, const SceneFile& wanted,
                     const Draft& draft, std::vector<std::string>& warnings) {
    FabricInput in;
    const FabricEntry& f = wanted.fabric;
    in.sheet = sheetOf(d, file, sheetWanted(wanted, d), warnings);
    const ClothInput& c = in.sheet.cloth;
    PatchInput patch;
    patch.x = c.x;
    patch.rest = c.rest;
    patch.triangles = c.mesh.triangles;
    patch.uv = c.uv;
    patch.number = c.polygonOf;
    PatchSettings ps;
    ps.uvScale = f.uvScale;
    ps.angle = f.angle * kPi / 180;
    ps.useUv = f.rest == "auto" || f.rest == "uv";
    if (f.rest == "uv" && c.uv.empty())
        throw Error(file, "has no uv, expected a vertex or point attribute uv as yarns are to be "
                          "laid in it");
    in.patch = flattenPatch(patch, ps, file, warnings);
    LayoutSettings s;
    s.warpSpacing = f.warpSpacing;
    s.weftSpacing = f.weftSpacing;
    s.radius = f.radius;
    s.seams = f.seams;
    s.bindKnit = f.bind;
    s.loopLength = f.loopLength;
    s.loopSet = f.loopSet;
    std::vector<std::string> told; // by layFabric again
    const double radius = fabricSizes(draft, s, file, told).radius;
    s.warp = s.weft = s.seam = materialOf(d, f, radius, !draft.woven);
    in.layout = layFabric(in.patch, draft, s, file, warnings);
    if (!in.sheet.goals.empty())
        warnings.push_back(file + ": goals pull triangle cloth and rods only so far; " +
                           std::to_string(in.sheet.goals.size()) + " points of them are left out");
    std::vector<std::uint8_t> held(c.x.size(), 0);
    for (Index n : in.sheet.pins) held[n] = 1;
    if (!in.sheet.pins.empty())
        in.pins = heldNodes(in.patch, in.layout, held,
                            kPinReach * std::max(in.layout.warpSpacing, in.layout.weftSpacing));
    if (!in.sheet.velocity.empty()) in.velocity = atNodes(in.patch, in.layout, in.sheet.velocity);
    freeze(d, in);
    in.paint = paintOf(d, file, f.region, c);
    return in;
}

std::vector<double> paintOf(const Detail& d, const std::string& file, const FabricInput& in) {
    for (const Index p : in.sheet.cloth.pointOf)
        if (p >= d.points())
            throw Error(file, "has " + std::to_string(d.points()) + " points, expected point " +
                                  std::to_string(p) + " of the patch to be there");
    return paintOf(d, file, "paint", in.sheet.cloth);
}

std::vector<Vec3> pinTargets(const FabricInput& in, Span<const Vec3> perPoint) {
    std::vector<Vec3> out;
    out.reserve(in.pins.size());
    for (Index n : in.pins) {
        const auto& t = in.patch.triangles[in.layout.triangle[n]];
        const Vec3& w = in.layout.weights[n];
        out.push_back(w[0] * perPoint[t[0]] + w[1] * perPoint[t[1]] + w[2] * perPoint[t[2]]);
    }
    return out;
}

} // namespace purl
