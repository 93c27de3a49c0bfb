#include "purl/host/fabric_detail.h"

#include "purl/base/parallel.h"

#include <algorithm>

namespace purl {

namespace {

// Numbers of an attribute as an array: millions of points go through here.
float* floats(Detail& d, Owner owner, const char* name, int size, const char* info = "") {
    return d.addFloat(owner, name, size, info).as<float>()->data();
}
std::int32_t* ints(Detail& d, Owner owner, const char* name, int size = 1) {
    return d.addInt(owner, name, size).as<std::int32_t>()->data();
}
void put(float* to, const Vec3& v) {
    for (int k = 0; k < 3; ++k) to[k] = static_cast<float>(v[k]);
}

void addYarnAttributes(Detail& d, const FabricLayout& l, const std::string& material) {
    std::int32_t* id = ints(d, Owner::Primitive, "yarnid");
    std::int32_t* thread = ints(d, Owner::Primitive, "thread");
    std::int32_t* piece = ints(d, Owner::Primitive, "piece");
    Attribute& family = d.addString(Owner::Primitive, "family");
    Attribute* stuff = material.empty() ? nullptr : &d.addString(Owner::Primitive, "material");
    for (std::size_t y = 0; y < l.yarns.size(); ++y) {
        id[y] = l.network.id[y];
        thread[y] = l.yarns[y].thread;
        piece[y] = l.yarns[y].piece;
        family.setText(y, 0, familyName(l.yarns[y].family));
        if (stuff) stuff->setText(y, 0, material);
    }
    for (YarnFamily f :
         {YarnFamily::Warp, YarnFamily::Weft, YarnFamily::Course, YarnFamily::Seam}) {
        bool any = false;
        for (const FabricYarn& y : l.yarns) any = any || y.family == f;
        if (!any) continue;
        Group& g = d.addGroup(Owner::Primitive, familyName(f));
        for (std::size_t y = 0; y < l.yarns.size(); ++y) g.member[y] = l.yarns[y].family == f;
    }
}

} // namespace

Detail fabricDetail(const FabricLayout& l, const FabricCurves& c, const std::string& material) {
    Detail d;
    d.software = "Purl";
    const Curves& curves = c.curves;
    d.addPoints(curves.points());
    std::vector<Index> ids;
    for (Index y = 0; y < curves.yarns(); ++y) {
        ids.clear();
        for (Index i = curves.first[y]; i < curves.first[y + 1]; ++i) ids.push_back(i);
        d.addPrimitive(PrimitiveKind::Polyline, ids);
    }
    d.setPositions(curves.x);
    float* pscale = floats(d, Owner::Point, "pscale", 1);
    float* width = floats(d, Owner::Point, "width", 1);
    float* color = floats(d, Owner::Point, "Cd", 3, "color");
    std::int32_t* yarn = ints(d, Owner::Point, "yarnid");
    std::int32_t* node = ints(d, Owner::Point, "node");
    Group& ends = d.addGroup(Owner::Point, "yarn_ends");
    for (Index y = 0; y < curves.yarns(); ++y) {
        for (Index i = curves.first[y]; i < curves.first[y + 1]; ++i) {
            pscale[i] = static_cast<float>(curves.radius[y]);
            width[i] = 2 * pscale[i];
            put(color + 3 * static_cast<std::size_t>(i), l.yarns[y].color);
            yarn[i] = l.network.id[y];
            node[i] = c.node[i];
        }
        ends.member[curves.first[y]] = ends.member[curves.first[y + 1] - 1] = 1;
    }
    addYarnAttributes(d, l, material);
    for (const char* name : {"N", "v"})
        floats(d, Owner::Point, name, 3, name[0] == 'N' ? "normal" : "vector");
    floats(d, Owner::Point, "orient", 4, "quaternion");
    floats(d, Owner::Point, "slide", 1);
    floats(d, Owner::Point, "curveu", 1);
    putFabric(d, c, {});
    return d;
}

void putFabric(Detail& d, const FabricCurves& c, Span<const Vec3> velocity) {
    const auto array = [&](const char* name) { return d.findPoint(name)->as<float>()->data(); };
    d.setPositions(c.curves.x);
    float *n = array("N"), *v = array("v"), *q = array("orient"), *s = array("slide"),
          *u = array("curveu");
    parallelFor(c.curves.yarns(), 16, [&](Index begin, Index end) {
        for (Index y = begin; y < end; ++y) {
            const Index first = c.curves.first[y], last = c.curves.first[y + 1] - 1;
            const double from = c.slide[first], length = std::max(c.slide[last] - from, 1e-300);
            for (std::size_t i = first; i <= static_cast<std::size_t>(last); ++i) {
                put(n + 3 * i, c.normal[i]);
                put(v + 3 * i, velocity.empty() ? Vec3(0, 0, 0) : velocity[i]);
                for (int k = 0; k < 4; ++k) q[4 * i + k] = static_cast<float>(c.orient[i][k]);
                s[i] = static_cast<float>(c.slide[i]);
                u[i] = static_cast<float>((c.slide[i] - from) / length);
            }
        }
    });
}

Detail networkDetail(const FabricLayout& l, const FabricPatch& patch, Span<const Vec3> x,
                     Span<const Vec3> slides) {
    const CrossingNetwork& net = l.network;
    Detail d;
    d.software = "Purl";
    d.addPoints(net.nodes());
    for (Index y = 0; y < net.yarns(); ++y)
        d.addPrimitive(
            PrimitiveKind::Polyline,
            Span<const Index>(net.node.data() + net.first[y],
                              static_cast<std::size_t>(net.first[y + 1] - net.first[y])));
    d.setPositions(x.empty() ? Span<const Vec3>(net.x) : x);
    std::int32_t* kind = ints(d, Owner::Point, "kind");
    std::int32_t* frozen = ints(d, Owner::Point, "frozen");
    std::int32_t* prim = ints(d, Owner::Point, "prim");
    std::int32_t* piece = ints(d, Owner::Point, "piece");
    std::int32_t* lift = ints(d, Owner::Point, "lift", 3);
    float* slide = floats(d, Owner::Point, "slide", 3);
    float* bary = floats(d, Owner::Point, "bary", 3);
    float* uvw = floats(d, Owner::Point, "uvw", 3);
    for (Index v = 0; v < net.visitCount(); ++v) {
        const std::size_t at = 3 * static_cast<std::size_t>(net.node[v]) + net.side[v];
        lift[at] = net.lift[v];
        slide[at] =
            static_cast<float>(slides.empty() ? net.slide[v] : slides[net.node[v]][net.side[v]]);
    }
    for (std::size_t n = 0; n < l.triangle.size(); ++n) {
        kind[n] = static_cast<std::int32_t>(net.kind[n]);
        frozen[n] = net.frozen[n];
        prim[n] = patch.number[l.triangle[n]];
        piece[n] = patch.piece[l.triangle[n]];
        put(bary + 3 * n, l.weights[n]);
        put(uvw + 3 * n, Vec3(l.plane[n].x(), l.plane[n].y(), 0));
    }
    addYarnAttributes(d, l, "");
    return d;
}

} // namespace purl
