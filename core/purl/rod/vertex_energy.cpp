#include "purl/rod/vertex_energy.h"

#include "purl/geometry/transport.h"

namespace purl {

namespace {

struct Pose {
    Vec3 te, tf, kb, tt;       // unit tangents, curvature binormal, t tilde
    double le, lf, chi, twist; // edge lengths, 1 + te.tf, total twist
    Vec3 m1[2], m2[2];         // material frames of e and f
};

Pose poseOf(const RodVertex& r, const Vec11& q) {
    Pose p;
    const Vec3 e = q.segment<3>(3) - q.segment<3>(0), f = q.segment<3>(6) - q.segment<3>(3);
    p.le = e.norm();
    p.lf = f.norm();
    p.te = e / p.le;
    p.tf = f / p.lf;
    p.chi = 1 + p.te.dot(p.tf);
    p.kb = 2 * p.te.cross(p.tf) / p.chi;
    p.tt = (p.te + p.tf) / p.chi;
    const Vec3 u[2] = {transport(r.directorE, r.tangentE, p.te),
                       transport(r.directorF, r.tangentF, p.tf)};
    const Vec3 t[2] = {p.te, p.tf};
    for (int j = 0; j < 2; ++j) {
        const Vec3 v = t[j].cross(u[j]);
        const double c = std::cos(q[9 + j]), s = std::sin(q[9 + j]);
        p.m1[j] = c * u[j] + s * v;
        p.m2[j] = -s * u[j] + c * v;
    }
    // Reference twist, unwrapped around its previous value (physics 2.3).
    const Vec3 carried = transport(u[0], p.te, p.tf);
    const double c = std::cos(r.refTwist), s = std::sin(r.refTwist);
    const Vec3 turned = c * carried + s * p.tf.cross(carried);
    p.twist = q[10] - q[9] + r.refTwist + signedAngle(turned, u[1], p.tf);
    return p;
}

Mat3 skew(const Vec3& a) {
    Mat3 m;
    m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
    return m;
}

// d/de, d/df -> d/dx of the three vertices.
void pull(const Vec3& ge, const Vec3& gf, Vec11& g) {
    g.segment<3>(0) = -ge;
    g.segment<3>(3) = ge - gf;
    g.segment<3>(6) = gf;
}
void pull(const Mat3& ee, const Mat3& ef, const Mat3& ff, Mat11& h) {
    Eigen::Matrix<double, 9, 6> a = Eigen::Matrix<double, 9, 6>::Zero();
    const Mat3 one = Mat3::Identity();
    a.block<3, 3>(0, 0) = -one;
    a.block<3, 3>(3, 0) = one;
    a.block<3, 3>(3, 3) = -one;
    a.block<3, 3>(6, 3) = one;
    Eigen::Matrix<double, 6, 6> m;
    m << ee, ef, ef.transpose(), ff;
    h.topLeftCorner<9, 9>() = a * m * a.transpose();
}

// s = c . kb for a fixed vector c: value, gradient and Hessian in (e, f).
struct Scalar {
    double s;
    Vec3 ge, gf;
    Mat3 ee, ef, ff;
};
Scalar scalarOf(const Pose& p, const Vec3& c) {
    Scalar r;
    r.s = c.dot(p.kb);
    const Vec3 ve = 2 / p.chi * p.tf.cross(c) - r.s * p.tt;
    const Vec3 vf = -2 / p.chi * p.te.cross(c) - r.s * p.tt;
    const Mat3 one = Mat3::Identity();
    r.ge = ve / p.le;
    r.gf = vf / p.lf;
    r.ee = -(p.tt * ve.transpose() + ve * p.tt.transpose() +
             r.s / p.chi * (one - p.te * p.te.transpose())) /
           (p.le * p.le);
    r.ff = -(p.tt * vf.transpose() + vf * p.tt.transpose() +
             r.s / p.chi * (one - p.tf * p.tf.transpose())) /
           (p.lf * p.lf);
    r.ef = (-2 / p.chi * skew(c) - r.s / p.chi * (one + p.te * p.tf.transpose()) -
            ve * p.tt.transpose() - p.tt * vf.transpose()) /
           (p.le * p.lf);
    return r;
}

// Material curvature of edge j: values, gradients and Hessians of its two components.
struct Curvature {
    Vec2 w;
    Vec11 g[2];
    Mat11 h[2];
};
Curvature curvatureOf(const Pose& p, int j) {
    Curvature k;
    const Vec3 c[2] = {p.m2[j], p.m1[j]};
    for (int a = 0; a < 2; ++a) {
        const double sign = a == 0 ? 1 : -1;
        Scalar s = scalarOf(p, c[a]);
        // The director turns with its edge (parallel transport in time).
        const Mat3 turn = 0.5 * (c[a] * p.kb.transpose() + p.kb * c[a].transpose());
        if (j == 0) s.ee += turn / (p.le * p.le);
        else s.ff += turn / (p.lf * p.lf);
        k.w[a] = sign * s.s;
        k.g[a].setZero();
        k.h[a].setZero();
        pull(sign * s.ge, sign * s.gf, k.g[a]);
        pull(sign * s.ee, sign * s.ef, sign * s.ff, k.h[a]);
    }
    const int th = 9 + j;
    k.g[0][th] = k.w[1];
    k.g[1][th] = -k.w[0];
    for (int a = 0; a < 2; ++a) k.h[a](th, th) = -k.w[a];
    for (int i = 0; i < 9; ++i) {
        k.h[0](th, i) = k.h[0](i, th) = k.g[1][i];
        k.h[1](th, i) = k.h[1](i, th) = -k.g[0][i];
    }
    return k;
}

void twistOf(const Pose& p, Vec11& g, Mat11& h) {
    g.setZero();
    h.setZero();
    pull(p.kb / (2 * p.le), p.kb / (2 * p.lf), g);
    g[9] = -1;
    g[10] = 1;
    const Vec3 se = p.te + p.tt, sf = p.tf + p.tt;
    const Mat3 ee = -(p.kb * se.transpose() + se * p.kb.transpose()) / (4 * p.le * p.le);
    const Mat3 ff = -(p.kb * sf.transpose() + sf * p.kb.transpose()) / (4 * p.lf * p.lf);
    const Mat3 ef = (2 / p.chi * skew(p.te) - p.kb * p.tt.transpose()) / (2 * p.le * p.lf);
    pull(ee, ef, ff, h);
}

} // namespace

double vertexEnergy(const RodVertex& r, const Vec11& q) {
    const Pose p = poseOf(r, q);
    double bend = 0;
    for (int j = 0; j < 2; ++j) {
        const Vec2 w(p.m2[j].dot(p.kb), -p.m1[j].dot(p.kb));
        bend += (w - (j == 0 ? r.restE : r.restF)).squaredNorm();
    }
    const double m = p.twist - r.restTwist;
    return (0.5 * r.bendStiffness * bend + r.twistStiffness * m * m) / r.length;
}

Vec11 vertexGradient(const RodVertex& r, const Vec11& q) {
    const Pose p = poseOf(r, q);
    Vec11 g = Vec11::Zero();
    for (int j = 0; j < 2; ++j) {
        const Curvature k = curvatureOf(p, j);
        const Vec2 d = k.w - (j == 0 ? r.restE : r.restF);
        g += r.bendStiffness / r.length * (d[0] * k.g[0] + d[1] * k.g[1]);
    }
    Vec11 gm;
    Mat11 hm;
    twistOf(p, gm, hm);
    return g + 2 * r.twistStiffness / r.length * (p.twist - r.restTwist) * gm;
}

Mat11 vertexHessian(const RodVertex& r, const Vec11& q) {
    const Pose p = poseOf(r, q);
    Mat11 h = vertexGaussNewton(r, q);
    for (int j = 0; j < 2; ++j) {
        const Curvature k = curvatureOf(p, j);
        const Vec2 d = k.w - (j == 0 ? r.restE : r.restF);
        h += r.bendStiffness / r.length * (d[0] * k.h[0] + d[1] * k.h[1]);
    }
    Vec11 gm;
    Mat11 hm;
    twistOf(p, gm, hm);
    return h + 2 * r.twistStiffness / r.length * (p.twist - r.restTwist) * hm;
}

Mat11 vertexGaussNewton(const RodVertex& r, const Vec11& q) {
    const Pose p = poseOf(r, q);
    Mat11 h = Mat11::Zero();
    for (int j = 0; j < 2; ++j) {
        const Curvature k = curvatureOf(p, j);
        h += r.bendStiffness / r.length *
             (k.g[0] * k.g[0].transpose() + k.g[1] * k.g[1].transpose());
    }
    Vec11 gm;
    Mat11 hm;
    twistOf(p, gm, hm);
    return h + 2 * r.twistStiffness / r.length * gm * gm.transpose();
}

} // namespace purl
