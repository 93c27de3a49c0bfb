// Detail -> Scene: materials, pins, goals, rest shape, what the attributes of E.1 say.
#include "purl/host/yarns_from_detail.h"

#include "purl/base/error.h"
#include "purl/check/distance.h"
#include "purl/host/attributes.h"
#include "purl/model/material.h"
#include "purl/scene/quantity.h"

#include <algorithm>
#include <cmath>

namespace purl {

namespace {

// A number of a yarn from its primitive, else from the detail.
void override(const Detail& d, Index primitive, const char* name, double& value) {
    if (const Attribute* a = scalarAttribute(d, Owner::Primitive, name))
        value = a->real(primitive);
    else if (const Attribute* g = scalarAttribute(d, Owner::Global, name))
        value = g->real(0);
}

Material materialOf(const Detail& d, const std::string& file, Index primitive, double radius,
                    const YarnEntry& wanted) {
    std::string name = wanted.material.value_or("");
    if (const Attribute* a = d.find(Owner::Primitive, "material");
        name.empty() && a && a->type == Attribute::Type::String)
        name = a->text(primitive);
    if (const Attribute* a = d.find(Owner::Global, "material");
        name.empty() && a && a->type == Attribute::Type::String)
        name = a->text(0);
    if (name.empty()) name = "wool";
    Material m;
    try {
        m = materialByName(name, radius, wanted.tex, wanted.ply);
    } catch (const Error& e) {
        if (wanted.material) throw;
        throw Error(file + ": primitive " + std::to_string(primitive), e.what(), e.kind());
    }
    override(d, primitive, "density", m.density);
    override(d, primitive, "bendstiffness", m.bendStiffness);
    override(d, primitive, "twiststiffness", m.twistStiffness);
    override(d, primitive, "contactstiffness", m.contactStiffness);
    override(d, primitive, "restcurvature", m.restCurvature);
    override(d, primitive, "plasticradius", m.plasticRadius);
    override(d, primitive, "stretchstiffness", m.stretchStiffness);
    m.density = wanted.density.value_or(m.density);
    m.bendStiffness = wanted.bendStiffness.value_or(m.bendStiffness);
    m.twistStiffness = wanted.twistStiffness.value_or(m.twistStiffness);
    m.contactStiffness = wanted.contactStiffness.value_or(m.contactStiffness);
    m.restCurvature = wanted.restCurvature.value_or(m.restCurvature);
    m.plasticRadius = wanted.plasticRadius.value_or(m.plasticRadius);
    m.plasticMax = wanted.plasticMax.value_or(m.plasticMax);
    m.stretchStiffness = wanted.stretchStiffness.value_or(m.stretchStiffness);
    return m;
}

void addPins(const Detail& d, const std::string& file, const SceneFile& wanted, const Yarns& y,
             Scene& s) {
    std::vector<std::uint8_t> pinned(y.curves.points(), 0);
    for (const char* name : {"stopped", "pintoanimation"})
        if (const Attribute* a = scalarAttribute(d, Owner::Point, name))
            for (Index n = 0; n < y.curves.points(); ++n) {
                const std::int64_t value = a->integer(y.pointOf[n]);
                // stopped: bit 0 stops positions, bit 1 only orientations.
                if (name[0] == 's' ? (value & 1) != 0 : value != 0) pinned[n] = 1;
            }
    for (const std::string& group : wanted.pins)
        for (Index n : groupNodes(d, y, group, file)) pinned[n] = 1;
    for (Index n = 0; n < y.curves.points(); ++n)
        if (pinned[n]) s.pins.push_back(n);
}

void addGoals(const Detail& d, const std::string& file, const SceneFile& wanted, SceneInput& in) {
    const Index n = in.yarns.curves.points();
    std::vector<Goal> goal(n, Goal{-1, 0, 0});
    const Attribute* to = vectorAttribute(d, "targetP", file);
    const Attribute* stiffness = scalarAttribute(d, Owner::Point, "targetstiffness");
    const Attribute* weight = scalarAttribute(d, Owner::Point, "targetweight");
    if (to && stiffness) {
        const std::vector<Vec3> targets = nodeVectors(d, in.yarns, *to);
        for (Index i = 0; i < n; ++i) {
            const Index p = in.yarns.pointOf[i];
            const double k = stiffness->real(p), w = weight ? weight->real(p) : 1.0;
            if (k == 0 || w == 0) continue;
            goal[i] = {i, k, w};
            in.targets[i] = targets[i];
        }
    }
    for (const GoalEntry& g : wanted.goals)
        for (Index i : groupNodes(d, in.yarns, g.group, file))
            goal[i] = {i, g.stiffness, weight ? weight->real(in.yarns.pointOf[i]) : 1.0};
    std::vector<std::uint8_t> pinned(n, 0);
    for (Index i : in.scene.pins) pinned[i] = 1;
    for (const Goal& g : goal)
        if (g.node >= 0 && !pinned[g.node]) in.scene.goals.push_back(g);
}

// Yarns are sampled every 1 to 5 radii; far from that the file is in other units than the radius.
void warnOfUnits(const Curves& c, const std::string& file, std::vector<std::string>& warnings) {
    std::vector<double> ratio;
    for (Index y = 0; y < c.yarns(); ++y)
        for (Index i = c.first[y]; i + 1 < c.first[y + 1]; ++i)
            ratio.push_back((c.x[i + 1] - c.x[i]).norm() / c.radius[y]);
    if (ratio.empty()) return;
    const auto middle = ratio.begin() + static_cast<std::ptrdiff_t>(ratio.size() / 2);
    std::nth_element(ratio.begin(), middle, ratio.end());
    if (*middle < 100 && *middle > 0.01) return;
    warnings.push_back(file + ": the points of the yarns are " + numberText(*middle) +
                       " radii apart, 1 to 5 are usual: are the points and the radius both in "
                       "metres? --scale cm reads centimetres");
}

} // namespace

SceneInput sceneOf(const Detail& d, const std::string& file, const SceneFile& wanted,
                   std::vector<std::string>& warnings) {
    SceneInput in;
    in.yarns = yarnsOf(d, file, wanted.yarns.radius, true, warnings);
    Scene& s = in.scene;
    s.yarns = in.yarns.curves;
    for (std::size_t i = 0; i < s.yarns.x.size(); ++i)
        if (!s.yarns.x[i].allFinite())
            throw Error(file + ": point " + std::to_string(in.yarns.pointOf[i]),
                        "P is not finite, expected a position in m");
    warnOfUnits(s.yarns, file, warnings);
    if (const Attribute* rest = vectorAttribute(d, "rest", file))
        s.rest = nodeVectors(d, in.yarns, *rest);
    if (const Attribute* v = vectorAttribute(d, "v", file))
        s.velocity = nodeVectors(d, in.yarns, *v);
    for (std::size_t i = 0; i < s.velocity.size(); ++i)
        if (!s.velocity[i].allFinite())
            throw Error(file + ": point " + std::to_string(in.yarns.pointOf[i]),
                        "v is not finite, expected a velocity in m/s");
    for (Index y = 0; y < s.yarns.yarns(); ++y)
        s.material.push_back(
            materialOf(d, file, in.yarns.primitiveOf[y], s.yarns.radius[y], wanted.yarns));
    s.welds = in.yarns.welds;
    in.targets = s.yarns.x;
    addPins(d, file, wanted, in.yarns, s);
    addGoals(d, file, wanted, in);
    return in;
}

void refuseCrossings(const Scene& s, const std::string& file) {
    constexpr double kLeast = 0.05; // of the sum of the radii
    std::vector<GluedPoints> glued;
    for (const Weld& w : s.welds) glued.emplace_back(w.a, w.b);
    const ClosePlace p = minCentreDistance(s.yarns, kLeast, glued);
    if (!p.found()) return;
    throw Error(file + ": yarn " + std::to_string(p.yarnA) + " at curveu " + numberText(p.uA) +
                    " and yarn " + std::to_string(p.yarnB) + " at curveu " + numberText(p.uB),
                "their centre lines cross: they are " + numberText(p.distance) +
                    " m apart, expected at least " +
                    numberText(kLeast * (s.yarns.radius[p.yarnA] + s.yarns.radius[p.yarnB])) +
                    " m (" + numberText(kLeast) + " of the sum of their radii)");
}

} // namespace purl
