// Physics 9, rows 20 to 23: woven fabric against what can be worked out by hand.
#include "purl/crossing/oracles.h"
#include "purl/crossing/samples.h"
#include "purl/crossing/solver.h"

#include <cmath>
#include <gtest/gtest.h>

namespace purl {
namespace {

const double kPi = std::acos(-1.0);

FabricSolverSettings still() {
    FabricSolverSettings s;
    s.forces.gravity.setZero();
    s.touch.self = false;
    s.newtonTolerance = 1e-5;
    s.linear.tolerance = 1e-5;
    s.stillMove = 0;
    return s;
}

// Row 20. F = 4 N k_x L gamma / (a sin(phi/2)) for N crossings that are all inside; the corners of
// the border counted as they are.
TEST(PictureFrame, PullsAsTheTrellisSays) {
    const Oracle o = pictureFrameOracle({0.1, 0.3, 0.5});
    for (const OraclePoint& p : o.points) {
        EXPECT_NEAR(p.found, p.byHand, 0.01 * p.byHand) << "shear of " << p.at;
        const double gamma = p.at * kPi / 180, phi = kPi / 2 - gamma;
        const double allInside =
            1e3 * 4 * 900 * CrossingMaterial().shear * gamma / (29 * std::sin(phi / 2)); // mN
        EXPECT_NEAR(p.found, allInside, allInside * 2.2 / 30);
    }
}

// The same as a solve: only the frame is held, the inside finds the trellis by itself.
TEST(PictureFrame, TheInsideFollowsTheFrame) {
    WovenSample s;
    s.warps = s.wefts = 14;
    s.tail = 0;
    CrossingMaterial m;
    m.bend = 0;
    CrossingNetwork net = wovenSample(s, m);
    FabricSolver fabric(net, still());
    std::vector<Index> pins;
    std::vector<Vec3> to;
    const double gamma = 0.35, half = (kPi / 2 - gamma) / 2;
    for (Index j = 0; j < 14; ++j)
        for (Index i = 0; i < 14; ++i)
            if (i == 0 || j == 0 || i == 13 || j == 13) {
                pins.push_back(j * 14 + i);
                to.push_back(3e-4 * (i * Vec3(std::cos(half), std::sin(half), 0) +
                                     j * Vec3(std::cos(half), -std::sin(half), 0)));
            }
    fabric.setPins(pins);
    std::vector<Vec3> now;
    Monitor monitor;
    for (int k = 1; k <= 10; ++k) {
        now.clear();
        for (std::size_t p = 0; p < pins.size(); ++p) {
            const double g = gamma * k / 10, h = (kPi / 2 - g) / 2;
            const Index i = pins[p] % 14, j = pins[p] / 14;
            now.push_back(3e-4 * (i * Vec3(std::cos(h), std::sin(h), 0) +
                                  j * Vec3(std::cos(h), -std::sin(h), 0)));
        }
        if (k == 1) { // the frame stands on its corner from the start
            std::vector<Vec3> q(fabric.unknowns().begin(), fabric.unknowns().end());
            const double h = kPi / 4;
            for (Index n = 0; n < 196; ++n)
                q[n] = 3e-4 * (n % 14 * Vec3(std::cos(h), std::sin(h), 0) +
                               n / 14 * Vec3(std::cos(h), -std::sin(h), 0));
            fabric.setState(q, std::vector<Vec3>(q.size(), Vec3::Zero()));
        }
        fabric.setPinTargets(now);
        fabric.settle(0.01, 6, 1e-7, monitor);
    }
    double worst = 0;
    for (Index j = 0; j < 14; ++j)
        for (Index i = 0; i < 14; ++i) {
            const Vec3 trellis = 3e-4 * (i * Vec3(std::cos(half), std::sin(half), 0) +
                                         j * Vec3(std::cos(half), -std::sin(half), 0));
            worst = std::max(worst, (fabric.x()[j * 14 + i] - trellis).norm());
        }
    EXPECT_LT(worst, 0.03 * 3e-4);
}

// Row 21: force per width is E_u strain, E_u = k_s / L, before anything slips.
TEST(Uniaxial, IsTheYarnsStiffness) {
    for (const OraclePoint& p : uniaxialOracle({0.005, 0.01, 0.02}).points)
        EXPECT_NEAR(p.found, p.byHand, 0.01 * p.byHand) << p.at << " %";
}

// Row 22.
TEST(BiasExtension, TheMiddleShearsAsATrellis) {
    const Oracle o = biasOracle(8);
    EXPECT_GT(o.points.back().byHand, 15);
    for (const OraclePoint& p : o.points) EXPECT_NEAR(p.found, p.byHand, 2) << p.at << " %";
}

// Row 23: one warp is pulled out at constant speed; all its crossings slip, each giving mu F_n.
TEST(PullOut, PlateauIsTheSumOfFriction) {
    const Oracle o = pullOutOracle(60);
    double sum = 0, expected = 0;
    for (int k = 40; k < 60; ++k) sum += o.points[k].found, expected += o.points[k].byHand;
    const CrossingMaterial m;
    EXPECT_GT(expected / 20, 1e3 * 5 * m.friction * m.pretension);
    EXPECT_NEAR(sum, expected, 0.1 * expected);
}

} // namespace
} // namespace purl
