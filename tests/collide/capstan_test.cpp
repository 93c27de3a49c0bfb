// Oracle 8: a string of point masses drawn over a cylinder. Its lengths are held by fast projection
// (physics 5.1), written down here so that the test leans on nothing but the collision response.
#include "purl/collide/respond.h"
#include "purl/collide/shapes.h"

#include <gtest/gtest.h>

using namespace purl;

namespace {
// One sweep of Newton on |e|^2 / l - l = 0 for all edges (Thomas algorithm); adds its multipliers.
void projectLengths(std::vector<Vec3>& x, const std::vector<double>& w, double rest,
                    std::vector<double>& tension) {
    const std::size_t n = x.size() - 1;
    std::vector<double> diagonal(n), above(n), right(n);
    std::vector<Vec3> e(n);
    for (std::size_t i = 0; i < n; ++i) e[i] = x[i + 1] - x[i];
    for (std::size_t i = 0; i < n; ++i) {
        diagonal[i] = 4 / (rest * rest) * e[i].squaredNorm() * (w[i] + w[i + 1]);
        if (i + 1 < n) above[i] = -4 / (rest * rest) * w[i + 1] * e[i].dot(e[i + 1]);
        right[i] = e[i].squaredNorm() / rest - rest;
    }
    for (std::size_t i = 1; i < n; ++i) {
        const double m = above[i - 1] / diagonal[i - 1];
        diagonal[i] -= m * above[i - 1];
        right[i] -= m * right[i - 1];
    }
    for (std::size_t i = n; i-- > 0;) {
        if (i + 1 < n) right[i] -= above[i] * right[i + 1];
        right[i] /= diagonal[i];
        const Vec3 p = 2 * right[i] / rest * e[i];
        x[i + 1] -= w[i + 1] * p;
        x[i] += w[i] * p;
        tension[i] += p.norm() * (right[i] > 0 ? 1 : -1);
    }
}

// The ratio of the pull on the drawn end to the load on the other one, string over half a turn.
double capstanRatio(double friction, double dt) {
    const double radius = 0.02, thin = 0.0005, rest = 0.002, load = 0.05, speed = 0.05, g = 9.81;
    CapsuleCollider cylinder(Vec3(0, 0, -1), Vec3(0, 0, 1), radius);
    std::vector<Vec3> x;
    const double out = radius + thin;
    // Down on the left to the load, half a turn over the top, down on the right to the hand.
    const double arc = 3.14159265358979 * out, leg = 0.04;
    const int n = static_cast<int>((arc + 2 * leg) / rest);
    for (int i = 0; i <= n; ++i) {
        const double s = i * rest;
        if (s < leg)
            x.emplace_back(-out, s - leg, 0);
        else if (s < leg + arc)
            x.emplace_back(-out * std::cos((s - leg) / out), out * std::sin((s - leg) / out), 0);
        else
            x.emplace_back(out, leg + arc - s, 0);
    }
    std::vector<double> w(n + 1, 1 / 2e-6);
    w[0] = 1 / load;
    w[n] = 0;
    std::vector<Vec3> v(x.size(), Vec3::Zero());
    std::vector<CollisionBody> bodies(1);
    bodies[0].collider = &cylinder;
    bodies[0].settings.friction = friction;
    CollisionResponse response(std::vector<double>(x.size(), thin), {});
    const int steps = static_cast<int>(0.3 / dt), settle = steps / 3;
    double pulled = 0, held = 0;
    for (int step = 0; step < steps; ++step) {
        std::vector<Vec3> next = x;
        for (std::size_t i = 0; i < x.size(); ++i) {
            if (w[i] > 0)
                v[i].y() -= dt * g;
            else
                v[i] = Vec3(0, -speed, 0);
            next[i] += dt * v[i];
        }
        std::vector<double> tension(x.size() - 1, 0);
        for (int sweep = 0; sweep < 4; ++sweep) projectLengths(next, w, rest, tension);
        for (std::size_t i = 0; i < x.size(); ++i)
            if (w[i] > 0) v[i] = (next[i] - x[i]) / dt;
        response.apply(bodies, x, v, w, dt, 1);
        for (std::size_t i = 0; i < x.size(); ++i) x[i] += dt * v[i];
        if (step >= settle) {
            pulled += tension.back();
            held += tension.front();
        }
    }
    EXPECT_NEAR(held / (steps - settle) / (dt * dt), load * g, 0.05 * load * g); // T1 is the load
    return pulled / held;
}
} // namespace

TEST(Capstan, TheTensionRatioIsTheExponential) {
    EXPECT_NEAR(capstanRatio(0, 1e-4), 1, 0.02);
    for (double mu : {0.15, 0.3}) {
        const double expected = std::exp(mu * 3.14159265358979);
        EXPECT_NEAR(capstanRatio(mu, 1e-4), expected, 0.05 * expected) << mu;
    }
}
