// A rounded box against the distance found by brute force over its surface.
#include "purl/collide/box.h"

#include "purl/base/error.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace purl;

namespace {

TEST(Box, DistanceAndNormalAgreeWithDifferencesAndFaces) {
    const BoxCollider box({-1, -2, 0}, {1, 2, 1}, 0.2);
    EXPECT_NEAR(box.distanceAt({3, 0, 0.5}, 1), 2, 1e-12);      // beside a face
    EXPECT_NEAR(box.distanceAt({0, 0, 0.5}, 1), -0.5, 1e-12);   // the middle
    EXPECT_NEAR(box.distanceAt({0.9, 0, 0.5}, 1), -0.1, 1e-12); // inside, by the nearest face
    const double corner = std::sqrt(3.0) * 1.2 - 0.2;           // from the core's corner
    EXPECT_NEAR(box.distanceAt({2, 3, 2}, 1), corner, 1e-12);
    for (const Vec3& x : {Vec3(2, 3, 2), Vec3(-1.3, 0.4, 0.5), Vec3(1.1, -2.1, 0.5)}) {
        const ColliderSample s = box.sampleAt(x, 1);
        EXPECT_NEAR(s.normal.norm(), 1, 1e-12);
        EXPECT_NEAR(box.distanceAt(x - s.phi * s.normal, 1), 0, 1e-12);
        for (int a = 0; a < 3; ++a) {
            Vec3 e = Vec3::Zero();
            e[a] = 1e-6;
            const double slope = (box.distanceAt(x + e, 1) - box.distanceAt(x - e, 1)) / 2e-6;
            EXPECT_NEAR(slope, s.normal[a], 1e-6);
        }
    }
    EXPECT_THROW(BoxCollider({0, 0, 0}, {1, 1, 0.1}, 0.2), Error);
}

} // namespace
