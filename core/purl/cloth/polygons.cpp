#include "purl/cloth/polygons.h"

#include "purl/base/error.h"
#include "purl/cloth/polygon_repair.h"
#include "purl/cloth/rest_shape.h"
#include "purl/cloth/triangulate.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>

namespace purl {

namespace {

double uvArea(const PolygonLoop& l) {
    double sum = 0;
    for (std::size_t i = 1; i + 1 < l.uv.size(); ++i) {
        const Vec2 a = l.uv[i] - l.uv[0], b = l.uv[i + 1] - l.uv[0];
        sum += 0.5 * (a.x() * b.y() - a.y() * b.x());
    }
    return std::abs(sum);
}

// Which rest shape there will be, and the scale of uv.
RestFrom chooseRest(const Polygons& p, const std::vector<PolygonLoop>& loops,
                    const ClothBuildSettings& settings, const std::string& file, double& uvScale,
                    std::vector<std::string>& warnings) {
    double flat = 0, solid = 0;
    for (const PolygonLoop& l : loops) {
        flat += uvArea(l);
        solid += 0.5 * loopNormal(p.x, l.point).norm();
    }
    uvScale = settings.uvScale;
    if (settings.rest == RestFrom::Rest && p.rest.empty())
        throw Error(file, "has no point attribute rest, expected one (3 numbers, m) as the rest "
                          "shape is to be taken from it");
    if (settings.rest == RestFrom::Uv) {
        if (p.uv.empty())
            throw Error(file, "has no uv, expected a vertex or point attribute uv as the rest "
                              "shape is to be taken from it");
        if (!(flat > 0)) throw Error(file, "uv covers no area, expected the sheet laid flat");
        if (uvScale == 0) uvScale = std::sqrt(solid / flat);
    }
    if (settings.rest != RestFrom::Auto) return settings.rest;
    if (!p.rest.empty()) return RestFrom::Rest;
    if (p.uv.empty()) return RestFrom::Input;
    if (uvScale == 0 && flat > 0) uvScale = std::sqrt(solid / flat);
    const double ratio = flat * uvScale * uvScale / std::max(solid, 1e-300);
    if (ratio > 0.5 && ratio < 2) return RestFrom::Uv;
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", ratio);
    warnings.push_back(file + ": uv covers " + text +
                       " times the area of the polygons: it is taken for a texture's layout and "
                       "gives the warp direction only; the polygons as they come are the rest "
                       "shape");
    return RestFrom::Input;
}

// Nodes are the points that triangles use, in the order of the points.
void numberNodes(const Polygons& p, ClothInput& in, const std::string& file) {
    in.nodeOf.assign(p.x.size(), -1);
    for (const auto& t : in.mesh.triangles)
        for (Index q : t) in.nodeOf[q] = 0;
    RepairCount loose;
    for (std::size_t q = 0; q < p.x.size(); ++q) {
        if (in.nodeOf[q] < 0) {
            loose.add(static_cast<Index>(q));
            continue;
        }
        in.nodeOf[q] = static_cast<Index>(in.pointOf.size());
        in.pointOf.push_back(static_cast<Index>(q));
        in.x.push_back(p.x[q]);
    }
    loose.say(file, "is in no polygon", "are in no polygon", "not simulated", in.warnings, "point");
    in.mesh.points = static_cast<Index>(in.x.size());
    for (auto& t : in.mesh.triangles)
        for (Index& q : t) q = in.nodeOf[q];
}

void addHinges(ClothMesh& mesh, Span<const Vec3> x, bool flat) {
    struct User {
        Index triangle;
        int k;
    };
    std::map<std::array<Index, 2>, std::vector<User>> users;
    for (Index t = 0; t < mesh.faces(); ++t)
        for (int k = 0; k < 3; ++k) {
            const Index a = mesh.triangles[t][k], b = mesh.triangles[t][(k + 1) % 3];
            users[{std::min(a, b), std::max(a, b)}].push_back({t, k});
        }
    for (const auto& [edge, u] : users) {
        if (u.size() != 2) continue;
        const auto &s = mesh.triangles[u[0].triangle], &t = mesh.triangles[u[1].triangle];
        const Index e0 = s[u[0].k], e1 = s[(u[0].k + 1) % 3];
        const Index o0 = s[(u[0].k + 2) % 3], o1 = t[(u[1].k + 2) % 3];
        mesh.hinges.push_back({e0, e1, o0, o1});
        mesh.hingeTriangles.push_back({u[0].triangle, u[1].triangle});
        double angle = 0;
        if (!flat) { // physics 6.5
            const Vec3 e = x[e1] - x[e0];
            const Vec3 n1 = e.cross(x[o0] - x[e0]).normalized();
            const Vec3 n2 = (x[o1] - x[e0]).cross(e).normalized();
            angle = std::atan2(n1.cross(n2).dot(e.normalized()), n1.dot(n2));
            if (!std::isfinite(angle)) angle = 0;
        }
        mesh.restAngle.push_back(angle);
    }
}

} // namespace

ClothInput buildCloth(const Polygons& p, const ClothBuildSettings& settings,
                      const std::string& file) {
    ClothInput in;
    if (p.count() == 0) throw Error(file, "has no polygons, expected a sheet of them");
    if (!(settings.uvScale >= 0))
        throw Error(file, "uv scale is " + std::to_string(settings.uvScale) +
                              ", expected m a unit of uv, or 0");
    const bool fromRest =
        !p.rest.empty() && (settings.rest == RestFrom::Auto || settings.rest == RestFrom::Rest);
    const std::vector<Vec3>& restX = fromRest ? p.rest : p.x;
    const std::vector<PolygonLoop> loops = repairPolygons(p, restX, file, in.warnings);
    RestShape shape;
    shape.from = in.restFrom = chooseRest(p, loops, settings, file, shape.uvScale, in.warnings);
    RepairCount crossed;
    for (const PolygonLoop& l : loops) {
        std::vector<Vec3> corner;
        for (std::size_t i = 0; i < l.point.size(); ++i) corner.push_back(restX[l.point[i]]);
        bool simple = true;
        const auto cut = triangulate(corner, simple);
        if (!simple) crossed.add(p.number[l.polygon]);
        for (const auto& t : cut) {
            const Vec3 normal = (corner[t[1]] - corner[t[0]]).cross(corner[t[2]] - corner[t[0]]);
            const double longest = std::max({(corner[t[1]] - corner[t[0]]).squaredNorm(),
                                             (corner[t[2]] - corner[t[1]]).squaredNorm(),
                                             (corner[t[0]] - corner[t[2]]).squaredNorm()});
            if (!(normal.norm() > 1e-8 * longest)) continue; // three points of a T-junction
            in.mesh.triangles.push_back({l.point[t[0]], l.point[t[1]], l.point[t[2]]});
            in.polygonOf.push_back(l.polygon);
            shape.corner.push_back({corner[t[0]], corner[t[1]], corner[t[2]]});
            if (!l.uv.empty()) shape.uv.push_back({l.uv[t[0]], l.uv[t[1]], l.uv[t[2]]});
            shape.warp.push_back(p.warp.empty() ? Vec3(0, 0, 0) : p.warp[l.polygon]);
            shape.number.push_back(p.number[l.polygon]);
        }
    }
    crossed.say(file, "crosses itself", "cross themselves", "cut into a fan", in.warnings);
    in.mesh.rest = restTriangles(in.mesh, shape, file, in.warnings);
    numberNodes(p, in, file);
    in.uv = std::move(shape.uv);
    for (Index q : in.pointOf) in.rest.push_back(restX[q]);
    addHinges(in.mesh, in.rest, settings.flat || in.restFrom == RestFrom::Uv);
    return in;
}

} // namespace purl
