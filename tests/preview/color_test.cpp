#include "preview/color.h"

#include <cmath>
#include <gtest/gtest.h>

namespace purl {
namespace {

double luminance(const Vec3& c) { return 0.2126 * c.x() + 0.7152 * c.y() + 0.0722 * c.z(); }

TEST(Color, BytesSurviveLinearAndBack) {
    for (int v = 0; v < 256; ++v) {
        const auto b = static_cast<std::uint8_t>(v);
        EXPECT_EQ(toSrgb(toLinear({b, b, b})), (Rgb8{b, b, b}));
    }
    EXPECT_EQ(toSrgb(Vec3(0.2158605, 2, -1)), (Rgb8{128, 255, 0})); // by the standard's formula
}

TEST(Color, RampRisesEvenlyInLightness) {
    double before = -1;
    const double low = std::cbrt(luminance(rampColor(0))),
                 high = std::cbrt(luminance(rampColor(1)));
    for (int i = 0; i <= 100; ++i) {
        const Vec3 c = rampColor(i / 100.0);
        EXPECT_GT(luminance(c), before);
        before = luminance(c);
        EXPECT_NEAR(std::cbrt(before), low + (high - low) * i / 100, 0.06);
        EXPECT_GE(c.minCoeff(), 0);
        EXPECT_LE(c.maxCoeff(), 1);
    }
    EXPECT_GT(high - low, 0.5);
}

TEST(Color, MapTakesTheEndsOfTheRangeAndClamps) {
    const std::vector<double> values{-3, 2, 4, 6, 99, std::nan(""), HUGE_VAL};
    const std::vector<Vec3> c = colorMap(values, 2, 6);
    EXPECT_EQ(c[0], rampColor(0));
    EXPECT_EQ(c[1], rampColor(0));
    EXPECT_EQ(c[2], rampColor(0.5));
    EXPECT_EQ(c[3], rampColor(1));
    EXPECT_EQ(c[4], rampColor(1));
    EXPECT_EQ(c[5], Vec3(1, 0, 1));
    EXPECT_EQ(c[6], rampColor(1));
    EXPECT_EQ(colorMap(values, 5, 5)[0], rampColor(0.5));
}

TEST(Color, NeighbouringYarnsDiffer) {
    Curves curves;
    const std::vector<Vec3> two{Vec3(0, 0, 0), Vec3(1, 0, 0)};
    for (int i = 0; i < 9; ++i) curves.add(two, false, 1e-3);
    const std::vector<Vec3> c = yarnColors(curves);
    ASSERT_EQ(c.size(), 18U);
    for (std::size_t y = 0; y + 1 < 9; ++y) {
        EXPECT_EQ(c[2 * y], c[2 * y + 1]);
        EXPECT_GT((c[2 * y] - c[2 * y + 2]).norm(), 0.05);
    }
}

} // namespace
} // namespace purl
