// Triangles whose energy depends on the metric of the sheet alone: with w_u, w_v the images of the
// warp and weft axes (physics 6.1, linear in x), c = (w_u.w_u, w_v.w_v, w_u.w_v) and E = a psi(c).
// Saint Venant-Kirchhoff, Baraff-Witkin and the corotated element are all of this kind, so they
// share gradient, Hessian and damping and differ in psi only.
//
// With p = dpsi/dc, M = d2psi/dc2, B = dc/d(w_u, w_v):
//   gradient   B^T p
//   Hessian    B^T M B + T (x) I,   T = [2 p1, p3; p3, 2 p2] (the stress; it stiffens when pulled)
//   damping    tau B^T G B,         G = de/dc^T C de/dc, Gauss-Newton: blind to rigid motions
// Positive: M is kept where it and T are positive, else G and the positive part of T.
#pragma once

#include "purl/cloth/material.h"
#include "purl/cloth/mesh.h"
#include "purl/cloth/packed.h"

#include <cassert>

namespace purl::cloth {

// A symmetric 3x3 matrix over c.
struct Sym3 {
    P uu, vv, ss, uv, us, vs;
};

struct Metric {
    P uu, vv, uv;
};

// What a model says about c, per rest area.
struct Density {
    P psi;
    P p[3];
    Sym3 full;          // M
    Sym3 gauss;         // G
    V4i fullIsPositive; // per lane: M has no negative eigenvalue
};

inline Sym3 select(V4i mask, const Sym3& a, const Sym3& b) {
    return {purl::select(mask, a.uu, b.uu), purl::select(mask, a.vv, b.vv),
            purl::select(mask, a.ss, b.ss), purl::select(mask, a.uv, b.uv),
            purl::select(mask, a.us, b.us), purl::select(mask, a.vs, b.vs)};
}

// The triangle constants of physics 6.1: a^u_i, a^v_i of corners 1 and 2 (corner 0 is minus both).
struct TriangleRest {
    Constant au1, au2, av1, av2, weight; // 1/m; m2 (times painted stiffness)
};

// The three numbers of a triangle's rest shape; throws on one without area.
struct RestShape {
    double au1, au2, av1, av2, area;
};
RestShape restShape(const ClothMesh& mesh, Index triangle);

// [T11 T12; T12 T22] to its positive part; returns where it was positive already.
inline V4i makePositive(P& a, P& b, P& c) { // a = T11, b = T22, c = T12
    const P mean = P(0.5) * (a + b), d = P(0.5) * (a - b);
    const P r = sqrt(d * d + c * c);
    const P low = mean - r, high = mean + r;
    const V4i fine = (low.v >= 0.0);
    const P l = max(low, P(0.0)), h = max(high, P(0.0));
    const P m = P(0.5) * (h + l), s = (P(0.5) * (h - l)) / max(r, P(1e-300));
    a = purl::select(fine, a, m + d * s);
    b = purl::select(fine, b, m - d * s);
    c = purl::select(fine, c, c * s);
    return fine;
}

// H_ij = a_i^u a_j^u Kuu + ... for i, j in {1, 2}; corner 0 from "a common shift does nothing".
inline void expand(P33* h, P au1, P au2, P av1, P av2, const P33& uu, const P33& uv,
                   const P33& vv) {
    for (int k = 0; k < 9; ++k) {
        const int t = 3 * (k % 3) + k / 3; // the transposed entry
        const P a = uu.m[k], b = uv.m[k], bt = uv.m[t], c = vv.m[k];
        const P h11 = au1 * au1 * a + au1 * av1 * (b + bt) + av1 * av1 * c;
        const P h22 = au2 * au2 * a + au2 * av2 * (b + bt) + av2 * av2 * c;
        const P h12 = au1 * au2 * a + au1 * av2 * b + av1 * au2 * bt + av1 * av2 * c;
        h[4].m[k] = h11, h[8].m[k] = h22, h[5].m[k] = h12;
        h[7].m[t] = h12;
    }
    for (int k = 0; k < 9; ++k) {
        const int t = 3 * (k % 3) + k / 3;
        const P h01 = -(h[4].m[k] + h[7].m[k]), h02 = -(h[5].m[k] + h[8].m[k]);
        h[1].m[k] = h01, h[2].m[k] = h02;
        h[3].m[t] = h01, h[6].m[t] = h02;
        h[0].m[k] = P(0.0);
    }
    for (int k = 0; k < 9; ++k) h[0].m[k] = -(h[3].m[k] + h[6].m[k]);
}

// weight (B^T M B + T (x) I) into the blocks of (w_u, w_v), then to the corners.
inline void addMetricHessian(P33* h, P au1, P au2, P av1, P av2, const P3& wu, const P3& wv,
                             P weight, const Sym3& m, P t11, P t22, P t12) {
    P33 uu, uv, vv;
    setZero(uu), setZero(uv), setZero(vv);
    const P two(2.0), four(4.0);
    addOuter(uu, weight * four * m.uu, wu, wu);
    addOuter(uu, weight * two * m.us, wu, wv);
    addOuter(uu, weight * two * m.us, wv, wu);
    addOuter(uu, weight * m.ss, wv, wv);
    addIdentity(uu, weight * t11);
    addOuter(vv, weight * four * m.vv, wv, wv);
    addOuter(vv, weight * two * m.vs, wu, wv);
    addOuter(vv, weight * two * m.vs, wv, wu);
    addOuter(vv, weight * m.ss, wu, wu);
    addIdentity(vv, weight * t22);
    addOuter(uv, weight * four * m.uv, wu, wv);
    addOuter(uv, weight * two * m.us, wu, wu);
    addOuter(uv, weight * two * m.vs, wv, wv);
    addOuter(uv, weight * m.ss, wv, wu);
    addIdentity(uv, weight * t12);
    expand(h, au1, au2, av1, av2, uu, uv, vv);
}

// Psi has: density(first, metric) -> Density, and `viscosity`, s.
template <class Psi>
class TriangleModel {
public:
    static constexpr int width = 3;
    Stencils stencils;

