// Every stitch is the one that the field asks for: the leg of a loop goes through the loop below
// it from back to front (knit) or from front to back (purl), judged by signed crossings of a disc.
#include "purl/base/error.h"
#include "purl/geometry/catmull_rom.h"
#include "purl/pattern/pattern.h"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <map>

using namespace purl;

namespace {

using Line = std::vector<Vec3>;

double volume(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    return (b - a).cross(c - a).dot(d - a);
}

// Signed crossings of a line with the fan that closes `rim` over its centre; +1 along the normal.
int crossings(const Line& rim, const Line& line) {
    Vec3 centre = Vec3::Zero();
    for (const Vec3& p : rim) centre += p / double(rim.size());
    int count = 0;
    for (std::size_t i = 0; i < rim.size(); ++i) {
        const Vec3 &b = rim[i], &c = rim[(i + 1) % rim.size()];
        for (std::size_t k = 0; k + 1 < line.size(); ++k) {
            const double from = volume(centre, b, c, line[k]),
                         to = volume(centre, b, c, line[k + 1]);
            if ((from < 0) == (to < 0)) continue;
            const Vec3 &p = line[k], &q = line[k + 1];
            const bool x = volume(p, q, centre, b) > 0, y = volume(p, q, b, c) > 0,
                       z = volume(p, q, c, centre) > 0;
            if (x == y && y == z) count += to > 0 ? 1 : -1;
        }
    }
    return count;
}

// The curve from vertex a to vertex b of a yarn (a may be after b), by 10 pieces a segment.
Line stretch(const Curves& c, Index yarn, Index a, Index b) {
    Line line;
    const Index lo = std::min(a, b), hi = std::max(a, b);
    for (Index v = lo; v < hi; ++v)
        for (int i = 0; i < 10; ++i)
            line.push_back(pointAt(c.x, segmentOf(c, yarn, v - c.first[yarn]), i / 10.0));
    line.push_back(c.x[hi]);
    if (a > b) std::reverse(line.begin(), line.end());
    return line;
}

// Loops as runs of eight vertices by their course and wale, in the order left to right.
struct Loops {
    const Pattern& p;
    std::map<std::pair<Index, Index>, std::vector<Index>> vertices;
    explicit Loops(const Pattern& pattern) : p(pattern) {
        for (Index v = 0; v < p.curves.points(); ++v)
            vertices[{p.course[v], p.wale[v]}].push_back(v);
    }
    Index yarnOf(Index v) const {
        Index y = 0;
        while (p.curves.first[y + 1] <= v) ++y;
        return y;
    }
    // Vertex k (0..8) of a loop; `back`: the course was worked from right to left.
    Index vertex(Index i, Index j, Index k, bool back) const {
        const auto& run = vertices.at({i, j});
        return back ? run.front() - 1 + (8 - k) + (run.size() > 8 ? 1 : 0) : run.front() + k;
    }
    Line part(Index i, Index j, Index a, Index b, bool back) const {
        const Index va = vertex(i, j, a, back), vb = vertex(i, j, b, back);
        return stretch(p.curves, yarnOf(va), va, vb);
    }
    // Left leg, head and right leg are passed clockwise as seen from the front.
    Line rim(Index i, Index j, bool back) const {
        Line line = part(i, j, 1, 7, back);
        std::reverse(line.begin(), line.end());
        return line;
    }
};

void expectStitches(const Pattern& p, const StitchField& field, Index wales, Index courses,
                    bool turning, const std::string& what) {
    const Loops loops(p);
    int wrong = 0;
    for (Index i = 1; i < courses; ++i)
        for (Index j = 1; j + 1 < wales; ++j) {
            const bool back = turning && i % 2 == 1, backBelow = turning && i % 2 == 0;
            const int s = field.at(i, j);
            const Line rim = loops.rim(i - 1, j, backBelow);
            wrong += crossings(rim, loops.part(i, j, 0, 4, back)) != s;
            wrong += crossings(rim, loops.part(i, j, 4, 8, back)) != -s;
            if (j + 2 < wales) wrong += crossings(rim, loops.part(i, j + 1, 1, 7, back)) != 0;
        }
    EXPECT_EQ(wrong, 0) << what;
}

} // namespace

