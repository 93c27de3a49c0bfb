// Pictures with words: a label and a legend on one frame, or many frames on one sheet.
#pragma once

#include "preview/image.h"

#include <optional>

namespace purl {

// The bar that explains an attribute's colours (rampColor from min to max).
struct Legend {
    std::string name; // of the attribute, with its unit if it has one: "speed (m/s)"
    double min = 0, max = 1;
};

// A number as a label shows it: three digits, no needless zeros.
std::string shortNumber(double);

// Width and height in px that drawLegend covers for a bar of that width.
Vec2 legendSize(int barWidth);
// Draws name, bar, min and max with the upper left corner at x, y.
void drawLegend(Image&, const Legend&, int x, int y, int barWidth);

// Writes a label into the lower left corner of a frame and a legend into the lower right one.
void annotate(Image&, const std::string& label, const std::optional<Legend>& = {});

struct SheetText {
    std::string title; // empty: no strip above the frames, unless there is a note or a legend
    std::string note;  // a smaller line below the title
    std::optional<Legend> legend;
};

// All frames on one page, row by row, each with its label below it. The frames should be of one
// size (larger ones are cut to that of the first).
Image contactSheet(const std::vector<Image>& frames, const std::vector<std::string>& labels,
                   int columns, const SheetText& = {});

} // namespace purl
