// Springs between two points whose energy depends on their distance alone, E = W(l): the
// mass-spring models differ in W and in which points they join.
//   Hessian    W'' n n^T + W'/l (I - n n^T); positive: each of the two kept where it is
//   damping    c n n^T
#pragma once

#include "purl/cloth/hinge_energy.h"

namespace purl::cloth {

struct Spring {
    Index a, b;
    double length;  // m, at rest
    double area;    // m2, of the triangles it belongs to
    double modulus; // N/m: Young's modulus of the sheet in the spring's direction, painted
    double bend;    // N m: rigidity for bending the spring, painted
    double edge;    // m: the edge itself, or of a spring across it, the edge
    double stiffness() const { return modulus * area / (length * length); } // Van Gelder 1998
};

// Along every edge of the triangles (structural and shear springs).
std::vector<Spring> edgeSprings(const ClothMesh&, const ClothMaterial&, const ClothPaint&);
// Between the opposite points of every hinge (flexion, interleaved springs); laid flat.
std::vector<Spring> crossSprings(const ClothMesh&, const ClothMaterial&, const ClothPaint&);

// Young's modulus of the orthotropic sheet along a direction, N/m.
double modulusAlong(const ClothMaterial&, double cosine2);

// Law has: at(first, l) -> LawValue, and damping: Constant, N s/m.
template <class Law>
class SpringModel {
public:
    static constexpr int width = 2;
    Stencils stencils;

    SpringModel(Law law, const std::vector<Spring>& springs) : law_(std::move(law)) {
        stencils.width = 2;
        for (const Spring& s : springs) {
            stencils.nodes.push_back(s.a);
            stencils.nodes.push_back(s.b);
        }
    }

    void kernel(Index s, const P3* x, const P3* v, Wants wants, Packed<2>& out) const {
        const P3 d = x[1] - x[0];
        const P l = sqrt(max(dot(d, d), P(1e-60)));
        const P3 n = (P(1.0) / l) * d;
        const LawValue e = law_.at(s, l);
        out.energy = e.w;
        P pull = e.w1;
        const P c = law_.damping.pack(s);
        if (wants.moving) pull += c * dot(n, v[1] - v[0]);
        out.gradient[1] = pull * n;
        out.gradient[0] = -pull * n;
        if (wants.hessian) {
            const P along = wants.exact ? e.w2 : max(e.w2, P(0.0));
            const P across = wants.exact ? e.w1 / l : max(e.w1 / l, P(0.0));
            fill(out.hessian, n, along - across, across);
        }
        if (wants.damping) fill(out.damping, n, c, P(0.0));
    }
    void setRigid(Span<const std::uint8_t>) {}
    void endStep(Span<const Vec3>) {}
    Span<double> memory() { return {}; }

private:
    static void fill(P33* h, const P3& n, P outer, P identity) {
        setZero(h[0]), setZero(h[1]);
        addOuter(h[0], outer, n, n);
        addIdentity(h[0], identity);
        for (int k = 0; k < 9; ++k) h[1].m[k] = -h[0].m[k];
        h[2] = h[1], h[3] = h[0];
    }

    Law law_;
};

} // namespace purl::cloth