    TriangleModel(Psi psi, const ClothMesh& mesh, TriangleRest rest)
        : psi_(std::move(psi)), rest_(std::move(rest)) {
        stencils.width = 3;
        stencils.nodes.reserve(mesh.triangles.size() * 3);
        for (const auto& t : mesh.triangles)
            stencils.nodes.insert(stencils.nodes.end(), t.begin(), t.end());
    }

    void kernel(Index s, const P3* x, const P3* v, Wants wants, Packed<3>& out) const {
        const P au1 = rest_.au1.pack(s), au2 = rest_.au2.pack(s);
        const P av1 = rest_.av1.pack(s), av2 = rest_.av2.pack(s);
        const P weight = rest_.weight.pack(s);
        const P3 p1 = x[1] - x[0], p2 = x[2] - x[0];
        const P3 wu = au1 * p1 + au2 * p2, wv = av1 * p1 + av2 * p2;
        const Density d = psi_.density(s, {dot(wu, wu), dot(wv, wv), dot(wu, wv)});
        out.energy = weight * d.psi;
        P q0 = d.p[0], q1 = d.p[1], q2 = d.p[2];
        const P tau(psi_.viscosity);
        if (wants.moving) {
            const P3 r1 = v[1] - v[0], r2 = v[2] - v[0];
            const P3 du = au1 * r1 + au2 * r2, dv = av1 * r1 + av2 * r2;
            const P two(2.0);
            const P cu = two * dot(wu, du), cv = two * dot(wv, dv);
            const P cs = dot(wu, dv) + dot(wv, du);
            const Sym3& g = d.gauss;
            q0 += tau * (g.uu * cu + g.uv * cv + g.us * cs);
            q1 += tau * (g.uv * cu + g.vv * cv + g.vs * cs);
            q2 += tau * (g.us * cu + g.vs * cv + g.ss * cs);
        }
        const P two(2.0);
        const P3 gu = weight * ((two * q0) * wu + q2 * wv);
        const P3 gv = weight * ((two * q1) * wv + q2 * wu);
        out.gradient[1] = au1 * gu + av1 * gv;
        out.gradient[2] = au2 * gu + av2 * gv;
        out.gradient[0] = P(-1.0) * (out.gradient[1] + out.gradient[2]);
        if (wants.hessian) {
            P t11 = two * d.p[0], t22 = two * d.p[1], t12 = d.p[2];
            Sym3 m = d.full;
            if (!wants.exact) {
                const V4i pulled = makePositive(t11, t22, t12);
                m = select(pulled & d.fullIsPositive, d.full, d.gauss);
            }
            addMetricHessian(out.hessian, au1, au2, av1, av2, wu, wv, weight, m, t11, t22, t12);
        }
        if (wants.damping)
            addMetricHessian(out.damping, au1, au2, av1, av2, wu, wv, tau * weight, d.gauss, P(0.0),
                             P(0.0), P(0.0));
    }
    void setRigid(Span<const std::uint8_t>) {}
    void endStep(Span<const Vec3>) {}
    Span<double> memory() { return {}; }

private:
    Psi psi_;
    TriangleRest rest_;
};

// Rest constants of all triangles; the weight is the area times the painted stiffness.
TriangleRest triangleRest(const ClothMesh& mesh, const ClothPaint& paint);

// Plane stress of an orthotropic sheet (physics 6.3), N/m: [uu uv 0; uv vv 0; 0 0 shear].
struct PlaneStress {
    double uu, vv, uv, shear;
};
PlaneStress planeStress(const ClothMaterial& m);

} // namespace purl::cloth
