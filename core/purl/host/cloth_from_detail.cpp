#include "purl/host/cloth_from_detail.h"

#include "purl/base/error.h"
#include "purl/host/attributes.h"
#include "purl/scene/quantity.h"

#include <algorithm>
#include <cmath>

namespace purl {

namespace {

const Attribute* numericOf(const Detail& d, Owner owner, const char* name, int least,
                           const std::string& file) {
    const Attribute* a = d.find(owner, name);
    if (!a || a->type != Attribute::Type::Numeric) return nullptr;
    if (a->size < least)
        throw Error(file + ": " + ownerName(owner) + " attribute " + name,
                    "has " + std::to_string(a->size) + " components, expected " +
                        std::to_string(least) + " numbers");
    return a;
}

Polygons polygonsOf(const Detail& d, const std::string& file, std::vector<std::string>& warnings) {
    Polygons p;
    p.x = d.positions();
    const Attribute* uv = numericOf(d, Owner::Vertex, "uv", 2, file);
    const bool vertexUv = uv != nullptr;
    if (!uv) uv = numericOf(d, Owner::Point, "uv", 2, file);
    const Attribute* warp = numericOf(d, Owner::Primitive, "warpdir", 3, file);
    const bool primitiveWarp = warp != nullptr;
    if (!warp) warp = numericOf(d, Owner::Point, "warpdir", 3, file);
    if (const Attribute* rest = vectorAttribute(d, "rest", file)) p.rest = d.vectors(*rest);
    Index others = 0, firstOther = -1;
    for (Index f = 0; f < d.primitives(); ++f) {
        if (d.primitiveKind[f] != PrimitiveKind::Polygon) {
            if (others++ == 0) firstOther = f;
            continue;
        }
        Vec3 direction = Vec3::Zero();
        const auto add = [&](Index element) {
            direction +=
                Vec3(warp->real(element, 0), warp->real(element, 1), warp->real(element, 2));
        };
        if (warp && primitiveWarp) add(f);
        for (Index v = d.firstVertex[f]; v < d.firstVertex[f + 1]; ++v) {
            const Index q = d.vertexPoint[v], e = vertexUv ? v : q;
            p.point.push_back(q);
            if (uv) p.uv.emplace_back(uv->real(e, 0), uv->real(e, 1));
            if (warp && !primitiveWarp) add(q);
        }
        if (warp) {
            if (!direction.allFinite())
                throw Error(file + ": primitive " + std::to_string(f),
                            "warpdir is not finite, expected a direction");
            p.warp.push_back(direction);
        }
        p.first.push_back(static_cast<Index>(p.point.size()));
        p.number.push_back(f);
    }
    if (p.count() == 0)
        throw Error(file, "has no polygons (" + std::to_string(d.primitives()) +
                              " primitives of other kinds), expected a sheet of polygons");
    if (others > 0)
        warnings.push_back(file + ": " + std::to_string(others) +
                           " primitives are no polygons (the first is primitive " +
                           std::to_string(firstOther) + "); they pass through unchanged");
    return p;
}

RestFrom restFrom(const std::string& name) {
    if (name == "auto") return RestFrom::Auto;
    if (name == "rest") return RestFrom::Rest;
    if (name == "uv") return RestFrom::Uv;
    if (name == "input") return RestFrom::Input;
    throw Error("cloth rest", "'" + name + "' was found, expected auto, rest, uv or input");
}

// A number a triangle from primitives, points (mean of the corners) or the detail; empty if there
// is no such attribute.
std::vector<double> perTriangle(const Detail& d, const ClothInput& c, const char* name,
                                const std::string& file, bool zeroAllowed) {
    std::vector<double> out;
    const Attribute* a = nullptr;
    Owner owner = Owner::Primitive;
    for (Owner o : {Owner::Primitive, Owner::Point, Owner::Global})
        if (!a) a = scalarAttribute(d, owner = o, name);
    if (!a) return out;
    const auto read = [&](Index element) {
        const double v = a->real(element);
        if (!std::isfinite(v) || v < 0 || (v == 0 && !zeroAllowed))
            throw Error(file + ": " + ownerName(owner) + " " + std::to_string(element),
                        std::string(name) + " is " + numberText(v) + ", expected a number " +
                            (zeroAllowed ? ">= 0" : "> 0"));
        return v;
    };
    for (std::size_t t = 0; t < c.mesh.triangles.size(); ++t) {
        if (owner == Owner::Global) {
            out.push_back(read(0));
        } else if (owner == Owner::Primitive) {
            out.push_back(read(c.polygonOf[t]));
        } else {
            double sum = 0;
            for (Index n : c.mesh.triangles[t]) sum += read(c.pointOf[n]) / 3;
            out.push_back(sum);
        }
    }
    return out;
}

void scale(std::vector<double>& factors, const std::vector<double>& by, double divide) {
    if (by.empty()) return;
    if (factors.empty()) factors.assign(by.size(), 1.0);
    for (std::size_t i = 0; i < by.size(); ++i) factors[i] *= by[i] / divide;
}

std::vector<Index> groupNodes(const Detail& d, const SheetInput& in, const std::string& group,
                              const std::string& file) {
    std::vector<Index> nodes;
    const ClothInput& c = in.cloth;
    if (const Group* g = d.findGroup(Owner::Point, group)) {
        for (std::size_t n = 0; n < c.pointOf.size(); ++n)
            if (g->member[c.pointOf[n]]) nodes.push_back(static_cast<Index>(n));
        return nodes;
    }
    const Group* g = d.findGroup(Owner::Primitive, group);
    if (!g) noSuchGroup(d, group, file);
    for (Index f = 0; f < d.primitives(); ++f)
        if (g->member[f])
            for (Index q : d.pointsOf(f))
                if (c.nodeOf[q] >= 0) nodes.push_back(c.nodeOf[q]);
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    return nodes;
}

void addPins(const Detail& d, const std::string& file, const SceneFile& wanted, SheetInput& in) {
    const std::vector<Index>& pointOf = in.cloth.pointOf;
    std::vector<std::uint8_t> pinned(pointOf.size(), 0);
    for (const char* name : {"stopped", "pintoanimation"})
        if (const Attribute* a = scalarAttribute(d, Owner::Point, name))
            for (std::size_t n = 0; n < pointOf.size(); ++n) {
                const std::int64_t value = a->integer(pointOf[n]);
                // stopped: bit 0 stops positions, bit 1 only orientations.
                if (name[0] == 's' ? (value & 1) != 0 : value != 0) pinned[n] = 1;
            }
    for (const std::string& group : wanted.pins)
        for (Index n : groupNodes(d, in, group, file)) pinned[n] = 1;
    for (std::size_t n = 0; n < pinned.size(); ++n)
        if (pinned[n]) in.pins.push_back(static_cast<Index>(n));
    in.targets = in.cloth.x;
}

void addGoals(const Detail& d, const std::string& file, const SceneFile& wanted, SheetInput& in) {
    const std::vector<Index>& pointOf = in.cloth.pointOf;
    std::vector<double> pull(pointOf.size(), 0.0);
    const Attribute* to = vectorAttribute(d, "targetP", file);
    const Attribute* stiffness = scalarAttribute(d, Owner::Point, "targetstiffness");
    const Attribute* weight = scalarAttribute(d, Owner::Point, "targetweight");
    const auto weightOf = [&](std::size_t n) { return weight ? weight->real(pointOf[n]) : 1.0; };
    if (to && stiffness) {
        const std::vector<Vec3> targets = d.vectors(*to);
        for (std::size_t n = 0; n < pull.size(); ++n) {
            pull[n] = stiffness->real(pointOf[n]) * weightOf(n);
            if (pull[n] != 0) in.targets[n] = targets[pointOf[n]];
        }
    }
    for (const GoalEntry& g : wanted.goals)
        for (Index n : groupNodes(d, in, g.group, file)) pull[n] = g.stiffness * weightOf(n);
    for (Index n : in.pins) pull[n] = 0;
    for (std::size_t n = 0; n < pull.size(); ++n) {
        if (pull[n] == 0) continue;
        const std::string place = file + ": point " + std::to_string(pointOf[n]);
        if (!(pull[n] > 0) || !std::isfinite(pull[n]))
            throw Error(place, "targetstiffness times targetweight is " + numberText(pull[n]) +
                                   ", expected >= 0 N/m");
        if (!in.targets[n].allFinite())
            throw Error(place, "targetP is not finite, expected a position in m");
        in.goals.push_back({static_cast<Index>(n), pull[n]});
    }
}

} // namespace

ClothMaterial clothMaterialOf(const Detail& d, const std::string& file, const ClothEntry& wanted) {
    std::string name = wanted.preset.value_or("");
    if (const Attribute* a = d.find(Owner::Global, "material");
        name.empty() && a && a->type == Attribute::Type::String)
        name = a->text(0);
    ClothMaterial m = clothPreset(name.empty() ? "cotton" : name);
    m.areaDensity = wanted.density.value_or(m.areaDensity);
    m.thickness = wanted.thickness.value_or(m.thickness);
    m.stretchWarp = wanted.stretchWarp.value_or(m.stretchWarp);
    m.stretchWeft = wanted.stretchWeft.value_or(m.stretchWeft);
    m.shear = wanted.shear.value_or(m.shear);
    m.poisson = wanted.poisson.value_or(m.poisson);
    m.stretchDamping = wanted.stretchDamping.value_or(m.stretchDamping);
    m.bendWarp = wanted.bendWarp.value_or(m.bendWarp);
    m.bendWeft = wanted.bendWeft.value_or(m.bendWeft);
    m.bendPoisson = wanted.bendPoisson.value_or(m.bendPoisson);
    m.bendDamping = wanted.bendDamping.value_or(m.bendDamping);
    m.yieldCurvature = wanted.yieldCurvature.value_or(m.yieldCurvature);
    m.plasticShare = wanted.plasticShare.value_or(m.plasticShare);
    if (wanted.compression) {
        if (*wanted.compression != "linear" && *wanted.compression != "buckling")
            throw Error("cloth compression",
                        "'" + *wanted.compression + "' was found, expected linear or buckling");
        m.compression =
            *wanted.compression == "linear" ? Compression::Linear : Compression::Buckling;
    }
    if (wanted.conditionScale) {
        const std::string& s = *wanted.conditionScale;
        if (s != "sqrt_area" && s != "area" && s != "three_quarters")
            throw Error("cloth condition_scale",
                        "'" + s + "' was found, expected sqrt_area, area or three_quarters");
        m.conditionScale = s == "area"        ? ConditionScale::Area
                           : s == "sqrt_area" ? ConditionScale::SqrtArea
                                              : ConditionScale::ThreeQuarters;
    }
    checkMaterial(m, file + ": cloth material");
    return m;
}

SheetInput sheetOf(const Detail& d, const std::string& file, const SceneFile& wanted,
                   std::vector<std::string>& warnings) {
    SheetInput in;
    ClothBuildSettings build;
    build.rest = restFrom(wanted.cloth.rest);
    build.uvScale = wanted.cloth.uvScale;
    build.flat = wanted.cloth.flat;
    in.material = clothMaterialOf(d, file, wanted.cloth);
    in.cloth = buildCloth(polygonsOf(d, file, warnings), build, file);
    warnings.insert(warnings.end(), in.cloth.warnings.begin(), in.cloth.warnings.end());
    // From the index among polygons to the primitive's own number, which attributes go by.
    std::vector<Index> number;
    for (Index f = 0; f < d.primitives(); ++f)
        if (d.primitiveKind[f] == PrimitiveKind::Polygon) number.push_back(f);
    for (Index& f : in.cloth.polygonOf) f = number[f];
    in.density = perTriangle(d, in.cloth, "density", file, false);
    if (in.density.empty() || wanted.cloth.density) in.density = {in.material.areaDensity};
    scale(in.paint.stretch, perTriangle(d, in.cloth, "stretchstiffness", file, false),
          in.material.stretchWarp);
    scale(in.paint.stretch, perTriangle(d, in.cloth, "stretchscale", file, false), 1);
    if (in.material.bendWarp > 0)
        scale(in.paint.bend, perTriangle(d, in.cloth, "bendstiffness", file, true),
              in.material.bendWarp);
    scale(in.paint.bend, perTriangle(d, in.cloth, "bendscale", file, true), 1);
    if (const Attribute* v = vectorAttribute(d, "v", file)) {
        const std::vector<Vec3> all = d.vectors(*v);
        for (Index q : in.cloth.pointOf) {
            if (!all[q].allFinite())
                throw Error(file + ": point " + std::to_string(q),
                            "v is not finite, expected a velocity in m/s");
            in.velocity.push_back(all[q]);
        }
    }
    addPins(d, file, wanted, in);
    addGoals(d, file, wanted, in);
    return in;
}

void putSheet(Detail& d, const ClothInput& c, Span<const Vec3> x, Span<const Vec3> v,
              bool positions) {
    Attribute* p = d.findPoint("P");
    Attribute* a = d.findPoint("v");
    if (!a || a->type != Attribute::Type::Numeric || a->size != 3)
        a = &d.addFloat(Owner::Point, "v", 3, "vector");
    for (std::size_t n = 0; n < c.pointOf.size(); ++n)
        for (int k = 0; k < 3; ++k) {
            if (positions) p->set(c.pointOf[n], k, x[n][k]);
            a->set(c.pointOf[n], k, v[n][k]);
        }
}

} // namespace purl
