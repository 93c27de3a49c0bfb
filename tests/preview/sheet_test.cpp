#include "preview/sheet.h"

#include "preview/color.h"
#include "purl/base/error.h"

#include <gtest/gtest.h>
#include <set>

namespace purl {
namespace {

// Where the pixels of one colour lie.
struct Box {
    int left = 1 << 20, right = -1, top = 1 << 20, bottom = -1, count = 0;
};
Box find(const Image& image, Rgb8 c) {
    Box b;
    for (int y = 0; y < image.height; ++y) {
        for (int x = 0; x < image.width; ++x) {
            if (image.at(x, y) != c) continue;
            b.left = std::min(b.left, x);
            b.right = std::max(b.right, x);
            b.top = std::min(b.top, y);
            b.bottom = std::max(b.bottom, y);
            ++b.count;
        }
    }
    return b;
}

TEST(ContactSheet, ShowsEveryFrameWholeInReadingOrder) {
    std::vector<Image> frames;
    std::vector<std::string> labels;
    for (int i = 0; i < 5; ++i) {
        frames.emplace_back(80, 60, Rgb8{static_cast<std::uint8_t>(10 + i), 200, 17});
        labels.push_back("frame " + std::to_string(i + 1));
    }
    const Image page = contactSheet(frames, labels, 3, {"Title", "note", Legend{"speed", 0, 2}});
    std::vector<Box> boxes;
    for (const Image& f : frames) boxes.push_back(find(page, f.at(0, 0)));
    for (const Box& b : boxes) {
        EXPECT_EQ(b.right + 1 - b.left, 80);
        EXPECT_EQ(b.bottom + 1 - b.top, 60);
        EXPECT_GT(b.count, 80 * 60 - 60) << "covered by something";
    }
    EXPECT_EQ(boxes[0].top, boxes[2].top);
    EXPECT_LT(boxes[0].right, boxes[1].left);
    EXPECT_LT(boxes[1].right, boxes[2].left);
    EXPECT_GT(boxes[3].top, boxes[0].bottom);
    EXPECT_EQ(boxes[3].left, boxes[0].left);
    for (std::size_t i = 0; i < 5; ++i) { // ink of the label below each
        bool ink = false;
        for (int y = boxes[i].bottom + 1; y < std::min(page.height, boxes[i].bottom + 18); ++y) {
            for (int x = boxes[i].left; x <= boxes[i].right; ++x) ink |= page.at(x, y)[0] < 120;
        }
        EXPECT_TRUE(ink) << "label " << i;
    }
}

TEST(ContactSheet, RefusesNoFramesAndWrongLabels) {
    EXPECT_THROW(contactSheet({}, {}, 3), Error);
    EXPECT_THROW(contactSheet({Image(4, 4)}, {"a", "b"}, 3), Error);
    EXPECT_THROW(contactSheet({Image(4, 4)}, {"a"}, 0), Error);
    EXPECT_GT(contactSheet({Image(4, 4)}, {}, 3).width, 4);
}

TEST(Legend, BarRunsThroughTheRampFromLeftToRight) {
    Image image(300, 80, {255, 255, 255});
    drawLegend(image, {"tension (N)", -0.5, 12.3}, 20, 10, 200);
    for (double s : {0.1, 0.5, 0.9}) {
        const int x = 20 + static_cast<int>(200 * s);
        const Rgb8 expected = toSrgb(rampColor((x - 20 + 0.5) / 200));
        bool found = false;
        for (int y = 0; y < 80; ++y) found |= image.at(x, y) == expected;
        EXPECT_TRUE(found) << s;
    }
    EXPECT_EQ(find(image, {255, 255, 255}).left, 0);
}

TEST(Legend, NumbersAreShort) {
    EXPECT_EQ(shortNumber(0.00123456), "0.00123");
    EXPECT_EQ(shortNumber(12.0), "12");
    EXPECT_EQ(shortNumber(-0.0), "0");
    EXPECT_EQ(shortNumber(1234567), "1.23e+06");
}

TEST(Annotate, WritesOnlyIntoTheLowerCorners) {
    const Rgb8 grey{200, 200, 200};
    Image image(480, 360, grey);
    annotate(image, "frame 12", Legend{"strain", 0, 1});
    int left = 0, right = 0, above = 0;
    for (int y = 0; y < 360; ++y) {
        for (int x = 0; x < 480; ++x) {
            if (image.at(x, y) == grey) continue;
            (y < 280 ? above : x < 240 ? left : right) += 1;
        }
    }
    EXPECT_GT(left, 50);
    EXPECT_GT(right, 500);
    EXPECT_EQ(above, 0);
    Image tiny(12, 12, grey);
    annotate(tiny, "frame 12", Legend{"strain", 0, 1}); // too small for words: no harm
}

} // namespace
} // namespace purl
