#include "purl/cloth/corotated.h"

#include "purl/cloth/triangle_energy.h"

namespace purl::cloth {

namespace {

struct Corotated {
    PlaneStress c;
    double viscosity; // s

    // With s = (S11, S22, S12), c = s^2 as matrices: dc/ds = L. Then p = L^-T dpsi/ds and
    // M = L^-T N L^-1 with N = psi_ss - sum_k p_k d2c_k/ds2; Gauss-Newton has psi_ss for N.
    Density density(Index, const Metric& m) const {
        const P half(0.5), one(1.0), two(2.0), zero(0.0);
        const P area = sqrt(max(m.uu * m.vv - m.uv * m.uv, P(1e-16)));
        const P inv = one / sqrt(m.uu + m.vv + two * area);
        const P s11 = (m.uu + area) * inv, s22 = (m.vv + area) * inv, s12 = m.uv * inv;
        const P e1 = s11 - one, e2 = s22 - one, e3 = two * s12;
        const P t1 = P(c.uu) * e1 + P(c.uv) * e2, t2 = P(c.uv) * e1 + P(c.vv) * e2;
        const P t3 = P(c.shear) * e3;
        Density d;
        d.psi = half * (t1 * e1 + t2 * e2 + t3 * e3);

        // Columns of L^-1 by cofactors: L = [2 s11, 0, 2 s12; 0, 2 s22, 2 s12; s12, s12, s11 +
        // s22].
        const P sum = s11 + s22, q = s12 * s12;
        const P det = P(4.0) * sum * max(s11 * s22 - q, P(1e-16));
        const P r = one / det;
        const P k[3][3] = {
            {r * (two * s22 * sum - two * q), r * two * q, r * P(-4.0) * s12 * s22},
            {r * two * q, r * (two * s11 * sum - two * q), r * P(-4.0) * s12 * s11},
            {r * P(-2.0) * s12 * s22, r * P(-2.0) * s12 * s11, r * P(4.0) * s11 * s22}};
        const P g[3] = {t1, t2, two * t3};
        for (int i = 0; i < 3; ++i) d.p[i] = k[0][i] * g[0] + k[1][i] * g[1] + k[2][i] * g[2];

        const P ss = P(4.0 * c.shear);
        const Sym3 soft = {P(c.uu), P(c.vv), ss, P(c.uv), zero, zero};
        const Sym3 all = {P(c.uu) - two * d.p[0],
                          P(c.vv) - two * d.p[1],
                          ss - two * (d.p[0] + d.p[1]),
                          P(c.uv),
                          -d.p[2],
                          -d.p[2]};
        d.gauss = congruent(k, soft);
        d.full = congruent(k, all);
        // Positive by its leading minors.
        const P m2 = all.uu * all.vv - all.uv * all.uv;
        const P m3 = all.ss * m2 - all.vs * (all.uu * all.vs - all.uv * all.us) -
                     all.us * (all.us * all.vv - all.uv * all.vs);
        d.fullIsPositive = (all.uu > zero) & (m2 > zero) & (m3 > zero);
        return d;
    }

    static Sym3 congruent(const P (&k)[3][3], const Sym3& n) {
        const P full[3][3] = {{n.uu, n.uv, n.us}, {n.uv, n.vv, n.vs}, {n.us, n.vs, n.ss}};
        P a[3][3];
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                a[i][j] = full[i][0] * k[0][j] + full[i][1] * k[1][j] + full[i][2] * k[2][j];
        const auto at = [&](int i, int j) {
            return k[0][i] * a[0][j] + k[1][i] * a[1][j] + k[2][i] * a[2][j];
        };
        return {at(0, 0), at(1, 1), at(2, 2), at(0, 1), at(0, 2), at(1, 2)};
    }
};

} // namespace

std::unique_ptr<ClothEnergy> makeCorotated(const ClothMesh& mesh, const ClothMaterial& m,
                                           const ClothPaint& paint) {
    return std::make_unique<PackedEnergy<TriangleModel<Corotated>>>(
        Corotated{planeStress(m), m.stretchDamping}, mesh, triangleRest(mesh, paint));
}

} // namespace purl::cloth
