#include "purl/crossing/energies.h"

#include "purl/crossing/angle.h"

namespace purl {

namespace {
constexpr double kPi = 3.14159265358979323846;
} // namespace

Trio<4> stretchEnergy(const Vec3& e, double s, double k, bool hessian) {
    Trio<4> t;
    const double l = e.norm(), w = l / s;
    const Vec3 d = l > 0 ? Vec3(e / l) : Vec3::Zero();
    t.energy = 0.5 * k * s * (w - 1) * (w - 1);
    t.gradient.head<3>() = k * (w - 1) * d;
    t.gradient[3] = -0.5 * k * (w * w - 1);
    if (!hessian) return t;
    const Mat3 p = Mat3::Identity() - d * d.transpose();
    t.hessian.topLeftCorner<3, 3>() = k / s * d * d.transpose() + k * (w - 1) / l * p;
    t.hessian.topRightCorner<3, 1>() = -k * w / s * d;
    t.hessian.bottomLeftCorner<1, 3>() = t.hessian.topRightCorner<3, 1>().transpose();
    t.hessian(3, 3) = k * w * w / s;
    return t;
}

Trio<7> bendEnergy(const Vec3& e1, const Vec3& e2, double s, double k, double rest, bool hessian) {
    Trio<7> t;
    const AngleFrame a(e1, e2);
    const double theta = kPi - a.phi, over = theta > kPi / 2 ? theta - kPi / 2 : 0;
    const double f = (theta - rest) * (theta - rest) + kBendJam / 3 * over * over * over;
    const double df = 2 * (theta - rest) + kBendJam * over * over;
    Trio<7>::Vector g = Trio<7>::Vector::Zero(); // of theta
    g.head<3>() = -a.gradient1();
    g.segment<3>(3) = -a.gradient2();
    t.energy = k / s * f;
    t.gradient = k / s * df * g;
    t.gradient[6] = -k / (s * s) * f;
    if (!hessian) return t;
    const double ddf = 2 + 2 * kBendJam * over;
    t.hessian = k / s * ddf * g * g.transpose();
    const double turn = -k / s * df;
    t.hessian.block<3, 3>(0, 0) += turn * a.hessian11();
    t.hessian.block<3, 3>(3, 3) += turn * a.hessian22();
    t.hessian.block<3, 3>(0, 3) += turn * a.hessian12();
    t.hessian.block<3, 3>(3, 0) += turn * a.hessian12().transpose();
    t.hessian.col(6) = -k / (s * s) * df * g;
    t.hessian.row(6) = t.hessian.col(6).transpose();
    t.hessian(6, 6) = 2 * k / (s * s * s) * f;
    return t;
}

Trio<6> shearEnergy(const Vec3& e1, const Vec3& e3, const ShearLaw& law, bool hessian) {
    Trio<6> t;
    const AngleFrame a(e1, e3);
    const double gamma = a.phi - law.rest, beyond = std::abs(gamma) - law.lock;
    double f = 0.5 * gamma * gamma, df = gamma, ddf = 1;
    if (beyond > 0) {
        f += 0.5 * law.jam * beyond * beyond;
        df += law.jam * (gamma > 0 ? beyond : -beyond);
        ddf += law.jam;
    }
    Trio<6>::Vector g;
    g.head<3>() = a.gradient1();
    g.tail<3>() = a.gradient2();
    t.energy = law.k * f;
    t.gradient = law.k * df * g;
    if (!hessian) return t;
    t.hessian = law.k * ddf * g * g.transpose();
    const double turn = law.k * df;
    t.hessian.block<3, 3>(0, 0) += turn * a.hessian11();
    t.hessian.block<3, 3>(3, 3) += turn * a.hessian22();
    t.hessian.block<3, 3>(0, 3) += turn * a.hessian12();
    t.hessian.block<3, 3>(3, 0) += turn * a.hessian12().transpose();
    return t;
}

Trio<1> parallelEnergy(double s, double k, double d) {
    Trio<1> t;
    if (s >= d) return t;
    const double r = d / s;
    t.energy = 0.5 * k * r * (d - s) * (d - s);
    t.gradient[0] = 0.5 * k * d * (1 - r * r);
    t.hessian(0, 0) = k * r * r * r;
    return t;
}

Trio<4> stitchEnergy(const Vec3& e, double s, double k, double length, bool hessian) {
    Trio<4> t;
    const double l = e.norm(), span = l / length - 1, rest = s / length - 1;
    const Vec3 d = l > 0 ? Vec3(e / l) : Vec3::Zero();
    t.energy = 0.5 * k * length * (0.5 * span * span + rest * rest);
    t.gradient.head<3>() = 0.5 * k * span * d;
    t.gradient[3] = k * rest;
    if (!hessian) return t;
    t.hessian.topLeftCorner<3, 3>() =
        0.5 * k * (d * d.transpose() / length + span / l * (Mat3::Identity() - d * d.transpose()));
    t.hessian(3, 3) = k / length;
    return t;
}

Trio<7> weightEnergy(const Vec3& x0, const Vec3& x1, double s, double rho, const Vec3& g,
                     bool hessian) {
    Trio<7> t;
    t.energy = -0.5 * rho * s * g.dot(x0 + x1);
    t.gradient.head<3>() = t.gradient.segment<3>(3) = -0.5 * rho * s * g;
    t.gradient[6] = -0.5 * rho * g.dot(x0 + x1);
    if (!hessian) return t;
    t.hessian.col(6).head<3>() = t.hessian.col(6).segment<3>(3) = -0.5 * rho * g;
    t.hessian.row(6) = t.hessian.col(6).transpose();
    return t;
}

Trio<1> frictionEnergy(double u, double anchor, double k, double limit) {
    Trio<1> t;
    const double d = u - anchor;
    if (std::abs(d) * k <= limit) {
        t.energy = 0.5 * k * d * d;
        t.gradient[0] = k * d;
        t.hessian(0, 0) = k;
    } else {
        t.energy = limit * (std::abs(d) - 0.5 * limit / k);
        t.gradient[0] = d > 0 ? limit : -limit;
    }
    return t;
}

double dragAnchor(double u, double anchor, double k, double limit) {
    const double reach = limit / k;
    if (u - anchor > reach) return u - reach;
    if (u - anchor < -reach) return u + reach;
    return anchor;
}

double wrapAngle(const Vec3& x0, const Vec3& x1, const Vec3& x2, const Vec3& x3, Vec3 g[4]) {
    const Vec3 e = x1 - x0;
    const double l = e.norm();
    const Vec3 a = e.cross(x2 - x0), b = (x3 - x0).cross(e);
    const double aa = a.squaredNorm(), bb = b.squaredNorm();
    g[2] = -l / aa * a;
    g[3] = -l / bb * b;
    const double t2 = (x2 - x0).dot(e) / (l * l), t3 = (x3 - x0).dot(e) / (l * l);
    g[1] = -(t2 * g[2] + t3 * g[3]);
    g[0] = -((1 - t2) * g[2] + (1 - t3) * g[3]);
    return std::atan2(a.cross(b).dot(e) / l, a.dot(b));
}

Trio<12> wrapEnergy(const Vec3& x0, const Vec3& x1, const Vec3& x2, const Vec3& x3, double k,
                    double rest, bool hessian) {
    Trio<12> t;
    Vec3 g[4];
    double off = wrapAngle(x0, x1, x2, x3, g) - rest;
    off -= 2 * kPi * std::round(off / (2 * kPi));
    Trio<12>::Vector grad;
    for (int c = 0; c < 4; ++c) grad.segment<3>(3 * c) = g[c];
    t.energy = 0.5 * k * off * off;
    t.gradient = k * off * grad;
    if (!hessian) return t;
    // Physics 6.5: the gradient's own formulas differentiated, one variation of the nodes at a
    // time.
    t.hessian = k * grad * grad.transpose();
    const Vec3 e = x1 - x0, p2 = x2 - x0, p3 = x3 - x0, a = e.cross(p2), b = p3.cross(e);
    const double l = e.norm(), aa = a.squaredNorm(), bb = b.squaredNorm();
    const double t2 = p2.dot(e) / (l * l), t3 = p3.dot(e) / (l * l);
    for (int j = 0; j < 12; ++j) {
        const Vec3 unit = Vec3::Unit(j % 3);
        const int n = j / 3;
        const Vec3 de = n == 1 ? unit : n == 0 ? Vec3(-unit) : Vec3::Zero();
        const Vec3 dp2 = n == 2 ? unit : n == 0 ? Vec3(-unit) : Vec3::Zero();
        const Vec3 dp3 = n == 3 ? unit : n == 0 ? Vec3(-unit) : Vec3::Zero();
        const double dl = e.dot(de) / l;
        const Vec3 da = de.cross(p2) + e.cross(dp2), db = dp3.cross(e) + p3.cross(de);
        const Vec3 dg2 = -dl / aa * a - l / aa * da + 2 * l * a.dot(da) / (aa * aa) * a;
        const Vec3 dg3 = -dl / bb * b - l / bb * db + 2 * l * b.dot(db) / (bb * bb) * b;
        const double dt2 = (e.dot(dp2) + p2.dot(de)) / (l * l) - 2 * t2 * dl / l;
        const double dt3 = (e.dot(dp3) + p3.dot(de)) / (l * l) - 2 * t3 * dl / l;
        const Vec3 dg1 = -(dt2 * g[2] + t2 * dg2 + dt3 * g[3] + t3 * dg3);
        const Vec3 dg0 = dt2 * g[2] - (1 - t2) * dg2 + dt3 * g[3] - (1 - t3) * dg3;
        const Vec3 column[4] = {dg0, dg1, dg2, dg3};
        for (int c = 0; c < 4; ++c) t.hessian.block<3, 1>(3 * c, j) += k * off * column[c];
    }
    t.hessian = 0.5 * (t.hessian + t.hessian.transpose()).eval();
    return t;
}

} // namespace purl
