#include "purl/crossing/curves_out.h"

#include "purl/base/parallel.h"
#include "purl/geometry/transport.h"

#include <algorithm>
#include <cmath>

namespace purl {

namespace {

Vec3 tangentAt(const CrossingNetwork& net, Span<const Vec3> x, Index visit) {
    const Index a = net.isFirst(visit) ? visit : visit - 1,
                b = net.isLast(visit) ? visit : visit + 1;
    return x[net.node[b]] - x[net.node[a]];
}

// A cubic through p1 and p2 with the slopes of a Catmull-Rom spline whose knots are as far apart as
// the square roots of the distances: no loops or overshoot where nodes are unevenly spaced.
struct Piece {
    Vec3 p1, p2, m1, m2; // slopes for s in 0..1
    Vec3 at(double s) const {
        const double s2 = s * s, s3 = s2 * s;
        return (2 * s3 - 3 * s2 + 1) * p1 + (s3 - 2 * s2 + s) * m1 + (3 * s2 - 2 * s3) * p2 +
               (s3 - s2) * m2;
    }
    Vec3 slope(double s) const {
        const double s2 = s * s;
        return (6 * s2 - 6 * s) * (p1 - p2) + (3 * s2 - 4 * s + 1) * m1 + (3 * s2 - 2 * s) * m2;
    }
};

// `flat1`, `flat2`: normals of the cloth where the yarn lies over or under another and so runs
// along it; null elsewhere.
Piece pieceOf(const Vec3* before, const Vec3& p1, const Vec3& p2, const Vec3* after,
              const Vec3* flat1, const Vec3* flat2) {
    const auto knot = [](const Vec3& a, const Vec3& b) {
        return std::sqrt(std::max((b - a).norm(), 1e-12));
    };
    const double h = knot(p1, p2);
    const auto slope = [&](const Vec3& a, const Vec3& b, const Vec3& c) { // at b, per knot unit
        const double ha = knot(a, b), hb = knot(b, c);
        return Vec3(((b - a) / ha * hb + (c - b) / hb * ha) / (ha + hb));
    };
    Piece out{p1, p2, p2 - p1, p2 - p1};
    if (before) out.m1 = h * slope(*before, p1, p2);
    if (after) out.m2 = h * slope(p1, p2, *after);
    // A natural end: no curvature there.
    if (!before && after) out.m1 = 1.5 * (p2 - p1) - 0.5 * out.m2;
    if (before && !after) out.m2 = 1.5 * (p2 - p1) - 0.5 * out.m1;
    if (flat1) out.m1 -= flat1->dot(out.m1) * *flat1;
    if (flat2) out.m2 -= flat2->dot(out.m2) * *flat2;
    return out;
}

// Visits v and v + 1 are the two nodes of a stitch contact: the other yarn goes the same way.
bool isContact(const CrossingNetwork& net, Index v) {
    const Index a = net.node[v], b = net.node[v + 1];
    if (net.kind[a] != NodeKind::Stitch || net.kind[b] != NodeKind::Stitch) return false;
    const auto other = [&](Index node, Index own) {
        return net.visits[node][0] == own ? net.visits[node][1] : net.visits[node][0];
    };
    const Index p = other(a, v), q = other(b, v + 1);
    return p >= 0 && q >= 0 && std::abs(p - q) == 1 && net.yarnOf[p] == net.yarnOf[q];
}

// Two yarns change sides along a stitch contact by half a turn around each other: in its middle
// each is a radius beside the axis, on the side that it bends around to.
Vec3 beside(const CrossingNetwork& net, Span<const Vec3> x, Index v, const Vec3& normal) {
    const Vec3 &a = x[net.node[v]], &b = x[net.node[v + 1]];
    const Vec3 &before = net.isFirst(v) ? a : x[net.node[v - 1]],
               &after = net.isLast(v + 1) ? b : x[net.node[v + 2]];
    Vec3 across = (b - a).cross(normal);
    const double l = across.norm();
    if (!(l > 0)) return 0.5 * (a + b);
    across *= net.materialOf(v).radius / l;
    return 0.5 * (a + b) + (across.dot(a + b - before - after) >= 0 ? across : Vec3(-across));
}

Eigen::Vector4d quaternion(const Vec3& y, const Vec3& z) {
    Mat3 m;
    m.col(0) = y.cross(z);
    m.col(1) = y;
    m.col(2) = z;
    const Eigen::Quaterniond q(m);
    return {q.x(), q.y(), q.z(), q.w()};
}

} // namespace

std::vector<Vec3> nodeNormals(const CrossingNetwork& net, Span<const Vec3> x) {
    std::vector<Vec3> normal(net.nodes(), Vec3::Zero());
    const auto crossing = [&](Index i) {
        return (net.kind[i] == NodeKind::Woven || net.kind[i] == NodeKind::Stitch) &&
               net.visits[i][0] >= 0 && net.visits[i][1] >= 0;
    };
    parallelFor(net.nodes(), 512, [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) {
            if (!crossing(i)) continue;
            const Vec3 n =
                tangentAt(net, x, net.visits[i][0]).cross(tangentAt(net, x, net.visits[i][1]));
            const double l = n.norm();
            if (l > 0) normal[i] = n / l;
        }
    });
    // Ends, seams, and crossings whose yarns have become parallel: the mean of the neighbours. Two
    // rounds, each from the one before: a knit has two such nodes in a row.
    std::vector<Vec3> next(normal);
    for (int round = 0; round < 3; ++round) {
        parallelFor(net.nodes(), 512, [&](Index begin, Index end) {
            for (Index i = begin; i < end; ++i) {
                if (normal[i].squaredNorm() > 0) continue;
                Vec3 sum = Vec3::Zero();
                for (Index v : net.visits[i]) {
                    if (v < 0) continue;
                    if (!net.isFirst(v)) sum += normal[net.node[v - 1]];
                    if (!net.isLast(v)) sum += normal[net.node[v + 1]];
                }
                if (sum.norm() > 1e-9) next[i] = sum.normalized();
            }
        });
        normal = next;
    }
    for (Vec3& n : normal)
        if (!(n.squaredNorm() > 0)) n = Vec3::UnitY();
    return normal;
}

