#include "purl/host/yarn_tubes.h"

#include "purl/base/error.h"
#include "purl/geometry/catmull_rom.h"
#include "purl/geometry/transport.h"
#include "purl/host/yarns_from_detail.h"

#include <cmath>

namespace purl {

namespace {

constexpr double kPi = 3.14159265358979323846;

// A yarn sampled finely, with a frame at each sample.
struct Line {
    std::vector<Vec3> x, tangent, normal;
    std::vector<double> s, node; // m along it; place among the yarn's vertices
    bool closed = false;
};

Vec3 directorOf(const Attribute& orient, Index point) {
    const Eigen::Quaterniond q(orient.real(point, 3), orient.real(point, 0), orient.real(point, 1),
                               orient.real(point, 2));
    return q.norm() > 0.5 ? Vec3(q.normalized() * Vec3::UnitX()) : Vec3(Vec3::Zero());
}

Line sample(const Curves& c, Index yarn, int pieces) {
    Line l;
    l.closed = c.closed[yarn] != 0;
    const Index n = c.size(yarn), first = c.first[yarn];
    const auto at = [&](Index i) -> Vec3 { // beyond an open end: reflected
        if (l.closed) return c.x[first + ((i % n) + n) % n];
        if (i < 0) return 2 * c.x[first] - c.x[first + 1];
        if (i >= n) return 2 * c.x[first + n - 1] - c.x[first + n - 2];
        return c.x[first + i];
    };
    const Index segments = c.edges(yarn);
    for (Index e = 0; e < segments; ++e)
        for (int k = 0; k < pieces + (e + 1 == segments && !l.closed ? 1 : 0); ++k) {
            const double u = static_cast<double>(k) / pieces;
            const Weights4 w = catmullRom(u), d = catmullRomFirst(u);
            Vec3 x = Vec3::Zero(), t = Vec3::Zero();
            for (int q = 0; q < 4; ++q) {
                x += w[q] * at(e - 1 + q);
                t += d[q] * at(e - 1 + q);
            }
            l.x.push_back(x);
            const Vec3 before = l.tangent.empty() ? Vec3(Vec3::UnitX()) : l.tangent.back();
            l.tangent.push_back(t.norm() > 0 ? Vec3(t.normalized()) : before);
            l.node.push_back(e + u);
            l.s.push_back(l.s.empty() ? 0 : l.s.back() + (x - l.x[l.x.size() - 2]).norm());
        }
    return l;
}

// Frames carried along the yarn from its first; in a ring the angle that is left is spread evenly.
void carryFrames(Line& l) {
    l.normal.assign(l.x.size(), Vec3::UnitX());
    if (l.x.empty()) return;
    l.normal[0] = anyNormal(l.tangent[0]);
    const auto carried = [](const Vec3& n, const Vec3& a, const Vec3& b) {
        return a.dot(b) > -0.999 ? transport(n, a, b) : n; // a hairpin keeps its frame
    };
    for (std::size_t i = 1; i < l.x.size(); ++i)
        l.normal[i] = carried(l.normal[i - 1], l.tangent[i - 1], l.tangent[i]);
    if (!l.closed) return;
    const Vec3 back = carried(l.normal.back(), l.tangent.back(), l.tangent[0]);
    const double angle = signedAngle(back, l.normal[0], l.tangent[0]);
    for (std::size_t i = 0; i < l.x.size(); ++i) {
        const double a = angle * static_cast<double>(i) / static_cast<double>(l.x.size());
        l.normal[i] = Eigen::AngleAxisd(a, l.tangent[i]) * l.normal[i];
    }
}

void framesFrom(const Attribute& orient, const Yarns& y, Index yarn, Line& l) {
    const Index n = y.curves.size(yarn), first = y.curves.first[yarn];
    for (std::size_t i = 0; i < l.x.size(); ++i) {
        const Index a = static_cast<Index>(l.node[i]) % n;
        const Index b = l.closed ? (a + 1) % n : std::min(a + 1, n - 1);
        const double u = l.node[i] - std::floor(l.node[i]);
        const Vec3 d = (1 - u) * directorOf(orient, y.pointOf[first + a]) +
                       u * directorOf(orient, y.pointOf[first + b]);
        const Vec3 flat = d - d.dot(l.tangent[i]) * l.tangent[i];
        if (flat.norm() > 1e-6) l.normal[i] = flat.normalized(); // else as it was carried
    }
}

struct Out {
    Detail& d;
    std::vector<Vec3> x;
    std::vector<std::array<float, 2>> uv;
    std::vector<std::int32_t> yarn, ply;
    std::vector<std::array<float, 3>> color;
    std::vector<float> width, along;
    struct Face {
        PrimitiveKind kind;
        std::vector<Index> points;
    };
    std::vector<Face> faces;
};

Index put(Out& o, const Vec3& x, double u, double v, Index yarn, int ply, const Vec3& color,
          double width, double along) {
    o.x.push_back(x);
    o.uv.push_back({static_cast<float>(u), static_cast<float>(v)});
    o.yarn.push_back(yarn);
    o.ply.push_back(ply);
    o.color.push_back({static_cast<float>(color.x()), static_cast<float>(color.y()),
                       static_cast<float>(color.z())});
    o.width.push_back(static_cast<float>(width));
    o.along.push_back(static_cast<float>(along));
    return static_cast<Index>(o.x.size()) - 1;
}

void tube(Out& o, const Line& l, double radius, const TubeSettings& s, Index yarn, int ply,
          const Vec3& color) {
    const Index rings = static_cast<Index>(l.x.size()), sides = s.sides;
    const Index first = static_cast<Index>(o.x.size());
    const double length = l.s.back() > 0 ? l.s.back() : 1;
    for (Index i = 0; i < rings; ++i) {
        const Vec3 n = l.normal[i], b = l.tangent[i].cross(n);
        for (Index k = 0; k < sides; ++k) {
            const double a = 2 * kPi * k / sides;
            put(o, l.x[i] + radius * (std::cos(a) * n + std::sin(a) * b),
                static_cast<double>(k) / sides, l.s[i], yarn, ply, color, 2 * radius,
                l.s[i] / length);
        }
    }
    const Index spans = l.closed ? rings : rings - 1;
    for (Index i = 0; i < spans; ++i)
        for (Index k = 0; k < sides; ++k) {
            const Index a = first + i * sides, b = first + (i + 1) % rings * sides;
            o.faces.push_back(
                {PrimitiveKind::Polygon, {a + k, a + (k + 1) % sides, b + (k + 1) % sides, b + k}});
        }
    if (l.closed || !s.caps) return;
    Out::Face start{PrimitiveKind::Polygon, {}}, end{PrimitiveKind::Polygon, {}};
    for (Index k = 0; k < sides; ++k) {
        start.points.push_back(first + sides - 1 - k);
        end.points.push_back(first + (rings - 1) * sides + k);
    }
    o.faces.push_back(start);
    o.faces.push_back(end);
}

// The centre line of one ply: a helix about the yarn's. In a ring the turns are made whole.
Line plyLine(const Line& l, double offset, double twist, int ply, int plies) {
    Line out = l;
    const double length = l.s.back() + (l.closed ? (l.x[0] - l.x.back()).norm() : 0);
    const double turns = l.closed ? std::round(twist * length) : twist * length;
    for (std::size_t i = 0; i < l.x.size(); ++i) {
        const double a = 2 * kPi * (static_cast<double>(ply) / plies + turns * l.s[i] / length);
        const Vec3 b = l.tangent[i].cross(l.normal[i]);
        const Vec3 radial = std::cos(a) * l.normal[i] + std::sin(a) * b;
        out.x[i] = l.x[i] + offset * radial;
        out.normal[i] = radial;
    }
    for (std::size_t i = 0; i < out.x.size(); ++i) { // tangents of the helix itself
        const std::size_t n = out.x.size();
        const std::size_t a = i > 0 ? i - 1 : l.closed ? n - 1 : 0;
        const std::size_t b = i + 1 < n ? i + 1 : l.closed ? 0 : n - 1;
        const Vec3 t = out.x[b] - out.x[a];
        if (t.norm() > 0) out.tangent[i] = t.normalized();
        const Vec3 flat = out.normal[i] - out.normal[i].dot(out.tangent[i]) * out.tangent[i];
        if (flat.norm() > 1e-6) out.normal[i] = flat.normalized();
    }
    return out;
}

void finish(Out& o) {
    Detail& d = o.d;
    d.addPoints(static_cast<Index>(o.x.size()));
    d.setPositions(o.x);
    for (const Out::Face& f : o.faces) d.addPrimitive(f.kind, f.points);
    Attribute& uv = d.addFloat(Owner::Point, "uv", 3, "texturecoord");
    Attribute& color = d.addFloat(Owner::Point, "Cd", 3, "color");
    Attribute& yarn = d.addInt(Owner::Point, "yarnid");
    Attribute& ply = d.addInt(Owner::Point, "ply");
    Attribute& width = d.addFloat(Owner::Point, "width");
    Attribute& along = d.addFloat(Owner::Point, "curveu");
    for (Index i = 0; i < d.points(); ++i) {
        for (int k = 0; k < 2; ++k) uv.set(i, k, o.uv[i][k]);
        for (int k = 0; k < 3; ++k) color.set(i, k, o.color[i][k]);
        yarn.set(i, 0, o.yarn[i]);
        ply.set(i, 0, o.ply[i]);
        width.set(i, 0, o.width[i]);
        along.set(i, 0, o.along[i]);
    }
}

} // namespace

Detail dressYarns(const Detail& in, const std::string& name, const TubeSettings& s,
                  std::vector<std::string>& warnings) {
    if (s.sides < 3 || s.pieces < 1 || s.plies < 2)
        throw Error(name, "sides are " + std::to_string(s.sides) + ", pieces " +
                              std::to_string(s.pieces) + " and plies " + std::to_string(s.plies) +
                              ", expected at least 3, 1 and 2");
    const Yarns y = yarnsOf(in, name, std::nullopt, true, warnings);
    const Attribute* orient = in.findPoint("orient");
    if (orient && (orient->type != Attribute::Type::Numeric || orient->size != 4)) orient = nullptr;
    const Attribute* cd = in.findPoint("Cd");
    if (cd && (cd->type != Attribute::Type::Numeric || cd->size != 3)) cd = nullptr;
    const Attribute* id = in.find(Owner::Primitive, "yarnid");
    if (id && id->type != Attribute::Type::Numeric) id = nullptr;
    Detail out;
    out.software = "Purl";
    Out o{out, {}, {}, {}, {}, {}, {}, {}, {}};
    Index shortOnes = 0, firstShort = -1;
    for (Index yarn = 0; yarn < y.curves.yarns(); ++yarn) {
        if (y.curves.size(yarn) < 2) {
            if (shortOnes++ == 0) firstShort = y.primitiveOf[yarn];
            continue;
        }
        for (const Vec3& x : y.curves.yarn(yarn))
            if (!x.allFinite())
                throw Error(name + ": primitive " + std::to_string(y.primitiveOf[yarn]),
                            "has a point that is not finite, expected positions in m");
        Line line = sample(y.curves, yarn, s.pieces);
        carryFrames(line);
        if (orient) framesFrom(*orient, y, yarn, line);
        const Index point = y.pointOf[y.curves.first[yarn]];
        const Vec3 color = cd ? Vec3(cd->real(point, 0), cd->real(point, 1), cd->real(point, 2))
                              : Vec3(Vec3::Ones());
        const Index number = id ? static_cast<Index>(id->integer(y.primitiveOf[yarn])) : yarn;
        const double radius = s.widthScale * y.curves.radius[yarn];
        if (s.output == TubeSettings::Output::Tube) {
            tube(o, line, radius, s, number, 0, color);
            continue;
        }
        // N equal circles that touch each other inside one of this radius.
        const double sine = std::sin(kPi / s.plies), thin = radius * sine / (1 + sine);
        for (int ply = 0; ply < s.plies; ++ply) {
            const Line strand = plyLine(line, radius - thin, s.twist, ply, s.plies);
            if (s.output == TubeSettings::Output::Plies) {
                tube(o, strand, thin, s, number, ply, color);
                continue;
            }
            Out::Face f{strand.closed ? PrimitiveKind::Polygon : PrimitiveKind::Polyline, {}};
            const double length = strand.s.back() > 0 ? strand.s.back() : 1;
            for (std::size_t i = 0; i < strand.x.size(); ++i)
                f.points.push_back(put(o, strand.x[i], static_cast<double>(ply) / s.plies,
                                       strand.s[i], number, ply, color, 2 * thin,
                                       strand.s[i] / length));
            o.faces.push_back(f);
        }
    }
    if (shortOnes > 0)
        warnings.push_back(name + ": " + std::to_string(shortOnes) +
                           " curves have fewer than two points (the first is primitive " +
                           std::to_string(firstShort) + "); they are left out");
    finish(o);
    return out;
}

} // namespace purl
