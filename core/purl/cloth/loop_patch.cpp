#include "purl/cloth/loop_patch.h"

#include "purl/base/error.h"
#include "purl/cloth/box_spline.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace purl::cloth {

LoopSurface::LoopSurface(const ClothMesh& mesh) : mesh_(mesh) {
    for (Index t = 0; t < mesh.faces(); ++t) {
        const auto& n = mesh.triangles[static_cast<std::size_t>(t)];
        for (int c = 0; c < 3; ++c) edges_.push_back({n[c], n[(c + 1) % 3], n[(c + 2) % 3], t});
    }
    std::sort(edges_.begin(), edges_.end());
    for (std::size_t e = 1; e < edges_.size(); ++e)
        if (edges_[e][0] == edges_[e - 1][0] && edges_[e][1] == edges_[e - 1][1])
            throw Error("cloth: triangle " + std::to_string(edges_[e][3]),
                        "its edge from point " + std::to_string(edges_[e][0]) + " to point " +
                            std::to_string(edges_[e][1]) + " is also triangle " +
                            std::to_string(edges_[e - 1][3]) +
                            "'s; bending 'loop' needs a manifold sheet of one orientation");
    for (std::size_t h = 0; h < mesh.restAngle.size(); ++h)
        if (mesh.restAngle[h] != 0) {
            const auto& n = mesh.hinges[h];
            angles_.push_back({{std::min(n[0], n[1]), std::max(n[0], n[1])}, mesh.restAngle[h]});
        }
    std::sort(angles_.begin(), angles_.end());
}

LoopSurface::Neighbour LoopSurface::across(Index from, Index to) const {
    const std::array<Index, 4> key{from, to, -1, -1};
    const auto e = std::lower_bound(edges_.begin(), edges_.end(), key);
    if (e == edges_.end() || (*e)[0] != from || (*e)[1] != to) return {};
    Neighbour n{(*e)[2], (*e)[3], 0};
    const std::array<Index, 2> edge{std::min(from, to), std::max(from, to)};
    const auto a = std::lower_bound(angles_.begin(), angles_.end(), edge,
                                    [](const auto& p, const auto& k) { return p.first < k; });
    if (a != angles_.end() && a->first == edge) n.restAngle = a->second;
    return n;
}

// Where the third corner of `triangle` lies when its edge from -> to is at x0, x1, with `other` on
// the other side of the edge and the hinge folded by `angle`.
Vec3 LoopSurface::unfold(Index triangle, Index from, Index to, const Vec3& x0, const Vec3& x1,
                         const Vec3& other, double angle) const {
    const auto& n = mesh_.triangles[static_cast<std::size_t>(triangle)];
    const auto& r = mesh_.rest[static_cast<std::size_t>(triangle)];
    int c = 0;
    while (n[c] != from || n[(c + 1) % 3] != to) ++c;
    const Vec2 e2 = r[(c + 1) % 3] - r[c], p2 = r[(c + 2) % 3] - r[c];
    const double along = p2.dot(e2) / e2.norm();
    const double high = (e2.x() * p2.y() - e2.y() * p2.x()) / e2.norm();
    const Vec3 e = (x1 - x0).normalized(), toOther = other - x0;
    const Vec3 away = -(toOther - toOther.dot(e) * e).normalized();
    // from -> to runs backwards in the other triangle, whose normal this is; a positive angle folds
    // towards minus the normal (physics 6.5).
    const Vec3 normal = e.cross(away);
    return x0 + along * e + high * (std::cos(angle) * away - std::sin(angle) * normal);
}

// The points around a corner, counter-clockwise from the next corner, laid out around the triangle.
std::vector<LoopSurface::Point> LoopSurface::ring(Index triangle, int corner) const {
    const auto& n = mesh_.triangles[static_cast<std::size_t>(triangle)];
    const auto& r = mesh_.rest[static_cast<std::size_t>(triangle)];
    const auto at = [&](int c) { return Vec3(r[c % 3].x(), r[c % 3].y(), 0); };
    const Index v = n[corner], first = n[(corner + 1) % 3], second = n[(corner + 2) % 3];
    const Vec3 x = at(corner);
    const auto real = [](Index node, const Vec3& p) { return Point{p, {{node, 1.0}}}; };
    const auto ghost = [&](const Point& a, const Point& c) { // v + a - c
        return Point{x + a.rest - c.rest,
                     {{v, 1.0}, {a.terms[0].node, 1.0}, {c.terms[0].node, -1.0}}};
    };
    std::vector<Point> left = {real(first, at(corner + 1)), real(second, at(corner + 2))};
    for (;;) { // counter-clockwise
        const Point &last = left.back(), &before = left[left.size() - 2];
        const Neighbour next = across(v, last.terms[0].node);
        if (next.point == first) return left; // closed
        if (next.point < 0) break;
        const Vec3 p =
            unfold(next.triangle, v, last.terms[0].node, x, last.rest, before.rest, next.restAngle);
        left.push_back(real(next.point, p));
    }
    std::vector<Point> right = {left[1], left[0]}; // clockwise, to the other boundary edge
    for (;;) {
        const Point &last = right.back(), &before = right[right.size() - 2];
        const Neighbour next = across(last.terms[0].node, v);
        if (next.point < 0) break;
        const Vec3 p =
            unfold(next.triangle, last.terms[0].node, v, last.rest, x, before.rest, next.restAngle);
        right.push_back(real(next.point, p));
    }
    left.push_back(ghost(left.back(), left[left.size() - 2]));
    left.push_back(ghost(right.back(), right[right.size() - 2]));
    left.insert(left.end(), right.rbegin(), right.rend() - 2);
    return left;
}

