// Where energy comes from and goes: the account of explicit steps, against the energies that a
// frame's survey finds.
#include "purl/collide/shapes.h"

#include <gtest/gtest.h>

#include "sim/knit_scene.h"

namespace purl {

namespace {

Scene patch() {
    test::Knit knit("stockinette", 6);
    Scene s = knit.scene;
    s.settings.forces.gravity = Vec3(0, 0, -9.81);
    s.settings.time.fps = 96;
    return s;
}

double total(const Energies& e) {
    return e.kinetic + e.bend + e.twist + e.contact + e.sticking + e.gravity + e.plastic +
           e.damping + e.friction;
}
double putIn(const Energies& e) { return e.air + e.held + e.pins + e.colliders; }

// Runs and checks each frame: everything but the balance adds up to rounding, and the balance is
// small. Returns the last frame's energies.
template <class Lead>
Energies run(const Scene& scene, int frames, Lead lead) {
    Simulation sim(scene);
    Monitor quiet;
    Energies first, last;
    for (int k = 0; k < frames; ++k) {
        lead(sim, k);
        const FrameReport r = sim.advanceFrame(quiet);
        EXPECT_EQ(r.outcome, FrameReport::Outcome::Done) << r.reason;
        last = r.energy;
        if (k == 0) {
            first = last;
            continue;
        }
        const double left = total(last) - total(first) - putIn(last) - last.balance;
        EXPECT_LT(std::abs(left), 1e-6 * last.turnover) << "frame " << k;
        EXPECT_LT(std::abs(last.balance), 0.01 * last.turnover) << "frame " << k;
    }
    return last;
}

} // namespace

TEST(EnergyLedger, ClosesForAPatchThatFallsOnABall) {
    Scene s = patch();
    s.colliders.push_back(std::make_shared<SphereCollider>(Vec3(0, 0, -0.055), 0.05));
    s.collision.push_back(s.settings.collision);
    const Energies e = run(s, 24, [](Simulation&, int) {});
    EXPECT_GT(e.friction, 0.02 * e.turnover);
    EXPECT_GT(e.damping, 0.02 * e.turnover);
}

TEST(EnergyLedger, ClosesForAPatchThatPinsLift) {
    Scene s = patch();
    double top = -1e9;
    for (const Vec3& x : s.yarns.x) top = std::max(top, x.y());
    for (Index i = 0; i < s.yarns.points(); ++i)
        if (s.yarns.x[i].y() > top - 0.002) s.pins.push_back(i);
    const std::vector<Vec3> at = s.yarns.x;
    const Energies e = run(s, 24, [&](Simulation& sim, int k) {
        std::vector<Vec3> to = at;
        for (Vec3& x : to) x.z() += 0.002 * (k + 1);
        sim.setTargets(to);
    });
    EXPECT_GT(e.pins + e.held, 0); // they lifted it
}

} // namespace purl
