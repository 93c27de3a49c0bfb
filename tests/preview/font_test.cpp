#include "preview/font.h"

#include <cmath>
#include <gtest/gtest.h>
#include <map>

namespace purl {
namespace {

struct Ink {
    int left = 1 << 20, right = -1, top = 1 << 20, bottom = -1;
};

Ink inkOf(const Image& image) {
    Ink ink;
    for (int y = 0; y < image.height; ++y) {
        for (int x = 0; x < image.width; ++x) {
            if (image.at(x, y)[0] > 127) continue;
            ink.left = std::min(ink.left, x);
            ink.right = std::max(ink.right, x);
            ink.top = std::min(ink.top, y);
            ink.bottom = std::max(ink.bottom, y);
        }
    }
    return ink;
}

Image written(const std::string& text, double cap, int w = 64, int h = 40) {
    Image image(w, h, {255, 255, 255});
    TextStyle style;
    style.capHeight = cap;
    style.color = {0, 0, 0};
    drawText(image, text, 6, 28, style);
    return image;
}

TEST(Font, EveryPrintableCharacterIsDrawnAndNoTwoAreAlike) {
    for (double cap : {8.0, 18.0}) {
        std::map<std::vector<std::uint8_t>, char> seen;
        for (char c = '!'; c <= '~'; ++c) {
            const Image image = written(std::string(1, c), cap);
            EXPECT_GE(inkOf(image).right, 0) << "nothing drawn for " << c;
            const auto [place, fresh] = seen.emplace(image.rgb, c);
            EXPECT_TRUE(fresh) << c << " looks like " << place->second << " at " << cap << " px";
        }
    }
}

TEST(Font, CapitalsStandOnTheBaselineAtTheHeightAskedFor) {
    for (char c : std::string("AEHIKLMNTVWXYZ")) {
        const Ink ink = inkOf(written(std::string(1, c), 18));
        // A stroke's thickness, 18 * 1.15 / 9 = 2.3 px, is centred on the outline.
        EXPECT_NEAR(ink.bottom + 1, 28 + 1.15, 1.0) << c;
        EXPECT_NEAR(ink.bottom + 1 - ink.top, 18 + 2.3, 1.5) << c;
    }
    EXPECT_GT(inkOf(written("g", 18)).bottom, 28 + 4); // a tail below it
}

TEST(Font, WidthIsThatOfTheInk) {
    TextStyle style;
    style.capHeight = 18;
    const std::string text = "Hallo, Maschen";
    const Ink ink = inkOf(written(text, 18, 400));
    EXPECT_NEAR(ink.right + 1 - ink.left, textWidth(text, style), 1.5);
    EXPECT_NEAR(ink.left, 6, 1);
}

TEST(Font, DigitsAreOfOneWidth) {
    TextStyle style;
    EXPECT_DOUBLE_EQ(textWidth("1111", style), textWidth("8808", style));
}

TEST(Font, LongTextIsCutToFit) {
    TextStyle style;
    const std::string text = "a name that is much longer than the frame it belongs to";
    const std::string cut = fitText(text, 120, style);
    EXPECT_LE(textWidth(cut, style), 120);
    EXPECT_GT(textWidth(cut, style), 100);
    EXPECT_EQ(cut.substr(cut.size() - 3), "...");
    EXPECT_EQ(fitText("short", 120, style), "short");
}

TEST(Font, UnknownBytesAreBoxesAndOutsideIsHarmless) {
    EXPECT_GE(inkOf(written("\xc3", 18)).right, 0);
    Image image(8, 8, {255, 255, 255});
    drawText(image, "clipped on all sides", -30, 5, TextStyle());
    EXPECT_GE(inkOf(image).right, 0);
}

} // namespace
} // namespace purl
