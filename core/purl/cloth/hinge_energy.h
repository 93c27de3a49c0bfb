// Hinges whose energy depends on the dihedral angle theta alone (physics 6.5): E = W(theta). The
// models differ in W; gradient, Hessian, damping and plastic rest angles are shared.
//   gradient   W' g,  g = dtheta/dx (four vectors, no net force, no net torque)
//   Hessian    W'' g g^T + W' d2theta/dx2; positive: the first term with W'' >= 0 (Gauss-Newton)
//   damping    c g g^T: resists the rate of the angle, blind to rigid motions
#pragma once

#include "purl/base/parallel.h"
#include "purl/cloth/material.h"
#include "purl/cloth/mesh.h"
#include "purl/cloth/packed.h"

namespace purl::cloth {

// What the bending models read of a hinge at rest.
struct HingeShape {
    double length;       // m, of the edge
    double area;         // m2, of both triangles together
    double rigidity;     // N m, D across this edge, painted
    double cot01, cot02; // cotangents at e0 in the first and second triangle
    double cot03, cot04; // at e1
    double across;       // cos^2 between the warp and the edge's normal
    double restAngle;    // rad
    double angleFor(double curvature) const { return curvature * area / length; }
};
HingeShape hingeShape(const ClothMesh&, Index hinge, const ClothMaterial&, const ClothPaint&);
void checkHinges(const ClothMesh&); // throws if the lists do not belong together

struct Dihedral {
    P theta;
    P3 g[4];
};
void dihedralGradient(const P3* x, P3* g);
Dihedral dihedral(const P3* x);
double dihedralAngle(const Vec3& x0, const Vec3& x1, const Vec3& x2, const Vec3& x3);
// d2theta/dx2, 12x12, at lane positions given one by one.
void dihedralHessian(const Vec3* x, Eigen::Matrix<double, 12, 12>& h);

// w g g^T into 16 blocks.
inline void squareOf(const P3* g, P w, P33* h) {
    for (int i = 0; i < 4; ++i)
        for (int j = i; j < 4; ++j) {
            setZero(h[4 * i + j]);
            addOuter(h[4 * i + j], w, g[i], g[j]);
            if (j > i) setTransposed(h[4 * j + i], h[4 * i + j]);
        }
}

// How much stiffer a hinge is whose one triangle cannot bend: area of both over area of the other.
class HingeClamps {
public:
    explicit HingeClamps(const ClothMesh& mesh);
    void setRigid(Span<const std::uint8_t> triangle);
    P pack(Index s) const { return factor_.pack(s); }

private:
    std::vector<std::array<Index, 2>> triangles_;
    std::vector<std::array<double, 2>> stiffer_; // with the first, the second triangle rigid
    Constant factor_;
};

struct Plastic {
    double share = 0; // of what is beyond yield; 0: elastic
    Constant yield;   // rad
    Constant limit;   // rad
};

// Law has: at(first, theta, restAngle) -> {w, w1, w2}, and damping: Constant, N m s.
struct LawValue {
    P w, w1, w2;
};

template <class Law>
class HingeModel {
public:
    static constexpr int width = 4;
    Stencils stencils;

    HingeModel(Law law, const ClothMesh& mesh, const ClothMaterial& m, const ClothPaint& paint)
        : law_(std::move(law)), clamps_(mesh) {
        stencils.width = 4;
        for (const auto& h : mesh.hinges)
            stencils.nodes.insert(stencils.nodes.end(), h.begin(), h.end());
        if (std::isfinite(m.yieldCurvature)) plastic_.share = m.plasticShare;
        for (Index h = 0; h < stencils.count(); ++h) {
            const HingeShape s = hingeShape(mesh, h, m, paint);
            rest_.push(s.restAngle);
            plastic_.yield.push(s.angleFor(m.yieldCurvature));
            plastic_.limit.push(s.angleFor(m.maxRestCurvature));
        }
        rest_.finish();
    }

    void kernel(Index s, const P3* x, const P3* v, Wants wants, Packed<4>& out) const {
        const Dihedral d = dihedral(x);
        LawValue e = law_.at(s, d.theta, rest_.pack(s));
        const P clamp = clamps_.pack(s);
        e.w = clamp * e.w, e.w1 = clamp * e.w1, e.w2 = clamp * e.w2;
        out.energy = e.w;
        P slope = e.w1;
        const P c = clamp * law_.damping.pack(s);
        if (wants.moving)
            slope +=
                c * (dot(d.g[0], v[0]) + dot(d.g[1], v[1]) + dot(d.g[2], v[2]) + dot(d.g[3], v[3]));
        for (int i = 0; i < 4; ++i) out.gradient[i] = slope * d.g[i];
        if (wants.hessian) squareOf(d.g, wants.exact ? e.w2 : max(e.w2, P(0.0)), out.hessian);
        if (wants.exact) addCurvature(x, e.w1, out.hessian);
        if (wants.damping) squareOf(d.g, c, out.damping);
    }

    void setRigid(Span<const std::uint8_t> triangle) { clamps_.setRigid(triangle); }

    // Beyond yield the rest angle follows the angle (physics 2.10, in one dimension): the share of
    // what is too much is kept, and no rest angle is sharper than the limit.
    void endStep(Span<const Vec3> x) {
        if (plastic_.share <= 0) return;
        parallelFor(stencils.count(), 1024, [&](Index begin, Index end) {
            for (Index h = begin; h < end; ++h) {
                const Index* n = stencils.nodes.data() + 4 * h;
                const double theta = dihedralAngle(x[n[0]], x[n[1]], x[n[2]], x[n[3]]);
                const double away = theta - rest_[h], over = std::abs(away) - plastic_.yield[h];
                if (over <= 0) continue;
                const double moved = rest_[h] + std::copysign(plastic_.share * over, away);
                rest_[h] = std::clamp(moved, -plastic_.limit[h], plastic_.limit[h]);
            }
        });
    }
    Span<double> memory() {
        return plastic_.share > 0 ? rest_.values(stencils.count()) : Span<double>();
    }

private:
    static void addCurvature(const P3* x, P w1, P33* h) {
        Eigen::Matrix<double, 12, 12> full;
        for (int l = 0; l < 4; ++l) {
            Vec3 lane[4];
            for (int i = 0; i < 4; ++i) lane[i] = {x[i].x[l], x[i].y[l], x[i].z[l]};
            dihedralHessian(lane, full);
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j)
                    for (int k = 0; k < 9; ++k)
                        h[4 * i + j].m[k].v[l] += w1[l] * full(3 * i + k % 3, 3 * j + k / 3);
        }
    }

    Law law_;
    HingeClamps clamps_;
    Constant rest_; // rad
    Plastic plastic_;
};

} // namespace purl::cloth
