// Every energy of crossings against differences, sliding coordinates included (oracle 27).
#include "purl/crossing/energies.h"

#include "trio.h"

#include <Eigen/LU>

#include <cmath>
#include <random>

namespace purl {
namespace {

constexpr double kSize = 3e-4; // m, a crossing's spacing

// Three numbers a vector, then scalars; all near 1, scaled inside.
template <int N, class F>
void check(const Eigen::Matrix<double, N, 1>& q, F&& trio, double scale) {
    using Vector = Eigen::Matrix<double, N, 1>;
    test::checkTrio(
        q, [&](const Vector& p) { return trio(p * kSize, false).energy * scale; },
        [&](const Vector& p) -> Vector { return trio(p * kSize, false).gradient * kSize * scale; },
        [&](const Vector& p) -> Eigen::Matrix<double, N, N> {
            return trio(p * kSize, true).hessian * kSize * kSize * scale;
        },
        1e-6);
}

template <int N>
Eigen::Matrix<double, N, 1> noise(unsigned seed, double size) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> in(-size, size);
    Eigen::Matrix<double, N, 1> q;
    for (int i = 0; i < N; ++i) q[i] = in(random);
    return q;
}

TEST(CrossingEnergies, StretchTrio) {
    for (unsigned seed = 1; seed < 9; ++seed) {
        Eigen::Vector4d q = noise<4>(seed, 0.4);
        q[0] += 1;
        q[3] += 1;
        check<4>(
            q,
            [](const auto& p, bool h) {
                return stretchEnergy(p.template head<3>(), p[3], {2.0}, h);
            },
            1e4);
    }
}

TEST(CrossingEnergies, StretchIsConvexInLengths) {
    // The second derivative by (l, s) has one zero eigenvalue: what the solver's rank-one form
    // uses.
    const Trio<4> t = stretchEnergy(Vec3(1.3e-3, 0, 0), 1e-3, {2.0}, true);
    Eigen::Matrix2d h;
    h << t.hessian(0, 0), t.hessian(0, 3), t.hessian(3, 0), t.hessian(3, 3);
    EXPECT_NEAR(h.determinant(), 0, 1e-9 * h.norm() * h.norm());
    EXPECT_GT(h.trace(), 0);
}

TEST(CrossingEnergies, BendTrio) {
    for (unsigned seed = 1; seed < 17; ++seed)
        for (double rest : {0.0, 0.4}) {
            Eigen::Matrix<double, 7, 1> q = noise<7>(seed, 0.5);
            q[0] += 1;
            q[seed % 2 ? 3 : 4] -= 1; // nearly straight, or about a right angle and beyond
            q[6] += 2;
            check<7>(
                q,
                [&](const auto& p, bool h) {
                    return bendEnergy(p.template head<3>(), p.template segment<3>(3), p[6], 1e-9,
                                      rest, h);
                },
                1e6);
        }
}

TEST(CrossingEnergies, BendOfACircleIsThatOfABeam) {
    // 1/2 EI integral kappa^2 over a circle of radius a is pi EI / a.
    const int n = 64;
    const double radius = 2e-3, ei = 1e-9, pi = std::acos(-1.0);
    const auto at = [&](int i) {
        return Vec3(radius * std::cos(2 * pi * i / n), radius * std::sin(2 * pi * i / n), 0);
    };
    double sum = 0;
    for (int i = 0; i < n; ++i)
        sum += bendEnergy(at(i + 1) - at(i), at(i - 1) - at(i), 2 * (at(1) - at(0)).norm(), ei, 0)
                   .energy;
    EXPECT_NEAR(sum, pi * ei / radius, 2e-3 * sum);
}

TEST(CrossingEnergies, ShearTrio) {
    for (unsigned seed = 1; seed < 17; ++seed) {
        Eigen::Matrix<double, 6, 1> q = noise<6>(seed, 0.5);
        q[0] += 1;
        q[4] += 1;
        const ShearLaw law{1e-8, std::acos(-1.0) / 2, seed % 2 ? 0.2 : 3.0, 100};
        check<6>(
            q,
            [&](const auto& p, bool h) {
                return shearEnergy(p.template head<3>(), p.template tail<3>(), law, h);
            },
            1e6);
    }
}

TEST(CrossingEnergies, ScalarTrios) {
    using One = Eigen::Matrix<double, 1, 1>;
    for (double s : {0.5, 0.9, 1.4})
        check<1>(
            One(s), [](const auto& p, bool) { return parallelEnergy(p[0], 500, kSize); }, 1e6);
    for (double u : {0.6, 0.95, 1.2, 2.0})
        check<1>(
            One(u),
            [](const auto& p, bool) { return frictionEnergy(p[0], kSize, 500, 500 * 0.3 * kSize); },
            1e6);
}

TEST(CrossingEnergies, FrictionIsASpringThatSlips) {
    const double k = 500, limit = 1e-3;
    EXPECT_DOUBLE_EQ(frictionEnergy(1e-6, 0, k, limit).gradient[0], k * 1e-6);
    EXPECT_DOUBLE_EQ(frictionEnergy(1, 0, k, limit).gradient[0], limit);
    const double anchor = dragAnchor(1, 0, k, limit);
    EXPECT_DOUBLE_EQ(anchor, 1 - limit / k);
    EXPECT_NEAR(frictionEnergy(1, anchor, k, limit).gradient[0], limit, 1e-12);
    EXPECT_EQ(dragAnchor(1e-6, 0, k, limit), 0);
}

TEST(CrossingEnergies, StitchTrio) {
    for (unsigned seed = 1; seed < 9; ++seed) {
        Eigen::Vector4d q = noise<4>(seed, 0.4);
        q[0] += 1;
        q[3] += 1;
        check<4>(
            q,
            [](const auto& p, bool h) {
                return stitchEnergy(p.template head<3>(), p[3], 2.0, kSize, h);
            },
            1e4);
    }
}

TEST(CrossingEnergies, WeightTrio) {
    Eigen::Matrix<double, 7, 1> q = noise<7>(3, 1);
    q[6] += 2;
    check<7>(
        q,
        [](const auto& p, bool h) {
            return weightEnergy(p.template head<3>(), p.template segment<3>(3), p[6], 2e-5,
                                Vec3(1, -9.8, 0.3), h);
        },
        1e9);
}

// A bowed piece unbends, and from `taut` on it is the yarn that gives.
TEST(CrossingEnergies, StretchOfABowTrio) {
    const StretchLaw law{20.0, 0.65, 0.01};
    for (double w : {0.3, 0.6, 0.9, 0.98, 1.2}) {
        Eigen::Vector4d q(0.6 * w, 0.3 * w, -0.4 * w, 0.0);
        q[3] = q.head<3>().norm() / w;
        check<4>(
            q,
            [&](const auto& p, bool h) {
                return stretchEnergy(p.template head<3>(), p[3], law, h);
            },
            1e3);
    }
    EXPECT_EQ(law.tension(0.65), 0);
    EXPECT_EQ(law.energy(0.65), 0);
    EXPECT_NEAR(law.slope(1.1), law.k, 0.1 * law.k);
}

// Against an arc drawn out by hand: force P along the span of a circular arc of half angle a turns
// its ends by P y^2 / EI summed along it (Castigliano), y the height over the span.
TEST(CrossingEnergies, ABowUnbendsAsACircularArc) {
    for (double a : {0.5, 0.8, 1.2, 1.5}) {
        const double s = 2e-3, bend = 3e-8, radius = s / (2 * a), chord = std::sin(a) / a;
        double sum = 0; // of y^2 along the arc, m3
        const int n = 2000;
        for (int k = 0; k < n; ++k) {
            const double t = -a + 2 * a * (k + 0.5) / n, y = radius * (std::cos(t) - std::cos(a));
            sum += y * y * s / n;
        }
        const double stiffness = bend / sum * s; // N: force a relative span
        const StretchLaw law{1e9, chord, bend / (s * s)};
        EXPECT_NEAR(law.slope(chord), stiffness, 0.06 * stiffness) << a;
    }
}

TEST(CrossingEnergies, WrapTrio) {
    for (unsigned seed = 1; seed < 17; ++seed) {
        Eigen::Matrix<double, 12, 1> q = noise<12>(seed, 0.4);
        q[3] += 1;
        q[7] += 1;
        q[seed % 2 ? 10 : 11] += seed % 3 ? -1 : 1;
        check<12>(
            q,
            [&](const auto& p, bool h) {
                return wrapEnergy(p.template head<3>(), p.template segment<3>(3),
                                  p.template segment<3>(6), p.template tail<3>(), {1e-8, 1.2}, h);
            },
            1e6);
    }
}

} // namespace
} // namespace purl
