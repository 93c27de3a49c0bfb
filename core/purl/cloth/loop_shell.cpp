#include "purl/cloth/loop_shell.h"

#include "purl/base/error.h"
#include "purl/base/parallel.h"
#include "purl/cloth/loop_patch.h"

#include <Eigen/Dense>
#include <cmath>

namespace purl::cloth {

namespace {

Mat3 hat(const Vec3& a) {
    Mat3 m;
    m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
    return m;
}

class LoopShell final : public ClothEnergy {
public:
    LoopShell(const ClothMesh& mesh, const ClothMaterial& m, const ClothPaint& paint) {
        const LoopSurface surface(mesh);
        const Index n = mesh.faces();
        std::vector<MiddleWeights> all(static_cast<std::size_t>(n));
        parallelFor(n, 64, [&](Index begin, Index end) {
            for (Index t = begin; t < end; ++t)
                all[static_cast<std::size_t>(t)] = surface.middle(t);
        });
        std::size_t width = 0;
        for (std::size_t t = 0; t < all.size(); ++t) {
            width = std::max(width, all[t].nodes.size());
            if (width > maxWidth)
                throw Error("cloth: triangle " + std::to_string(t),
                            std::to_string(width) + " points around it, expected at most " +
                                std::to_string(maxWidth) + " for bending 'loop'");
        }
        stencils_.width = static_cast<int>(width);
        viscosity_ = m.bendDamping;
        const double between = std::sqrt(m.bendWarp * m.bendWeft);
        plate_ << m.bendWarp, m.bendPoisson * between, 0, m.bendPoisson * between, m.bendWeft, 0, 0,
            0, 0.5 * (1 - m.bendPoisson) * between;
        for (std::size_t t = 0; t < all.size(); ++t) {
            const MiddleWeights& p = all[t];
            for (std::size_t i = 0; i < width; ++i) {
                const bool filled = i < p.nodes.size();
                const auto& q = p.nodes[filled ? i : 0];
                stencils_.nodes.push_back(q.node);
                const double w[5] = {q.u, q.v, q.uu, q.vv, 2 * q.uv};
                for (double k : w) weights_.push_back(filled ? k : 0);
            }
            const double scale = paint.bend.empty() ? 1 : paint.bend[t];
            area_.push_back(scale * p.area);
            rest_.push_back(Vec3(p.restCurvature[0], p.restCurvature[1], 2 * p.restCurvature[2]));
        }
    }

    const Stencils& stencils() const override { return stencils_; }

    void evaluate(Index begin, Index end, Span<const Vec3> x, Span<const Vec3> v,
                  const EnergySlots& out) const override {
        const std::size_t W = static_cast<std::size_t>(stencils_.width);
        Eigen::Matrix<double, 3, 3 * maxWidth> J; // on the stack; wider patches are refused
        for (Index s = begin; s < end; ++s) {
            const std::size_t at = static_cast<std::size_t>(s);
            const Frame f = frame(at, x);
            const Vec3 stress = area_[at] * (plate_ * f.b);
            if (!out.energy.empty()) out.energy[at] = 0.5 * f.b.dot(stress);
            if (out.gradient.empty() && out.hessian.empty() && out.damping.empty()) continue;
            const double* w = weights_.data() + at * W * 5;
            for (std::size_t i = 0; i < W; ++i, w += 5)
                for (int k = 0; k < 3; ++k)
                    J.block<1, 3>(k, static_cast<Index>(3 * i)) =
                        (w[2 + k] * f.n + w[0] * f.byU[k] + w[1] * f.byV[k]).transpose();
            if (!out.gradient.empty()) {
                Vec3 total = stress;
                if (!v.empty()) {
                    Vec3 rate = Vec3::Zero();
                    for (std::size_t i = 0; i < W; ++i)
                        rate += J.block<3, 3>(0, static_cast<Index>(3 * i)) *
                                v[static_cast<std::size_t>(stencils_.nodes[at * W + i])];
                    total += viscosity_ * area_[at] * (plate_ * rate);
                }
                for (std::size_t i = 0; i < W; ++i)
                    out.gradient[at * W + i] =
                        J.block<3, 3>(0, static_cast<Index>(3 * i)).transpose() * total;
            }
            if (!out.hessian.empty()) square(J, area_[at], W, out.hessian.data() + at * W * W);
            if (!out.damping.empty())
                square(J, viscosity_ * area_[at], W, out.damping.data() + at * W * W);
        }
    }

