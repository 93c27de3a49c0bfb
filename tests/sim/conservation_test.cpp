// Momentum and energy: oracles 11 and 12.
#include "purl/rod/rod.h"
#include "purl/sim/simulation.h"

#include <gtest/gtest.h>
#include <random>

using namespace purl;

namespace {

Scene wavy(bool contact) {
    Scene s;
    std::mt19937 rng(4);
    std::uniform_real_distribution<double> u(-1, 1);
    for (int y = 0; y < 2; ++y) {
        std::vector<Vec3> p;
        for (int i = 0; i < 20; ++i) {
            const double a = 0.35 * (i - 9.5);
            p.push_back(1e-2 * (y == 0 ? Vec3(a, 0.4 * std::cos(a), 0.1 * std::sin(2 * a))
                                       : Vec3(0.3 * std::cos(a), a, 0.26 + 0.1 * std::cos(a))));
        }
        s.yarns.add(p, false, 1.25e-3);
    }
    s.rest = s.yarns.x;
    for (auto& p : s.yarns.x) p += 2e-4 * Vec3(u(rng), u(rng), u(rng));
    Material m;
    m.plasticRadius = 0;
    s.material.assign(2, m);
    s.settings.contact.enabled = contact;
    s.settings.contact.method = ContactMethod::Exact; // conservative; ACL is so to its accuracy
    s.settings.damping.enabled = false;
    s.settings.forces.drag = false;
    s.settings.forces.gravity.setZero();
    s.settings.length.inextensible = false;
    for (Index i = 0; i < s.yarns.points(); ++i)
        s.velocity.push_back(0.05 * Vec3(u(rng), u(rng), u(rng)));
    return s;
}

struct Momenta {
    Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
    double speed = 0, turn = 0; // sums of sizes, to compare with
};
Momenta momenta(const Simulation& sim, const Scene& s) {
    Momenta m;
    for (Index y = 0; y < s.yarns.yarns(); ++y)
        for (Index i = s.yarns.first[y]; i < s.yarns.first[y + 1]; ++i) {
            auto length = [&](Index a, Index b) { return (s.rest[a] - s.rest[b]).norm(); };
            double l = 0;
            if (i > s.yarns.first[y]) l += 0.5 * length(i, i - 1);
            if (i + 1 < s.yarns.first[y + 1]) l += 0.5 * length(i, i + 1);
            const double mass = s.material[y].density * l;
            const Vec3 p = mass * sim.velocities()[i], a = sim.positions()[i].cross(p);
            m.linear += p;
            m.angular += a;
            m.speed += p.norm();
            m.turn += a.norm();
        }
    return m;
}

} // namespace

TEST(Oracle11, FreeFallIsExact) {
    Scene s = wavy(false);
    s.settings.forces.gravity = Vec3(0, -9.80665, 0);
    s.velocity.clear();
    s.settings.length.inextensible = true;
    s.yarns.x = s.rest; // at its own shape: nothing moves inside
    s.material.assign(2, [] {
        Material m;
        m.restCurvature = 1;
        return m;
    }());
    Simulation sim(s);
    const double dt = 1e-4;
    const int n = 1000;
    for (int k = 0; k < n; ++k) sim.step(dt, 0);
    const double fall = 9.80665 * dt * dt * n * (n + 1) / 2; // symplectic Euler's own sum
    for (Index i = 0; i < s.yarns.points(); ++i)
        EXPECT_NEAR((sim.positions()[i] - s.rest[i] - Vec3(0, -fall, 0)).norm(), 0, 1e-10);
}

TEST(Oracle11, MomentaAreKept) {
    for (bool contact : {false, true}) {
        const Scene s = wavy(contact);
        Simulation sim(s);
        sim.rods().setAngleTolerance(1e-7);
        const Momenta before = momenta(sim, s);
        const double dt = 0.2 * sim.automaticStep();
        for (int k = 0; k < 2000; ++k) sim.step(dt, 0);
        const Momenta after = momenta(sim, s);
        EXPECT_LT((after.linear - before.linear).norm(), 1e-12 * before.speed) << contact;
        EXPECT_LT((after.angular - before.angular).norm(), 1e-10 * before.turn) << contact;
    }
}

TEST(Oracle11, ProjectionKeepsLinearMomentum) {
    Scene s = wavy(true);
    s.settings.length.inextensible = true;
    Simulation sim(s);
    const Momenta before = momenta(sim, s);
    for (int k = 0; k < 500; ++k) sim.step(1e-5, 0);
    EXPECT_LT((momenta(sim, s).linear - before.linear).norm(), 1e-11 * before.speed);
}

TEST(Oracle11, ProjectionLosesAngularMomentumInSecondOrderAStep) {
    double lost[2];
    for (int half = 0; half < 2; ++half) {
        Scene s = wavy(true);
        s.settings.length.inextensible = true;
        s.settings.length.tolerance = 1e-12;
        s.yarns.x = s.rest; // lengths hold from the start: only the steps' own strain is projected
        Simulation sim(s);
        sim.rods().setAngleTolerance(1e-7);
        sim.step(1e-9, 0); // takes the stretching part out of the random velocities
        const Momenta before = momenta(sim, s);
        const int steps = half ? 400 : 200;
        for (int k = 0; k < steps; ++k) sim.step(2e-3 / steps, 0);
        lost[half] = (momenta(sim, s).angular - before.angular).norm() / before.turn / steps;
    }
    // A step's loss is of second order, so that of a given time is of first.
    EXPECT_LT(lost[0], 1e-7);
    EXPECT_LT(lost[1], 0.26 * lost[0]);
}

TEST(Oracle12, EnergyIsBoundedWithoutDamping) {
    double swing[2];
    for (int half = 0; half < 2; ++half) {
        const Scene s = wavy(true);
        Simulation sim(s);
        // h = 0.1 / omega_max: the automatic step is 1.8 / omega_max.
        const double dt = (half ? 0.5 : 1) * 0.1 / 1.8 * sim.automaticStep();
        const int steps = half ? 20000 : 10000;
        double first = 0, last = 0, low = 1e30, high = -1e30;
        for (int k = 0; k < steps; ++k) {
            if (k % 10) {
                sim.step(dt, 0);
                continue;
            }
            // Velocities live half a step away from positions: their mean belongs to x.
            const Energies e = sim.energies();
            const auto before = sim.velocities();
            sim.step(dt, 0);
            auto mean = sim.velocities();
            for (std::size_t i = 0; i < mean.size(); ++i) mean[i] = 0.5 * (mean[i] + before[i]);
            const auto after = sim.velocities();
            sim.setVelocities(mean);
            const double total = sim.energies().kinetic + e.bend + e.twist + e.contact;
            sim.setVelocities(after);
            (k < steps / 2 ? first : last) += total / (steps / 2 / 10);
            low = std::min(low, total);
            high = std::max(high, total);
        }
        EXPECT_NEAR(last / first, 1, 0.01) << "drift";
        EXPECT_LT(high - low, 0.01 * first);
        swing[half] = high - low;
    }
    EXPECT_LT(swing[1], 0.26 * swing[0]) << "second order";
}
