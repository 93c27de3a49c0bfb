// A collider that moves half a metre in a frame takes the sheet with it and leaves nothing behind.
#include "purl/collide/hit.h"
#include "purl/collide/respond.h"
#include "purl/collide/shapes.h"
#include "tunnel.h"

#include <gtest/gtest.h>

using namespace purl;

TEST(Tunnel, ASphereDoesNotPassASheet) {
    for (int steps : {40, 300}) {
        SphereCollider ball(Vec3(0, -0.06, 0), 0.04);
        expectSheetIsPushed(ball, steps, false);
    }
}

TEST(Tunnel, AThinCapsuleDoesNotPassASheet) {
    for (int steps : {40, 300}) {
        CapsuleCollider rod(Vec3(-0.03, -0.06, 0.001), Vec3(0.03, -0.06, 0.001), 0.002);
        expectSheetIsPushed(rod, steps, false);
    }
}

TEST(Tunnel, ASpinningCapsuleDoesNotPassASheet) {
    CapsuleCollider rod(Vec3(-0.05, -0.06, 0.001), Vec3(0.05, -0.06, 0.001), 0.002);
    expectSheetIsPushed(rod, 40, true);
}

TEST(Tunnel, AFastNodeDoesNotPassAThinRodAtRest) {
    CapsuleCollider rod(Vec3(0, 0, -1), Vec3(0, 0, 1), 0.001);
    std::vector<CollisionBody> bodies(1);
    bodies[0].collider = &rod;
    CollisionResponse response({0.0005}, {});
    for (int i = 0; i < 40; ++i) { // 20 mm a step past a rod of 2 mm, aimed all over it
        const double off = (i - 20) * 0.00006;
        std::vector<Vec3> x{Vec3(off, 0.0103, 0)}, v{Vec3(0, -20, 0)};
        const std::vector<double> w{100};
        const CollisionFigures f = response.apply(bodies, x, v, w, 1e-3, 1);
        EXPECT_EQ(f.touching, 1) << off;
        EXPECT_GT(rod.distanceAt(x[0] + 1e-3 * v[0], 1), 0.0004) << off;
        // What hits the shoulder glances off; what hits the middle stays above.
        if (std::abs(off) < 0.0009) {
            EXPECT_GT((x[0] + 1e-3 * v[0]).y(), -0.0016) << off;
        }
    }
    std::vector<Vec3> x{Vec3(0.0016, 0.0103, 0)}, v{Vec3(0, -20, 0)};
    const std::vector<double> w{100};
    EXPECT_EQ(response.apply(bodies, x, v, w, 1e-3, 1).touching, 0); // a miss is a miss
    EXPECT_EQ(v[0], Vec3(0, -20, 0));
}
