#include "purl/contact/exact.h"

#include "purl/contact/pair.h"

#include <Eigen/Geometry>
#include <gtest/gtest.h>
#include <random>
#include <set>

using namespace purl;

namespace {

struct Scene {
    Curves curves;
    Layout layout;
    std::vector<Material> material;
    ExactContact contact;
    Padded3 x, f;

    explicit Scene(const Curves& c, double k = 3.25, std::vector<Weld> welds = {}, int b = 11)
        : curves(c), layout(c) {
        Material m;
        m.contactStiffness = k;
        material.assign(c.yarns(), m);
        ContactSettings s;
        s.quadrature = b;
        contact = ExactContact(curves, layout, material, welds, s);
        x.resize(layout.padded() + 4);
        f.resize(layout.padded() + 4);
    }
    void evaluate() {
        for (Index y = 0; y < curves.yarns(); ++y) scatter(layout, curves.x, curves.first[y], y, x);
        f.resize(layout.padded() + 4);
        contact.addForce(x, f);
    }
    Vec3 yarnForce(Index y) const {
        Vec3 sum = Vec3::Zero();
        for (Index i = curves.first[y]; i < curves.first[y + 1]; ++i) sum += f.at(layout.slotOf[i]);
        return sum;
    }
};

Curves straight(const Vec3& direction, const Vec3& offset, double length, int n, double r,
                double shift = 0) {
    Curves c;
    std::vector<Vec3> p;
    for (int i = 0; i <= n; ++i) p.push_back(offset + direction * (length * (double(i) / n - 0.5) + shift));
    c.add(p, false, r);
    return c;
}

Curves knitRows(int rows, int loops, double u, double r) {
    Curves c;
    for (int row = 0; row < rows; ++row) {
        std::vector<Vec3> p;
        for (int i = 0; i <= 8 * loops; ++i) {
            const double t = M_PI / 4 * i;
            p.push_back(u * Vec3(t + 1.5 * std::sin(2 * t), 4 * std::cos(t) + 5 * row,
                                 -std::cos(2 * t)));
        }
        c.add(p, false, r);
    }
    return c;
}

} // namespace

TEST(ExactContact, CrossingYarnsGiveTheClosedForm) { // physics 3.3, oracle 9
    const double r = 1.25e-3, reach = 2 * r, k = 3.25;
    for (double angle : {90.0, 60.0, 35.0})
        for (double share : {0.9, 0.8, 0.6}) {
            const double d = share * reach, chi = angle * M_PI / 180;
            // Segments of 1.0 r: the spacing rule (0.12 D) holds with room.
            Curves c = straight(Vec3::UnitX(), Vec3::Zero(), 60 * r, 60, r, 0.3 * r);
            c.add(straight(Vec3(std::cos(chi), std::sin(chi), 0), Vec3(0, 0, d), 60 * r, 60, r).x,
                  false, r);
            Scene s(c, k);
            s.evaluate();
            const double expected = 2 * M_PI * k * d * contactLaw(d, reach) / std::sin(chi);
            EXPECT_NEAR(s.yarnForce(1).z(), expected, 5e-3 * expected) << angle << " " << share;
            EXPECT_NEAR(s.yarnForce(0).z(), -expected, 5e-3 * expected);
            const double d2 = d * d, r2 = reach * reach;
            const double e = M_PI * k / std::sin(chi) *
                             (r2 * std::log(r2 / d2) + (r2 * r2 - d2 * d2) / (2 * r2) - 2 * (r2 - d2));
            EXPECT_NEAR(s.contact.energy(), e, 5e-3 * e);
        }
}

TEST(ExactContact, ParallelYarnsGiveTheClosedForm) {
    const double k = 3.25, ra = 1.25e-3, rb = 0.8e-3, reach = ra + rb; // unequal radii
    auto perLength = [&](double d) {
        const double s = std::sqrt(reach * reach - d * d);
        return k * 2 *
               (reach * reach / d * std::atan(s / d) + (d * d * s + s * s * s / 3) / (reach * reach) -
                2 * s);
    };
    for (double share : {0.9, 0.8, 0.6}) {
        const double d = share * reach, length = 40 * reach;
        // The second yarn is longer, so that the first is in contact all along.
        Curves c = straight(Vec3::UnitX(), Vec3::Zero(), length, 40, ra);
        c.add(straight(Vec3::UnitX(), Vec3(0, 0, d), 2 * length, 81, rb, 0.013 * reach).x, false, rb);
        Scene s(c, k);
        s.evaluate();
        EXPECT_NEAR(s.contact.energy() / length, perLength(d), 5e-3 * perLength(d));
        const double h = 1e-6 * reach;
        const double force = -(perLength(d + h) - perLength(d - h)) / (2 * h);
        EXPECT_NEAR(s.yarnForce(1).z() / length, force, 5e-3 * force);
    }
}

