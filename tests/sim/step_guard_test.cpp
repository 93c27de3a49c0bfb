// Steps that are undone: the clock that halves them, the account of energy, and that nothing of a
// rejected step is left behind.
#include "purl/base/parallel.h"
#include "purl/collide/shapes.h"
#include "purl/sim/energy_audit.h"
#include "purl/sim/frame_clock.h"

#include <gtest/gtest.h>

#include "sim/knit_scene.h"

namespace purl {

TEST(FrameClock, EndsFramesExactlyWhateverIsRejected) {
    FrameClock clock;
    for (int frame = 0; frame < 5; ++frame) {
        clock.start(0.04, 7, 6);
        double sum = 0, last = 0;
        for (int k = 0; !clock.done(); ++k) {
            if (k % 5 == 1 && frame != 3) {
                clock.reject();
                continue;
            }
            sum += clock.dt();
            EXPECT_GT(clock.next(), last);
            EXPECT_NEAR(clock.next(), sum / 0.04, 1e-12);
            last = clock.next();
            EXPECT_EQ(clock.last(), last == 1);
            clock.accept(3);
        }
        EXPECT_EQ(last, 1);
        EXPECT_NEAR(sum, 0.04, 1e-15);
    }
}

TEST(FrameClock, WithoutRejectionsStepsAreThoseOfAFixedStep) {
    FrameClock clock;
    clock.start(1.0 / 24, 361, 6);
    for (int k = 1; k <= 361; ++k) {
        EXPECT_EQ(clock.dt(), 1.0 / 24 / 361);
        EXPECT_EQ(clock.next(), static_cast<double>(k) / 361);
        clock.accept(10);
    }
    EXPECT_TRUE(clock.done());
}

TEST(FrameClock, GrowsAgainAfterCleanSteps) {
    FrameClock clock;
    clock.start(1, 100, 4);
    for (int k = 0; k < 9; ++k) clock.reject();
    EXPECT_TRUE(clock.smallest());
    EXPECT_EQ(clock.level(), 4);
    int steps = 0;
    while (clock.level() > 0 && !clock.done()) clock.accept(10), ++steps;
    EXPECT_EQ(clock.level(), 0);
    EXPECT_GE(steps, 40);
    EXPECT_LE(steps, 50);
}

// A spring of one node, in steps of a share s of 2 / omega. Symplectic Euler keeps a quadratic form
// near the energy, which therefore swings by (1 + s) / (1 - s) at most; above 1 it grows without
// end, and the account sees that.
TEST(EnergyAudit, SeesAStepThatIsTooLong) {
    for (const double share : {0.02, 0.1, 1.05}) {
        Curves c;
        c.add(std::vector<Vec3>{Vec3(0.01, 0, 0), Vec3(1, 0, 0)}, false, 1e-3);
        const Layout layout(c);
        State s;
        s.x = c.x;
        s.v.assign(2, Vec3::Zero());
        s.mass.assign(2, 0.001);
        s.inverseMass = {1000, 0};
        const double k = 40, omega = std::sqrt(k / 0.001), dt = share * 2 / omega;
        EnergyAudit audit;
        audit.start(s, 0.5 * k * 1e-4);
        double worst = 0;
        Padded3 x0, f;
        x0.resize(layout.padded());
        f.resize(layout.padded());
        for (int n = 0; n < 40; ++n) {
            scatter(layout, s.x, 0, 0, x0);
            f.set(layout.slotOf[0], -k * s.x[0]);
            s.v[0] += dt / 0.001 * (-k * s.x[0]);
            s.x[0] += dt * s.v[0];
            const auto step = audit.measure(s, layout, x0, &f, Vec3::Zero(), {}, dt, s.v, {});
            worst = std::max(worst, audit.excess(step) / audit.scale(step));
            audit.accept(step, 0, s, layout, x0);
        }
        if (share < 1) {
            EXPECT_LE(worst, (1 + share) / (1 - share) - 1);
        } else {
            EXPECT_GT(worst, 10);
        }
    }
}

TEST(EnergyAudit, FallingIsNoEnergyFromNowhere) {
    Curves c;
    c.add(std::vector<Vec3>{Vec3(0, 0, 0), Vec3(1, 0, 0)}, false, 1e-3);
    const Layout layout(c);
    State s;
    s.x = c.x;
    s.v.assign(2, Vec3::Zero());
    s.mass.assign(2, 0.1);
    s.inverseMass.assign(2, 10);
    EnergyAudit audit;
    audit.start(s, 0);
    const Vec3 g(0, -9.81, 0);
    Padded3 x0, f;
    x0.resize(layout.padded());
    f.resize(layout.padded());
    for (int n = 0; n < 100; ++n) {
        scatter(layout, s.x, 0, 0, x0);
        for (int i = 0; i < 2; ++i) {
            s.v[i] += 1e-3 * g;
            s.x[i] += 1e-3 * s.v[i];
        }
        const auto step = audit.measure(s, layout, x0, &f, g, {}, 1e-3, s.v, {});
        EXPECT_LT(audit.excess(step), 0.02 * audit.scale(step));
        audit.accept(step, 0, s, layout, x0);
    }
}

namespace {

// A swatch that falls on a ball at 6 m/s: steps are rejected on the way.
Scene impact(int substeps) {
    test::Knit knit("stockinette", 6);
    Scene s = knit.scene;
    s.velocity.assign(s.yarns.x.size(), Vec3(0, 0, -6));
    s.colliders.push_back(std::make_shared<SphereCollider>(Vec3(0, 0, -0.022), 0.015));
    s.collision.push_back(s.settings.collision);
    s.settings.time.fps = 250;
    s.settings.time.substeps = substeps;
    return s;
}

} // namespace

TEST(StepGuard, RejectionsHaveTheSameBitsAtAnyNumberOfThreads) {
    std::uint64_t hash = 0;
    long rejected = 0;
    for (int threads : {1, 2, 3}) {
        const ThreadLimit limit(threads);
        Simulation sim(impact(14)); // too few, so that there is something to reject
        Monitor quiet;
        rejected = 0;
        for (int f = 0; f < 4; ++f) {
            const FrameReport r = sim.advanceFrame(quiet);
            for (long n : r.rejected) rejected += n;
            if (r.outcome != FrameReport::Outcome::Done) break;
        }
        if (threads == 1) hash = sim.hash();
        EXPECT_EQ(sim.hash(), hash) << threads;
    }
    EXPECT_GT(rejected, 0);
}

// The guard changes nothing where nothing is wrong.
TEST(StepGuard, ACleanRunHasTheSameBitsWithoutIt) {
    std::uint64_t hash[2];
    for (bool on : {false, true}) {
        test::Knit knit("stockinette", 6);
        knit.scene.settings.guard.enabled = on;
        knit.scene.settings.forces.gravity = Vec3(0, -9.8, 0);
        Simulation sim(knit.scene);
        Monitor quiet;
        const FrameReport r = sim.advanceFrame(quiet);
        EXPECT_EQ(r.outcome, FrameReport::Outcome::Done);
        for (long n : r.rejected) EXPECT_EQ(n, 0);
        if (on) {
            EXPECT_TRUE(r.certificate.given);
            EXPECT_GT(r.certificate.pairSteps, 1000);
            EXPECT_EQ(r.certificate.passes, 0);
        }
        hash[on] = sim.hash();
    }
    EXPECT_EQ(hash[0], hash[1]);
}

} // namespace purl
