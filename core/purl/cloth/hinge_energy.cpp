#include "purl/cloth/hinge_energy.h"

#include "purl/base/error.h"

#include <Eigen/Geometry>

namespace purl::cloth {

namespace {

// Where in triangle t the directed edge a -> b starts; throws if it is not there.
int cornerOf(const ClothMesh& mesh, Index hinge, Index t, Index a, Index b) {
    const auto& tri = mesh.triangles[static_cast<std::size_t>(t)];
    for (int c = 0; c < 3; ++c)
        if (tri[c] == a && tri[(c + 1) % 3] == b) return c;
    throw Error("cloth: hinge " + std::to_string(hinge),
                "triangle " + std::to_string(t) + " has no edge from point " + std::to_string(a) +
                    " to point " + std::to_string(b));
}

double cot(const Vec2& a, const Vec2& b) {
    return a.dot(b) / std::abs(a.x() * b.y() - a.y() * b.x());
}

} // namespace

void checkHinges(const ClothMesh& mesh) {
    const std::size_t n = mesh.hinges.size();
    if (mesh.hingeTriangles.size() != n)
        throw Error("cloth", std::to_string(n) + " hinges, but triangles of " +
                                 std::to_string(mesh.hingeTriangles.size()));
    if (!mesh.restAngle.empty() && mesh.restAngle.size() != n)
        throw Error("cloth", std::to_string(n) + " hinges, but rest angles of " +
                                 std::to_string(mesh.restAngle.size()));
}

HingeShape hingeShape(const ClothMesh& mesh, Index hinge, const ClothMaterial& m,
                      const ClothPaint& paint) {
    const std::size_t h = static_cast<std::size_t>(hinge);
    const auto& n = mesh.hinges[h];
    HingeShape s{};
    double lengths = 0, across = 0, scale = 0;
    for (int side = 0; side < 2; ++side) {
        const Index t = mesh.hingeTriangles[h][side];
        const int c =
            side == 0 ? cornerOf(mesh, hinge, t, n[0], n[1]) : cornerOf(mesh, hinge, t, n[1], n[0]);
        const auto& r = mesh.rest[static_cast<std::size_t>(t)];
        const Vec2 from = r[c], to = r[(c + 1) % 3], opposite = r[(c + 2) % 3];
        const Vec2 e = to - from, p = opposite - from;
        const double twice = e.x() * p.y() - e.y() * p.x();
        if (!(twice > 0))
            throw Error("cloth: triangle " + std::to_string(t),
                        "rest area is " + std::to_string(0.5 * twice) +
                            " m2, expected counter-clockwise corners around an area > 0");
        s.area += 0.5 * twice;
        lengths += e.norm();
        const double atFrom = cot(e, p), atTo = cot(-e, opposite - to);
        if (side == 0)
            s.cot01 = atFrom, s.cot03 = atTo;
        else
            s.cot02 = atTo, s.cot04 = atFrom;
        across += e.y() * e.y() / e.squaredNorm(); // cos^2 between the warp and the edge's normal
        scale += paint.bend.empty() ? 1 : paint.bend[static_cast<std::size_t>(t)];
    }
    s.length = 0.5 * lengths; // the two sides of a seam may differ a little
    // Between warp and weft as an orthotropic plate with D_uv = sqrt(D_u D_v).
    const double c2 = s.across = 0.5 * across;
    const double root = std::sqrt(m.bendWarp) * c2 + std::sqrt(m.bendWeft) * (1 - c2);
    s.rigidity = 0.5 * scale * root * root;
    s.restAngle = mesh.restAngle.empty() ? 0 : mesh.restAngle[h];
    return s;
}

namespace {

// The gradient, and what the angle needs besides: the normals.
void gradientAndNormals(const P3* x, P3* g, P3& n1, P3& n2, P& l) {
    const P3 e = x[1] - x[0], p2 = x[2] - x[0], p3 = x[3] - x[0];
    n1 = cross(e, p2), n2 = cross(p3, e);
    const P ll = max(dot(e, e), P(1e-60));
    l = sqrt(ll);
    const P q1 = max(dot(n1, n1), P(1e-60)), q2 = max(dot(n2, n2), P(1e-60));
    g[2] = (-l / q1) * n1;
    g[3] = (-l / q2) * n2;
    const P t2 = dot(p2, e) / ll, t3 = dot(p3, e) / ll, one(1.0);
    g[1] = P(-1.0) * (t2 * g[2] + t3 * g[3]);
    g[0] = P(-1.0) * ((one - t2) * g[2] + (one - t3) * g[3]);
}

} // namespace

void dihedralGradient(const P3* x, P3* g) {
    P3 n1, n2;
    P l;
    gradientAndNormals(x, g, n1, n2, l);
}

Dihedral dihedral(const P3* x) {
    Dihedral d;
    P3 n1, n2;
    P l;
    gradientAndNormals(x, d.g, n1, n2, l);
    // atan2 does not mind that both are longer by |N1||N2|.
    const P sine = dot(cross(n1, n2), x[1] - x[0]) / l, cosine = dot(n1, n2);
    for (int i = 0; i < 4; ++i) d.theta.v[i] = std::atan2(sine[i], cosine[i]);
    return d;
}

double dihedralAngle(const Vec3& x0, const Vec3& x1, const Vec3& x2, const Vec3& x3) {
    const Vec3 e = x1 - x0, n1 = e.cross(x2 - x0), n2 = (x3 - x0).cross(e);
    return std::atan2(n1.cross(n2).dot(e) / e.norm(), n1.dot(n2));
}

void dihedralHessian(const Vec3* x, Eigen::Matrix<double, 12, 12>& h) {
    // Physics 6.5: the gradient's expressions, differentiated one by one.
    using Row = Eigen::Matrix<double, 1, 12>;
    using Rows = Eigen::Matrix<double, 3, 12>;
    const auto hat = [](const Vec3& a) {
        Mat3 m;
        m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
        return m;
    };
    const auto difference = [](int to) { // of x_to - x_0
        Rows r = Rows::Zero();
        r.leftCols<3>() = -Mat3::Identity();
        r.middleCols<3>(3 * to) = Mat3::Identity();
        return r;
    };
    const Rows de = difference(1), dp2 = difference(2), dp3 = difference(3);
    const Vec3 e = x[1] - x[0], p2 = x[2] - x[0], p3 = x[3] - x[0];
    const double l = e.norm(), ll = l * l;
    const Vec3 n1 = e.cross(p2), n2 = p3.cross(e);
    const double q1 = n1.squaredNorm(), q2 = n2.squaredNorm();
    const Row dl = (e / l).transpose() * de;
    const Rows dn1 = hat(e) * dp2 - hat(p2) * de, dn2 = hat(p3) * de - hat(e) * dp3;
    const Vec3 g2 = -l / q1 * n1, g3 = -l / q2 * n2;
    const Rows dg2 = -n1 / q1 * dl - l * (dn1 / q1 - 2 / (q1 * q1) * n1 * (n1.transpose() * dn1));
    const Rows dg3 = -n2 / q2 * dl - l * (dn2 / q2 - 2 / (q2 * q2) * n2 * (n2.transpose() * dn2));
    const double t2 = p2.dot(e) / ll, t3 = p3.dot(e) / ll;
    const Row dt2 = (e.transpose() * dp2 + p2.transpose() * de) / ll - 2 * t2 / l * dl;
    const Row dt3 = (e.transpose() * dp3 + p3.transpose() * de) / ll - 2 * t3 / l * dl;
    h.middleRows<3>(3) = -(g2 * dt2 + t2 * dg2 + g3 * dt3 + t3 * dg3);
    h.middleRows<3>(0) = g2 * dt2 - (1 - t2) * dg2 + g3 * dt3 - (1 - t3) * dg3;
    h.middleRows<3>(6) = dg2;
    h.middleRows<3>(9) = dg3;
    h = (0.5 * (h + h.transpose())).eval(); // symmetric but for rounding
}

HingeClamps::HingeClamps(const ClothMesh& mesh) : triangles_(mesh.hingeTriangles) {
    const auto area = [&](Index t) {
        const auto& r = mesh.rest[static_cast<std::size_t>(t)];
        const Vec2 a = r[1] - r[0], b = r[2] - r[0];
        return std::abs(a.x() * b.y() - a.y() * b.x());
    };
    for (const auto& [s, t] : triangles_) {
        const double both = area(s) + area(t);
        stiffer_.push_back({both / area(t), both / area(s)});
        factor_.push(1);
    }
    factor_.finish();
}

void HingeClamps::setRigid(Span<const std::uint8_t> triangle) {
    for (std::size_t h = 0; h < triangles_.size(); ++h) {
        const bool first = triangle[triangles_[h][0]] != 0,
                   second = triangle[triangles_[h][1]] != 0;
        factor_[static_cast<Index>(h)] = first == second ? 1 : stiffer_[h][first ? 0 : 1];
    }
}

} // namespace purl::cloth
