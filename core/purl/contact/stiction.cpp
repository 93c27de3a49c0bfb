#include "purl/contact/stiction.h"

#include <algorithm>
#include <limits>

namespace purl {

namespace {
// Tangential stiffness of a contact as a share of its normal one. Yarns are soft across (bending
// and rolling fibres); stiffer springs would slide earlier and sound, not hold more.
constexpr double kTangential = 0.2;
} // namespace

namespace {
// From the second to the first of a spring's points, whose control points are three rows each.
Eigen::Vector3f between(const ModelBuilder& b, const Window& w, Index u, Index v, const Pack8* rows,
                        int lane) {
    const float* z = reinterpret_cast<const float*>(rows) + lane;
    Eigen::Vector3f d = Eigen::Vector3f::Zero();
    const float *wu = b.floatWeights(u), *wv = b.floatWeights(v);
    const int fu = 24 * b.controlU(u, w), fv = 24 * b.controlV(v, w);
    for (int i = 0; i < 4; ++i)
        for (int c = 0; c < 3; ++c)
            d[c] += wu[i] * z[fu + 24 * i + 8 * c] - wv[i] * z[fv + 24 * i + 8 * c];
    return d;
}
} // namespace

Eigen::Vector3f Stiction::now(const ModelBuilder& b, const Window& w, int spring, const Pack8* rows,
                              int lane) const {
    const Eigen::Vector3f d = between(b, w, u[spring], v[spring], rows, lane);
    return stretch[spring] + d - normal.dot(d) * normal;
}

double Stiction::rolled(const ModelBuilder& b, const Window& w, const Eigen::Quaternionf& turn,
                        const Eigen::Vector3f e[kSprings], const Pack8* rest, int lane) {
    Eigen::Map<Eigen::Quaternionf> last(turned);
    Eigen::Quaternionf since = last.conjugate() * turn;
    if (since.w() < 0) since.coeffs() *= -1;
    last = turn;
    const Eigen::Vector3f angle = 2 * since.vec();
    float sum = 0;
    for (int i = 0; i < kSprings; ++i)
        sum += e[i].dot(angle.cross(between(b, w, u[i], v[i], rest, lane)));
    return static_cast<double>(k * sum);
}

float Stiction::slack() const {
    if (k == 0) return 1e18f;
    float most = 0;
    for (const auto& e : stretch) most = std::max(most, e.norm());
    return std::max(0.f, (limit - most) / 2.5f); // |weights| of a Catmull-Rom point sum to <= 1.25
}

void stick(const ModelBuilder& builder, const PointBox& touch, double friction,
           const Eigen::Vector3f carried[Stiction::kSprings], LinearModel& m, Stiction& s) {
    s = Stiction{};
    const int n = m.window.size(), nu = m.window.nu;
    Vec3 push = Vec3::Zero();
    for (int a = 0; a < nu; ++a) push += Eigen::Map<const Vec3>(&m.force[3 * a]);
    const double fn = push.norm();
    if (!(fn > 0) || friction <= 0) return;
    const Vec3 normal = push / fn;
    Mat3 sum = Mat3::Zero(); // minus the force's derivative by a common shift of the first side
    for (int a = 0; a < nu; ++a)
        for (int b = a; b < nu; ++b) {
            const float* h = &m.stiffness[6 * LinearModel::block(n, a, b)];
            Mat3 full;
            full << h[0], h[1], h[2], h[1], h[3], h[4], h[2], h[4], h[5];
            sum -= (a == b ? 1.0 : 2.0) * full;
        }
    const double kn = normal.dot(sum * normal);
    if (!(kn > 0)) return;
    const double k = kTangential * kn / Stiction::kSprings;
    const double limit = friction * fn / Stiction::kSprings / k;
    s.k = static_cast<float>(k);
    s.limit = static_cast<float>(limit);
    s.normal = normal.cast<float>();
    const Mat3 T = Mat3::Identity() - normal * normal.transpose();
    const double t[6] = {T(0, 0), T(0, 1), T(0, 2), T(1, 1), T(1, 2), T(2, 2)};
    for (int i = 0; i < Stiction::kSprings; ++i) {
        auto at = [](Index a, Index b, int quarter) { return a + (b - a) * quarter / 4; };
        s.u[i] = at(touch.u0, touch.u1, i / 2 ? 3 : 1);
        s.v[i] = at(touch.v0, touch.v1, i % 2 ? 3 : 1);
        Vec3 e = T * carried[i].cast<double>() / k;
        if (e.norm() > limit) e *= limit / e.norm();
        s.stretch[i] = e.cast<float>();
        const double *wu = builder.weights(s.u[i]), *wv = builder.weights(s.v[i]);
        const int fu = builder.controlU(s.u[i], m.window), fv = builder.controlV(s.v[i], m.window);
        int control[8];
        double c[8];
        for (int j = 0; j < 4; ++j) {
            control[j] = fu + j;
            c[j] = wu[j];
            control[4 + j] = fv + j;
            c[4 + j] = -wv[j];
        }
        for (int a = 0; a < 8; ++a) {
            for (int x = 0; x < 3; ++x) m.force[3 * control[a] + x] -= k * c[a] * e[x];
            for (int b = a; b < 8; ++b) {
                float* h = &m.stiffness[6 * LinearModel::block(n, control[a], control[b])];
                for (int x = 0; x < 6; ++x) h[x] -= static_cast<float>(k * c[a] * c[b] * t[x]);
            }
        }
    }
}

} // namespace purl
