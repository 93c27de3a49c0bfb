#include "purl/io/png_image.h"

#include "io/png_file.h"
#include "purl/base/error.h"

#include <gtest/gtest.h>
#include <random>

using namespace purl;

namespace {

ChartImage read(const std::string& bytes) {
    return readChartBytes({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()},
                          "c.png");
}
std::string refusal(const std::string& bytes) {
    try {
        read(bytes);
    } catch (const Error& e) {
        return e.what();
    }
    return "";
}

TEST(PngImage, PixelsAreTheirOwn) {
    const ChartImage i = read(pngFile(chart({"wbr", "gww"})));
    ASSERT_EQ(i.width, 3);
    ASSERT_EQ(i.height, 2);
    EXPECT_EQ(i.at(0, 0), (Rgb{255, 255, 255}));
    EXPECT_EQ(i.at(1, 0), (Rgb{0, 0, 0}));
    EXPECT_EQ(i.at(2, 0), (Rgb{255, 0, 0}));
    EXPECT_EQ(i.at(0, 1), (Rgb{128, 128, 128}));
}

TEST(PngImage, GreyOfOneBitAndOfEight) {
    PngSpec one;
    one.width = 10;
    one.height = 1;
    one.depth = 1;
    one.color = 0;
    one.pixels = {0b10100000, 0b01000000};
    const ChartImage i = read(pngFile(one));
    for (Index x = 0; x < 10; ++x)
        EXPECT_EQ(i.at(x, 0)[1], x == 0 || x == 2 || x == 9 ? 255 : 0) << x;
    PngSpec eight;
    eight.width = 2;
    eight.height = 1;
    eight.color = 0;
    eight.pixels = {7, 255};
    EXPECT_EQ(read(pngFile(eight)).at(0, 0), (Rgb{7, 7, 7}));
}

TEST(PngImage, WhatMayNotBeGuessedIsRefusedByName) {
    const auto with = [](auto&& change) {
        PngSpec p = chart({"wb", "bw"});
        change(p);
        return refusal(pngFile(p));
    };
    const auto has = [](const std::string& text, const std::string& part) {
        EXPECT_NE(text.find(part), std::string::npos) << text << "\nexpected: " << part;
        EXPECT_NE(text.find("c.png"), std::string::npos) << text;
    };
    has(with([](PngSpec& p) { p.color = 3, p.pixels = {0, 1, 1, 0}; }), "palette");
    has(with([](PngSpec& p) { p.color = 6, p.pixels.assign(16, 255); }), "alpha");
    has(with([](PngSpec& p) { p.color = 4, p.pixels.assign(8, 255); }), "alpha");
    has(with([](PngSpec& p) { p.transparentColor = true; }), "alpha");
    has(with([](PngSpec& p) { p.depth = 16, p.pixels.assign(24, 255); }), "16 bits");
    has(with([](PngSpec& p) { p.interlace = 1; }), "interlaced");
    has(with([](PngSpec& p) { p.width = 0, p.pixels.clear(); }), "0 pixels wide");
    has(with([](PngSpec& p) { p.height = 0, p.pixels.clear(); }), "0 pixels high");
    has(with([](PngSpec& p) { p.width = 30000; }), "c.png");
    has(with([](PngSpec& p) { p.width = 15000, p.height = 15000, p.pixels.clear(); }), "at most");
    has(with([](PngSpec& p) { p.width = 1900, p.height = 2000, p.pixels.clear(); }), "cut short");
    has(refusal(""), "is empty");
    has(refusal("GIF89a, and then some"), "not a PNG");
}

TEST(PngImage, CutAndDamagedFilesAreRefused) {
    const std::string whole = pngFile(chart(std::vector<std::string>(20, "wbrgwbrgwbrg")));
    for (std::size_t n = 0; n < whole.size(); ++n)
        EXPECT_NE(refusal(whole.substr(0, n)), "") << "cut at " << n;
    std::mt19937 random(3);
    int readable = 0;
    for (int k = 0; k < 3000; ++k) {
        std::string m = whole;
        for (unsigned hits = 1 + random() % 3; hits > 0; --hits)
            m[random() % m.size()] = static_cast<char>(random());
        readable += refusal(m).empty() ? 1 : 0; // a sum of CRCs lets nothing else pass
    }
    EXPECT_LT(readable, 30);
}

} // namespace
