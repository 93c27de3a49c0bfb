// Row 29 of physics 9: the order of every integrator, on oscillators whose motion is known.
#include "purl/solve/integrator.h"

#include "purl/base/error.h"

#include <Eigen/LU>

#include <cmath>
#include <gtest/gtest.h>

using namespace purl;

namespace {

// One node, m x'' = -k x - c x' in the x direction; the answer is an exponential.
class Oscillator : public Dynamics {
public:
    double k = 9, c = 0.6, stiffening = 0;
    Oscillator() : filter_(1) { mass_ = {2.0}; }
    Index nodes() const override { return 1; }
    Span<const double> mass() const override { return mass_; }
    const NodeFilter& filter() const override { return filter_; }
    double force(Span<const Vec3> x, Span<const Vec3> v, Span<Vec3> f) override {
        f[0] = -k * x[0] - stiffening * x[0].squaredNorm() * x[0] - c * v[0];
        return 0.5 * k * x[0].squaredNorm();
    }
    void linearise(Span<const Vec3> x, Span<const Vec3> v, double damping, double stiffness,
                   Span<const Vec3> w, Span<Vec3> f, Span<Vec3> kw) override {
        force(x, v, f);
        const Mat3 K = (k + stiffening * x[0].squaredNorm()) * Mat3::Identity() +
                       2 * stiffening * x[0] * x[0].transpose();
        A_ = (mass_[0] + damping * c) * Mat3::Identity() + stiffness * K;
        if (!w.empty()) kw[0] = K * w[0];
    }
    SolveReport solve(Span<const Vec3> b, Span<const Vec3> z, Span<Vec3> y,
                      const SolveSettings&) override {
        const Mat3 S = filter_.at(0), I = Mat3::Identity();
        const Vec3 held = (I - S) * z[0];
        y[0] = held + S * (S * A_ * S + I - S).inverse() * S * (b[0] - A_ * held);
        return {};
    }
    NodeFilter filter_;

private:
    std::vector<double> mass_;
    Mat3 A_;
};

struct End {
    Vec3 x, v;
};

End run(Oscillator& o, const IntegratorSettings& settings, double seconds, int steps) {
    std::vector<Vec3> x{{1, 0, 0}}, v{{0.5, 0, 0}}, x1(1), v1(1);
    const auto method = makeIntegrator(settings);
    for (int n = 0; n < steps; ++n) {
        const StepReport r = method->step(o, x, v, {}, seconds / steps, x1, v1);
        EXPECT_TRUE(r.good());
        method->commit(x1, v1);
        x.swap(x1), v.swap(v1);
    }
    return {x[0], v[0]};
}

// Position and velocity of the damped oscillator after t.
End exact(const Oscillator& o, double t) {
    const double m = 2, d = o.c / (2 * m), w = std::sqrt(o.k / m - d * d);
    const double B = (0.5 + d) / w, e = std::exp(-d * t);
    const double C = std::cos(w * t), S = std::sin(w * t);
    return {{e * (C + B * S), 0, 0}, {e * (-d * (C + B * S) + w * (B * C - S)), 0, 0}};
}

double orderOf(Scheme s) {
    switch (s) {
    case Scheme::SymplecticEuler:
    case Scheme::LinearImplicit:
    case Scheme::BackwardEuler:
        return 1;
    case Scheme::RungeKutta4:
        return 4;
    case Scheme::AdamsMoulton2:
        return 3;
    default:
        return 2;
    }
}

double errorOf(const End& a, const End& b) {
    return std::hypot((a.x - b.x).norm(), (a.v - b.v).norm());
}

class Order : public testing::TestWithParam<Scheme> {};

TEST_P(Order, onADampedOscillator) {
    Oscillator o;
    IntegratorSettings s;
    s.scheme = GetParam();
    s.newtonTolerance = 1e-13;
    const End truth = exact(o, 2);
    const double coarse = errorOf(run(o, s, 2, 800), truth),
                 fine = errorOf(run(o, s, 2, 1600), truth);
    EXPECT_NEAR(std::log2(coarse / fine), orderOf(GetParam()), 0.1) << coarse << " " << fine;
    EXPECT_GT(fine, 1e-13); // rounding would hide the order
}

TEST_P(Order, onAStiffeningOne) { // no closed form: against itself at a far finer step
    Oscillator o;
    o.stiffening = 4;
    IntegratorSettings s;
    s.scheme = Scheme::RungeKutta4;
    const End truth = run(o, s, 2, 20000);
    s.scheme = GetParam();
    s.newtonTolerance = 1e-12;
    const double coarse = errorOf(run(o, s, 2, 800), truth),
                 fine = errorOf(run(o, s, 2, 1600), truth);
    EXPECT_NEAR(std::log2(coarse / fine), orderOf(GetParam()), 0.1) << coarse << " " << fine;
}

INSTANTIATE_TEST_SUITE_P(All, Order, testing::ValuesIn(schemes()),
                         [](const auto& i) { return std::string(name(i.param)); });

TEST(Integrator, bdf2KeepsItsOrderWhenStepsAreUnequal) {
    Oscillator o;
    for (Scheme scheme : {Scheme::Bdf2, Scheme::AdamsBashforth2, Scheme::AdamsMoulton2}) {
        IntegratorSettings s;
        s.scheme = scheme;
        s.newtonTolerance = 1e-13;
        double error[2];
        for (int level = 0; level < 2; ++level) {
            const int steps = 600 << level;
            const double h = 2.0 / steps;
            const auto method = makeIntegrator(s);
            std::vector<Vec3> x{{1, 0, 0}}, v{{0.5, 0, 0}}, x1(1), v1(1);
            for (int n = 0; n < steps; ++n) {
                const double dt = n % 2 ? 0.6 * h : 1.4 * h;
                method->step(o, x, v, {}, dt, x1, v1);
                method->commit(x1, v1);
                x.swap(x1), v.swap(v1);
            }
            error[level] = errorOf({x[0], v[0]}, exact(o, 2));
        }
        EXPECT_NEAR(std::log2(error[0] / error[1]), orderOf(scheme), 0.1) << name(scheme);
    }
}

TEST(Integrator, newmarkBeyondOneHalfDampsAtFirstOrder) {
    Oscillator o;
    o.c = 0;
    IntegratorSettings s;
    s.scheme = Scheme::Newmark;
    s.newtonTolerance = 1e-13;
    const auto energy = [&](const End& e) {
        return 0.5 * o.k * e.x.squaredNorm() + e.v.squaredNorm();
    };
    const double start = 0.5 * o.k + 0.25;
    EXPECT_NEAR(energy(run(o, s, 20, 400)), start, 1e-9 * start); // (1/4, 1/2) keeps it
    s.newmarkGamma = 0.7;
    EXPECT_LT(energy(run(o, s, 20, 400)), 0.95 * start);
    const End truth = exact(o, 2);
    EXPECT_NEAR(std::log2(errorOf(run(o, s, 2, 800), truth) / errorOf(run(o, s, 2, 1600), truth)),
                1, 0.1);
}

TEST(Integrator, whatIsHeldEndsWhereItIsTold) {
    for (Scheme scheme : schemes()) {
        Oscillator o;
        o.filter_.holdDirection(0, {1, 1, 0});
        IntegratorSettings s;
        s.scheme = scheme;
        const auto method = makeIntegrator(s);
        std::vector<Vec3> x{{1, 0, 0.3}}, v{{0.5, 0, 0}}, held{{0.2, 0.4, 7}}, x1(1), v1(1);
        for (int n = 0; n < 5; ++n) {
            const double before = x[0].dot(Vec3(1, 1, 0));
            method->step(o, x, v, held, 0.01, x1, v1);
            method->commit(x1, v1);
            x.swap(x1), v.swap(v1);
            EXPECT_NEAR(x[0].dot(Vec3(1, 1, 0)), before + 0.006, 1e-14) << name(scheme);
            EXPECT_NEAR(v[0].dot(Vec3(1, 1, 0)), 0.6, 1e-14) << name(scheme);
        }
        EXPECT_LT(x[0].z(), 0.3); // free across it: the spring pulls
    }
}

TEST(Integrator, namesGoBothWays) {
    for (Scheme s : schemes()) EXPECT_EQ(schemeOf(name(s), "scene"), s);
    EXPECT_THROW(schemeOf("euler", "scene"), Error);
}

} // namespace
