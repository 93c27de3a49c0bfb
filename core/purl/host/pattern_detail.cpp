#include "purl/host/pattern_detail.h"

#include "purl/base/error.h"

namespace purl {

namespace {

void addGroup(Detail& d, const char* name, const std::vector<Index>& members) {
    Group& g = d.addGroup(Owner::Point, name);
    for (Index p : members) g.member[p] = 1;
}

// Every pair as one `weld` on a point that has none yet (a point holds one only).
void addWelds(Detail& d, const std::vector<std::array<Index, 2>>& welds) {
    Attribute& weld = d.addInt(Owner::Point, "weld");
    weld.defaults = std::vector<std::int64_t>{-1};
    for (Index p = 0; p < d.points(); ++p) weld.set(p, 0, -1);
    for (const auto& [a, b] : welds) {
        const Index from = weld.integer(b) < 0 ? b : a, to = from == b ? a : b;
        if (weld.integer(from) >= 0)
            throw Error("pattern: point " + std::to_string(from),
                        "is welded to two others, expected one");
        weld.set(from, 0, to);
    }
}

} // namespace

Detail patternDetail(const PatternEntry& entry, const std::string& material) {
    const Pattern p = makePattern(entry.settings);
    const auto placed = [&](const Vec3& x) -> Vec3 {
        return entry.centre + (entry.lie ? Vec3(x.x(), x.z(), -x.y()) : x);
    };
    Detail d;
    d.software = "Purl";
    d.addPoints(p.curves.points());
    std::vector<Vec3> x, rest;
    for (const Vec3& v : p.curves.x) x.push_back(placed(v));
    for (const Vec3& v : p.rest) rest.push_back(placed(v));
    d.setPositions(x);
    std::vector<Index> ids;
    for (Index y = 0; y < p.curves.yarns(); ++y) {
        ids.clear();
        for (Index i = p.curves.first[y]; i < p.curves.first[y + 1]; ++i) ids.push_back(i);
        d.addPrimitive(p.curves.closed[y] ? PrimitiveKind::Polygon : PrimitiveKind::Polyline, ids);
    }
    // One after the other: adding an attribute may move those that are there.
    for (const char* name : {"rest", "Cd"}) {
        const bool isRest = name[0] == 'r';
        Attribute& a = d.addFloat(Owner::Point, name, 3, isRest ? "vector" : "color");
        for (Index y = 0; y < p.curves.yarns(); ++y)
            for (Index i = p.curves.first[y]; i < p.curves.first[y + 1]; ++i)
                for (int k = 0; k < 3; ++k) a.set(i, k, isRest ? rest[i][k] : p.color[y][k]);
    }
    for (const char* name : {"pscale", "curveu"}) {
        Attribute& a = d.addFloat(Owner::Point, name);
        for (Index y = 0; y < p.curves.yarns(); ++y)
            for (Index i = p.curves.first[y]; i < p.curves.first[y + 1]; ++i)
                a.set(i, 0, name[0] == 'p' ? p.curves.radius[y] : p.curveu[i]);
    }
    for (const char* name : {"yarnid", "course", "wale"}) {
        Attribute& a = d.addInt(Owner::Point, name);
        for (Index y = 0; y < p.curves.yarns(); ++y)
            for (Index i = p.curves.first[y]; i < p.curves.first[y + 1]; ++i)
                a.set(i, 0, name[0] == 'y' ? y : name[0] == 'c' ? p.course[i] : p.wale[i]);
    }
    Attribute& yarn = d.addInt(Owner::Primitive, "yarnid");
    for (Index y = 0; y < p.curves.yarns(); ++y) yarn.set(y, 0, y);
    if (!material.empty()) {
        Attribute& m = d.addString(Owner::Primitive, "material");
        for (Index y = 0; y < p.curves.yarns(); ++y) m.setText(y, 0, material);
    }
    addWelds(d, p.welds);
    addGroup(d, "edge_left", p.edgeLeft);
    addGroup(d, "edge_right", p.edgeRight);
    addGroup(d, "edge_bottom", p.edgeBottom);
    addGroup(d, "edge_top", p.edgeTop);
    return d;
}

} // namespace purl
