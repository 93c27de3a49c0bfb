#include "purl/crossing/oracles.h"

#include "purl/crossing/samples.h"
#include "purl/crossing/solver.h"

#include <algorithm>
#include <cmath>

namespace purl {

namespace {

const double kPi = std::acos(-1.0);
constexpr double kSpacing = 3e-4; // m
constexpr double kMilli = 1e3;

FabricSolverSettings still() {
    FabricSolverSettings s;
    s.forces.gravity.setZero();
    s.touch.self = false;
    s.newtonTolerance = 1e-5;
    s.linear.tolerance = 1e-5;
    s.stillMove = 0;
    return s;
}

CrossingNetwork weave(Index warps, Index wefts, double tail, const CrossingMaterial& m) {
    WovenSample s;
    s.warps = warps, s.wefts = wefts, s.tail = tail;
    return wovenSample(s, m);
}

// A strip along y of a fabric whose yarns lie at 45 degrees, both trimmed at its sides.
CrossingNetwork biasStrip(double width, double height, const CrossingMaterial& m) {
    const Index n = 64;
    CrossingNetwork net;
    net.materials.push_back(m);
    std::vector<Index> at(n * n, -1);
    for (Index j = 0; j < n; ++j)
        for (Index i = 0; i < n; ++i) {
            const double along = (i + j - n + 1) * kSpacing / std::sqrt(2.0),
                         across = (i - j) * kSpacing / std::sqrt(2.0);
            if (std::abs(along) > height / 2 || std::abs(across) > width / 2) continue;
            at[j * n + i] = net.addNode({across, along, 0}, NodeKind::Woven, kSpacing);
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
                net.addVisit(run[k], family, k * kSpacing, (run[k] + family) % 2 ? 1 : -1);
        }
    // Crossings at the strip's corners may have lost a yarn: those are points of the other.
    std::vector<int> used(net.x.size(), 0);
    for (Index v : net.node) ++used[v];
    for (std::size_t i = 0; i < used.size(); ++i)
        if (used[i] == 1) net.kind[i] = NodeKind::End;
    net.connect("bias strip");
    return net;
}

// rad, mean shear of the whole crossings within three spacings of where x = 0 was.
double middleShear(const FabricSolver& fabric, const CrossingNetwork& net) {
    double angle = 0;
    int count = 0;
    const YarnLinks& l = fabric.fabric().links();
    for (Index i = 0; i < net.nodes(); ++i) {
        if (net.x[i].norm() > 3 * kSpacing || net.kind[i] != NodeKind::Woven) continue;
        const Index a = l.first[i], b = a + 1;
        if (l.after[a] < 0 || l.before[a] < 0 || l.after[b] < 0 || l.before[b] < 0) continue;
        const Vec3 t0 = fabric.x()[l.node[l.after[a]]] - fabric.x()[l.node[l.before[a]]],
                   t1 = fabric.x()[l.node[l.after[b]]] - fabric.x()[l.node[l.before[b]]];
        angle += kPi / 2 - std::acos(t0.normalized().dot(t1.normalized()));
        ++count;
    }
    return angle / count;
}

} // namespace

Oracle pictureFrameOracle(const std::vector<double>& shear) {
    Oracle out{"Picture frame", "shear, degrees", "force, mN", {}};
    const Index n = 30;
    CrossingMaterial m;
    m.jamming = 0;
    FabricSolver fabric(weave(n, n, 0, m), still());
    const double a = (n - 1) * kSpacing;
    const auto energyAt = [&](double phi) {
        std::vector<Vec3> q(fabric.unknowns().begin(), fabric.unknowns().end());
        const double c = kSpacing * std::cos(phi / 2), s = kSpacing * std::sin(phi / 2);
        for (Index j = 0; j < n; ++j)
            for (Index i = 0; i < n; ++i) q[j * n + i] = Vec3((i + j) * c, (i - j) * s, 0);
        fabric.setState(q, std::vector<Vec3>(q.size(), Vec3::Zero()));
        return fabric.energy();
    };
    const double corners = 4.0 * (n - 2) * (n - 2) + 2.0 * 4 * (n - 2) + 4;
    for (double gamma : shear) {
        const double phi = kPi / 2 - gamma, d = 1e-4;
        const double way = 2 * a * (std::cos((phi - d) / 2) - std::cos((phi + d) / 2));
        // dE/dD with E = corners k_x L gamma^2 / 2, D = 2 a cos(phi / 2).
        out.points.push_back(
            {gamma * 180 / kPi, kMilli * (energyAt(phi - d) - energyAt(phi + d)) / way,
             kMilli * corners * m.shear * kSpacing * gamma / (a * std::sin(phi / 2))});
    }
    return out;
}

Oracle uniaxialOracle(const std::vector<double>& strains) {
    Oracle out{"Uniaxial", "strain, %", "force, mN", {}};
    const Index n = 16;
    const CrossingMaterial m;
    FabricSolver fabric(weave(n, n, 0, m), still());
    std::vector<Index> pins;
    for (Index i = 0; i < n; ++i) pins.push_back(i);
    for (Index i = 0; i < n; ++i) pins.push_back((n - 1) * n + i);
    fabric.setPins(pins);
    Monitor monitor;
    std::vector<Vec3> g(fabric.unknowns().size());
    for (double strain : strains) {
        std::vector<Vec3> to;
        for (Index p : pins) to.push_back({p % n * kSpacing, p / n * kSpacing * (1 + strain), 0});
        fabric.setPinTargets(to);
        fabric.settle(0.01, 20, 1e-8, monitor);
        fabric.gradient(g);
        double force = 0;
        for (Index i = 0; i < n; ++i) force += g[(n - 1) * n + i].y();
        // F / width = E_u strain, E_u = k_s / L.
        out.points.push_back({100 * strain, kMilli * force, kMilli * m.stretch * strain * n});
    }
    return out;
}

Oracle biasOracle(int steps) {
    Oracle out{"Bias extension", "elongation, %", "shear in the middle, degrees", {}};
    const double width = 24 * kSpacing, height = 2.5 * width, grip = 0.8 * kSpacing;
    CrossingMaterial m;
    m.jamming = 0;
    const CrossingNetwork net = biasStrip(width, height, m);
    FabricSolverSettings settings = still();
    settings.sliding = false;
    FabricSolver fabric(net, settings);
    std::vector<Index> pins;
    for (Index i = 0; i < net.nodes(); ++i)
        if (std::abs(net.x[i].y()) > height / 2 - grip) pins.push_back(i);
    fabric.setPins(pins);
    Monitor monitor;
    const double free = height - grip - width; // of the strip as it is gripped
    for (int k = 1; k <= steps; ++k) {
        const double pull = 0.015 * k * (height - width);
        std::vector<Vec3> to;
        for (Index p : pins)
            to.push_back(net.x[p] + Vec3(0, net.x[p].y() > 0 ? pull / 2 : -pull / 2, 0));
        fabric.setPinTargets(to);
        fabric.settle(0.02, 12, 1e-8, monitor);
        const double trellis = kPi / 2 - 2 * std::acos((free + pull) / (std::sqrt(2.0) * free));
        out.points.push_back({1.5 * k, middleShear(fabric, net) * 180 / kPi, trellis * 180 / kPi});
    }
    return out;
}

Oracle pullOutOracle(int steps) {
    Oracle out{"Yarn pull-out", "way, mm", "force, mN", {}};
    const Index warps = 9, wefts = 24, drawn = 4;
    CrossingMaterial m;
    m.stretch = 20;
    const CrossingNetwork net = weave(warps, wefts, wefts * kSpacing, m);
    FabricSolverSettings settings = still();
    settings.newtonTolerance = 1e-3;
    settings.stillMove = 1e-3;
    settings.linear.tolerance = 1e-4;
    FabricSolver fabric(net, settings);
    // The other warps stand still, everything slides; one warp's upper end is drawn.
    std::vector<Index> pins;
    for (Index i = 0; i < warps * wefts; ++i)
        if (i % warps != drawn) pins.push_back(i);
    const Index end = net.node[net.first[drawn + 1] - 1];
    pins.push_back(end);
    std::sort(pins.begin(), pins.end());
    fabric.setPins(pins, false);
    Monitor monitor;
    std::vector<Vec3> g(fabric.unknowns().size());
    const YarnLinks& l = fabric.fabric().links();
    for (int k = 1; k <= steps; ++k) {
        const double way = 0.1 * kSpacing * k;
        std::vector<Vec3> to;
        for (Index p : pins) to.push_back(net.x[p] + Vec3(0, p == end ? way : 0, 0));
        fabric.setPinTargets(to);
        fabric.advanceFrame(2e-3, 1, monitor);
        fabric.gradient(g);
        double friction = 0;
        for (Index j = 0; j < wefts; ++j)
            friction += fabric.frictionLimit()[l.at(j * warps + drawn, 0)];
        out.points.push_back({kMilli * way, kMilli * g[end].y(), kMilli * friction});
    }
    return out;
}

} // namespace purl
