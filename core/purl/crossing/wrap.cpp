// Wrapping of two yarns about a stitch contact (energies.h).
#include "purl/crossing/energies.h"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <cmath>

namespace purl {

namespace {

using EdgeMatrix = Eigen::Matrix<double, 9, 9>;

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
    EdgeMatrix hessian() const;
};

Mat3 crossWith(const Vec3& v) {
    Mat3 m;
    m << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
    return m;
}

EdgeMatrix Wrapping::hessian() const {
    const Vec3 &e = d[0], &p = d[1], &q = d[2];
    const Mat3 one = Mat3::Identity();
    Mat3 second[3][3]; // over unit vectors
    second[0][0] = c * (p * q.transpose() + q * p.transpose());
    second[1][1] = second[2][2] = Mat3::Zero();
    second[1][2] = -c * (one - e * e.transpose()) + s * crossWith(e);
    second[1][0] = c * (q.dot(e) * one + e * q.transpose()) - s * crossWith(q);
    second[2][0] = c * (p.dot(e) * one + e * p.transpose()) + s * crossWith(p);
    second[2][1] = second[1][2].transpose();
    second[0][1] = second[1][0].transpose();
    second[0][2] = second[2][0].transpose();
    Mat3 across[3];
    for (int k = 0; k < 3; ++k) across[k] = (one - d[k] * d[k].transpose()) / l[k];
    EdgeMatrix h;
    for (int k = 0; k < 3; ++k)
        for (int m = 0; m < 3; ++m) {
            Mat3 block = across[k] * second[k][m] * across[m];
            if (k == m) { // the unit vector's own
                const Vec3 g = gradient(k);
                block -=
                    (d[k] * g.transpose() + g * d[k].transpose() + part[k].dot(d[k]) * across[k]) /
                    l[k];
            }
            h.block<3, 3>(3 * k, 3 * m) = block;
        }
    return h;
}

constexpr int kFrom[3] = {0, 0, 1}, kTo[3] = {1, 2, 3}; // nodes of the edges

} // namespace

double wrapAngle(const Vec3& x0, const Vec3& x1, const Vec3& x2, const Vec3& x3) {
    const Vec3 e = (x1 - x0).normalized(), a = e.cross(x2 - x0), b = (x3 - x1).cross(e);
    return std::atan2(a.cross(b).dot(e), a.dot(b));
}

void wrapSquares(const Vec3& x0, const Vec3& x1, const Vec3& x2, const Vec3& x3, const WrapLaw& law,
                 Vec3 g[kWrapSquares][4]) {
    const Wrapping w(x0, x1, x2, x3, law.rest);
    const Eigen::SelfAdjointEigenSolver<EdgeMatrix> modes(-law.k * w.hessian());
    for (int m = 0; m < kWrapSquares; ++m) {
        const double root = std::sqrt(std::max(0.0, modes.eigenvalues()[8 - m]));
        const Eigen::Matrix<double, 9, 1> v = root * modes.eigenvectors().col(8 - m);
        for (int c = 0; c < 4; ++c) g[m][c].setZero();
        for (int k = 0; k < 3; ++k) {
            g[m][kFrom[k]] -= v.segment<3>(3 * k);
            g[m][kTo[k]] += v.segment<3>(3 * k);
        }
    }
}

Trio<12> wrapEnergy(const Vec3& x0, const Vec3& x1, const Vec3& x2, const Vec3& x3,
                    const WrapLaw& law, bool hessian) {
    Trio<12> t;
    const Wrapping w(x0, x1, x2, x3, law.rest);
    t.energy = law.k * (1 - w.value);
    for (int k = 0; k < 3; ++k) {
        const Vec3 g = -law.k * w.gradient(k);
        t.gradient.segment<3>(3 * kFrom[k]) -= g;
        t.gradient.segment<3>(3 * kTo[k]) += g;
    }
    if (!hessian) return t;
    Eigen::Matrix<double, 9, 12> edges = Eigen::Matrix<double, 9, 12>::Zero();
    for (int k = 0; k < 3; ++k) {
        edges.block<3, 3>(3 * k, 3 * kFrom[k]) = -Mat3::Identity();
        edges.block<3, 3>(3 * k, 3 * kTo[k]) = Mat3::Identity();
    }
    t.hessian = -law.k * edges.transpose() * w.hessian() * edges;
    return t;
}

} // namespace purl
