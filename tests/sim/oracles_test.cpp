// Rods against closed forms: oracles 1 to 6 of the physics dossier (section 9), run through the
// simulation itself, not through a copy of its equations.
#include "purl/rod/rod.h"
#include "purl/sim/simulation.h"

#include <Eigen/Dense>
#include <gtest/gtest.h>

using namespace purl;

namespace {

// A yarn in units of its own: density 1 kg/m, EI as given.
Scene rodScene(const std::vector<Vec3>& points, double bend, bool closed = false) {
    Scene s;
    s.yarns.add(points, closed, 1e-3);
    Material m;
    m.density = 1;
    m.bendStiffness = bend;
    m.twistStiffness = bend;
    m.plasticRadius = 0;
    m.restCurvature = 0;
    s.material = {m};
    s.settings.contact.enabled = false;
    s.settings.damping.enabled = false;
    s.settings.forces.drag = false;
    s.settings.forces.gravity.setZero();
    return s;
}

void run(Simulation& sim, double seconds, double dt) {
    for (int k = 0; k < seconds / dt; ++k) sim.step(dt, 0);
}

// Rod of free length 1 whose clamp plane, the middle of the fixed edge, is at the origin (2.9).
std::vector<Vec3> cantilever(int n) {
    const double l = 1 / (n + 0.5);
    std::vector<Vec3> p;
    for (int i = 0; i <= n + 1; ++i) p.push_back(Vec3((i - 0.5) * l, 0, 0));
    return p;
}

} // namespace

TEST(Oracle01, HangingChainIsACatenary) {
    const double span = 1, length = 1.4, sag = 0.437883;
    const double expected[] = {2.3e-3, 5.8e-4, 1.5e-4};
    int row = 0;
    for (int n : {16, 32, 64}) {
        std::vector<Vec3> p; // a tent of the right length
        const double rise = std::sqrt(length * length - span * span) / 2;
        for (int i = 0; i <= n; ++i) {
            const double t = static_cast<double>(i) / n;
            p.push_back(Vec3(span * t, -2 * rise * std::min(t, 1 - t), 0));
        }
        Scene s = rodScene(p, 1e-9);
        s.settings.forces.gravity = Vec3(0, -9.81, 0);
        s.settings.forces.velocityDamping = 3;
        s.pins = {0, n};
        Simulation sim(s);
        run(sim, 8, 1e-3);
        const double found = -sim.positions()[n / 2].y();
        EXPECT_LT(std::abs(found / sag - 1), 2 * expected[row]) << n << " edges: sag " << found;
        // End tension w (c + sag): the first edge carries half of the chain but its own half edge.
        const Vec3 e = sim.positions()[1] - sim.positions()[0];
        const double carried = 9.81 * (length / 2 - length / n / 2), c = 0.340568;
        const double tension = carried * e.norm() / -e.y();
        EXPECT_NEAR(tension, 9.81 * (c + sag), 9.81 * (c + sag) * 1.5 / n);
        ++row;
    }
}

TEST(Oracle02, CantileverUnderItsWeightAndATipLoad) {
    for (int n : {16, 32, 64}) {
        for (bool tip : {false, true}) {
            const double load = 0.02;
            Scene s = rodScene(cantilever(n), 1);
            s.pins = {0, 1};
            s.settings.forces.velocityDamping = 6;
            if (tip) {
                s.force.assign(n + 2, Vec3::Zero());
                s.force[n + 1] = Vec3(0, -load, 0);
            } else {
                s.settings.forces.gravity = Vec3(0, -load, 0);
            }
            Simulation sim(s);
            run(sim, 5, 0.9 * sim.automaticStep());
            const double expected = tip ? load / 3 : load / 8;
            EXPECT_NEAR(-sim.positions()[n + 1].y() / expected, 1, 5e-3)
                << n << (tip ? " tip" : "");
        }
    }
}

