#include "preview/sheet.h"

#include "preview/color.h"
#include "preview/font.h"
#include "purl/base/error.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace purl {
namespace {

constexpr Rgb8 kPage = {247, 244, 239}, kInk = {52, 48, 45}, kFaint = {128, 121, 114};

int rounded(double v) { return static_cast<int>(std::lround(v)); }

// Sizes of a legend, all from the bar's width so that it reads the same on any picture.
struct LegendLayout {
    TextStyle name, value;
    int bar, nameBase, barTop, valueBase, height;
    explicit LegendLayout(int barWidth) {
        const double cap = std::clamp(barWidth / 20.0, 7.0, 22.0);
        name = {cap, kInk, 1.15, 1};
        value = {0.85 * cap, kFaint, 1.1, 1};
        nameBase = rounded(1.2 * cap);
        barTop = rounded(2.0 * cap);
        bar = rounded(std::max(6.0, 0.9 * cap));
        valueBase = barTop + bar + rounded(1.6 * cap);
        height = valueBase + rounded(0.4 * cap);
    }
};

} // namespace

std::string shortNumber(double v) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", v == 0 ? 0.0 : v);
    return text;
}

Vec2 legendSize(int barWidth) { return {barWidth, LegendLayout(barWidth).height}; }

void drawLegend(Image& image, const Legend& legend, int x, int y, int barWidth) {
    const LegendLayout layout(barWidth);
    drawText(image, fitText(legend.name, barWidth, layout.name), x, y + layout.nameBase,
             layout.name);
    // Columns of the bar, with its ends rounded by drawing them through a mask.
    Image bar(barWidth, layout.bar);
    for (int i = 0; i < barWidth; ++i) {
        const Rgb8 c = toSrgb(rampColor((i + 0.5) / barWidth));
        for (int j = 0; j < layout.bar; ++j) bar.set(i, j, c);
    }
    paste(image, bar, x, y + layout.barTop, 0.5 * layout.bar);
    const std::string low = shortNumber(legend.min), high = shortNumber(legend.max);
    drawText(image, low, x, y + layout.valueBase, layout.value);
    drawText(image, high, x + barWidth - textWidth(high, layout.value), y + layout.valueBase,
             layout.value);
}

void annotate(Image& image, const std::string& label, const std::optional<Legend>& legend) {
    const double cap = std::clamp(image.width / 68.0, 7.0, 30.0);
    const int margin = rounded(2 * cap);
    if (!label.empty()) {
        const TextStyle style{cap, kInk, 1.15, 0.9};
        drawText(image, fitText(label, 0.6 * image.width, style), margin, image.height - margin,
                 style);
    }
    if (legend) {
        const int width = std::min(rounded(17 * cap), image.width - 2 * margin);
        if (width < 16) return; // no picture that small is looked at for its legend
        const Vec2 size = legendSize(width);
        const int x = image.width - margin - width, pad = rounded(0.9 * cap);
        const int y = image.height - margin - rounded(size.y());
        fillRect(image, x - pad, y - pad / 2, width + 2 * pad, rounded(size.y()) + pad, kPage,
                 0.8 * cap, 0.72); // the picture may be busy below it
        drawLegend(image, *legend, x, y, width);
    }
}

Image contactSheet(const std::vector<Image>& frames, const std::vector<std::string>& labels,
                   int columns, const SheetText& text) {
    if (frames.empty()) throw Error("contact sheet", "has no frames, expected at least one");
    if (!labels.empty() && labels.size() != frames.size()) {
        throw Error("contact sheet", "has " + std::to_string(labels.size()) + " labels for " +
                                         std::to_string(frames.size()) +
                                         " frames, expected one each or none");
    }
    if (columns < 1) {
        throw Error("contact sheet",
                    "has " + std::to_string(columns) + " columns, expected at least 1");
    }
    const int count = static_cast<int>(frames.size());
    columns = std::min(columns, count);
    const int rows = (count + columns - 1) / columns;
    const int w = frames.front().width, h = frames.front().height;

    const double cap = std::clamp(w / 44.0, 6.0, 24.0);
    const int gap = rounded(1.8 * cap), margin = rounded(2.6 * cap);
    const int labelHeight = labels.empty() ? 0 : rounded(2.0 * cap);
    const int width = 2 * margin + columns * w + (columns - 1) * gap;
    const int legendWidth = std::min(rounded(18 * cap), (width - 2 * margin) / 2);
    const TextStyle title{1.75 * cap, kInk, 1.25, 1}, note{cap, kFaint, 1.1, 1};
    int strip = 0; // height of what stands above the frames
    if (!text.title.empty()) strip += rounded(2.4 * cap);
    if (!text.note.empty()) strip += rounded(2.2 * cap);
    if (text.legend) strip = std::max(strip, rounded(legendSize(std::max(legendWidth, 16)).y()));
    if (strip > 0) strip += rounded(1.4 * cap);

    Image page(width, 2 * margin + strip + rows * (h + labelHeight) + (rows - 1) * gap, kPage);
    const double room = width - 2 * margin - (text.legend ? legendWidth + 2 * gap : 0);
    double base = margin + 1.75 * cap;
    if (!text.title.empty()) {
        drawText(page, fitText(text.title, room, title), margin, base, title);
        base += 2.4 * cap;
    } else {
        base = margin + cap;
    }
    if (!text.note.empty()) drawText(page, fitText(text.note, room, note), margin, base, note);
    if (text.legend) {
        drawLegend(page, *text.legend, width - margin - std::max(legendWidth, 16), margin,
                   std::max(legendWidth, 16));
    }
    const TextStyle labelStyle{cap, kInk, 1.15, 1};
    for (int i = 0; i < count; ++i) {
        const int x = margin + i % columns * (w + gap);
        const int y = margin + strip + i / columns * (h + labelHeight + gap);
        const Image& frame = frames[static_cast<std::size_t>(i)];
        Image tile(w, h, kPage);
        paste(tile, frame, 0, 0);
        paste(page, tile, x, y, 0.9 * cap);
        if (labels.empty()) continue;
        const std::string label = fitText(labels[static_cast<std::size_t>(i)], w, labelStyle);
        drawText(page, label, x + 0.2 * cap, y + h + 1.65 * cap, labelStyle);
    }
    return page;
}

} // namespace purl
