// The contact law and one quadrature pair as a trio (physics 3.1, 3.2; Kaldor 2010 Eq. 2).
// f(d) = D^2/d^2 + d^2/D^2 - 2 below D = r_a + r_b, zero beyond. Each unordered pair counts once.
// Control points in order: four of the first segment, four of the second.
#pragma once

#include "purl/base/simd.h"
#include "purl/geometry/catmull_rom.h"

namespace purl {

// Below this share of the reach two centre lines have all but crossed: the force, which would grow
// without bound, keeps the stiffness it has there (a deviation that only broken states see).
constexpr double kContactFloor = 0.15;

// Stiffening near full compression (a deviation from the paper, off with below = 0): the law once
// more with reach below D and factor times the stiffness, so that a hard pull meets a force that
// grows faster. Twice differentiable wherever the law is.
struct Stiffening {
    double below = 0, factor = 0;
    // Minus f'/d of the second law at squared distance d2 > 0 (1/m2), and minus the derivative of
    // that by d over d (1/m4): what is added to those of the first.
    template <class R>
    void add(R d2, R inverse /*1 / d2, floored*/, double reach, R& push, R& slope) const {
        if (below == 0) return;
        const double r2 = below * below * reach * reach;
        const auto on = d2 < R(r2);
        const R inverse2 = inverse * inverse;
        push += select(on, R(2 * factor * r2) * inverse2 - R(2 * factor / r2), R(0.0));
        slope += select(on, R(8 * factor * r2) * inverse2 * inverse, R(0.0));
    }
};

using Vec24 = Eigen::Matrix<double, 24, 1>;
using Mat24 = Eigen::Matrix<double, 24, 24>;

struct ContactPair {
    Weights4 a, b; // Catmull-Rom weights of the two quadrature points
    double reach;  // m, D
    double k;      // J, k_contact l_a l_b / b^2
};

inline double contactLaw(double d, double reach) {
    const double q = d * d / (reach * reach);
    return d < reach ? 1 / q + q - 2 : 0;
}
inline double contactLawFirst(double d, double reach) {
    const double r2 = reach * reach;
    return d < reach ? -2 * r2 / (d * d * d) + 2 * d / r2 : 0;
}
inline double contactLawSecond(double d, double reach) {
    const double r2 = reach * reach;
    return d < reach ? 6 * r2 / (d * d * d * d) + 2 / r2 : 0;
}

inline double contactLaw(double d, double reach, const Stiffening& s) {
    return contactLaw(d, reach) + (s.below > 0 ? s.factor * contactLaw(d, s.below * reach) : 0);
}

inline Vec3 separation(const ContactPair& p, const Vec24& q) {
    Vec3 d = Vec3::Zero();
    for (int i = 0; i < 4; ++i)
        d += p.a[i] * q.segment<3>(3 * i) - p.b[i] * q.segment<3>(12 + 3 * i);
    return d;
}

inline double contactEnergy(const ContactPair& p, const Vec24& q) {
    return p.k * contactLaw(separation(p, q).norm(), p.reach);
}

inline Vec24 contactGradient(const ContactPair& p, const Vec24& q) {
    const Vec3 y = separation(p, q);
    const double d = y.norm();
    const Vec3 g = p.k * contactLawFirst(d, p.reach) / d * y;
    Vec24 out;
    for (int i = 0; i < 4; ++i) {
        out.segment<3>(3 * i) = p.a[i] * g;
        out.segment<3>(12 + 3 * i) = -p.b[i] * g;
    }
    return out;
}

inline Mat24 contactHessian(const ContactPair& p, const Vec24& q) {
    const Vec3 y = separation(p, q);
    const double d = y.norm(), f1 = contactLawFirst(d, p.reach) / d;
    const Mat3 nn = y * y.transpose() / (d * d);
    const Mat3 block = p.k * (contactLawSecond(d, p.reach) * nn + f1 * (Mat3::Identity() - nn));
    Mat24 out;
    for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j) {
            const double ci = i < 4 ? p.a[i] : -p.b[i - 4], cj = j < 4 ? p.a[j] : -p.b[j - 4];
            out.block<3, 3>(3 * i, 3 * j) = ci * cj * block;
        }
    return out;
}

} // namespace purl
