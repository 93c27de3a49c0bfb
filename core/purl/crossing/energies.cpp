#include "purl/crossing/energies.h"

#include "purl/crossing/angle.h"

namespace purl {

namespace {
constexpr double kPi = 3.14159265358979323846;
} // namespace

double StretchLaw::slope(double w) const {
    return bows() ? unbend * (5 / (1 - std::min(w, taut())) + 6) : k;
}

double StretchLaw::tension(double w) const {
    if (!bows()) return k * (w - 1);
    const double top = std::min(w, taut());
    return unbend * (5 * std::log((1 - chord) / (1 - top)) + 6 * (top - chord)) +
           (w - top) * slope(top);
}

double StretchLaw::energy(double w) const {
    if (!bows()) return 0.5 * k * (w - 1) * (w - 1);
    const double top = std::min(w, taut()), off = top - chord, over = w - top;
    return unbend * (5 * ((1 - top) * std::log((1 - top) / (1 - chord)) + off) + 3 * off * off) +
           over * (tension(top) + 0.5 * over * slope(top));
}

Trio<4> stretchEnergy(const Vec3& e, double s, const StretchLaw& law, bool hessian) {
    Trio<4> t;
    const double l = e.norm(), w = l / s;
    const Vec3 d = l > 0 ? Vec3(e / l) : Vec3::Zero();
    const double tension = law.tension(w), energy = law.energy(w);
    t.energy = s * energy;
    t.gradient.head<3>() = tension * d;
    t.gradient[3] = energy - w * tension;
    if (!hessian) return t;
    const double k = law.slope(w);
    const Mat3 p = Mat3::Identity() - d * d.transpose();
    t.hessian.topLeftCorner<3, 3>() = k / s * d * d.transpose() + tension / l * p;
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

} // namespace purl
