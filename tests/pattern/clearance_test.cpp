// No yarn touches another to start from, whatever is asked for.
#include "pattern/measure.h"
#include "purl/base/error.h"

#include <gtest/gtest.h>

using namespace purl;

namespace {

PatternSettings small(const std::string& name) {
    PatternSettings s;
    s.name = name;
    s.wales = 9;
    s.courses = 7;
    s.radius = 1.25e-3;
    return s;
}

void expectRoom(const PatternSettings& s, const std::string& what) {
    const Pattern p = makePattern(s);
    const double distance = test::Measure(p).smallest(2.2 * s.radius);
    EXPECT_GE(distance, 2 * s.radius * (1 - 1e-3)) << what;
    // Dense, not merely apart: something is nearly touching.
    if (s.waleSpacing == 0) {
        EXPECT_LE(distance, 2.1 * s.radius) << what;
    }
}

class EveryPattern : public ::testing::TestWithParam<std::string> {};

} // namespace

TEST_P(EveryPattern, FlatHasRoom) {
    for (bool bound : {true, false})
        for (bool off : {true, false}) {
            PatternSettings s = small(GetParam());
            s.bindSelvedges = bound;
            s.bindOff = off;
            expectRoom(s, GetParam() + (bound ? " bound" : " free") + (off ? " off" : " live"));
        }
}

TEST_P(EveryPattern, OneYarnHasRoom) {
    PatternSettings s = small(GetParam());
    s.continuous = true;
    expectRoom(s, GetParam());
    s.courses = 6; // the other side
    expectRoom(s, GetParam());
}

TEST_P(EveryPattern, TubeHasRoom) {
    if (isWoven(GetParam())) GTEST_SKIP();
    for (Index wales : {12, 28})
        for (bool helix : {false, true}) {
            PatternSettings s = small(GetParam());
            s.wales = wales;
            s.courses = 5;
            s.tube = true;
            s.continuous = helix;
            expectRoom(s, GetParam() + (helix ? " helix " : " rings ") + std::to_string(wales));
        }
}

namespace {
std::vector<std::string> allNames() {
    std::vector<std::string> names;
    for (const PatternName& n : patternNames()) names.push_back(n.name);
    return names;
}
} // namespace
INSTANTIATE_TEST_SUITE_P(All, EveryPattern, ::testing::ValuesIn(allNames()),
                         [](const auto& info) { return info.param; });

TEST(Clearance, TubeThatThePatternDoesNotDivide) {
    PatternSettings s = small("rib2x2");
    s.tube = true;
    s.wales = 13;
    expectRoom(s, "rings");
    s.continuous = true;
    expectRoom(s, "helix");
}

TEST(Clearance, AnyField) {
    PatternSettings s;
    s.wales = 10;
    s.courses = 8;
    s.field = {5, 6, {}};
    unsigned random = 12345;
    for (int i = 0; i < 30; ++i) {
        random = random * 1664525u + 1013904223u;
        s.field.cells.push_back((random >> 20) & 1 ? 1 : -1);
    }
    expectRoom(s, "random knit and purl");
    s.woven = true;
    for (auto& c : s.field.cells) c = c > 0;
    expectRoom(s, "random draft");
}

TEST(Clearance, OpenGauge) {
    PatternSettings s = small("stockinette");
    s.waleSpacing = 12 * s.radius;
    s.courseSpacing = 9 * s.radius;
    expectRoom(s, "open");
}

TEST(Clearance, TooTightSaysWhatFits) {
    for (const char* name : {"stockinette", "moss", "plain"}) {
        PatternSettings s = small(name);
        const bool woven = isWoven(name);
        s.waleSpacing = (woven ? 2.6 : 5.5) * s.radius;
        s.courseSpacing = (woven ? 2.6 : 3.8) * s.radius;
        std::string text;
        try {
            makePattern(s);
        } catch (const Error& e) {
            text = e.what();
            EXPECT_EQ(e.kind(), Error::Kind::Input);
        }
        EXPECT_NE(text.find("0.00125"), std::string::npos) << text;
        const std::string key = "holds a radius of ";
        const auto at = text.find(key);
        ASSERT_NE(at, std::string::npos) << text;
        const double holds = std::stod(text.substr(at + key.size()));
        EXPECT_LT(holds, s.radius);
        s.radius = holds; // and the promise is kept
        expectRoom(s, text);
    }
}
