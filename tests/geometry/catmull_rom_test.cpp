#include "purl/geometry/catmull_rom.h"

#include <gtest/gtest.h>

using namespace purl;

TEST(CatmullRom, WeightsSumToOneAndReproduceLines) { // physics 1.1
    for (double s = 0; s <= 1; s += 0.1) {
        const Weights4 b = catmullRom(s), d = catmullRomFirst(s), dd = catmullRomSecond(s);
        EXPECT_NEAR(b[0] + b[1] + b[2] + b[3], 1, 1e-15);
        EXPECT_NEAR(-b[0] + b[2] + 2 * b[3], s, 1e-15);
        EXPECT_NEAR(d[0] + d[1] + d[2] + d[3], 0, 1e-14);
        EXPECT_NEAR(dd[0] + dd[1] + dd[2] + dd[3], 0, 1e-14);
        const double h = 1e-5;
        const Weights4 p = catmullRom(s + h), m = catmullRom(s - h);
        for (int i = 0; i < 4; ++i) {
            EXPECT_NEAR((p[i] - m[i]) / (2 * h), d[i], 1e-8);
            EXPECT_NEAR((p[i] - 2 * b[i] + m[i]) / (h * h), dd[i], 1e-4);
        }
    }
}

TEST(CatmullRom, EndsAreReflected) { // physics 1.2: q[-1] = 2 q[0] - q[1]
    Curves c;
    c.add(std::vector<Vec3>{{0, 0, 0}, {1, 2, 0}, {3, 1, 1}, {4, 4, 4}}, false, 0.1);
    const Segment first = segmentOf(c, 0, 0), last = segmentOf(c, 0, 2);
    for (double s : {0.0, 0.3, 0.8, 1.0}) {
        const Weights4 b = catmullRom(s);
        const Vec3 ghost = 2 * c.x[0] - c.x[1];
        EXPECT_LT((pointAt(c.x, first, s) -
                   (b[0] * ghost + b[1] * c.x[0] + b[2] * c.x[1] + b[3] * c.x[2]))
                      .norm(),
                  1e-14);
        const Vec3 after = 2 * c.x[3] - c.x[2];
        EXPECT_LT(
            (pointAt(c.x, last, s) - (b[0] * c.x[1] + b[1] * c.x[2] + b[2] * c.x[3] + b[3] * after))
                .norm(),
            1e-14);
    }
    Curves two;
    two.add(std::vector<Vec3>{{0, 0, 0}, {2, 0, 0}}, false, 0.1);
    EXPECT_LT((pointAt(two.x, segmentOf(two, 0, 0), 0.25) - Vec3(0.5, 0, 0)).norm(), 1e-14);
}

TEST(CatmullRom, LengthOfACircle) { // physics 1.5: 0.9957 of the arc at 45 degrees a segment
    Curves c;
    std::vector<Vec3> p;
    for (int i = 0; i < 8; ++i)
        p.push_back(Vec3(std::cos(M_PI / 4 * i), std::sin(M_PI / 4 * i), 0));
    c.add(p, true, 0.1);
    double sum = 0;
    for (Index s = 0; s < 8; ++s) sum += arcLength(c.x, segmentOf(c, 0, s));
    EXPECT_NEAR(sum / (2 * M_PI), 0.9957, 1e-4);
}
