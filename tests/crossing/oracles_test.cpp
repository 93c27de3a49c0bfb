// Physics 9, rows 20 to 23: woven fabric against what can be worked out by hand.
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

// Row 20: a square of N crossings whose nodes are all taken along by the frame's hinged sides, so
// that shear is uniform. F = 4 N k_x L gamma / (a sin(phi/2)) along the diagonal of length
// 2 a cos(phi/2); corners at the border have fewer arms: counted as they are.
TEST(PictureFrame, PullsAsTheTrellisSays) {
    WovenSample s;
    s.warps = s.wefts = 30;
    s.tail = 0;
    CrossingMaterial m;
    m.jamming = 0;
    FabricSolver fabric(wovenSample(s, m), still());
    const double a = 29 * 3e-4;
    const auto energyAt = [&](double phi) {
        std::vector<Vec3> q(fabric.unknowns().begin(), fabric.unknowns().end());
        for (Index j = 0; j < 30; ++j)
            for (Index i = 0; i < 30; ++i)
                q[j * 30 + i] = 3e-4 * (i * Vec3(std::cos(phi / 2), std::sin(phi / 2), 0) +
                                        j * Vec3(std::cos(phi / 2), -std::sin(phi / 2), 0));
        fabric.setState(q, std::vector<Vec3>(q.size(), Vec3::Zero()));
        return fabric.energy();
    };
    const double corners = 4.0 * 28 * 28 + 2.0 * 4 * 28 + 4;
    for (double gamma : {0.1, 0.3, 0.5}) {
        const double phi = kPi / 2 - gamma, step = 1e-4;
        const double measured = (energyAt(phi - step) - energyAt(phi + step)) /
                                (2 * a * (std::cos((phi - step) / 2) - std::cos((phi + step) / 2)));
        // dE/dD with E = corners k_x L gamma^2 / 2.
        const double expected = corners * m.shear * 3e-4 * gamma / (a * std::sin(phi / 2));
        EXPECT_NEAR(measured, expected, 0.01 * expected) << "shear of " << gamma;
        const double allInside = 4 * 900 * m.shear * 3e-4 * gamma / (a * std::sin(phi / 2));
        EXPECT_NEAR(measured, allInside, allInside * 2.2 / 30); // the border's share
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
    WovenSample s;
    s.warps = s.wefts = 16;
    s.tail = 0;
    CrossingMaterial m;
    FabricSolver fabric(wovenSample(s, m), still());
    std::vector<Index> pins;
    for (Index i = 0; i < 16; ++i) pins.push_back(i), pins.push_back(15 * 16 + i);
    fabric.setPins(pins);
    std::sort(pins.begin(), pins.end());
    Monitor monitor;
    for (double strain : {0.005, 0.01, 0.02}) {
        std::vector<Vec3> to;
        for (Index p : pins) to.push_back({p % 16 * 3e-4, p / 16 * 3e-4 * (1 + strain), 0});
        fabric.setPinTargets(to);
        fabric.settle(0.01, 20, 1e-8, monitor);
        std::vector<Vec3> g(fabric.unknowns().size());
        fabric.gradient(g);
        double force = 0;
        for (Index i = 0; i < 16; ++i) force += g[15 * 16 + i].y();
        const double expected = m.stretch / 3e-4 * strain * 16 * 3e-4;
        EXPECT_NEAR(force, expected, 0.01 * expected) << strain;
    }
}

// Row 22: bias extension. The middle zone shears as a trellis: the angle of the model against the
// one that the elongation asks for. Yarns bend as cotton does: hinges would let the middle lag.
TEST(BiasExtension, TheMiddleShearsAsATrellis) {
    // A strip at 45 degrees is cut out of a square of fabric: nodes within it, yarns trimmed.
    const double L = 3e-4, width = 24 * L, height = 2.5 * width;
    const Index n = 64;
    CrossingMaterial m;
    m.jamming = 0;
    CrossingNetwork net;
    net.materials.push_back(m);
    std::vector<Index> at(n * n, -1);
    for (Index j = 0; j < n; ++j)
        for (Index i = 0; i < n; ++i) {
            const double along = (i + j - n + 1) * L / std::sqrt(2.0),
                         across = (i - j) * L / std::sqrt(2.0);
            if (std::abs(along) > height / 2 || std::abs(across) > width / 2) continue;
            at[j * n + i] = net.addNode({across, along, 0}, NodeKind::Woven, L);
        }
    for (int family = 0; family < 2; ++family)
        for (Index r = 0; r < n; ++r) {
            std::vector<Index> run;
            for (Index c = 0; c < n; ++c) {
                const Index node = family ? at[r * n + c] : at[c * n + r];
                if (node >= 0) run.push_back(node);
            }
            if (run.size() < 2) continue;
            net.addYarn(0, family * n + r);
            for (std::size_t k = 0; k < run.size(); ++k)
                net.addVisit(run[k], family, k * L, (run[k] + family) % 2 ? 1 : -1);
        }
    // Crossings at the strip's corners may have lost a yarn: those are points of the other.
    std::vector<int> used(net.x.size(), 0);
    for (Index v : net.node) ++used[v];
    for (std::size_t i = 0; i < used.size(); ++i)
        if (used[i] == 1) net.kind[i] = NodeKind::End;
    net.connect("bias strip");
    FabricSolverSettings settings = still();
    settings.sliding = false; // the trellis of the formula: yarns do not slip
    FabricSolver fabric(net, settings);
    std::vector<Index> pins;
    for (Index i = 0; i < net.nodes(); ++i)
        if (std::abs(net.x[i].y()) > height / 2 - 0.8 * L) pins.push_back(i);
    fabric.setPins(pins);
    Monitor monitor;
    const double d0 = height - width;
    const double gripped = height - 0.8 * L;
    for (int k = 1; k <= 8; ++k) {
        const double pull = 0.015 * k * d0; // whole elongation
        std::vector<Vec3> to;
        for (Index p : pins)
            to.push_back(net.x[p] + Vec3(0, net.x[p].y() > 0 ? pull / 2 : -pull / 2, 0));
        fabric.setPinTargets(to);
        fabric.settle(0.02, 12, 1e-8, monitor);
        // In the middle.
        double angle = 0;
        int count = 0;
        for (Index i = 0; i < net.nodes(); ++i) {
            if (net.x[i].norm() > 3 * L || net.kind[i] != NodeKind::Woven) continue;
            const YarnLinks& l = fabric.fabric().links();
            const Index a = l.first[i], b = a + 1;
            if (l.after[a] < 0 || l.before[a] < 0 || l.after[b] < 0 || l.before[b] < 0) continue;
            const Vec3 t0 = fabric.x()[l.node[l.after[a]]] - fabric.x()[l.node[l.before[a]]],
                       t1 = fabric.x()[l.node[l.after[b]]] - fabric.x()[l.node[l.before[b]]];
            angle += kPi / 2 - std::acos(t0.normalized().dot(t1.normalized()));
            ++count;
        }
        ASSERT_GT(count, 8);
        const double free = gripped - width; // of the strip as it is gripped
        const double expected = kPi / 2 - 2 * std::acos((free + pull) / (std::sqrt(2.0) * free));
        EXPECT_NEAR(angle / count * 180 / kPi, expected * 180 / kPi, 2) << "step " << k;
    }
}

// Row 23: one warp is pulled out at constant speed; all its crossings slip, each giving mu F_n.
TEST(PullOut, PlateauIsTheSumOfFriction) {
    WovenSample s;
    s.warps = 9;
    s.wefts = 24;
    s.tail = 24 * 3e-4;
    CrossingMaterial m;
    m.stretch = 20;
    CrossingNetwork net = wovenSample(s, m);
    FabricSolverSettings settings = still();
    settings.newtonTolerance = 1e-3;
    settings.stillMove = 1e-3;
    settings.linear.tolerance = 1e-4;
    FabricSolver fabric(net, settings);
    // The other warps stand still, everything slides; one warp's upper end is drawn.
    std::vector<Index> pins;
    for (Index n = 0; n < 24 * 9; ++n)
        if (n % 9 != 4) pins.push_back(n);
    const Index end = net.node[net.first[5] - 1];
    pins.push_back(end);
    fabric.setPins(pins, false);
    std::sort(pins.begin(), pins.end());
    const auto drawTo = [&](double by) {
        std::vector<Vec3> to;
        for (Index p : pins) to.push_back(net.x[p] + Vec3(0, p == end ? by : 0, 0));
        fabric.setPinTargets(to);
    };
    Monitor monitor;
    double sum = 0, expected = 0;
    int count = 0;
    const double step = 0.1 * 3e-4;
    for (int k = 1; k <= 60; ++k) {
        drawTo(k * step);
        fabric.advanceFrame(2e-3, 1, monitor);
        if (k <= 40) continue;
        std::vector<Vec3> g(fabric.unknowns().size());
        fabric.gradient(g);
        sum += g[end].y();
        const YarnLinks& l = fabric.fabric().links();
        double friction = 0;
        for (Index j = 0; j < 24; ++j) friction += fabric.frictionLimit()[l.at(j * 9 + 4, 0)];
        expected += friction;
        ++count;
    }
    EXPECT_GT(expected / count, 5 * m.friction * m.pretension);
    EXPECT_NEAR(sum / count, expected / count, 0.1 * expected / count);
}

} // namespace
} // namespace purl