TEST(Oracle03, ElasticaUnderATipLoad) {
    const double load[] = {.5, 1, 2, 5, 10};
    const double down[] = {.16214, .30172, .49346, .71379, .81061};
    const double back[] = {.01592, .05643, .16064, .38763, .55500};
    const double angle[] = {.24453, .46135, .78175, 1.21537, 1.43029};
    const int n = 64;
    for (int k = 0; k < 5; ++k) {
        Scene s = rodScene(cantilever(n), 1);
        s.pins = {0, 1};
        s.settings.forces.velocityDamping = 5;
        s.force.assign(n + 2, Vec3::Zero());
        s.force[n + 1] = Vec3(0, -load[k], 0);
        Simulation sim(s);
        run(sim, 4, sim.automaticStep());
        const Vec3 tip = sim.positions()[n + 1];
        EXPECT_NEAR(-tip.y(), down[k], 0.01 * down[k]) << "load " << load[k];
        EXPECT_NEAR(1 - tip.x(), back[k], 0.01 * back[k]) << "load " << load[k];
        // The slope is extrapolated from the middles of the last edges to the tip (moment is zero
        // there, so it is flat to second order).
        const Vec3 e = sim.positions()[n + 1] - sim.positions()[n];
        EXPECT_NEAR(std::atan2(-e.y(), e.x()), angle[k], 0.01 * angle[k]) << "load " << load[k];
    }
}

TEST(Oracle04, EulerBucklingLoad) {
    const int n = 32;
    const double l = 1.0 / n;
    std::vector<Vec3> p;
    for (int i = 0; i <= n; ++i) p.push_back(Vec3(i * l, 0, 0));
    Scene s = rodScene(p, 1);
    // Lateral stiffness from the simulation's own forces; an axial load P adds -P G.
    Eigen::MatrixXd k(n - 1, n - 1), g = Eigen::MatrixXd::Zero(n + 1, n + 1);
    const double h = 1e-6;
    for (int j = 1; j < n; ++j) {
        Eigen::VectorXd side[2];
        for (int d = 0; d < 2; ++d) {
            s.yarns.x = p;
            s.rest = p;
            s.yarns.x[j].z() += d ? h : -h;
            Simulation sim(s);
            const auto f = sim.nodeForces();
            side[d].resize(n - 1);
            for (int i = 1; i < n; ++i) side[d][i - 1] = f[i].z();
        }
        k.col(j - 1) = -(side[1] - side[0]) / (2 * h);
    }
    for (int i = 0; i < n; ++i) {
        g(i, i) += 1 / l;
        g(i + 1, i + 1) += 1 / l;
        g(i, i + 1) -= 1 / l;
        g(i + 1, i) -= 1 / l;
    }
    Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> eig(0.5 * (k + k.transpose()),
                                                                  g.block(1, 1, n - 1, n - 1));
    EXPECT_NEAR(eig.eigenvalues()[0] / (M_PI * M_PI), 0.9992, 1e-3);
}

TEST(Oracle04, ColumnBucklesAboveTheLoadAndNotBelow) {
    const int n = 24;
    for (double share : {0.98, 1.02}) {
        std::vector<Vec3> p;
        for (int i = 0; i <= n; ++i) // a bow of a thousandth shows the way
            p.push_back(Vec3(static_cast<double>(i) / n, 1e-3 * std::sin(M_PI * i / n), 0));
        Scene s = rodScene(p, 1);
        s.settings.forces.velocityDamping = 2;
        s.pins = {0};
        s.force.assign(n + 1, Vec3::Zero());
        s.force[n] = Vec3(-share * M_PI * M_PI, 0, 0);
        Simulation sim(s);
        for (int k = 0; k < 40 / sim.automaticStep(); ++k) {
            sim.step(sim.automaticStep(), 0);
            // The loaded end stays on the axis, as a pinned end does: cancel its sideways motion.
            auto v = sim.velocities();
            v[n].y() = -sim.positions()[n].y() / sim.automaticStep();
            v[n].z() = 0;
            sim.setVelocities(v);
        }
        const double bow = sim.positions()[n / 2].y();
        if (share < 1)
            EXPECT_LT(std::abs(bow), 0.07) << "below the load";
        else
            EXPECT_GT(std::abs(bow), 0.11) << "above the load";
    }
}

