// Must-show 7: shapes that break linear models and schedules. No NaN, no hang, no missed contact.
#include "purl/contact/acl.h"

#include "contact/moving_knit.h"
#include "purl/contact/exact.h"

#include <functional>
#include <gtest/gtest.h>

using namespace purl;
using test::MovingKnit;

namespace {

constexpr double r = 1.25e-3;

std::vector<Vec3> line(const Vec3& from, const Vec3& to, int segments) {
    std::vector<Vec3> p;
    for (int i = 0; i <= segments; ++i) p.push_back(from + (to - from) * (double(i) / segments));
    return p;
}

Curves two(const std::vector<Vec3>& a, const std::vector<Vec3>& b, double radius = r) {
    Curves c;
    c.add(a, false, radius);
    c.add(b, false, radius);
    return c;
}

double distance(const Padded3& a, const Padded3& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.x.size(); ++i)
        sum += (a.at(static_cast<Index>(i)) - b.at(static_cast<Index>(i))).squaredNorm();
    return std::sqrt(sum);
}

// Moves a knit by `move` and follows it with exact contact and with ACL at two tolerances. All
// forces are finite; with tau 0 they are those of exact contact, else within 5 % of the largest
// force of the motion (a force that begins is small, and so is what a model may miss of it).
void follow(MovingKnit k, int steps, const std::function<void(MovingKnit&, double)>& move,
            double bar = 0.05) {
    ContactSettings s;
    s.friction = 0;
    ExactContact exact(k.rest, k.layout, k.material, k.welds, s);
    std::vector<Padded3> expected;
    double largest = 0;
    for (int step = 0; step <= steps; ++step) {
        move(k, double(step) / steps);
        expected.push_back(k.zero());
        exact.addForce(k.padded(), expected.back());
        largest = std::max(largest, distance(expected.back(), k.zero()));
    }
    ASSERT_TRUE(std::isfinite(largest) && largest > 0);
    const double taus[] = {0, 0.04, 0.04}, frictions[] = {0, 0, 0.5};
    const double bars[] = {1e-10, bar, 10}; // with friction it is enough to be finite
    for (int kind = 0; kind < 3; ++kind) {
        s.tau = taus[kind];
        s.friction = frictions[kind];
        AclContact acl(k.rest, k.layout, k.material, k.welds, s);
        double worst = 0;
        int where = 0;
        long most = 0;
        for (int step = 0; step <= steps; ++step) {
            move(k, double(step) / steps);
            Padded3 f = k.zero();
            acl.addForce(k.padded(), f);
            most = std::max(most, acl.stats().sets);
            const double error = distance(f, expected[step]) / largest;
            if (error <= worst) continue; // NaN goes on
            worst = error;
            where = step;
            if (!std::isfinite(error)) break;
        }
        EXPECT_TRUE(worst <= bars[kind]) << "tau " << s.tau << ", friction " << s.friction
                                         << ": off by " << worst << " at step " << where;
        EXPECT_GT(most, 0);
    }
}

void turn(MovingKnit& k, double angle) {
    const Mat3 m = Eigen::AngleAxisd(angle, Vec3(1, 2, -1).normalized()).matrix();
    for (Vec3& p : k.x) p = m * p;
}

} // namespace

TEST(AclAdversarial, ExactlyCoplanarControlPoints) {
    // Two bent yarns in one plane press on each other in it, and the plane turns.
    std::vector<Vec3> a, b;
    for (int i = 0; i <= 12; ++i) {
        const double t = (i - 6) * 0.9 * r;
        a.push_back(Vec3(t, -2.0 * r - 0.05 * t * t / r, 0));
        b.push_back(Vec3(t, 0.05 * t * t / r, 0));
    }
    MovingKnit k(two(a, b));
    follow(k, 200, [&](MovingKnit& m, double t) {
        m.x = m.rest.x;
        for (int i = 0; i < 13; ++i) m.x[i].y() += 0.7 * r * t;
        turn(m, 3 * t);
    });
    // The same and never out of the x-y plane: one coordinate is exactly zero.
    follow(k, 100, [&](MovingKnit& m, double t) {
        m.x = m.rest.x;
        for (int i = 0; i < 13; ++i) m.x[i].y() += 0.7 * r * t;
    });
}

TEST(AclAdversarial, ExactlyCollinearControlPointsHeadOn) {
    // Two straight yarns on one line meet with their ends, and go on into each other, to 0.6 of
    // their reach. Few pairs of points carry all the force there, its law is steep, and the metric
    // (Eq. 6) is lenient where a box rules little of its control points: 11 % were measured.
    const double bar = 0.15;
    MovingKnit k(two(line(Vec3(-12 * r, 0, 0), Vec3(-1.05 * r, 0, 0), 10),
                     line(Vec3(1.05 * r, 0, 0), Vec3(12 * r, 0, 0), 10)));
    follow(
        k, 200,
        [&](MovingKnit& m, double t) {
            m.x = m.rest.x;
            for (int i = 0; i < 11; ++i) m.x[i].x() += 0.9 * r * t;
        },
        bar);
    follow(
        k, 200,
        [&](MovingKnit& m, double t) {
            m.x = m.rest.x;
            for (int i = 0; i < 11; ++i) m.x[i].x() += 0.9 * r * t;
            turn(m, 5 * t);
        },
        bar);
    // Fast: they touch and part within a few steps.
    follow(
        k, 40,
        [&](MovingKnit& m, double t) {
            m.x = m.rest.x;
            for (int i = 0; i < 11; ++i) m.x[i].x() += 1.5 * r * std::sin(20 * t) - 0.4 * r;
        },
        bar);
}

