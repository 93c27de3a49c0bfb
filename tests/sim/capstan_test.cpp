// Oracle 8 through the simulation itself: a yarn over a cylinder holds until T2/T1 = e^(mu phi).
#include "purl/collide/shapes.h"
#include "purl/sim/simulation.h"

#include <gtest/gtest.h>

using namespace purl;

namespace {

// How far the loaded end moved in the second half of one second (m).
double slide(double mu, double ratio) {
    const double radius = 0.05, r = 1e-3, tail = 0.06;
    const int arc = 64, straight = 16;
    Scene s;
    std::vector<Vec3> p;
    for (int i = straight; i > 0; --i) p.push_back(Vec3(-(radius + r), -tail * i / straight, 0));
    for (int i = 0; i <= arc; ++i) {
        const double a = M_PI * i / arc;
        p.push_back((radius + r) * Vec3(-std::cos(a), std::sin(a), 0));
    }
    for (int i = 1; i <= straight; ++i) p.push_back(Vec3(radius + r, -tail * i / straight, 0));
    s.yarns.add(p, false, r);
    Material m;
    m.density = 1e-3;
    m.bendStiffness = m.twistStiffness = 1e-9;
    m.restCurvature = 0;
    s.material = {m};
    s.settings.contact.enabled = false;
    s.settings.damping.enabled = false;
    s.settings.forces.drag = false;
    s.settings.forces.gravity.setZero();
    s.settings.forces.velocityDamping = 10;
    s.settings.time.fps = 100;
    s.settings.time.substeps = 40;
    s.colliders = {std::make_shared<CapsuleCollider>(Vec3(0, 0, -1), Vec3(0, 0, 1), radius)};
    CollisionSettings c;
    c.friction = mu;
    s.collision = {c};
    const Index last = s.yarns.points() - 1;
    s.force.assign(last + 1, Vec3::Zero());
    s.force[0] = Vec3(0, -0.02, 0);
    s.force[last] = Vec3(0, -0.02 * ratio, 0);
    Simulation sim(s);
    Monitor quiet;
    double middle = 0;
    for (int f = 0; f < 100; ++f) {
        sim.advanceFrame(quiet);
        if (f == 49) middle = sim.positions()[last].y();
    }
    return middle - sim.positions()[last].y();
}

} // namespace

TEST(Oracle08, YarnOnACylinderHoldsUpToEulersRatio) {
    for (double mu : {0.15, 0.3}) {
        const double limit = std::exp(mu * M_PI);
        EXPECT_LT(slide(mu, 0.95 * limit), 1e-3) << mu;
        EXPECT_GT(slide(mu, 1.05 * limit), 10e-3) << mu;
    }
}