// Sums of weighted points.
struct Blend {
    LoopSurface::Point sum{Vec3::Zero(), {}};
    Blend& add(double w, const LoopSurface::Point& p) {
        sum.rest += w * p.rest;
        for (const auto& t : p.terms) sum.terms.push_back({t.node, w * t.weight});
        return *this;
    }
};

MiddleWeights LoopSurface::middle(Index triangle) const {
    const auto& n = mesh_.triangles[static_cast<std::size_t>(triangle)];
    const auto& r = mesh_.rest[static_cast<std::size_t>(triangle)];
    Point v[3];
    std::vector<Point> rings[3];
    for (int k = 0; k < 3; ++k) {
        v[k] = {Vec3(r[k].x(), r[k].y(), 0), {{n[k], 1.0}}};
        rings[k] = ring(triangle, k);
    }
    // One step of Loop's scheme around the middle triangle, whose corner k is the edge point
    // opposite to corner k. In ring i: [i + 1, i + 2, ..., before last, beyond edge (i, i + 1)].
    LoopPatch<Point> fine;
    for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const auto &a = rings[i], &b = rings[j];
        const Point& w = a.back(); // beyond the edge i-j
        const Point &besideA = a[a.size() - 2], &besideB = b[3 % b.size()];
        const auto edge = [](const Point& p, const Point& q, const Point& s, const Point& t) {
            return Blend().add(0.375, p).add(0.375, q).add(0.125, s).add(0.125, t).sum;
        };
        fine.corner[k] = edge(v[i], v[j], v[k], w);
        fine.outer[k][1] = edge(v[i], w, v[j], besideA); // towards corner k + 2 = j: near v[i]
        fine.outer[k][0] = edge(v[j], w, v[i], besideB);
        const auto size = static_cast<double>(rings[k].size());
        const double c = 0.375 + 0.25 * std::cos(2 * M_PI / size);
        const double beta = (0.625 - c * c) / size;
        Blend own;
        own.add(1 - size * beta, v[k]);
        for (const Point& p : rings[k]) own.add(beta, p);
        fine.beyond[k] = own.sum;
    }

    // The derivatives at the middle by the fine triangle's two parameters.
    const LoopPatch<Jet> splines = boxSplines(1.0 / 3, 1.0 / 3);
    MiddleWeights out{};
    std::vector<std::pair<Index, Jet>> terms;
    Jet rest[3];
    const auto collect = [&](const Point& p, const Jet& s) {
        for (const Term& t : p.terms) terms.push_back({t.node, t.weight * s});
        for (int d = 0; d < 3; ++d) rest[d] = rest[d] + p.rest[d] * s;
    };
    for (int k = 0; k < 3; ++k) {
        collect(fine.corner[k], splines.corner[k]);
        collect(fine.beyond[k], splines.beyond[k]);
        for (int s = 0; s < 2; ++s) collect(fine.outer[k][s], splines.outer[k][s]);
    }
    // Warp and weft in the rest shape's tangent plane; J = d(warp, weft)/d(parameters).
    const Vec3 t1(rest[0].v, rest[1].v, rest[2].v), t2(rest[0].w, rest[1].w, rest[2].w);
    const Vec3 normal = t1.cross(t2);
    out.area = 2 * normal.norm(); // four fine triangles
    if (!(out.area > 0))
        throw Error("cloth: triangle " + std::to_string(triangle),
                    "its Loop patch has no area at rest: it and its neighbours do not lie flat");
    const Vec3 up = normal.normalized();
    const Vec3 warp = (Vec3::UnitX() - up.x() * up).normalized(), weft = up.cross(warp);
    Eigen::Matrix2d J;
    J << warp.dot(t1), warp.dot(t2), weft.dot(t1), weft.dot(t2);
    const Eigen::Matrix2d inverse = J.inverse();
    const auto second = [&](const Jet& s) { // the second fundamental form is a tensor
        Eigen::Matrix2d h;
        h << s.vv, s.vw, s.vw, s.ww;
        return Eigen::Matrix2d(inverse.transpose() * h * inverse);
    };
    std::stable_sort(terms.begin(), terms.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 0; i < terms.size();) {
        Jet sum;
        const Index node = terms[i].first;
        for (; i < terms.size() && terms[i].first == node; ++i) sum = sum + terms[i].second;
        const Vec2 g = inverse.transpose() * Vec2(sum.v, sum.w);
        const Eigen::Matrix2d h = second(sum);
        out.nodes.push_back({node, g.x(), g.y(), h(0, 0), h(1, 1), h(0, 1)});
    }
    Eigen::Matrix2d curved = Eigen::Matrix2d::Zero();
    for (int d = 0; d < 3; ++d) curved += up[d] * second(rest[d]);
    out.restCurvature[0] = curved(0, 0);
    out.restCurvature[1] = curved(1, 1);
    out.restCurvature[2] = curved(0, 1);
    return out;
}

} // namespace purl::cloth