    void exactHessian(Index begin, Index end, Span<const Vec3> x, Span<Mat3> out) const override {
        EnergySlots gauss;
        gauss.hessian = out;
        evaluate(begin, end, x, {}, gauss);
        const std::size_t W = static_cast<std::size_t>(stencils_.width);
        for (Index s = begin; s < end; ++s) {
            const std::size_t at = static_cast<std::size_t>(s);
            const Frame f = frame(at, x);
            const Vec3 m = area_[at] * (plate_ * f.b);
            // Second derivatives of sum_k m_k d_k . n, n = N/|N|, N = a1 x a2.
            const Vec3 d = m[0] * f.d[0] + m[1] * f.d[1] + m[2] * f.d[2];
            const double L = f.length;
            const Mat3 P = Mat3::Identity() - f.n * f.n.transpose();
            const Vec3 pd = P * d, q = pd / L;
            const Mat3 S =
                -(f.n * pd.transpose() + pd * f.n.transpose() + f.n.dot(d) * P) / (L * L);
            const Mat3 T[2] = {-hat(f.a2), hat(f.a1)}; // dN/da1, dN/da2
            const Mat3 B11 = T[0].transpose() * S * T[0], B22 = T[1].transpose() * S * T[1];
            const Mat3 B12 = T[0].transpose() * S * T[1] - hat(q);
            const Mat3 C1 = P * T[0] / L, C2 = P * T[1] / L;
            const double* w = weights_.data() + at * W * 5;
            const auto lift = [&](const double* k) {
                return m[0] * k[2] + m[1] * k[3] + m[2] * k[4];
            };
            for (std::size_t i = 0; i < W; ++i)
                for (std::size_t j = 0; j < W; ++j) {
                    const double *a = w + 5 * i, *b = w + 5 * j;
                    out[(at * W + i) * W + j] += a[0] * b[0] * B11 + a[1] * b[1] * B22 +
                                                 a[0] * b[1] * B12 + a[1] * b[0] * B12.transpose() +
                                                 lift(a) * (b[0] * C1 + b[1] * C2) +
                                                 lift(b) * (a[0] * C1 + a[1] * C2).transpose();
                }
        }
    }

private:
    static constexpr int maxWidth = 48;

    struct Frame {
        Vec3 a1, a2, d[3], n, b;
        double length;       // |a1 x a2|
        Vec3 byU[3], byV[3]; // db_k/da1, db_k/da2
    };

    Frame frame(std::size_t at, Span<const Vec3> x) const {
        const std::size_t W = static_cast<std::size_t>(stencils_.width);
        const double* w = weights_.data() + at * W * 5;
        const Index* nodes = stencils_.nodes.data() + at * W;
        Frame f;
        f.a1 = f.a2 = f.d[0] = f.d[1] = f.d[2] = Vec3::Zero();
        const Vec3 origin = x[static_cast<std::size_t>(nodes[0])]; // weights sum to zero
        for (std::size_t i = 1; i < W; ++i) {
            const Vec3 p = x[static_cast<std::size_t>(nodes[i])] - origin;
            const double* k = w + 5 * i;
            f.a1 += k[0] * p, f.a2 += k[1] * p;
            f.d[0] += k[2] * p, f.d[1] += k[3] * p, f.d[2] += k[4] * p;
        }
        const Vec3 N = f.a1.cross(f.a2);
        f.length = std::max(N.norm(), 1e-30);
        f.n = N / f.length;
        for (int k = 0; k < 3; ++k) {
            f.b[k] = f.d[k].dot(f.n) - rest_[at][k];
            const Vec3 q = (f.d[k] - f.n * f.n.dot(f.d[k])) / f.length;
            f.byU[k] = f.a2.cross(q);
            f.byV[k] = q.cross(f.a1);
        }
        return f;
    }

    // scale J^T H J
    template <class Rows>
    void square(const Rows& J, double scale, std::size_t W, Mat3* out) const {
        const Mat3 H = scale * plate_;
        for (std::size_t i = 0; i < W; ++i) {
            const Mat3 left = J.template block<3, 3>(0, static_cast<Index>(3 * i)).transpose() * H;
            for (std::size_t j = i; j < W; ++j) {
                const Mat3 h = left * J.template block<3, 3>(0, static_cast<Index>(3 * j));
                out[i * W + j] = h;
                if (j > i) out[j * W + i] = h.transpose();
            }
        }
    }

    Stencils stencils_;
    std::vector<double> weights_; // u, v, uu, vv, 2 uv per node and stencil
    std::vector<double> area_;    // m2, painted
    std::vector<Vec3> rest_;      // 1/m, rest curvature: uu, vv, 2 uv
    Mat3 plate_;                  // N m
    double viscosity_ = 0;        // s
};

} // namespace

std::unique_ptr<ClothEnergy> makeLoopShell(const ClothMesh& mesh, const ClothMaterial& m,
                                           const ClothPaint& paint) {
    return std::make_unique<LoopShell>(mesh, m, paint);
}

} // namespace purl::cloth