TEST(ExactContact, ForceIsMinusTheEnergysGradient) {
    for (bool closed : {false, true}) {
        Curves c = knitRows(3, 3, 1.25e-3, 1.25e-3);
        if (closed) {
            Curves ring;
            for (int y = 0; y < 2; ++y) {
                std::vector<Vec3> p;
                for (int i = 0; i < 14; ++i) {
                    const double a = 2 * M_PI * i / 14;
                    p.push_back(Vec3(8e-3 * std::cos(a), 8e-3 * std::sin(a), 0));
                    if (y) p.back() = Vec3(15.5e-3 + p.back().x(), p.back().z() + 5e-4, p.back().y());
                }
                ring.add(p, true, 1.25e-3);
            }
            c = ring;
        }
        Scene s(c, 3.25);
        s.evaluate();
        ASSERT_GT(s.contact.energy(), 0);
        const Padded3 f = s.f;
        double scale = 0, error = 0;
        const double h = 1e-8;
        for (Index i = 0; i < c.points(); i += 3)
            for (int a = 0; a < 3; ++a) {
                s.curves.x[i][a] += h;
                s.evaluate();
                const double up = s.contact.energy();
                s.curves.x[i][a] -= 2 * h;
                s.evaluate();
                const double down = s.contact.energy();
                s.curves.x[i][a] += h;
                const double g = f.at(s.layout.slotOf[i])[a];
                scale = std::max(scale, std::abs(g));
                error = std::max(error, std::abs(g + (up - down) / (2 * h)));
            }
        EXPECT_LT(error, 1e-5 * scale);
    }
}

TEST(ExactContact, StraightYarnThickerThanItsSegmentsDoesNotPushItself) {
    Curves c = straight(Vec3::UnitX(), Vec3::Zero(), 0.02, 80, 1.25e-3); // segments of 0.2 r
    Scene s(c);
    s.evaluate();
    EXPECT_EQ(s.contact.energy(), 0);
    EXPECT_EQ(s.contact.stats().touching, 0);
    // A hairpin of the same yarn does touch itself.
    for (int i = 0; i <= 80; ++i) {
        const double a = std::min(M_PI, std::max(0.0, (i - 30) * M_PI / 20));
        c.x[i] = Vec3(1.1e-3 * std::sin(a), 1.1e-3 * (1 - std::cos(a)), 0);
        if (i < 30) c.x[i] = Vec3(-(30 - i) * 0.25e-3, 0, 0);
        if (i > 50) c.x[i] = Vec3(-(i - 50) * 0.25e-3, 2.2e-3, 0);
    }
    Scene pin(c);
    pin.evaluate();
    EXPECT_GT(pin.contact.energy(), 0);
}

TEST(ExactContact, WeldedEndsDoNotPushEachOther) {
    Curves c = straight(Vec3::UnitX(), Vec3(-5e-3, 0, 0), 10e-3, 5, 1.25e-3);
    c.add(straight(Vec3::UnitX(), Vec3(5e-3, 0, 0), 10e-3, 5, 1.25e-3).x, false, 1.25e-3);
    Scene welded(c, 3.25, {{5, 6}});
    welded.evaluate();
    EXPECT_EQ(welded.contact.energy(), 0);
    Scene loose(c, 3.25);
    loose.evaluate();
    EXPECT_GT(loose.contact.energy(), 0);
}

TEST(ExactContact, BruteForceFindsNothingThatTheGridMissed) { // issue: 1000 steps of a moving patch
    const double u = 1.25e-3, r = 1.1e-3;
    Curves rest = knitRows(4, 3, u, r);
    Scene s(rest);
    const int b = 11;
    const Index points = s.contact.quadrature().segments() * b;
    long touching = 0, missed = 0;
    std::vector<Vec3> y(points);
    for (int step = 0; step < 1000; ++step) {
        const double t = step / 1000.0;
        // Falls, turns, folds over itself and ripples: near and far pieces meet.
        const Mat3 turn = Eigen::AngleAxisd(6 * t, Vec3(0.3, 1, 0.2).normalized()).matrix();
        for (Index i = 0; i < rest.points(); ++i) {
            Vec3 p = rest.x[i];
            const double a = 3.6 * t * p.x() / (18 * u);
            p = Vec3(std::sin(a) * (9 * u + p.z()), p.y(), std::cos(a) * (9 * u + p.z()));
            p += 0.6 * u * Vec3(std::sin(900 * p.y() + 25 * t), 0, std::cos(700 * p.x() - 31 * t));
            s.curves.x[i] = turn * p + Vec3(0, -0.5 * t, 0.2 * t);
        }
        s.evaluate();
        const Quadrature& q = s.contact.quadrature();
        auto index = [&](Index g) { return 4 * (g / b * q.blocksPerSegment()) + g % b; };
        for (Index g = 0; g < points; ++g) y[g] = q.point(index(g));
        std::set<std::pair<Index, Index>> listed;
        const Neighbours& near = s.contact.neighbours();
        for (Index a = 0; a < q.blocks(); ++a)
            for (Index p = near.start[a]; p < near.start[a + 1]; ++p) listed.insert({a, near.other[p]});
        for (const auto& m : near.masked) listed.insert({m.a, m.b});
        for (Index g = 0; g < points; ++g)
            for (Index h = g + 1; h < points; ++h) {
                if ((y[g] - y[h]).squaredNorm() >= 4 * r * r) continue;
                const Index ga = index(g), ha = index(h), yg = q.yarnOf[ga / 4], yh = q.yarnOf[ha / 4];
                if (yg == yh && std::abs(q.arc[ga] - q.arc[ha]) < q.exclusion[yg]) continue;
                ++touching;
                if (!listed.count({ga / 4, ha / 4})) ++missed;
            }
    }
    EXPECT_GT(touching, 100000);
    EXPECT_EQ(missed, 0);
    EXPECT_LT(s.contact.stats().rebuilds, 900); // lists do live longer than a step
    EXPECT_GT(s.contact.stats().rebuilds, 3);
}
