// WIF files as weaving programs write them, and as they should not.
#include "purl/base/error.h"
#include "purl/crossing/wif.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

using namespace purl;

namespace {

// A 2/2 twill on four shafts, with the sections a program of the trade writes, in its order.
const char* kTwill = R"([WIF]
Version=1.1
Date=April 20, 1997
Developers=wif@mhsoft.com
Source Program=Fiberworks PCW
Source Version=4.2

[CONTENTS]
COLOR PALETTE=true
TEXT=true
WEAVING=true
WARP=true
WEFT=true
COLOR TABLE=true
THREADING=true
TIEUP=true
TREADLING=true
WARP COLORS=true

[TEXT]
Title=Twill, 4 shafts
; Creation Date=a comment

[THREADING]
1=1
2=2
3=3
4=4

[TIEUP]
1=1,2
2=2,3
3=3,4
4=1,4

[TREADLING]
1=1
2=2
3=3
4=4

[WEAVING]
Rising Shed=true
Treadles=4
Shafts=4

[WARP]
Threads=4
Color=1
Units=Decipoints
Spacing=72
Thickness=36

[WEFT]
Threads=4
Color=2
Units=centimeters
Spacing=0.212

[WARP COLORS]
3=3

[COLOR TABLE]
1=999,999,999
2=0,0,500
3=999,0,0

[COLOR PALETTE]
Range=0,999
Entries=3
)";

std::string with(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

// "line 31": where `mark` stands in the text.
std::string lineOf(const std::string& text, const std::string& mark) {
    const std::size_t at = text.find(mark);
    return "line " + std::to_string(std::count(text.begin(), text.begin() + at, '\n') + 1);
}

std::string drawn(const Draft& d) {
    std::string out;
    for (Index i = 0; i < d.field.rows; ++i) {
        for (Index j = 0; j < d.field.columns; ++j) out += d.field.at(i, j) == 1 ? '1' : '0';
        if (i + 1 < d.field.rows) out += ',';
    }
    return out;
}

Draft quiet(const std::string& text) {
    std::vector<std::string> warnings;
    const Draft d = parseWif(text, "a.wif", warnings);
    EXPECT_TRUE(warnings.empty()) << warnings.front();
    return d;
}

// Reads and expects just this one warning.
Draft warned(const std::string& text, const std::string& warning) {
    std::vector<std::string> warnings;
    const Draft d = parseWif(text, "a.wif", warnings);
    EXPECT_EQ(warnings.size(), 1u);
    for (const std::string& w : warnings)
        EXPECT_NE(w.find(warning), std::string::npos) << w << "\nexpected: " << warning;
    return d;
}

std::string refused(const std::string& text) {
    std::vector<std::string> warnings;
    try {
        parseWif(text, "a.wif", warnings);
    } catch (const Error& e) {
        return e.what();
    }
    return "";
}

// sRGB 0..1 to linear, from the standard's own table of 8-bit values: 128 -> 0.2158605.
double linear(double s) { return std::pow((s + 0.055) / 1.055, 2.4); }

} // namespace

TEST(Wif, ATreadledTwillWithColoursTo999) {
    const Draft d = quiet(kTwill);
    EXPECT_EQ(d.name, "Twill, 4 shafts");
    EXPECT_EQ(drawn(d), "1100,0110,0011,1001"); // the first pick first
    ASSERT_EQ(d.warpColor.size(), 4u);
    EXPECT_NEAR((d.warpColor[0] - Vec3(1, 1, 1)).norm(), 0, 1e-12);
    EXPECT_NEAR((d.warpColor[2] - Vec3(1, 0, 0)).norm(), 0, 1e-12);
    EXPECT_NEAR((d.weftColor[1] - Vec3(0, 0, linear(500.0 / 999))).norm(), 0, 1e-12);
    EXPECT_NEAR(d.warpSpacing[0], 0.00254, 1e-12); // 72 of 720 to the inch
    EXPECT_NEAR(d.warpDiameter[3], 0.00127, 1e-12);
    EXPECT_NEAR(d.weftSpacing[2], 0.00212, 1e-12);
    EXPECT_TRUE(d.weftDiameter.empty());
}

TEST(Wif, ASinkingShedIsTheOtherSide) {
    EXPECT_EQ(drawn(quiet(with(kTwill, "Rising Shed=true", "Rising Shed=false"))),
              "0011,1001,1100,0110");
}

TEST(Wif, ALiftPlanComesBeforeTreadling) {
    const std::string text =
        with(kTwill, "[TREADLING]", "[LIFTPLAN]\n1=1\n2=2\n3=3\n4=4\n[TREADLING]");
    EXPECT_EQ(drawn(quiet(text)), "1000,0100,0010,0001");
}

