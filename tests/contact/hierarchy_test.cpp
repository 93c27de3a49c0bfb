// The paper's reference contact against ExactContact: two independent searches and two evaluations
// of one law.
#include "purl/contact/hierarchy.h"

#include "contact/moving_knit.h"
#include "purl/base/parallel.h"
#include "purl/contact/exact.h"
#include "purl/sim/simulation.h"

#include <gtest/gtest.h>

using namespace purl;
using test::MovingKnit;

namespace {

struct Both {
    MovingKnit knit;
    ExactContact exact;
    HierarchyContact hierarchy;
    long compared = 0;

    explicit Both(MovingKnit k, int b = 11) : knit(std::move(k)) {
        ContactSettings s;
        s.quadrature = b;
        exact = ExactContact(knit.rest, knit.layout, knit.material, knit.welds, s);
        hierarchy = HierarchyContact(knit.rest, knit.layout, knit.material, knit.welds, s);
    }
    void compare() {
        const Padded3 x = knit.padded();
        Padded3 fe = knit.zero(), fh = knit.zero();
        exact.addForce(x, fe);
        hierarchy.addForce(x, fh);
        EXPECT_LT(test::relativeError(fh, fe), 1e-12);
        EXPECT_NEAR(hierarchy.energy(), exact.energy(), 1e-12 * exact.energy());
        EXPECT_GT(exact.energy(), 0);
        compared += hierarchy.touchingPairs();
    }
};

} // namespace

TEST(HierarchyContact, EqualsExactOnRelaxedKnit) {
    for (bool continuous : {false, true}) {
        Both both(test::pressed(test::knit("stockinette", 14, continuous), 0.9));
        Scene scene;
        scene.yarns = both.knit.rest;
        scene.yarns.x = both.knit.x;
        scene.rest = both.knit.rest.x;
        scene.material = both.knit.material;
        scene.welds = both.knit.welds;
        scene.settings.forces.gravity.setZero();
        Simulation sim(scene);
        for (int k = 0; k < 5; ++k) {
            for (int s = 0; s < 40; ++s) sim.step(sim.automaticStep(), 1);
            both.knit.x = sim.positions();
            both.compare();
        }
        EXPECT_GT(both.compared, 5000);
    }
}

TEST(HierarchyContact, EqualsExactOnMovingAndFoldingKnit) {
    Both both(test::knit("stockinette", 12, false));
    for (int step = 0; step < 60; ++step) {
        both.knit.fold(step / 60.0);
        both.compare();
    }
    EXPECT_GT(both.compared, 10000);
}

TEST(HierarchyContact, EqualsExactOnRandomYarns) {
    // Open and closed, of three radii, welded here and there, other numbers of points a segment.
    for (int b : {11, 5, 8}) {
        Both both(test::tangle(30, 24, 77 + b), b);
        both.compare();
        both.knit.shake(2e-3, 5);
        both.compare();
        EXPECT_GT(both.compared, 300);
    }
}

TEST(HierarchyContact, SameBitsAtEveryThreadCount) {
    std::vector<double> first;
    for (int threads : {1, 2, 3}) {
        ThreadLimit limit(threads);
        Both both(test::pressed(test::knit("rib1x1", 16, false), 0.9));
        Padded3 f = both.knit.zero();
        both.hierarchy.addForce(both.knit.padded(), f);
        if (first.empty()) first = f.x;
        EXPECT_TRUE(first == f.x);
    }
}

TEST(HierarchyContact, NoYarnsAndNaNAreNoTrouble) {
    MovingKnit knit = test::tangle(4, 10, 3);
    HierarchyContact c(knit.rest, knit.layout, knit.material, {}, {});
    knit.x[12] = Vec3::Constant(std::nan(""));
    Padded3 f = knit.zero();
    c.addForce(knit.padded(), f); // ends
    Curves none;
    const Layout layout(none);
    HierarchyContact empty(none, layout, {}, {}, {});
    Padded3 nothing;
    nothing.resize(layout.padded() + 4);
    empty.addForce(nothing, nothing);
    EXPECT_EQ(empty.energy(), 0);
}
