#include "purl/cloth/choi_ko.h"

namespace purl::cloth {

namespace {

// cos q - sinc q without the cancellation at small q.
double cosMinusSinc(double q) {
    if (q > 0.3) return std::cos(q) - std::sin(q) / q;
    const double s = q * q;
    return s * (-1.0 / 3 + s * (1.0 / 30 + s * (-1.0 / 840 + s * (1.0 / 45360 - s / 3991680))));
}

// q in [0, pi) with sinc q = 1 - shorter.
double arcOf(double shorter) {
    const double u = std::clamp(shorter, 0.0, 1.0);
    double q = std::min(std::sqrt(6 * u) * (1 + 0.15 * u), 3.1); // both ends of the curve
    for (int i = 0; i < 12; ++i) {
        // 1 - sinc q, by series where it cancels
        const double s = q * q;
        const double gap = q > 0.3
                               ? 1 - std::sin(q) / q
                               : s * (1.0 / 6 - s * (1.0 / 120 - s * (1.0 / 5040 - s / 362880)));
        const double slope = -cosMinusSinc(q) / std::max(q, 1e-300); // d(gap)/dq
        const double step = slope > 0 ? (gap - u) / slope : 0;
        q = std::clamp(q - step, 0.0, 3.14159265358979);
        if (std::abs(step) < 1e-15 * q) break;
    }
    return q;
}

// The arc's energy over k_b/L, its push over k_b/L^2 and that one's derivative over k_b/L^3.
struct Arc {
    double energy, push, slope;
};
Arc arcAt(double shorter) {
    const double q = arcOf(shorter);
    if (q < 1e-6) return {0, -12, 7.2};             // limits at the straight spring
    const double d = cosMinusSinc(q), turn = q / d; // turn = dq/dy
    const double slope = (8 * q * turn * d + 4 * q * q * (std::sin(q) * turn + 1)) / (d * d);
    return {2 * q * q, 4 * q * q / d, slope};
}

struct Buckling {
    Constant tension;     // N/m, longer than L
    Constant compression; // N/m, c_b
    Constant length;      // m
    Constant rigidity;    // N m2, k_b
    Constant crossover;   // m, L - l where the arc is weaker than the linear spring
    Constant atCrossover; // J, what must be added to the arc's energy
    Constant damping;     // N s/m

    LawValue at(Index s, P l) const {
        const P d = l - length.pack(s);
        const P k = purl::select(d < P(0.0), compression.pack(s), tension.pack(s));
        LawValue e{P(0.5) * k * d * d, k * d, k};
        const P limit = crossover.pack(s);
        if (!any((-d) > limit)) return e;
        for (int i = 0; i < 4; ++i) {
            if (!(-d[i] > limit[i])) continue;
            const double rest = length[s + i], kb = rigidity[s + i];
            const Arc arc = arcAt(-d[i] / rest);
            e.w.v[i] = kb / rest * arc.energy + atCrossover[s + i];
            e.w1.v[i] = kb / (rest * rest) * arc.push;
            e.w2.v[i] = kb / (rest * rest * rest) * arc.slope;
        }
        return e;
    }
};

// L - l where c_b (l - L) = f_b(l); the linear force starts at 0, the arc's at -12 k_b / L^2.
double crossoverOf(double c, double kb, double rest) {
    double low = 0, high = 0.999 * rest;
    const auto linearIsWeaker = [&](double d) {
        return c * d < -kb / (rest * rest) * arcAt(d / rest).push;
    };
    if (linearIsWeaker(high)) return 2 * rest; // a spring so soft never buckles
    for (int i = 0; i < 100; ++i) {
        const double mid = 0.5 * (low + high);
        (linearIsWeaker(mid) ? low : high) = mid;
    }
    return 0.5 * (low + high);
}

} // namespace

double bucklingPush(double chord, double rest, double kb) {
    return kb / (rest * rest) * arcAt(1 - chord / rest).push;
}
double bucklingEnergy(double chord, double rest, double kb) {
    return kb / rest * arcAt(1 - chord / rest).energy;
}

std::unique_ptr<ClothEnergy> bucklingSprings(const std::vector<Spring>& springs,
                                             const ClothMaterial& m, bool pulls) {
    Buckling law;
    for (const Spring& s : springs) {
        const double c = s.stiffness(), kb = 8.0 / 9 * s.bend * s.area / s.length;
        const double cross = kb > 0 ? crossoverOf(c, kb, s.length) : 0;
        const double jump =
            0.5 * c * cross * cross - kb / s.length * arcAt(std::min(cross / s.length, 1.0)).energy;
        law.tension.push(pulls ? c : 0);
        law.compression.push(c);
        law.length.push(s.length);
        law.rigidity.push(kb);
        law.crossover.push(cross);
        law.atCrossover.push(jump);
        law.damping.push(pulls ? m.stretchDamping * c
                               : m.bendDamping * kb / (s.length * s.length * s.length));
    }
    Constant* all[] = {&law.tension,   &law.compression, &law.length, &law.rigidity,
                       &law.crossover, &law.atCrossover, &law.damping};
    for (Constant* c : all) c->finish();
    return std::make_unique<PackedEnergy<SpringModel<Buckling>>>(std::move(law), springs);
}

std::unique_ptr<ClothEnergy> makeChoiKo(const ClothMesh& mesh, const ClothMaterial& m,
                                        const ClothPaint& paint) {
    return bucklingSprings(crossSprings(mesh, m, paint), m, false);
}

} // namespace purl::cloth