TEST(Oracle05, HelixFromItsNaturalShape) {
    const double R = 0.25, c = 0.12, k = R / (R * R + c * c), tau = c / (R * R + c * c);
    const int n = 48;
    const double length = 3, l = length / n;
    std::vector<Vec3> p;
    for (int i = 0; i <= n; ++i) p.push_back(Vec3(i * l, 0, 0));
    Scene s = rodScene(p, 1);
    s.settings.forces.velocityDamping = 8;
    Simulation sim(s);
    const double kb = 2 * std::tan(0.5 * k * l);
    for (Index slot = 2; slot <= n; ++slot)
        sim.rods().setRest(slot, Vec2(kb, 0), Vec2(kb, 0), tau * l);
    run(sim, 6, 0.9 * sim.automaticStep());
    const double turn = length / std::hypot(R, c);
    const double expected = std::hypot(2 * R * std::sin(0.5 * turn), c * turn);
    const double found = (sim.positions()[n] - sim.positions()[0]).norm();
    EXPECT_NEAR(found / expected, 1, 0.02);
    EXPECT_LT(sim.energies().bend + sim.energies().twist, 1e-2 * 0.5 * k * k * length);
}

TEST(Oracle06, MichellsRing) {
    const int n = 48;
    const double rest = 2 * M_PI / n, stretch = 3e4;
    for (double ratio : {1.0, 0.7}) { // GJ / EI
        auto smallest = [&](double total) {
            // Radius at which stretch balances the ring's bending: found by bisection on the force.
            auto ring = [&](double radius) {
                std::vector<Vec3> p;
                for (int i = 0; i < n; ++i) {
                    const double a = 2 * M_PI * i / n;
                    p.push_back(radius * Vec3(std::cos(a), std::sin(a), 0));
                }
                return p;
            };
            const double unit = rest / (2 * std::sin(M_PI / n)); // radius with edges of rest length
            Scene s = rodScene(ring(unit), 1, true);
            s.material[0].twistStiffness = ratio;
            Simulation sim(s);
            Rods& rods = sim.rods();
            Padded3 x, f;
            x.resize(rods.layout().padded() + 4);
            f.resize(rods.layout().padded() + 4);
            for (Index i = 1; i <= n; ++i) rods.setRestTwist(i, rods.twist(i) - total / n);
            const Rods start = rods;
            auto force = [&](const std::vector<Vec3>& p) {
                Rods r = start;
                scatter(r.layout(), p, 0, 0, x);
                r.place(x);
                r.force(f);
                Eigen::VectorXd out(3 * n);
                for (int i = 0; i < n; ++i) out.segment<3>(3 * i) = f.at(1 + i);
                for (int i = 0; i < n; ++i) {
                    const int j = (i + 1) % n;
                    const Vec3 e = p[j] - p[i];
                    const Vec3 t = stretch / rest * (e.norm() - rest) * e.normalized();
                    out.segment<3>(3 * i) += t;
                    out.segment<3>(3 * j) -= t;
                }
                return out;
            };
            double low = 0.97 * unit, high = 1.03 * unit;
            for (int k = 0; k < 40; ++k) {
                const double mid = 0.5 * (low + high);
                (force(ring(mid))[0] > 0 ? low : high) = mid;
            }
            const auto p = ring(low);
            Eigen::MatrixXd h(3 * n, 3 * n);
            const double d = 1e-6;
            for (int i = 0; i < 3 * n; ++i) {
                auto a = p, b = p;
                a[i / 3][i % 3] -= d;
                b[i / 3][i % 3] += d;
                h.col(i) = -(force(b) - force(a)) / (2 * d);
            }
            Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eig(0.5 * (h + h.transpose()));
            return eig.eigenvalues()[0];
        };
        const double critical = 2 * M_PI * std::sqrt(3.0) / ratio;
        EXPECT_GT(smallest(0.97 * critical), -1e-3) << ratio;
        EXPECT_LT(smallest(1.03 * critical), -1e-3) << ratio;
    }
}