TEST(Wif, SeveralShaftsAnEndAndTreadlesAPick) {
    std::string text = with(kTwill, "2=2\n3=3\n4=4\n\n[TIEUP]", "2=2,1\n3=3\n4=4\n\n[TIEUP]");
    text = with(text, "[TREADLING]\n1=1", "[TREADLING]\n1=0,1,3");
    EXPECT_EQ(drawn(quiet(text)), "1111,0110,0011,1101");
}

TEST(Wif, PrivateAndUnknownSectionsAreLeftAlone) {
    std::string text = with(kTwill, "[THREADING]",
                            "[PRIVATE ACME TWILL MASTER]\nany line at all\n1=one\n1=two\n"
                            "[BULLETIN]\nMessage=hello\n[NOTES]\n1=first; with a semicolon\n"
                            "[THREADING]");
    EXPECT_EQ(drawn(quiet(text)), "1100,0110,0011,1001");
}

TEST(Wif, CaseBlanksLineEndsAndMarksDoNotMatter) {
    std::string text = "\xEF\xBB\xBF";
    for (const char* c = kTwill; *c; ++c)
        text += *c == '\n' ? std::string(" \r\n") : std::string(1, *c);
    text = with(text, "[THREADING]", "[ Threading ]");
    text = with(text, "2=2 \r\n3=3 \r\n4=4 \r\n \r\n[TIEUP]",
                " 2 = 2 ;[4]Border\r\n3=3\r\n4=4\r\n[TieUp]");
    EXPECT_EQ(drawn(quiet(text)), "1100,0110,0011,1001");
}

TEST(Wif, DamageIsRepairedAndNamedByLine) {
    EXPECT_EQ(drawn(warned(with(kTwill, "[WIF]\nVersion=1.1", "[FIW]\nVersion=1.1"),
                           "has no [WIF] header")),
              "1100,0110,0011,1001");
    warned(with(kTwill, "Version=1.1", "Version=2"), "line 2: Version is '2'");
    for (const auto& [line, what] : {std::pair("rubbish here", "is neither key=value"),
                                     std::pair("2=2 ", "a key that was there before"),
                                     std::pair("[WARP]\n", "a section that was there"),
                                     std::pair("x=2", "the key is no number")}) {
        const std::string text = with(kTwill, "\n[TIEUP]", line + std::string("\n[TIEUP]"));
        if (line[0] == '[')
            warned(text, ": a section that was there before: joined to it");
        else
            warned(text, lineOf(text, line) + ": " + what);
    }
    warned(with(kTwill, "Shafts=4", "Shafts=3"), "shaft 4 is used, but [WEAVING] says 3");
    EXPECT_EQ(warned(with(kTwill, "[WEFT]\nThreads=4", "[WEFT]\nThreads=3"),
                     "number 4 was found, expected at most 3 as Threads of [WEFT] says")
                  .field.rows,
              4);
    EXPECT_EQ(drawn(warned(with(kTwill, "2=2\n3=3\n4=4\n\n[TIEUP]", "3=3\n4=4\n\n[TIEUP]"),
                           "1 of 4 warps have no shaft; they stay under every weft (the first is "
                           "number 2)")),
              "1000,0010,0011,1001");
    // Without a tie-up each treadle lifts its own shaft.
    std::string direct = with(kTwill, "[TIEUP]\n1=1,2\n2=2,3\n3=3,4\n4=1,4\n", "");
    direct = with(direct, "TIEUP=true\n", "");
    EXPECT_EQ(drawn(warned(direct, "has no [TIEUP]; treadle n lifts shaft n")),
              "1000,0100,0010,0001");
    warned(with(kTwill, "TEXT=true", "WEFT SPACING=true"),
           "line 10: CONTENTS names a section that is not there");
}

TEST(Wif, NumberingFromZeroMovesUp) {
    const std::string text =
        with(kTwill, "1=1\n2=2\n3=3\n4=4\n\n[TIEUP]", "0=1\n1=2\n2=3\n3=4\n\n[TIEUP]");
    EXPECT_EQ(drawn(warned(text, "[threading] counts from 0")), "1100,0110,0011,1001");
}

