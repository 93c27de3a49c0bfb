// Wrapping of two yarns about a stitch contact (energies.h).
#include "purl/crossing/energies.h"

#include <Eigen/Geometry>
#include <cmath>

namespace purl {

namespace {

// How well the yarns are wrapped: sin a sin b cos(psi - rest), 1 at best. Over the unit vectors of
// the axis (0), of the yarn at its start (1) and of that at its end (2).
struct Wrapping {
    Vec3 d[3];
    double l[3];  // m
    Vec3 part[3]; // d value / d unit vector
    double value;
    double c, s; // of rest

    Wrapping(const Vec3& x0, const Vec3& x1, const Vec3& x2, const Vec3& x3, double rest)
        : d{x1 - x0, x2 - x0, x3 - x1}, c(std::cos(rest)), s(std::sin(rest)) {
        for (int k = 0; k < 3; ++k) {
            l[k] = d[k].norm();
            d[k] /= l[k];
        }
        const Vec3 &e = d[0], &p = d[1], &q = d[2];
        const double pe = p.dot(e), qe = q.dot(e);
        part[0] = c * (qe * p + pe * q) - s * p.cross(q);
        part[1] = -c * (q - qe * e) - s * q.cross(e);
        part[2] = -c * (p - pe * e) - s * e.cross(p);
        value = p.dot(part[1]);
    }
    // Over the three edges, m^-1.
    Vec3 gradient(int k) const { return (part[k] - part[k].dot(d[k]) * d[k]) / l[k]; }
};

Mat3 crossWith(const Vec3& v) {
    Mat3 m;
    m << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
    return m;
}

} // namespace

double wrapAngle(const Vec3& x0, const Vec3& x1, const Vec3& x2, const Vec3& x3) {
    const Vec3 e = (x1 - x0).normalized(), a = e.cross(x2 - x0), b = (x3 - x1).cross(e);
    return std::atan2(a.cross(b).dot(e), a.dot(b));
}

double wrapRoot(const Vec3& x0, const Vec3& x1, const Vec3& x2, const Vec3& x3, const WrapLaw& law,
                Vec3 g[4]) {
    const Wrapping w(x0, x1, x2, x3, law.rest);
    const double root = std::sqrt(2 * law.k * std::max(1e-12, 1 - w.value)), by = -law.k / root;
    const Vec3 e = by * w.gradient(0);
    g[2] = by * w.gradient(1);
    g[3] = by * w.gradient(2);
    g[0] = -e - g[2];
    g[1] = e - g[3];
    return root;
}

Trio<12> wrapEnergy(const Vec3& x0, const Vec3& x1, const Vec3& x2, const Vec3& x3,
                    const WrapLaw& law, bool hessian) {
    Trio<12> t;
    const Wrapping w(x0, x1, x2, x3, law.rest);
    using Edges = Eigen::Matrix<double, 9, 12>; // edges from nodes
    Edges edges = Edges::Zero();
    constexpr int kFrom[3] = {0, 0, 1}, kTo[3] = {1, 2, 3};
    Eigen::Matrix<double, 9, 1> g;
    for (int k = 0; k < 3; ++k) {
        edges.block<3, 3>(3 * k, 3 * kFrom[k]) = -Mat3::Identity();
        edges.block<3, 3>(3 * k, 3 * kTo[k]) = Mat3::Identity();
        g.segment<3>(3 * k) = w.gradient(k);
    }
    t.energy = law.k * (1 - w.value);
    t.gradient = -law.k * edges.transpose() * g;
    if (!hessian) return t;
    const Vec3 &e = w.d[0], &p = w.d[1], &q = w.d[2];
    const Mat3 one = Mat3::Identity();
    Mat3 second[3][3]; // over unit vectors
    second[0][0] = w.c * (p * q.transpose() + q * p.transpose());
    second[1][1] = second[2][2] = Mat3::Zero();
    second[1][2] = -w.c * (one - e * e.transpose()) + w.s * crossWith(e);
    second[1][0] = w.c * (q.dot(e) * one + e * q.transpose()) - w.s * crossWith(q);
    second[2][0] = w.c * (p.dot(e) * one + e * p.transpose()) + w.s * crossWith(p);
    second[2][1] = second[1][2].transpose();
    second[0][1] = second[1][0].transpose();
    second[0][2] = second[2][0].transpose();
    Eigen::Matrix<double, 9, 9> h;
    for (int k = 0; k < 3; ++k)
        for (int m = 0; m < 3; ++m) {
            const Mat3 pk = (one - w.d[k] * w.d[k].transpose()) / w.l[k],
                       pm = (one - w.d[m] * w.d[m].transpose()) / w.l[m];
            Mat3 block = pk * second[k][m] * pm;
            if (k == m) { // the unit vector's own
                const Vec3& d = w.d[k];
                const double along = w.part[k].dot(d);
                const Vec3 across = w.part[k] - along * d;
                block -= (d * across.transpose() + across * d.transpose() +
                          along * (one - d * d.transpose())) /
                         (w.l[k] * w.l[k]);
            }
            h.block<3, 3>(3 * k, 3 * m) = block;
        }
    t.hessian = -law.k * edges.transpose() * h * edges;
    return t;
}

} // namespace purl
