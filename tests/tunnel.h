// A sheet of loose nodes in the way of a collider that goes up by half a metre in one frame.
#pragma once

#include "purl/collide/respond.h"

#include <gtest/gtest.h>

namespace purl {

// The collider rises 0.5 m in 1/24 s, from below the sheet at y = 0; with `spin` it also turns by
// 100 degrees about the vertical. A node in whose column the collider is must end above it.
// A collider that already moves by itself is left as it is with `pose` false.
inline void expectSheetIsPushed(Collider& collider, int steps, bool spin, bool pose = true) {
    const double seconds = 1.0 / 24, dt = seconds / steps, spacing = 0.002, radius = 0.0005;
    Curves curves;
    for (int r = -15; r < 15; ++r) {
        std::vector<Vec3> x;
        for (int c = -15; c < 15; ++c) x.emplace_back(c * spacing, 0, r * spacing);
        curves.add(x, false, radius);
    }
    Pose before, now;
    now.translation.y() = 0.5;
    if (spin) now.rotation = Eigen::AngleAxisd(1.75, Vec3::UnitY());
    if (pose) collider.setPose(before, now, seconds);
    std::vector<CollisionBody> bodies(1);
    bodies[0].collider = &collider;
    bodies[0].settings.friction = 0.3;
    CollisionResponse response(curves);
    std::vector<Vec3> x = curves.x, v(x.size(), Vec3::Zero());
    const std::vector<double> w(x.size(), 1e5);
    // How deep the collider's path would swallow a node that stays, on a dense line in time.
    std::vector<double> depth(x.size(), 0);
    for (std::size_t i = 0; i < x.size(); ++i)
        for (int k = 0; k <= 500; ++k)
            depth[i] = std::max(depth[i], -collider.distanceAt(x[i], k / 500.0));
    double worst = 1;
    for (int s = 0; s < steps; ++s) {
        response.apply(bodies, x, v, w, dt, (s + 1.0) / steps);
        for (std::size_t i = 0; i < x.size(); ++i) x[i] += dt * v[i];
        if (s > 0)
            for (const Vec3& p : x)
                worst = std::min(worst, collider.distanceAt(p, (s + 1.0) / steps));
    }
    int taken = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (depth[i] <= 0) continue;
        ++taken;
        // Carried up or pushed aside, but never left where it was.
        EXPECT_GE((x[i] - curves.x[i]).norm(), depth[i]) << i;
        EXPECT_GE(collider.distanceAt(x[i], 1), 0.5 * radius) << i;
    }
    EXPECT_GT(taken, 20);
    EXPECT_GT(worst, -radius); // centre lines stay out of the collider all the way
}

} // namespace purl