TEST(Wif, AFileCutOffInItsPicksIsSaid) {
    std::string text = with(kTwill, "3=3\n4=4\n\n[WEAVING]", "\n[WEAVING]");
    const Draft d = warned(
        text, "Threads of [WEFT] says 4, but [treadling] ends at 2; the draft has that many");
    EXPECT_EQ(drawn(d), "1100,0110");
    // A pick in the middle without a treadle stays, and is said.
    text = with(kTwill, "[TREADLING]\n1=1\n2=2\n", "[TREADLING]\n1=1\n");
    EXPECT_EQ(drawn(warned(text, "1 of 4 wefts have no lifted shaft")), "1100,0000,0011,1001");
}

TEST(Wif, ColoursOutsideTheirRange) {
    EXPECT_NEAR(warned(with(kTwill, "3=999,0,0", "3=1200,0,0"), "a colour is outside its Range")
                    .warpColor[2][0],
                1, 1e-12);
    warned(with(kTwill, "3=999,0,0", "3=999,0,0\n4=999,0"), "three numbers were expected");
    EXPECT_NEAR((warned(with(kTwill, "[WARP COLORS]\n3=3", "[WARP COLORS]\n3=77"),
                        "the colour is not in [COLOR TABLE]")
                     .warpColor[2] -
                 Vec3(1, 1, 1))
                    .norm(),
                0, 1e-12);
    // No range, but a value that 255 cannot hold.
    EXPECT_NEAR(quiet(with(kTwill, "Range=0,999\n", "")).weftColor[0][2], linear(500.0 / 999),
                1e-12);
    EXPECT_NEAR(warned(with(kTwill, "Range=0,999", "Range=all"), "Range is 'all'").weftColor[0][2],
                linear(500.0 / 999), 1e-12);
    // A smaller range of the same colours.
    std::string text = with(kTwill, "Range=0,999", "Range=0,255");
    text = with(text, "1=999,999,999", "1=255,255,255");
    text = with(with(text, "2=0,0,500", "2=0,0,128"), "3=999,0,0", "3=255,0,0");
    EXPECT_NEAR(quiet(text).weftColor[0][2], 0.2158605, 1e-6);
}

TEST(Wif, LengthsThatAreNone) {
    const Draft d =
        warned(with(kTwill, "[WARP COLORS]", "[WARP SPACING]\n2=144\n3=-5\n[WARP COLORS]"),
               "a spacing > 0 was expected");
    EXPECT_NEAR(d.warpSpacing[1], 0.00508, 1e-12);
    EXPECT_NEAR(d.warpSpacing[2], 0.00254, 1e-12);
    warned(with(kTwill, "Units=Decipoints", "Units=furlongs"), "Units is 'furlongs'");
}

TEST(Wif, WhatCannotBeReadIsRefusedByLine) {
    EXPECT_NE(refused("").find("no [section] was found"), std::string::npos);
    EXPECT_NE(
        refused(with(kTwill, "1=1\n2=2\n3=3\n4=4\n\n[TIEUP]", "1=one\n[TIEUP]"))
            .find(lineOf(kTwill, "1=1\n2=2") + ": 'one' was found, expected the number of a shaft"),
        std::string::npos);
    EXPECT_NE(refused(with(kTwill, "[THREADING]", "[HREADING]")).find("has no [THREADING]"),
              std::string::npos);
    EXPECT_NE(refused(with(kTwill, "[TREADLING]", "[READLING]")).find("neither [LIFTPLAN] nor"),
              std::string::npos);
    EXPECT_NE(
        refused(with(kTwill, "Threads=4", "Threads=4000000"))
            .find(lineOf(kTwill, "Threads=4\nColor=1") + ": '4000000' was found, expected at most"),
        std::string::npos);
    EXPECT_NE(refused(with(kTwill, "[TIEUP]\n1=1,2", "[TIEUP]\n1=-1"))
                  .find("'-1' was found, expected the number of a shaft"),
              std::string::npos);
    EXPECT_NE(refused(std::string(kTwill, 60) + std::string("\0\0[", 3)).find("a zero byte"),
              std::string::npos);
}

// Every prefix, and every byte changed: an Error or a draft that is sound, never anything else.
TEST(Wif, NoDamageBreaksTheReader) {
    const std::string whole = kTwill;
    const auto survive = [](const std::string& text) {
        std::vector<std::string> warnings;
        try {
            validateDraft(parseWif(text, "a.wif", warnings), "a.wif");
        } catch (const Error&) {
        }
    };
    for (std::size_t n = 0; n < whole.size(); ++n) survive(whole.substr(0, n));
    for (std::size_t n = 0; n < whole.size(); ++n)
        for (char c : {'\0', '\n', '=', '[', '9', '-', ',', '\xff'}) {
            std::string text = whole;
            text[n] = c;
            survive(text);
        }
}
