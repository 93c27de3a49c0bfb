// The validator: every fault is found where it was put, and sound input passes.
#include "purl/check/input.h"

#include "check/shapes.h"

#include <gtest/gtest.h>

using namespace purl;
using Kind = InputFinding::Kind;

namespace {

// Ten straight yarns, 1 cm apart, points 2 radii apart.
Curves sound() {
    Curves c;
    for (int y = 0; y < 10; ++y)
        c.add(shapes::line({0, 0, 0.01 * y}, {0.1, 0, 0.01 * y}, 51), false, 1e-3);
    return c;
}

std::vector<InputFinding> of(const std::vector<InputFinding>& all, Kind kind) {
    std::vector<InputFinding> out;
    for (const InputFinding& f : all)
        if (f.kind == kind) out.push_back(f);
    return out;
}

} // namespace

TEST(InputCheck, SoundYarnsHaveNothing) { EXPECT_TRUE(checkYarnInput(sound(), {}).empty()); }

TEST(InputCheck, NamesTheDoubledPointAndRepairsIt) {
    Curves c = sound();
    c.x[3 * 51 + 20] = c.x[3 * 51 + 19];
    auto found = of(checkYarnInput(c, {}), Kind::DoubledPoints);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_TRUE(found[0].breaks);
    EXPECT_EQ(found[0].place, "yarn 3, point 19");
    const Curves before = c;
    EXPECT_GT(spreadDoubled(c), 0);
    EXPECT_TRUE(of(checkYarnInput(c, {}), Kind::DoubledPoints).empty());
    for (std::size_t i = 0; i < c.x.size(); ++i) {
        EXPECT_LT((c.x[i] - before.x[i]).norm(), 2.1e-3) << i; // no farther than a neighbour
        EXPECT_LT(std::abs(c.x[i].y()), 1e-12);                // on the yarn
    }
    for (int i = 0; i + 1 < 51; ++i) EXPECT_LT(c.x[3 * 51 + i].x(), c.x[3 * 51 + i + 1].x()) << i;
}

TEST(InputCheck, FindsTheCrossingAndNotTheGluedOne) {
    Curves c = sound();
    c.add(shapes::line({0.05, -0.01, 0.04}, {0.05, 0.01, 0.04}, 21), false, 1e-3);
    const auto found = of(checkYarnInput(c, {}), Kind::Crossing);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NE(found[0].place.find("yarn 4 at curveu 0.5, yarn 10 at curveu 0.5"), std::string::npos)
        << found[0].place;
    EXPECT_TRUE(of(checkYarnInput(c, {{4 * 51 + 25, 10 * 51 + 10}}), Kind::Crossing).empty());
}

TEST(InputCheck, AGarmentOfAHundredMetresIsInCentimetres) {
    Curves c = sound();
    for (Vec3& x : c.x) x *= 1000; // 100 m
    const auto found = of(checkYarnInput(c, {}), Kind::Units);
    ASSERT_FALSE(found.empty());
    EXPECT_NE(found[0].text.find("100 m large"), std::string::npos) << found[0].text;
    EXPECT_NE(found[0].repair.find("--scale 0.01"), std::string::npos) << found[0].repair;
    for (Vec3& x : c.x) x *= 1e-6; // 0.1 mm
    EXPECT_FALSE(of(checkYarnInput(c, {}), Kind::Units).empty());
}

TEST(InputCheck, RadiusAgainstSpacing) {
    Curves thick = sound(), thin = sound();
    for (double& r : thick.radius) r = 8e-3; // points a quarter radius apart
    for (double& r : thin.radius) r = 1e-4;  // 20 radii apart
    const auto a = of(checkYarnInput(thick, {}), Kind::Spacing);
    const auto b = of(checkYarnInput(thin, {}), Kind::Spacing);
    ASSERT_EQ(a.size(), 10u);
    EXPECT_FALSE(a[0].breaks);
    EXPECT_NE(a[0].text.find("0.25 radii"), std::string::npos) << a[0].text;
    ASSERT_EQ(b.size(), 10u);
    EXPECT_NE(b[0].text.find("20 radii"), std::string::npos) << b[0].text;
}

TEST(InputCheck, UvThatOverlapsOrHasNoArea) {
    // A strip of quads as triangles, each its own primitive pair; then one laid over another.
    std::vector<std::array<Vec2, 3>> uv;
    std::vector<Index> primitive;
    const auto quad = [&](double u, double v, Index p) {
        const Vec2 a(u, v), b(u + 1, v), c(u + 1, v + 1), d(u, v + 1);
        uv.push_back({a, b, c});
        uv.push_back({a, c, d});
        primitive.insert(primitive.end(), {p, p});
    };
    for (Index p = 0; p < 30; ++p) quad(p % 6, p / 6, p);
    EXPECT_TRUE(checkUv(uv, primitive).empty());
    quad(2.5, 1, 30); // over 8 and 9
    const auto found = checkUv(uv, primitive);
    ASSERT_FALSE(found.empty());
    for (const InputFinding& f : found) {
        EXPECT_EQ(f.kind, Kind::UvOverlap);
        EXPECT_TRUE(f.place == "primitive 8" || f.place == "primitive 9") << f.place;
        EXPECT_NE(f.text.find("primitive 30"), std::string::npos) << f.text;
    }
    uv.back() = {Vec2(9, 9), Vec2(9, 9), Vec2(10, 9)};
    EXPECT_FALSE(of(checkUv(uv, primitive), Kind::UvDegenerate).empty());
}