TEST(Topology, EveryStitchOfEveryKnit) {
    for (const PatternName& n : patternNames()) {
        if (n.woven) continue;
        PatternSettings s;
        s.name = n.name;
        s.wales = 10;
        s.courses = 6;
        s.bindSelvedges = s.bindOff = false;
        const StitchField field = fieldByName(n.name);
        expectStitches(makePattern(s), field, 10, 6, false, n.name + " free");
        s.bindSelvedges = s.bindOff = true;
        expectStitches(makePattern(s), field, 10, 6, true, n.name + " bound");
        s.continuous = true;
        expectStitches(makePattern(s), field, 10, 6, true, n.name + " one yarn");
        s.tube = true;
        s.wales = 12;
        expectStitches(makePattern(s), field, 12, 6, false, n.name + " helix");
        s.continuous = false;
        expectStitches(makePattern(s), field, 12, 6, false, n.name + " rings");
    }
}

// However tight: what is made is right, or nothing is made.
TEST(Topology, TightAndLooseGauge) {
    for (const PatternName& n : patternNames())
        for (double wale : {5.0, 6.2, 7.2, 12.0}) {
            if (n.woven) continue;
            PatternSettings s;
            s.name = n.name;
            s.wales = 7;
            s.courses = 5;
            s.bindSelvedges = s.bindOff = false;
            s.waleSpacing = wale * s.radius;
            s.courseSpacing = 0.65 * wale * s.radius;
            try {
                expectStitches(makePattern(s), fieldByName(n.name), 7, 5, false,
                               n.name + " at " + std::to_string(wale));
            } catch (const Error& e) {
                EXPECT_LT(wale, 7) << e.what();
            }
        }
}

TEST(Topology, TheTestCanFail) {
    PatternSettings s;
    s.name = "garter";
    s.wales = s.courses = 5;
    s.bindSelvedges = s.bindOff = false;
    const Pattern p = makePattern(s);
    const Loops loops(p);
    EXPECT_EQ(crossings(loops.rim(1, 2, false), loops.part(2, 2, 0, 4, false)), 1);
    EXPECT_EQ(crossings(loops.rim(0, 2, false), loops.part(1, 2, 0, 4, false)), -1);
}

TEST(Topology, AnyField) {
    PatternSettings s;
    s.wales = 9;
    s.courses = 7;
    s.bindSelvedges = s.bindOff = false;
    unsigned random = 7;
    for (int trial = 0; trial < 6; ++trial) {
        s.field = {4, 5, {}};
        for (int i = 0; i < 20; ++i) {
            random = random * 1664525u + 1013904223u;
            s.field.cells.push_back((random >> 20) & 1 ? 1 : -1);
        }
        expectStitches(makePattern(s), s.field, 9, 7, false, "field " + std::to_string(trial));
    }
}

// The bind-off thread goes through every live loop once, so none can slip down.
TEST(Topology, BindOffHoldsEveryLoop) {
    for (const PatternName& n : patternNames())
        for (bool tube : {false, true}) {
            if (n.woven) continue;
            PatternSettings s;
            s.name = n.name;
            s.wales = 12;
            s.courses = 5;
            s.tube = tube;
            const Pattern p = makePattern(s);
            const Loops loops(p);
            const Index yarn = p.curves.yarns() - 1;
            ASSERT_EQ(p.course[p.curves.first[yarn] + 3], 5);
            Line thread =
                stretch(p.curves, yarn, p.curves.first[yarn], p.curves.first[yarn + 1] - 1);
            if (tube) thread.push_back(thread.front());
            for (Index j = 1; j < 11; ++j)
                EXPECT_EQ(std::abs(crossings(loops.rim(4, j, false), thread)), 1) << n.name << j;
        }
}

// At every crossing of a weave the thread that the draft calls for is on top.
TEST(Topology, WeavesFollowTheirDraft) {
    for (const PatternName& n : patternNames()) {
        if (!n.woven) continue;
        PatternSettings s;
        s.name = n.name;
        s.wales = 11;
        s.courses = 12;
        const Pattern p = makePattern(s);
        const StitchField draft = fieldByName(n.name);
        std::map<Index, std::vector<Vec3>> weft, warp;
        for (Index v = 0; v < p.curves.points(); ++v)
            (p.wale[v] < 0 ? weft[p.course[v]] : warp[p.wale[v]]).push_back(p.curves.x[v]);
        ASSERT_EQ(weft.size(), 12u);
        ASSERT_EQ(warp.size(), 11u);
        for (Index i = 0; i < 12; ++i)
            for (Index j = 0; j < 11; ++j) {
                double best = 1e9, above = 0;
                for (const Vec3& a : weft[i])
                    for (const Vec3& b : warp[j]) {
                        const double d = (a - b).head<2>().norm();
                        if (d < best) {
                            best = d;
                            above = b[2] - a[2];
                        }
                    }
                EXPECT_EQ(above > 0, draft.at(i, j) == 1) << n.name << " " << i << " " << j;
                EXPECT_GT(std::abs(above), 1.5 * s.radius);
            }
    }
}
