// Drafts by name and as matrices, against what weaving books draw and against brute force.
#include "purl/base/error.h"
#include "purl/crossing/draft.h"

#include <gtest/gtest.h>

using namespace purl;

namespace {

// As drawn: the last row first.
std::string drawn(const Draft& d) {
    std::string out;
    for (Index i = d.field.rows - 1; i >= 0; --i) {
        for (Index j = 0; j < d.field.columns; ++j) out += d.field.at(i, j) == 1 ? '1' : '0';
        if (i > 0) out += ',';
    }
    return out;
}

std::string messageOf(const std::string& text) {
    try {
        draftByName(text);
    } catch (const Error& e) {
        return e.what();
    }
    return "";
}

Index longestFloat(const StitchField& f, int value) { // of a warp
    Index longest = 0;
    for (Index j = 0; j < f.columns; ++j)
        for (Index i = 0; i < f.rows; ++i) {
            Index n = 0;
            while (n < f.rows && f.at(i + n, j) == value) ++n;
            longest = std::max(longest, n);
        }
    return longest;
}

} // namespace

TEST(Draft, NamedOnesAreAsDrawn) {
    EXPECT_EQ(drawn(draftByName("plain")), "01,10");
    EXPECT_EQ(drawn(draftByName("twill2/2")), "1001,0011,0110,1100");
    EXPECT_EQ(drawn(draftByName("twill2/2s")), "0110,0011,1001,1100");
    EXPECT_EQ(drawn(draftByName("twill3/1")), "1101,1011,0111,1110");
    EXPECT_EQ(drawn(draftByName("twill1/2")), "001,010,100");
    EXPECT_EQ(drawn(draftByName("basket2")), "0011,0011,1100,1100");
    EXPECT_EQ(drawn(draftByName("basket2/1")), "0011,1100");
    EXPECT_EQ(drawn(draftByName("satin5")), "11101,10111,11110,11011,01111");
    EXPECT_EQ(drawn(draftByName("sateen5/2")), "00010,01000,00001,00100,10000");
    EXPECT_EQ(drawn(draftByName("0110,1100,1001")), "0110,1100,1001");
    EXPECT_EQ(drawn(draftByName("twill2x2")), drawn(draftByName("twill2/2")));
    EXPECT_FALSE(draftByName("rib3x2").woven);
    EXPECT_EQ(drawn(draftByName("rib3x2")), "11100");
    EXPECT_FALSE(draftByName("stockinette").woven);
}

TEST(Draft, TwillsRunOverAndUnderWhatTheySay) {
    for (Index over = 1; over <= 6; ++over)
        for (Index under = 1; under <= 6; ++under) {
            const Draft d =
                draftByName("twill" + std::to_string(over) + "/" + std::to_string(under));
            EXPECT_EQ(longestFloat(d.field, 1), over);
            EXPECT_EQ(longestFloat(d.field, 0), under);
            EXPECT_TRUE(draftWarnings(d).empty()) << d.name;
            for (Index i = 0; i < d.field.rows; ++i) // each weft one warp to the right
                for (Index j = 0; j < d.field.columns; ++j)
                    EXPECT_EQ(d.field.at(i, j), d.field.at(i + 1, j + 1));
        }
}

// One interlacing a thread, and no two neighbouring ones: what makes a satin.
TEST(Draft, SatinsHaveOneBindingPointAThreadAndNoneTouch) {
    for (Index n : {5, 7, 8, 9, 10, 12, 16}) {
        const Draft d = draftByName("satin" + std::to_string(n));
        for (Index k = 0; k < n; ++k) {
            Index row = 0, column = 0;
            for (Index m = 0; m < n; ++m) {
                row += d.field.at(k, m) == 0;
                column += d.field.at(m, k) == 0;
            }
            EXPECT_EQ(row, 1);
            EXPECT_EQ(column, 1);
        }
        for (Index i = 0; i < n; ++i)
            for (Index j = 0; j < n; ++j)
                if (d.field.at(i, j) == 0)
                    for (Index s : {-1, 1}) {
                        EXPECT_EQ(d.field.at(i + 1, j + s), 1) << d.name;
                        EXPECT_EQ(d.field.at(i - 1, j + s), 1) << d.name;
                    }
        EXPECT_TRUE(draftWarnings(d).empty());
    }
    for (const char* none : {"satin3", "satin4", "satin6", "satin8/2", "satin8/7"})
        EXPECT_NE(messageOf(none).find("a satin: at least 5 ends but not 6"), std::string::npos)
            << none;
}

