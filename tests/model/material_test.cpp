#include "purl/model/material.h"

#include "purl/base/error.h"

#include <gtest/gtest.h>

using namespace purl;

TEST(Material, BendingFollowsTheFibreRule) { // physics 2.11: table at 600 tex for c = 1, ours c = 2
    const double expected[] = {4.9e-8, 3.3e-8, 5.8e-8, 3.9e-8};
    const char* name[] = {"wool", "cotton", "acrylic", "polyester"};
    for (int i = 0; i < 4; ++i) {
        const Material m = materialByName(name[i], 1.25e-3, 600);
        EXPECT_NEAR(m.density, 6e-4, 1e-12);
        EXPECT_NEAR(m.bendStiffness / 2, expected[i], 0.02 * expected[i]) << name[i];
    }
    EXPECT_NEAR(materialByName("wool", 1e-3, 100, 3).density, 3e-4, 1e-12);
}

TEST(Material, ScalesWithTheRadius) { // oracle 28's group: k r^3 / EI does not depend on the size
    const Material a = materialByName("linen", 1e-3), b = materialByName("linen", 2e-4);
    EXPECT_NEAR(a.contactStiffness * 1e-9 / a.bendStiffness,
                b.contactStiffness * 8e-12 / b.bendStiffness, 1e-12);
    EXPECT_NEAR(a.density / b.density, 25, 1e-9);
}

TEST(Material, UnknownNamesAreRefusedWithTheKnownOnes) {
    try {
        materialByName("steel", 1e-3);
        FAIL();
    } catch (const Error& e) {
        EXPECT_NE(std::string(e.what()).find("steel"), std::string::npos);
        EXPECT_NE(std::string(e.what()).find("linen"), std::string::npos);
    }
}
