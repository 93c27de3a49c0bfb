// Detail -> Curves: topology, radii, welds; and back.
#include "purl/host/yarns_from_detail.h"

#include "purl/base/error.h"
#include "purl/host/attributes.h"
#include "purl/scene/quantity.h"

#include <cmath>

namespace purl {

namespace {

const Attribute* numeric(const Detail& d, Owner owner, const char* name) {
    const Attribute* a = d.find(owner, name);
    return a && a->type == Attribute::Type::Numeric ? a : nullptr;
}

// Where the radius of yarns is told.
struct RadiusSource {
    const Attribute* attribute = nullptr;
    Owner owner = Owner::Point;
    double factor = 1; // width is a diameter
    double fixed = 0;  // m
};

RadiusSource radiusSource(const Detail& d, const std::string& file, std::optional<double> radius,
                          bool strict) {
    RadiusSource s;
    if (radius) {
        if (strict) checkRadius(*radius, "--radius");
        s.fixed = *radius;
        return s;
    }
    struct Name {
        const char* name;
        Owner owner;
        double factor;
    };
    for (const Name& n : {Name{"pscale", Owner::Point, 1.0}, Name{"pscale", Owner::Primitive, 1.0},
                          Name{"width", Owner::Point, 0.5}, Name{"width", Owner::Primitive, 0.5},
                          Name{"width", Owner::Vertex, 0.5}, Name{"pscale", Owner::Global, 1.0},
                          Name{"width", Owner::Global, 0.5}})
        if (const Attribute* a = numeric(d, n.owner, n.name)) {
            s.attribute = a;
            s.owner = n.owner;
            s.factor = n.factor;
            return s;
        }
    if (strict)
        throw Error(file,
                    "has no yarn radius: neither point attribute pscale (radius in m) nor width "
                    "(diameter in m) was found, expected one of them or --radius");
    return s;
}

// Radius of one yarn: the mean over its points; says whether they differ.
double radiusOf(const RadiusSource& s, const Detail& d, const std::string& file, Index primitive,
                bool strict, bool& varies) {
    if (!s.attribute) return s.fixed;
    const auto read = [&](Index element, const std::string& place) {
        const double r = s.factor * s.attribute->real(static_cast<std::size_t>(element));
        if (strict) checkRadius(r, file + ": " + place, "radius from " + s.attribute->name);
        return r;
    };
    if (s.owner == Owner::Global) return read(0, "detail");
    if (s.owner == Owner::Primitive)
        return read(primitive, "primitive " + std::to_string(primitive));
    const Index first = d.firstVertex[primitive], last = d.firstVertex[primitive + 1];
    double sum = 0, least = 1e300, most = -1e300;
    for (Index v = first; v < last; ++v) {
        const Index e = s.owner == Owner::Vertex ? v : d.vertexPoint[v];
        const double r = read(e, std::string(ownerName(s.owner)) + " " + std::to_string(e));
        sum += r;
        least = std::min(least, r);
        most = std::max(most, r);
    }
    if (most == least) return most;
    if (most > 1.001 * least) varies = true;
    return sum / (last - first);
}

void addWelds(const Detail& d, const std::string& file, Yarns& y) {
    for (Index node = 0; node < y.curves.points(); ++node) // vertices that share a point
        if (y.nodeOf[y.pointOf[node]] != node) y.welds.push_back({y.nodeOf[y.pointOf[node]], node});
    const Attribute* weld = numeric(d, Owner::Point, "weld");
    if (!weld) return;
    for (Index p = 0; p < d.points(); ++p) {
        const std::int64_t to = weld->integer(p);
        if (to < 0 || to == p || y.nodeOf[p] < 0) continue;
        if (to >= d.points())
            throw Error(file + ": point " + std::to_string(p),
                        "weld is " + std::to_string(to) + ", expected -1 or a point number up to " +
                            std::to_string(d.points() - 1));
        if (y.nodeOf[to] >= 0) y.welds.push_back({y.nodeOf[to], y.nodeOf[p]});
    }
}

} // namespace

Yarns yarnsOf(const Detail& d, const std::string& file, std::optional<double> radius, bool strict,
              std::vector<std::string>& warnings) {
    Yarns y;
    const std::vector<Vec3> x = d.positions();
    const RadiusSource source = radiusSource(d, file, radius, strict);
    y.nodeOf.assign(d.points(), -1);
    Index varying = 0, firstVarying = -1, repeated = 0, firstRepeated = -1;
    std::vector<Vec3> points;
    for (Index p = 0; p < d.primitives(); ++p) {
        if (!d.isCurve(p)) continue;
        const Span<const Index> ids = d.pointsOf(p);
        std::size_t n = ids.size();
        if (n == 0) continue;
        bool closed = d.primitiveClosed[p] != 0;
        // An open polyline whose ends are one point is a ring.
        if (n > 3 && ids[0] == ids[n - 1]) {
            closed = true;
            --n;
        }
        // A ring whose last point lies on its first says "closed" twice. That point is no node of
        // its own; it goes where the first goes.
        Index follower = -1;
        if (closed && n > 3 && ids[0] != ids[n - 1] && x[ids[0]] == x[ids[n - 1]]) {
            follower = ids[--n];
            if (repeated++ == 0) firstRepeated = p;
        }
        points.clear();
        for (std::size_t i = 0; i < n; ++i) {
            const Index node = static_cast<Index>(y.pointOf.size());
            if (y.nodeOf[ids[i]] < 0) y.nodeOf[ids[i]] = node;
            y.pointOf.push_back(ids[i]);
            points.push_back(x[ids[i]]);
        }
        if (follower >= 0 && y.nodeOf[follower] < 0) y.nodeOf[follower] = y.nodeOf[ids[0]];
        bool varies = false;
        const double r = radiusOf(source, d, file, p, strict, varies);
        if (varies && varying++ == 0) firstVarying = p;
        y.curves.add(points, closed, r);
        y.primitiveOf.push_back(p);
    }
    if (varying > 0)
        warnings.push_back(
            file + ": " + std::to_string(varying) +
            " yarns change their radius along their length (the first is primitive " +
            std::to_string(firstVarying) + "); each is given its mean radius");
    if (repeated > 0)
        warnings.push_back(file + ": " + std::to_string(repeated) +
                           " closed yarns end on the very place of their first point (the first is "
                           "primitive " +
                           std::to_string(firstRepeated) + "); there the two points move as one");
    addWelds(d, file, y);
    return y;
}

std::vector<Index> groupNodes(const Detail& d, const Yarns& y, const std::string& group,
                              const std::string& file) {
    std::vector<Index> nodes;
    if (const Group* g = d.findGroup(Owner::Point, group)) {
        for (Index n = 0; n < y.curves.points(); ++n)
            if (g->member[y.pointOf[n]]) nodes.push_back(n);
        return nodes;
    }
    if (const Group* g = d.findGroup(Owner::Primitive, group)) {
        for (Index yarn = 0; yarn < y.curves.yarns(); ++yarn)
            if (g->member[y.primitiveOf[yarn]])
                for (Index n = y.curves.first[yarn]; n < y.curves.first[yarn + 1]; ++n)
                    nodes.push_back(n);
        return nodes;
    }
    noSuchGroup(d, group, file);
}

void putRadii(Detail& d, const Yarns& y) {
    if (radiusSource(d, "", std::nullopt, false).attribute) return;
    Attribute& a = d.addFloat(Owner::Point, "pscale");
    for (Index yarn = 0; yarn < y.curves.yarns(); ++yarn)
        for (Index p : d.pointsOf(y.primitiveOf[yarn]))
            a.set(static_cast<std::size_t>(p), 0, y.curves.radius[yarn]);
}

void putPositions(Detail& d, const Yarns& y, Span<const Vec3> x) {
    Attribute* p = d.findPoint("P");
    for (Index point = 0; point < d.points(); ++point)
        if (y.nodeOf[point] >= 0)
            for (int k = 0; k < 3; ++k) p->set(point, k, x[y.nodeOf[point]][k]);
}

void putVelocities(Detail& d, const Yarns& y, Span<const Vec3> v) {
    Attribute* a = d.findPoint("v");
    if (!a || a->type != Attribute::Type::Numeric || a->size != 3)
        a = &d.addFloat(Owner::Point, "v", 3, "vector");
    for (Index point = 0; point < d.points(); ++point)
        if (y.nodeOf[point] >= 0)
            for (int k = 0; k < 3; ++k) a->set(point, k, v[y.nodeOf[point]][k]);
}

void putContacts(Detail& d, const Yarns& y, Span<const Vec3> force, Span<const int> updates) {
    Attribute* f = d.findPoint("contactforce");
    if (!f || f->type != Attribute::Type::Numeric || f->size != 3)
        f = &d.addFloat(Owner::Point, "contactforce", 3, "vector");
    for (Index point = 0; point < d.points(); ++point)
        if (y.nodeOf[point] >= 0)
            for (int k = 0; k < 3; ++k) f->set(point, k, force[y.nodeOf[point]][k]);
    if (updates.empty()) return;
    Attribute* u = d.findPoint("aclupdates");
    if (!u || u->type != Attribute::Type::Numeric || u->size != 1)
        u = &d.addInt(Owner::Point, "aclupdates", 1);
    for (Index point = 0; point < d.points(); ++point)
        if (y.nodeOf[point] >= 0) u->set(point, 0, updates[y.nodeOf[point]]);
}

void putOrientations(Detail& d, const Yarns& y, Span<const Eigen::Vector4d> q) {
    Attribute* a = d.findPoint("orient");
    if (!a || a->type != Attribute::Type::Numeric || a->size != 4) {
        a = &d.addFloat(Owner::Point, "orient", 4, "quaternion");
        for (Index point = 0; point < d.points(); ++point) a->set(point, 3, 1.0);
    }
    for (Index point = 0; point < d.points(); ++point)
        if (y.nodeOf[point] >= 0)
            for (int k = 0; k < 4; ++k) a->set(point, k, q[y.nodeOf[point]][k]);
}

std::vector<Vec3> nodeVectors(const Detail& d, const Yarns& y, const Attribute& a) {
    const std::vector<Vec3> points = d.vectors(a);
    std::vector<Vec3> out;
    out.reserve(y.pointOf.size());
    for (Index p : y.pointOf) out.push_back(points[p]);
    return out;
}

} // namespace purl
