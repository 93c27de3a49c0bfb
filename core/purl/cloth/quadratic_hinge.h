// Hinges whose energy is quadratic in the positions, E = c/2 |sum_i K_i x_i|^2: a constant,
// positive Hessian c K K^T (x) I that kills affine maps of the flat rest shape (physics 6.5).
// Bergou and Volino differ in how they write K and c. Both know flat rest shapes only.
// Damping is of the dihedral angle's rate, not of K's, which would also slow rigid spinning.
#pragma once

#include "purl/cloth/hinge_energy.h"

namespace purl::cloth {

struct QuadraticHinges {
    Constant k[4]; // 1 or 1/m..., with c: c K_i K_j is in N/m
    Constant c;
    Constant damping; // N m s
};

class QuadraticModel {
public:
    static constexpr int width = 4;
    Stencils stencils;

    QuadraticModel(QuadraticHinges hinges, const ClothMesh& mesh)
        : h_(std::move(hinges)), clamps_(mesh) {
        stencils.width = 4;
        for (const auto& n : mesh.hinges)
            stencils.nodes.insert(stencils.nodes.end(), n.begin(), n.end());
    }

    void kernel(Index s, const P3* x, const P3* v, Wants wants, Packed<4>& out) const {
        const P k[4] = {h_.k[0].pack(s), h_.k[1].pack(s), h_.k[2].pack(s), h_.k[3].pack(s)};
        const P clamp = clamps_.pack(s), c = clamp * h_.c.pack(s);
        // K sums to zero: differences keep the digits of sheets far from the origin.
        const P3 r = k[1] * (x[1] - x[0]) + k[2] * (x[2] - x[0]) + k[3] * (x[3] - x[0]);
        out.energy = P(0.5) * c * dot(r, r);
        for (int i = 0; i < 4; ++i) out.gradient[i] = (c * k[i]) * r;
        if (wants.hessian)
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j) {
                    setZero(out.hessian[4 * i + j]);
                    addIdentity(out.hessian[4 * i + j], c * k[i] * k[j]);
                }
        if (!wants.moving && !wants.damping) return;
        P3 g[4];
        dihedralGradient(x, g);
        const P d = clamp * h_.damping.pack(s);
        if (wants.moving) {
            const P rate = dot(g[0], v[0]) + dot(g[1], v[1]) + dot(g[2], v[2]) + dot(g[3], v[3]);
            for (int i = 0; i < 4; ++i) out.gradient[i] = out.gradient[i] + (d * rate) * g[i];
        }
        if (wants.damping) squareOf(g, d, out.damping);
    }
    void setRigid(Span<const std::uint8_t> triangle) { clamps_.setRigid(triangle); }
    void endStep(Span<const Vec3>) {}
    Span<double> memory() { return {}; }

private:
    QuadraticHinges h_;
    HingeClamps clamps_;
};

// Throws on a hinge that is not flat at rest, naming the models that can be.
void checkFlat(const ClothMesh&, const char* model);

} // namespace purl::cloth
