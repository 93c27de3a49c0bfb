// Touching pairs -> boxes: every pair is in a box, boxes fit, distant contacts stay apart.
#include "purl/contact/coalesce.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace purl {
namespace {

struct Two {
    Curves curves;
    std::vector<Material> material{3};
    Layout layout;
    Quadrature quadrature;
    Exclusion exclusion;
    ModelBuilder builder;
    Coalescer coalescer;
    Two() {
        for (int y = 0; y < 3; ++y) {
            std::vector<Vec3> a;
            for (int i = 0; i < 31; ++i) a.push_back({0.002 * i, 0.01 * y, 0});
            curves.add(a, false, 0.001);
        }
        layout = Layout(curves);
        quadrature = Quadrature(curves, layout, material, 11);
        exclusion = Exclusion(curves, {}, 11);
        builder = ModelBuilder(quadrature, exclusion);
        coalescer = Coalescer(builder, quadrature);
    }
};

TEST(Coalesce, EveryPairIsInABoxThatFitsAndDistantOnesStayApart) {
    Two t;
    std::mt19937 random(2);
    std::vector<PointPair> found;
    auto blob = [&](Index u, Index v, Index size) {
        for (Index i = 0; i < size; ++i)
            for (Index j = 0; j < size; ++j)
                if (random() % 3) found.push_back({u + i, v + j});
    };
    blob(40, 400, 6);
    blob(200, 500, 4);
    blob(0, 330, 2);   // in the corner of both yarns
    blob(327, 700, 3); // the last points of a yarn, and another yarn
    std::sort(found.begin(), found.end(), [](const PointPair& a, const PointPair& b) {
        return a.u != b.u ? a.u < b.u : a.v < b.v;
    });
    std::vector<NewBox> boxes;
    t.coalescer.boxes(found, boxes);
    EXPECT_EQ(boxes.size(), 4u);
    std::size_t pairs = 0;
    for (const NewBox& b : boxes) {
        EXPECT_TRUE(t.coalescer.fits(b.box));
        EXPECT_EQ(t.builder.yarnOf(b.box.u0), t.builder.yarnOf(b.box.u1));
        EXPECT_EQ(t.builder.yarnOf(b.box.v0), t.builder.yarnOf(b.box.v1));
        for (const PointPair& p : b.pairs) EXPECT_TRUE(b.box.holds(p.u, p.v));
        pairs += b.pairs.size();
    }
    EXPECT_EQ(pairs, found.size());
}

TEST(Coalesce, ALongContactIsCutIntoBoxesThatDoNotOverlap) {
    Two t;
    std::vector<PointPair> found;
    for (Index i = 0; i < 330; ++i) // side by side along the whole yarn
        for (Index j = std::max<Index>(0, i - 2); j < std::min<Index>(330, i + 3); ++j)
            found.push_back({i, 330 + j});
    std::vector<NewBox> boxes;
    t.coalescer.boxes(found, boxes);
    EXPECT_GE(boxes.size(), 10u);
    std::size_t pairs = 0;
    for (std::size_t a = 0; a < boxes.size(); ++a) {
        EXPECT_TRUE(t.coalescer.fits(boxes[a].box));
        for (std::size_t b = 0; b < a; ++b) EXPECT_FALSE(boxes[a].box.overlaps(boxes[b].box));
        for (const PointPair& p : boxes[a].pairs) EXPECT_TRUE(boxes[a].box.holds(p.u, p.v));
        pairs += boxes[a].pairs.size();
    }
    EXPECT_EQ(pairs, found.size());
}

TEST(Coalesce, SubtractionLeavesExactlyTheRest) {
    std::mt19937 random(7);
    auto any = [&](Index n) { return static_cast<Index>(random() % n); };
    for (int trial = 0; trial < 500; ++trial) {
        auto box = [&] {
            const Index u = any(8), v = any(8);
            return PointBox{u, u + any(6), v, v + any(6)};
        };
        const PointBox a = box(), b = box();
        PointBox out[4];
        const int n = subtract(a, b, out);
        for (Index u = 0; u < 16; ++u)
            for (Index v = 0; v < 16; ++v) {
                int times = 0;
                for (int i = 0; i < n; ++i) times += out[i].holds(u, v);
                EXPECT_EQ(times, a.holds(u, v) && !b.holds(u, v) ? 1 : 0);
            }
    }
}

} // namespace
} // namespace purl
