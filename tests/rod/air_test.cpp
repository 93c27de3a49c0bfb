#include "purl/rod/air.h"

#include <gtest/gtest.h>

using namespace purl;

TEST(Air, FallingYarnReachesItsTerminalSpeed) {
    Curves c;
    std::vector<Vec3> p;
    for (int i = 0; i < 11; ++i) p.push_back(Vec3(0.01 * i, 0, 0));
    c.add(p, false, 1e-3);
    ForceSettings s;
    Air air(c, s);
    const double density = 6e-4, g = 9.81, dt = 1e-3;
    std::vector<double> w;
    for (int i = 0; i < 11; ++i) w.push_back(1 / (density * (i == 0 || i == 10 ? 0.005 : 0.01)));
    std::vector<Vec3> v(11, Vec3::Zero());
    for (int k = 0; k < 5000; ++k) {
        for (auto& u : v) u.y() -= g * dt;
        air.apply(c.x, v, w, dt);
    }
    // Weight per length = 1/2 rho C d v^2 across the yarn.
    const double terminal = std::sqrt(density * g / (0.5 * s.airDensity * s.dragNormal * 2e-3));
    for (const auto& u : v) EXPECT_NEAR(-u.y(), terminal, 0.01 * terminal);
}

TEST(Air, WindCarriesAndNeverOvershoots) {
    Curves c;
    c.add(std::vector<Vec3>{{0, 0, 0}, {0, 0.01, 0}, {0, 0.02, 0}}, false, 1e-3);
    ForceSettings s;
    s.wind = Vec3(30, 0, 0);
    Air air(c, s);
    std::vector<double> w(3, 1e9); // next to no mass, a step far too long
    std::vector<Vec3> v(3, Vec3::Zero());
    for (int k = 0; k < 10; ++k) {
        air.apply(c.x, v, w, 0.1);
        for (const auto& u : v) EXPECT_LE(u.x(), 30 + 1e-9);
    }
    EXPECT_NEAR(v[1].x(), 30, 0.1);
}
