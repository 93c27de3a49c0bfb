#include "purl/contact/pair.h"

#include "trio.h"

#include <random>

using namespace purl;

TEST(ContactPair, TrioAgreesWithDifferences) {
    std::mt19937 rng(5);
    std::uniform_real_distribution<double> u(-1, 1);
    for (int k = 0; k < 20; ++k) {
        ContactPair p{catmullRom(0.5 + 0.4 * u(rng)), catmullRom(0.5 + 0.4 * u(rng)), 1.0, 0.7};
        Vec24 q;
        for (int i = 0; i < 8; ++i)
            q.segment<3>(3 * i) = Vec3(i % 4 - 1.5, i < 4 ? 0.0 : 0.3, i < 4 ? 0.3 : -0.3) +
                                  0.1 * Vec3(u(rng), u(rng), u(rng));
        if (separation(p, q).norm() > 0.95) continue;
        test::checkTrio(
            q, [&](const Vec24& x) { return contactEnergy(p, x); },
            [&](const Vec24& x) { return contactGradient(p, x); },
            [&](const Vec24& x) { return contactHessian(p, x); }, 1e-5);
    }
}

TEST(ContactPair, LawHasThePublishedValues) { // physics 3.1's table
    const double d[] = {.95, .9, .8, .6, .5}, f[] = {.0105, .0446, .2025, 1.138, 2.25};
    const double f1[] = {-.433, -.943, -2.306, -8.06, -15}, f2[] = {9.37, 11.15, 16.65, 48.3, 98};
    for (int i = 0; i < 5; ++i) {
        EXPECT_NEAR(contactLaw(d[i], 1), f[i], 1e-3 * std::max(1.0, f[i]));
        EXPECT_NEAR(contactLawFirst(d[i], 1), f1[i], 1e-3 * std::abs(f1[i]));
        EXPECT_NEAR(contactLawSecond(d[i], 1), f2[i], 1e-3 * f2[i]);
    }
    EXPECT_EQ(contactLaw(1.0, 1), 0);
}
