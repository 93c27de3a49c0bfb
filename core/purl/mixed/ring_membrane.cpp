#include "purl/mixed/ring_membrane.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace purl {

namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kPacked = 0.3; // of Green's strain: wrinkles take no more than this

// psi(e) of one family, and its derivatives: 1/2 k e^2 down to Euler's load, constant stress from
// there on, stiff again where packed.
struct Family {
    double k, load; // N/m
    double stress(double e) const {
        double s = e > -load / k ? k * e : -load;
        if (e < -kPacked) s += k * (e + kPacked);
        return s;
    }
    double slope(double e) const { return (e > -load / k ? k : 0) + (e < -kPacked ? k : 0); }
    double energy(double e) const {
        double w = e > -load / k ? 0.5 * k * e * e : -load * e - 0.5 * load * load / k;
        if (e < -kPacked) w += 0.5 * k * (e + kPacked) * (e + kPacked);
        return w;
    }
};

class RingMembrane final : public ClothEnergy {
public:
    RingMembrane(const ClothMesh& mesh, const ClothMaterial& m) : shear_(m.shear) {
        stencils_.width = 3;
        for (Index t = 0; t < mesh.faces(); ++t) {
            for (Index v : mesh.triangles[t]) stencils_.nodes.push_back(v);
            const auto& r = mesh.rest[t];
            Eigen::Matrix2d d;
            d << r[1] - r[0], r[2] - r[0];
            const Eigen::Matrix2d inverse = d.inverse();
            Triangle one;
            one.area = 0.5 * d.determinant();
            one.g[1] = inverse.row(0), one.g[2] = inverse.row(1);
            one.g[0] = -one.g[1] - one.g[2];
            const double bend =
                kPi * kPi / (2 * one.area); // legs as long as those of half a square
            one.family[0] = {m.stretchWarp, bend * m.bendWarp};
            one.family[1] = {m.stretchWeft, bend * m.bendWeft};
            triangles_.push_back(one);
        }
    }
    const Stencils& stencils() const override { return stencils_; }

    void evaluate(Index begin, Index end, Span<const Vec3> x, Span<const Vec3>,
                  const EnergySlots& out) const override {
        for (Index t = begin; t < end; ++t) {
            const Triangle& tri = triangles_[t];
            const State s = stateOf(t, x);
            if (!out.energy.empty())
                out.energy[t] =
                    tri.area * (tri.family[0].energy(s.e[0]) + tri.family[1].energy(s.e[1]) +
                                0.5 * shear_ * s.shear * s.shear);
            if (!out.gradient.empty()) {
                Vec3 p[2];
                for (int a = 0; a < 2; ++a)
                    p[a] = tri.area *
                           (tri.family[a].stress(s.e[a]) * s.w[a] + shear_ * s.shear * s.w[1 - a]);
                for (int k = 0; k < 3; ++k)
                    out.gradient[3 * t + k] = tri.g[k][0] * p[0] + tri.g[k][1] * p[1];
            }
            if (!out.hessian.empty()) write(t, s, true, out.hessian);
            for (int k = 0; k < 9 && !out.damping.empty(); ++k) out.damping[9 * t + k].setZero();
        }
    }
    void exactHessian(Index begin, Index end, Span<const Vec3> x, Span<Mat3> out) const override {
        for (Index t = begin; t < end; ++t) write(t, stateOf(t, x), false, out);
    }

private:
    struct Triangle {
        double area;
        Vec2 g[3]; // of the corners' shape functions, 1/m
        Family family[2];
    };
    struct State {
        Vec3 w[2];   // where the two directions go
        double e[2]; // Green's strain along them
        double shear;
    };
    State stateOf(Index t, Span<const Vec3> x) const {
        State s;
        for (int a = 0; a < 2; ++a) {
            s.w[a].setZero();
            for (int k = 0; k < 3; ++k)
                s.w[a] += triangles_[t].g[k][a] * x[stencils_.nodes[3 * t + k]];
            s.e[a] = 0.5 * (s.w[a].squaredNorm() - 1);
        }
        s.shear = s.w[0].dot(s.w[1]);
        return s;
    }
    void write(Index t, const State& s, bool positive, Span<Mat3> out) const {
        const Triangle& tri = triangles_[t];
        Mat3 h[2][2];
        for (int a = 0; a < 2; ++a)
            for (int b = 0; b < 2; ++b) h[a][b] = shear_ * s.w[1 - a] * s.w[1 - b].transpose();
        for (int a = 0; a < 2; ++a) {
            const double stress = tri.family[a].stress(s.e[a]);
            h[a][a] += tri.family[a].slope(s.e[a]) * s.w[a] * s.w[a].transpose() +
                       (positive ? std::max(0.0, stress) : stress) * Mat3::Identity();
            if (!positive) h[a][1 - a] += shear_ * s.shear * Mat3::Identity();
        }
        for (int k = 0; k < 3; ++k)
            for (int l = 0; l < 3; ++l) {
                Mat3& m = out[9 * t + 3 * k + l];
                m.setZero();
                for (int a = 0; a < 2; ++a)
                    for (int b = 0; b < 2; ++b) m += tri.area * tri.g[k][a] * tri.g[l][b] * h[a][b];
            }
    }

    double shear_; // N/m
    Stencils stencils_;
    std::vector<Triangle> triangles_;
};

} // namespace

std::unique_ptr<ClothEnergy> makeRingMembrane(const ClothMesh& mesh,
                                              const ClothMaterial& material) {
    return std::make_unique<RingMembrane>(mesh, material);
}

} // namespace purl