TEST(Draft, HerringboneTurnsAndCutsItsDiagonals) {
    const Draft d = draftByName("herringbone2/2x6");
    EXPECT_EQ(d.field.columns, 12);
    for (Index i = 0; i < 4; ++i) {
        for (Index j = 0; j + 1 < 6; ++j) EXPECT_EQ(d.field.at(i, j), d.field.at(i + 1, j + 1));
        for (Index j = 6; j + 1 < 12; ++j) EXPECT_EQ(d.field.at(i + 1, j), d.field.at(i, j + 1));
        EXPECT_NE(d.field.at(i, 5), d.field.at(i, 6));
        EXPECT_NE(d.field.at(i, 11), d.field.at(i, 0));
    }
    EXPECT_LE(longestFloat(d.field, 1), 2);
    EXPECT_TRUE(draftWarnings(d).empty());
}

TEST(Draft, WrongNamesSayWhatWouldBeRight) {
    for (const char* bad :
         {"", "linen", "twill", "twill2", "twill2/0", "twill2//2", "twill2/2/1", "twill99/1",
          "basket0", "basket1/2/3", "herringbone2", "rib2", "2101", "twill-1/2", "satinx"}) {
        const std::string what = messageOf(bad);
        EXPECT_NE(what.find("'" + std::string(bad) + "' was found, expected"), std::string::npos)
            << bad << ": " << what;
    }
    EXPECT_NE(messageOf("10,1").find("has 1 cells, expected 2"), std::string::npos);
}

TEST(Draft, TextIsReadAsItLooks) {
    const Draft d = draftFromText("// a twill\n. x x .\n\n0,1,0,1 // under, over\n##..\n", "t.txt");
    EXPECT_EQ(drawn(d), "0110,0101,1100");
    const auto message = [](const char* text) -> std::string {
        try {
            draftFromText(text, "t.txt");
        } catch (const Error& e) {
            return e.what();
        }
        return "";
    };
    EXPECT_NE(message("01\n012\n").find("t.txt: line 2, column 3: '2' was found"),
              std::string::npos);
    EXPECT_NE(message("01\n0\n").find("t.txt: line 2: has 1 cells, expected 2"), std::string::npos);
    EXPECT_NE(message("\n// nothing\n").find("t.txt: has no row"), std::string::npos);
    EXPECT_NE(message("0\x01").find("column 2: byte 1 was found"), std::string::npos);
}

TEST(Draft, WhatWillNotHoldIsNamed) {
    const auto first = [](const Draft& d) {
        const auto w = draftWarnings(d);
        return w.empty() ? std::string() : w.front();
    };
    EXPECT_NE(
        first(draftByName("110,010")).find("2 of 3 warps never interlace (the first is warp 2)"),
        std::string::npos)
        << first(draftByName("110,010"));
    EXPECT_NE(first(draftByName("11,00")).find("2 of 2 wefts never interlace"), std::string::npos);
    // Two plain weaves, one over the other: warps 1 and 3 with wefts 1 and 3 on top.
    const Draft doubleCloth = draftByName("1011,0010,1110,1000");
    EXPECT_NE(first(doubleCloth).find("falls apart into layers"), std::string::npos)
        << first(doubleCloth);
    EXPECT_TRUE(draftWarnings(draftByName("garter")).empty());
}

TEST(Draft, FieldsAreChecked) {
    Draft d = draftByName("plain");
    d.field.cells[2] = 3;
    EXPECT_THROW(validateDraft(d, "x"), Error);
    d = draftByName("plain");
    d.field.cells.pop_back();
    EXPECT_THROW(validateDraft(d, "x"), Error);
    d = draftByName("plain");
    d.warpColor.resize(3);
    EXPECT_THROW(validateDraft(d, "x"), Error);
    EXPECT_NO_THROW(validateDraft(draftByName("rib2x2"), "x"));
}
