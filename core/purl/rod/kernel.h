// The rod's arithmetic on slots of the padded layout, for double (reference) or Pack4 (fast).
// Slot s of an edge array is the edge from slot s to s+1; vertex s has edges e = s-1 and f = s.
// The material frame is the reference frame (theta is turned into the director after each solve), so
// the twist of a vertex is the angle from the director of e, carried over the vertex, to that of f.
#pragma once

#include "purl/base/simd.h"

namespace purl::rod {

struct EdgeArrays {
    Soa3 tangent;      // unit
    Soa3 director;     // m1, unit
    double* invLength; // 1/m
};

struct VertexArrays {
    double* bend;      // N m, EI / l (0 where there is no vertex)
    double* twist;     // N m, GJ / l
    double* restE1;    // natural curvature seen from e and from f, units of kb
    double* restE2;
    double* restF1;
    double* restF2;
    double* angle;     // rad, total twist, unwrapped
    double* cosAngle;  // of angle: lets the unwrapping do without trigonometry
    double* sinAngle;
    double* restAngle; // rad
};

template <class R>
struct VertexPose {
    V3<R> te, tf, kb, tt, m1e, m2e, m1f, m2f;
    R inv; // 1 / (1 + te.tf)
};

template <class R>
VertexPose<R> poseAt(const EdgeArrays& edge, long s) {
    VertexPose<R> p;
    p.te = load3<R>(edge.tangent, s - 1);
    p.tf = load3<R>(edge.tangent, s);
    p.inv = R(1.0) / max(R(1.0) + dot(p.te, p.tf), R(1e-8));
    p.kb = (R(2.0) * p.inv) * cross(p.te, p.tf);
    p.tt = p.inv * (p.te + p.tf);
    p.m1e = load3<R>(edge.director, s - 1);
    p.m1f = load3<R>(edge.director, s);
    p.m2e = cross(p.te, p.m1e);
    p.m2f = cross(p.tf, p.m1f);
    return p;
}

// Gradient of bending and twist with respect to the two edge vectors (physics 2.6). For an isotropic
// yarn |omega| = |kb| in either frame, so both edges' terms are one fixed vector C dotted with kb.
template <class R>
void edgeGradients(const EdgeArrays& edge, const VertexArrays& vertex, long s, const Soa3& ge,
                   const Soa3& gf) {
    const VertexPose<R> p = poseAt<R>(edge, s);
    const R e1 = load<R>(vertex.restE1 + s), e2 = load<R>(vertex.restE2 + s);
    const R f1 = load<R>(vertex.restF1 + s), f2 = load<R>(vertex.restF2 + s);
    const V3<R> c =
        R(2.0) * p.kb - (e1 * p.m2e - e2 * p.m1e) - (f1 * p.m2f - f2 * p.m1f);
    const R sc = dot(c, p.kb), two = R(2.0) * p.inv;
    const V3<R> ve = two * cross(p.tf, c) - sc * p.tt;
    const V3<R> vf = R(-1.0) * (two * cross(p.te, c) + sc * p.tt);
    const R bend = load<R>(vertex.bend + s);
    const R twist = load<R>(vertex.twist + s) *
                    (load<R>(vertex.angle + s) - load<R>(vertex.restAngle + s));
    const R ie = load<R>(edge.invLength + s - 1), jf = load<R>(edge.invLength + s);
    store3(ge, s, ie * (bend * ve + twist * p.kb));
    store3(gf, s, jf * (bend * vf + twist * p.kb));
}

// Tangent of edge s at the new positions; director carried there in time (physics 2.2).
template <class R>
void moveEdge(const Soa3& x, long s, const EdgeArrays& edge) {
    const V3<R> e = load3<R>(x, s + 1) - load3<R>(x, s);
    const R length2 = max(dot(e, e), R(1e-60));
    const R inv = R(1.0) / sqrt(length2);
    const V3<R> t1 = inv * e, t0 = load3<R>(edge.tangent, s), m = load3<R>(edge.director, s);
    const V3<R> sum = t0 + t1;
    const R a = dot(sum, m) / max(R(1.0) + dot(t0, t1), R(1e-8));
    V3<R> d = m - a * sum + (R(2.0) * dot(t0, m)) * t1;
    d = d - dot(d, t1) * t1;
    const R norm = R(1.0) / sqrt(max(dot(d, d), R(1e-60)));
    store3(edge.tangent, s, t1);
    store3(edge.director, s, norm * d);
    store(edge.invLength + s, inv);
}

// cos and sin of the angle from the director of e carried to f, to the director of f.
template <class R>
void twistAngle(const VertexPose<R>& p, R& c, R& s) {
    const V3<R> sum = p.te + p.tf;
    const V3<R> u = p.m1e - (dot(sum, p.m1e) * p.inv) * sum + (R(2.0) * dot(p.te, p.m1e)) * p.tf;
    c = dot(u, p.m1f);
    s = dot(cross(u, p.m1f), p.tf);
}

inline double angleOf(double c, double s) { return std::atan2(s, c); }
inline Pack4 angleOf(Pack4 c, Pack4 s) {
    return V4d{std::atan2(s.v[0], c.v[0]), std::atan2(s.v[1], c.v[1]), std::atan2(s.v[2], c.v[2]),
               std::atan2(s.v[3], c.v[3])};
}

// Adds the change since last time to the unwrapped twist (physics 2.3). The change is small in a
// healthy step: then its arc sine is a short series and no trigonometry is needed.
template <class R>
void moveTwist(const VertexPose<R>& p, const VertexArrays& vertex, long s) {
    R c, sn;
    twistAngle(p, c, sn);
    const R c0 = load<R>(vertex.cosAngle + s), s0 = load<R>(vertex.sinAngle + s);
    const R dc = c * c0 + sn * s0, ds = sn * c0 - c * s0;
    const R d2 = ds * ds;
    R change = ds * (R(1.0) + d2 * (R(1.0 / 6) + d2 * (R(3.0 / 40) + d2 * (R(5.0 / 112) +
                                                               d2 * R(35.0 / 1152)))));
    if (any(d2 > R(1.6e-3)) || any(dc < R(0.0))) change = angleOf(dc, ds);
    store(vertex.angle + s, load<R>(vertex.angle + s) + change);
    store(vertex.cosAngle + s, c);
    store(vertex.sinAngle + s, sn);
}

// First and second derivative of the bending energy in the angles of e and f (physics 2.8).
template <class R>
void thetaTerms(const VertexPose<R>& p, const VertexArrays& vertex, long s, double* ge, double* gf,
                double* he, double* hf) {
    const R bend = load<R>(vertex.bend + s);
    const R we1 = dot(p.m2e, p.kb), we2 = R(-1.0) * dot(p.m1e, p.kb);
    const R wf1 = dot(p.m2f, p.kb), wf2 = R(-1.0) * dot(p.m1f, p.kb);
    const R e1 = load<R>(vertex.restE1 + s), e2 = load<R>(vertex.restE2 + s);
    const R f1 = load<R>(vertex.restF1 + s), f2 = load<R>(vertex.restF2 + s);
    store(ge + s, bend * (e2 * we1 - e1 * we2));
    store(gf + s, bend * (f2 * wf1 - f1 * wf2));
    store(he + s, bend * (e1 * we1 + e2 * we2));
    store(hf + s, bend * (f1 * wf1 + f2 * wf2));
}

// Natural curvature follows the present one at distance p (physics 2.10): disc first, cap second.
// Returns by how much |omega - rest|^2 fell: the energy that this dissipates.
template <class R>
R yieldPair(R w1, R w2, R radius, R cap, double* rest1, double* rest2) {
    const R d1 = load<R>(rest1) - w1, d2 = load<R>(rest2) - w2;
    const R before = d1 * d1 + d2 * d2;
    const R k = radius / max(radius, sqrt(before));
    R r1 = w1 + k * d1, r2 = w2 + k * d2;
    const R n = sqrt(r1 * r1 + r2 * r2);
    const R m = select(n > cap, cap / max(n, R(1e-30)), R(1.0));
    r1 *= m;
    r2 *= m;
    store(rest1, r1);
    store(rest2, r2);
    r1 -= w1;
    r2 -= w2;
    return before - (r1 * r1 + r2 * r2);
}

// Turns are small in a healthy step: a short series, exact to rounding below 0.05 rad.
inline void sinCos(Pack4 w, Pack4& c, Pack4& s) {
    const Pack4 w2 = w * w;
    if (any(w2 > Pack4(2.5e-3))) {
        for (int k = 0; k < 4; ++k) {
            c.v[k] = std::cos(w.v[k]);
            s.v[k] = std::sin(w.v[k]);
        }
        return;
    }
    s = w * (Pack4(1.0) - w2 * (Pack4(1.0 / 6) - w2 * (Pack4(1.0 / 120) - w2 * (Pack4(1.0 / 5040) - w2 * Pack4(1.0 / 362880)))));
    c = Pack4(1.0) - w2 * (Pack4(0.5) - w2 * (Pack4(1.0 / 24) - w2 * (Pack4(1.0 / 720) - w2 * Pack4(1.0 / 40320))));
}

} // namespace purl::rod
