// How far a set has turned since its model was made (physics 4.3): the rotation R nearest to
// A = sum (q - c)(qbar - cbar)^T, by Newton's method on the rotation from the last step's, for
// eight sets at once. Damped a little, so that points in a line (nothing says how far they have
// turned about it) or in one place leave the rotation as it was. Lanes that it cannot settle
// get the slow way.
#pragma once

#include "purl/base/simd8.h"
#include "purl/base/types.h"

#include <Eigen/Geometry>
#include <Eigen/SVD>

namespace purl {

template <class R>
struct Turn { // unit quaternion
    R x, y, z, w;
};
template <class R>
struct M3 { // row by row
    R m[3][3];
};

template <class R>
M3<R> matrixOf(const Turn<R>& q) {
    const R one(1), two(2);
    const R xx = two * q.x * q.x, yy = two * q.y * q.y, zz = two * q.z * q.z, xy = two * q.x * q.y,
            xz = two * q.x * q.z, yz = two * q.y * q.z, wx = two * q.w * q.x, wy = two * q.w * q.y,
            wz = two * q.w * q.z;
    return {{{one - yy - zz, xy - wz, xz + wy},
             {xy + wz, one - xx - zz, yz - wx},
             {xz - wy, yz + wx, one - xx - yy}}};
}

// One Newton step; returns |w|^2, the square of the angle turned, and in `sound` whether the
// quadratic form was positive.
template <class R, class Mask>
R newtonTurn(const M3<R>& A, Turn<R>& q, Mask& sound) {
    const M3<R> r = matrixOf(q);
    M3<R> g;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            g.m[i][j] = r.m[0][i] * A.m[0][j] + r.m[1][i] * A.m[1][j] + r.m[2][i] * A.m[2][j];
    const R g0 = g.m[2][1] - g.m[1][2], g1 = g.m[0][2] - g.m[2][0], g2 = g.m[1][0] - g.m[0][1];
    const R trace = g.m[0][0] + g.m[1][1] + g.m[2][2], half(0.5f);
    const R damp = R(1e-4f) * max(trace, R(1e-3f));
    const R a = trace - g.m[0][0] + damp, b = -half * (g.m[0][1] + g.m[1][0]),
            c = -half * (g.m[0][2] + g.m[2][0]), d = trace - g.m[1][1] + damp,
            e = -half * (g.m[1][2] + g.m[2][1]), f = trace - g.m[2][2] + damp;
    const R c00 = d * f - e * e, c01 = c * e - b * f, c02 = b * e - c * d;
    const R c11 = a * f - c * c, c12 = b * c - a * e, c22 = a * d - b * b;
    const R det = a * c00 + b * c01 + c * c02, zero(0.f);
    sound = (a > zero) & (c22 > zero) & (det > zero);
    const R inv = R(1.f) / select(sound, det, R(1.f));
    R w0 = (c00 * g0 + c01 * g1 + c02 * g2) * inv, w1 = (c01 * g0 + c11 * g1 + c12 * g2) * inv,
      w2 = (c02 * g0 + c12 * g1 + c22 * g2) * inv;
    const R angle2 = w0 * w0 + w1 * w1 + w2 * w2;
    const R cap = min(R(1.f), R(1.5f) / sqrt(max(angle2, R(1e-20f))));
    const R s = half * cap; // exp(w) as the quaternion (w/2, 1), normalised: same to third order
    w0 = w0 * s;
    w1 = w1 * s;
    w2 = w2 * s;
    Turn<R> t{q.x + q.w * w0 + q.y * w2 - q.z * w1, q.y + q.w * w1 + q.z * w0 - q.x * w2,
              q.z + q.w * w2 + q.x * w1 - q.y * w0, q.w - q.x * w0 - q.y * w1 - q.z * w2};
    const R n = R(1.f) / sqrt(t.x * t.x + t.y * t.y + t.z * t.z + t.w * t.w);
    q = {select(sound, t.x * n, q.x), select(sound, t.y * n, q.y), select(sound, t.z * n, q.z),
         select(sound, t.w * n, q.w)};
    return angle2;
}

// The slow way, in double: singular values, with a little of the last rotation mixed in so that
// what the points do not determine stays.
inline Eigen::Quaterniond turnBySvd(const Mat3& A, const Eigen::Quaterniond& last) {
    const double size = A.norm();
    if (!(size > 0)) return last;
    const Mat3 mixed = A + 1e-9 * size * last.toRotationMatrix();
    const Eigen::JacobiSVD<Mat3> svd(mixed, Eigen::ComputeFullU | Eigen::ComputeFullV);
    Mat3 flip = Mat3::Identity();
    if ((svd.matrixU() * svd.matrixV().transpose()).determinant() < 0) flip(2, 2) = -1;
    return Eigen::Quaterniond(Mat3(svd.matrixU() * flip * svd.matrixV().transpose()));
}

// Turns `q` until the angle of a step is below `tolerance` (rad) in every lane.
inline void turnTo(const M3<Pack8>& A, Turn<Pack8>& q, float tolerance) {
    unsigned settled = 0;
    for (int i = 0; i < 8; ++i) {
        V8i sound;
        const Pack8 angle2 = newtonTurn(A, q, sound);
        settled = bits((angle2 < Pack8(tolerance * tolerance)) & sound);
        if (settled == 0xffu) return;
        if (bits(sound) != 0xffu) break;
    }
    for (int lane = 0; lane < 8; ++lane) {
        if (settled >> lane & 1u) continue;
        Mat3 a;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) a(i, j) = A.m[i][j][lane];
        if (!a.allFinite()) continue; // the step is lost anyway, and is found out there
        const Eigen::Quaterniond t = turnBySvd(
            a, Eigen::Quaterniond(q.w[lane], q.x[lane], q.y[lane], q.z[lane]).normalized());
        q.x.v[lane] = static_cast<float>(t.x());
        q.y.v[lane] = static_cast<float>(t.y());
        q.z.v[lane] = static_cast<float>(t.z());
        q.w.v[lane] = static_cast<float>(t.w());
    }
}

} // namespace purl
