// The term beyond the linear one: yarns pressed together push with the square of how far.
#include "purl/contact/acl.h"

#include "purl/contact/exact.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace purl {

namespace {

// Two yarns that cross at an angle, pressed together by a tenth of their thickness. A tolerance so
// large that the model is never made anew: what is seen is the model alone.
struct Pressed {
    Curves curves;
    std::vector<Material> material = std::vector<Material>(2);
    Layout layout;
    ContactSettings settings;

    Pressed() {
        std::vector<Vec3> a, b;
        for (int i = 0; i < 13; ++i) {
            a.push_back({0.0015 * (i - 6.0), 0, 0});
            b.push_back({0.0006 * (i - 6.1), 0.0014 * (i - 6.1), 0.9 * kReach});
        }
        curves.add(a, false, kReach / 2);
        curves.add(b, false, kReach / 2);
        layout = Layout(curves);
        settings.tau = 3;
        settings.friction = 0;
    }
    static constexpr double kReach = 0.0025; // m
    Padded3 zero() const {
        Padded3 p;
        p.resize(layout.padded() + 4);
        return p;
    }
    Padded3 place(double deeper) const { // m, towards each other
        std::vector<Vec3> p = curves.x;
        for (Index i = curves.first[1]; i < curves.first[2]; ++i) p[i].z() -= deeper;
        Padded3 x = zero();
        for (Index y = 0; y < 2; ++y) scatter(layout, p, curves.first[y], y, x);
        return x;
    }
    double push(const Padded3& f) const { // N, on the upper yarn
        double sum = 0;
        for (Index i = curves.first[1]; i < curves.first[2]; ++i) sum += f.at(layout.slotOf[i]).z();
        return sum;
    }
    // N, by the model that was made at the start, and what it is; in one go.
    std::pair<double, double> at(double deeper) const {
        AclContact acl(curves, layout, material, {}, settings);
        Padded3 f = zero(), g = zero(), h = zero();
        acl.addForce(place(0), f);
        EXPECT_NEAR(push(f), exact(0), 1e-6 * exact(0));
        acl.addForce(place(deeper), g);
        EXPECT_EQ(acl.stats().rebuilt, 0);
        return {push(g), exact(deeper)};
    }
    double exact(double deeper) const {
        ExactContact contact(curves, layout, material, {}, settings);
        Padded3 f = zero();
        contact.addForce(place(deeper), f);
        return push(f);
    }
};

} // namespace

// By the law alone (F goes with the square of the depth) linear models are off by 4 % and 25 % of
// the force at the start.
TEST(ContactPress, GrowsWithTheSquareOfTheDepth) {
    const Pressed yarns;
    const double depth = 0.1 * Pressed::kReach, whole = yarns.exact(0);
    const double h = 1e-3 * depth, slope = (yarns.exact(h) - yarns.exact(-h)) / (2 * h);
    const double bar[][2] = {{0.2, 0.01}, {-0.2, 0.01}, {0.5, 0.06}, {-0.5, 0.06}};
    for (const auto& [share, allowed] : bar) {
        const auto [model, exact] = yarns.at(share * depth);
        EXPECT_NEAR(model, exact, allowed * whole) << share << " of the depth";
        EXPECT_GT(std::abs(whole + slope * share * depth - exact), 3 * allowed * whole);
    }
}

// Nothing pulls once they have parted, where a linear model would.
TEST(ContactPress, PartedYarnsDoNotPullMuch) {
    const Pressed yarns;
    const double depth = 0.1 * Pressed::kReach, whole = yarns.exact(0);
    const auto [model, exact] = yarns.at(-1.2 * depth);
    EXPECT_EQ(exact, 0);
    EXPECT_NEAR(model, 0, 0.03 * whole);
}

} // namespace purl
