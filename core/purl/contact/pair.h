// The contact law and one quadrature pair as a trio (physics 3.1, 3.2; Kaldor 2010 Eq. 2).
// f(d) = D^2/d^2 + d^2/D^2 - 2 below D = r_a + r_b, zero beyond. Each unordered pair counts once.
// Control points in order: four of the first segment, four of the second.
#pragma once

#include "purl/geometry/catmull_rom.h"

namespace purl {

// Below this share of the reach two centre lines have all but crossed: the force, which would grow
// without bound, keeps the stiffness it has there (a deviation that only broken states see).
constexpr double kContactFloor = 0.15;

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