TEST(AclAdversarial, CoincidentControlPoints) {
    // Control points that fall together while others stand: a crumpled yarn.
    MovingKnit k(two(line(Vec3(-8 * r, 0, 0), Vec3(8 * r, 0, 0), 12),
                     line(Vec3(0, -8 * r, 1.9 * r), Vec3(0, 8 * r, 1.9 * r), 12)));
    follow(k, 100, [&](MovingKnit& m, double t) {
        m.x = m.rest.x;
        for (int i = 4; i <= 8; ++i) m.x[i] *= 1 - t; // all five end in one point
    });
    // Two yarns in the same place, point by point.
    MovingKnit same(two(k.rest.x, k.rest.x));
    same.rest = two(line(Vec3(-8 * r, 0, 0), Vec3(8 * r, 0, 0), 12),
                    line(Vec3(-8 * r, 0, 0), Vec3(8 * r, 0, 0), 12));
    MovingKnit stacked(same.rest);
    follow(stacked, 20, [&](MovingKnit& m, double t) {
        m.x = m.rest.x;
        turn(m, t);
    });
    // Everything in one point.
    MovingKnit point(k.rest);
    ContactSettings s;
    AclContact acl(point.rest, point.layout, point.material, {}, s);
    for (Vec3& p : point.x) p = Vec3(0.1, 0.2, 0.3);
    for (int i = 0; i < 3; ++i) {
        Padded3 f = point.zero();
        acl.addForce(point.padded(), f);
        EXPECT_TRUE(std::isfinite(distance(f, point.zero())));
    }
}

TEST(AclAdversarial, ASetThatGrowsOverAWholeYarn) {
    // A zip: two long parallel yarns come together from one end to the other, then part again.
    const int n = 60;
    MovingKnit k(two(line(Vec3(0, 0, 0), Vec3(1.1 * n * r, 0, 0), n),
                     line(Vec3(0.3 * r, 2.4 * r, 0), Vec3((1.1 * n + 0.3) * r, 2.4 * r, 0), n)));
    follow(k, 400, [&](MovingKnit& m, double t) {
        m.x = m.rest.x;
        const double front = (1.4 * n + 10) * r * std::sin(M_PI * t);
        for (int i = n + 1; i < 2 * n + 2; ++i)
            m.x[i].y() -= 0.7 * r * std::clamp((front - m.x[i].x()) / (8 * r), 0.0, 1.0);
    });
    // All at once, along the whole length.
    follow(k, 60, [&](MovingKnit& m, double t) {
        m.x = m.rest.x;
        for (int i = n + 1; i < 2 * n + 2; ++i) m.x[i].y() -= 0.8 * r * t;
    });
}

TEST(AclAdversarial, RadiusLargerThanTheSegments) {
    // Segments of a third of the radius; a yarn is laid over another, and a hairpin closes.
    const int n = 60;
    std::vector<Vec3> pin;
    for (int i = 0; i <= n; ++i) {
        const double s = (i - n / 2) * 0.33 * r, a = s / (1.3 * r);
        if (std::abs(a) <= M_PI / 2)
            pin.push_back(Vec3(1.3 * r * std::cos(a), 1.3 * r * std::sin(a), 2.2 * r));
        else
            pin.push_back(
                Vec3(1.3 * r * M_PI / 2 - std::abs(s), (a > 0 ? 1.3 : -1.3) * r, 2.2 * r));
    }
    MovingKnit k(two(line(Vec3(0, -9 * r, 0), Vec3(0, 9 * r, 0), 54), pin));
    follow(k, 150, [&](MovingKnit& m, double t) {
        m.x = m.rest.x;
        for (std::size_t i = 55; i < m.x.size(); ++i) {
            m.x[i].y() *= 1 - 0.4 * t;
            m.x[i].z() -= 0.6 * r * t;
        }
    });
}

TEST(AclAdversarial, ScenesOfATenthMillimetreAndOfTenMetres) {
    for (double size : {1e-4, 10.0}) {
        MovingKnit k = test::knit("stockinette", 3);
        const double scale = 0.5 * size / k.size();
        Curves c = k.rest;
        for (Vec3& p : c.x) p *= scale;
        for (double& radius : c.radius) radius *= scale;
        MovingKnit scaled(c);
        scaled.welds = k.welds;
        follow(scaled, 200, [&](MovingKnit& m, double t) {
            m.fold(0.6 * t);
            // fold() also lets it fall by half a metre: for the small one that is far and fast.
            if (size < 1)
                for (Vec3& p : m.x) p -= 0.999 * Vec3(0, -0.3 * t, 0.12 * t);
        });
    }
}

TEST(AclAdversarial, FarFromTheOrigin) {
    MovingKnit k = test::knit("stockinette", 4);
    follow(k, 150, [&](MovingKnit& m, double t) {
        m.fold(0.5 * t);
        for (Vec3& p : m.x) p += Vec3(300, -200, 100);
    });
}

TEST(AclAdversarial, PositionsThatAreNotFiniteEnd) {
    MovingKnit k = test::knit("stockinette", 4);
    AclContact acl(k.rest, k.layout, k.material, k.welds, ContactSettings{});
    for (double bad : {std::nan(""), 1e300, double(INFINITY)}) {
        MovingKnit m = k;
        AclContact fresh(m.rest, m.layout, m.material, m.welds, ContactSettings{});
        Padded3 f = m.zero();
        fresh.addForce(m.padded(), f);
        m.x[20].y() = bad;
        for (int i = 0; i < 3; ++i) fresh.addForce(m.padded(), f);
    }
    SUCCEED(); // it ended
}
