#include "purl/crossing/network.h"

#include "purl/base/error.h"

#include <cmath>

namespace purl {

namespace {
std::string of(const std::string& where, const char* what, Index i) {
    return where + ": " + what + " " + std::to_string(i);
}

void checkMaterial(const std::string& where, Index i, const CrossingMaterial& m) {
    const auto need = [&](bool good, const char* what, double found, const char* expected) {
        if (!good || !std::isfinite(found))
            throw Error(of(where, "yarn material", i) + " (" + m.name + ")",
                        std::string(what) + " is " + std::to_string(found) + ", expected " +
                            expected);
    };
    need(m.radius > 0, "radius", m.radius, "> 0 m");
    need(m.density > 0, "density", m.density, "> 0 kg/m");
    need(m.stretch > 0, "stretch", m.stretch, "> 0 N");
    need(m.bend >= 0, "bend", m.bend, ">= 0 N m2");
    need(m.shear >= 0, "shear", m.shear, ">= 0 N");
    need(m.jamming >= 0, "jamming", m.jamming, ">= 0");
    need(m.parallel >= 0, "parallel", m.parallel, ">= 0 N/m");
    need(m.friction >= 0, "friction", m.friction, ">= 0");
    need(m.frictionStiffness > 0, "frictionStiffness", m.frictionStiffness, "> 0 N/m");
    need(m.frictionDamping >= 0, "frictionDamping", m.frictionDamping, ">= 0 N s/m");
    need(m.pretension >= 0, "pretension", m.pretension, ">= 0 N");
    need(m.crimpSet >= 0 && m.crimpSet <= 1, "crimpSet", m.crimpSet, "0 to 1");
    need(m.wrap >= 0, "wrap", m.wrap, ">= 0 N");
    need(m.stitch >= 0, "stitch", m.stitch, ">= 0 N");
}
} // namespace

Index CrossingNetwork::addNode(const Vec3& at, NodeKind nodeKind, double nodeSpacing) {
    x.push_back(at);
    kind.push_back(nodeKind);
    frozen.push_back(0);
    spacing.push_back(nodeSpacing);
    return nodes() - 1;
}

Index CrossingNetwork::addYarn(Index materialIndex, Index yarnId) {
    material.push_back(materialIndex);
    id.push_back(yarnId);
    first.push_back(first.back());
    return yarns() - 1;
}

void CrossingNetwork::addVisit(Index nodeIndex, int sideIndex, double at, int over) {
    node.push_back(nodeIndex);
    side.push_back(static_cast<std::uint8_t>(sideIndex));
    slide.push_back(at);
    lift.push_back(static_cast<std::int8_t>(over));
    first.back() = visitCount();
}

void CrossingNetwork::connect(const std::string& where) {
    const auto fail = [](const std::string& place, const std::string& what) {
        throw Error(place, what);
    };
    const std::size_t n = x.size(), m = node.size();
    if (kind.size() != n || frozen.size() != n || spacing.size() != n ||
        (!restShear.empty() && restShear.size() != n))
        fail(where, "arrays of nodes differ in length, expected " + std::to_string(n) + " of each");
    if (side.size() != m || slide.size() != m || lift.size() != m ||
        (!restAngle.empty() && restAngle.size() != m) || (!chord.empty() && chord.size() != m))
        fail(where, "arrays of visits differ in length, expected " + std::to_string(m) + " each");
    if (id.size() != material.size() || first.size() != material.size() + 1)
        fail(where, "arrays of yarns differ in length, expected " + std::to_string(yarns()));
    if (n == 0 || yarns() == 0) fail(where, "there is no yarn, expected at least one");
    for (std::size_t i = 0; i < materials.size(); ++i)
        checkMaterial(where, static_cast<Index>(i), materials[i]);
    visits.assign(n, {kNone, kNone, kNone});
    yarnOf.assign(m, 0);
    closest.assign(m, 0);
    for (Index i = 0; i < nodes(); ++i)
        if (!x[i].allFinite() || !(spacing[i] > 0) || !std::isfinite(spacing[i]))
            fail(of(where, "node", i), "position or spacing (" + std::to_string(spacing[i]) +
                                           " m) is no number or not > 0");
    for (Index y = 0; y < yarns(); ++y) {
        if (first[y + 1] - first[y] < 2)
            fail(of(where, "yarn", id[y]),
                 std::to_string(first[y + 1] - first[y]) + " crossings, expected at least 2");
        if (material[y] < 0 || material[y] >= static_cast<Index>(materials.size()))
            fail(of(where, "yarn", id[y]), "material " + std::to_string(material[y]) +
                                               ", expected 0 to " +
                                               std::to_string(materials.size() - 1));
        const double r = materials[material[y]].radius;
        for (Index k = first[y]; k < first[y + 1]; ++k) {
            const Index i = node[k];
            if (i < 0 || i >= nodes() || side[k] > 2)
                fail(of(where, "yarn", id[y]), "visits node " + std::to_string(i) + ", side " +
                                                   std::to_string(side[k]) +
                                                   ", expected a node of the fabric, side 0 to 2");
            if (visits[i][side[k]] != kNone)
                fail(of(where, "node", i), "side " + std::to_string(side[k]) + " belongs to yarn " +
                                               std::to_string(id[yarnOf[visits[i][side[k]]]]) +
                                               " already, and yarn " + std::to_string(id[y]) +
                                               " wants it");
            visits[i][side[k]] = k;
            yarnOf[k] = y;
            if (k == first[y]) continue;
            const double length = slide[k] - slide[k - 1];
            if (!(length > 0) || !std::isfinite(length))
                fail(of(where, "yarn", id[y]),
                     "rest length between its crossings " + std::to_string(k - 1 - first[y]) +
                         " and the next is " + std::to_string(length) + " m, expected > 0");
            if (!chord.empty() && !(chord[k - 1] > 0.1 && chord[k - 1] <= 1))
                fail(of(where, "yarn", id[y]),
                     "spans " + std::to_string(chord[k - 1]) + " of its length between crossings " +
                         std::to_string(k - 1 - first[y]) + " and the next, expected 0.1 to 1");
            // Physics 7.2 [C:G22]: the other family passes between where over and under alternate.
            // Yarns laid closer than that are what they are: the contact begins at the rest length.
            const bool between = lift[k] * lift[k - 1] < 0;
            const bool stitch =
                kind[i] == NodeKind::Stitch && kind[node[k - 1]] == NodeKind::Stitch;
            const double d = (between && !stitch ? 4 : 2) * r;
            closest[k - 1] = static_cast<float>(std::min(d, length));
        }
        frozen[node[first[y]]] |= 1u << side[first[y]];
        frozen[node[first[y + 1] - 1]] |= 1u << side[first[y + 1] - 1];
    }
    for (Index i = 0; i < nodes(); ++i) {
        if (kind[i] == NodeKind::Sewn) frozen[i] = 7;
        int yarnsHere = 0;
        for (Index k : visits[i]) yarnsHere += k != kNone;
        if (yarnsHere == 0) fail(of(where, "node", i), "no yarn goes through it, expected one");
        if (yarnsHere == 1) frozen[i] = 7; // a point of the yarn itself: sliding would mean nothing
    }
    for (const StitchContact& s : stitches)
        for (Index i : {s.a, s.b, s.c[0], s.c[1], s.d[0], s.d[1]})
            if (i < 0 || i >= nodes() || !(s.length > 0))
                fail(where, "a stitch names node " + std::to_string(i) + " and length " +
                                std::to_string(s.length) + " m, expected nodes of the fabric, > 0");
}

} // namespace purl