FabricCurves fabricCurves(const CrossingNetwork& net, Span<const Vec3> moved,
                          Span<const Vec3> slides, const FabricCurveSettings& s) {
    const int per = std::max(1, s.perCrossing);
    const Span<const Vec3> x = moved.empty() ? Span<const Vec3>(net.x) : moved;
    const auto slide = [&](Index v) {
        return slides.empty() ? net.slide[v] : slides[net.node[v]][net.side[v]];
    };
    const std::vector<Vec3> normal = nodeNormals(net, x);
    // Two yarns touch at their crossing: each is half the sum of the radii from the node.
    std::vector<Vec3> lifted(net.visitCount());
    parallelFor(net.visitCount(), 1024, [&](Index begin, Index end) {
        for (Index v = begin; v < end; ++v) {
            const Index i = net.node[v];
            double apart = 0;
            for (Index other : net.visits[i])
                if (other >= 0 && net.lift[v] != 0) apart += 0.5 * net.materialOf(other).radius;
            lifted[v] = x[i] + net.lift[v] * apart * normal[i];
        }
    });
    FabricCurves out;
    for (Index y = 0; y < net.yarns(); ++y) {
        const Index n = net.first[y + 1] - net.first[y];
        out.curves.first.push_back(out.curves.first.back() + (n - 1) * per + 1);
        out.curves.closed.push_back(0);
        out.curves.radius.push_back(net.materials[net.material[y]].radius);
    }
    const Index points = out.curves.first.back();
    out.curves.x.resize(points);
    out.orient.resize(points);
    out.slide.resize(points);
    out.normal.resize(points);
    out.node.assign(points, -1);
    constexpr double kTurn = 6.283185307179586;
    parallelFor(net.yarns(), 4, [&](Index begin, Index end) {
        for (Index y = begin; y < end; ++y) {
            const Index from = net.first[y], last = net.first[y + 1] - 1;
            Index p = out.curves.first[y];
            const auto put = [&](const Vec3& at, const Vec3& along, double u, Vec3 n) {
                const double l = along.norm();
                const Vec3 z = l > 0 ? Vec3(along / l) : Vec3(anyNormal(n));
                n -= n.dot(z) * z;
                const Vec3 up = n.norm() > 1e-9 ? Vec3(n.normalized()) : anyNormal(z);
                const double angle = kTurn * s.twist * u;
                out.curves.x[p] = at;
                out.slide[p] = u;
                out.normal[p] = up;
                out.orient[p] = quaternion(std::cos(angle) * up + std::sin(angle) * z.cross(up), z);
                ++p;
            };
            // The knots: every visit, and the middle of every stitch contact.
            std::vector<Vec3> knot;
            std::vector<const Vec3*> flat;
            std::vector<Index> knotOf;
            for (Index v = from; v <= last; ++v) {
                const Index i = net.node[v];
                knotOf.push_back(static_cast<Index>(knot.size()));
                knot.push_back(lifted[v]);
                flat.push_back(net.kind[i] == NodeKind::Woven && net.lift[v] != 0 ? &normal[i]
                                                                                  : nullptr);
                if (v == last || !isContact(net, v)) continue;
                knot.push_back(beside(net, x, v, normal[i] + normal[net.node[v + 1]]));
                flat.push_back(nullptr);
            }
            for (Index v = from; v < last; ++v) {
                const Index k0 = knotOf[v - from], parts = knotOf[v + 1 - from] - k0;
                Piece piece[2];
                for (Index m = 0; m < parts; ++m) {
                    const Index k = k0 + m;
                    piece[m] =
                        pieceOf(k > 0 ? &knot[k - 1] : nullptr, knot[k], knot[k + 1],
                                k + 2 < static_cast<Index>(knot.size()) ? &knot[k + 2] : nullptr,
                                flat[k], flat[k + 1]);
                }
                const Vec3 &a = normal[net.node[v]], &b = normal[net.node[v + 1]];
                out.node[p] = net.node[v];
                for (int k = 0; k < per; ++k) {
                    const double t = static_cast<double>(k) / per;
                    const Index m = std::min<Index>(static_cast<Index>(t * parts), parts - 1);
                    put(piece[m].at(t * parts - m), piece[m].slope(t * parts - m),
                        (1 - t) * slide(v) + t * slide(v + 1), (1 - t) * a + t * b);
                }
                if (v + 1 == last) {
                    out.node[p] = net.node[last];
                    put(piece[parts - 1].p2, piece[parts - 1].m2, slide(last), b);
                }
            }
        }
    });
    return out;
}

std::vector<Vec3> alongCurves(const CrossingNetwork& net, Span<const Vec3> perNode,
                              const FabricCurveSettings& s) {
    const int per = std::max(1, s.perCrossing);
    std::vector<Vec3> out;
    out.reserve(static_cast<std::size_t>(net.visitCount()) * per);
    for (Index y = 0; y < net.yarns(); ++y)
        for (Index v = net.first[y]; v < net.first[y + 1]; ++v) {
            const Vec3& a = perNode[net.node[v]];
            if (v + 1 == net.first[y + 1]) {
                out.push_back(a);
                continue;
            }
            const Vec3& b = perNode[net.node[v + 1]];
            for (int k = 0; k < per; ++k) {
                const double t = static_cast<double>(k) / per;
                out.push_back((1 - t) * a + t * b);
            }
        }
    return out;
}

} // namespace purl
