// Purl's own lettering: ASCII as strokes (straight and quadratic pieces), drawn with smooth edges
// at any size.
#pragma once

#include "preview/image.h"

namespace purl {

struct TextStyle {
    double capHeight = 11; // px, height of a capital letter
    Rgb8 color = {58, 54, 50};
    double weight = 1.0; // stroke thickness, relative to the normal one
    double alpha = 1.0;
};

// Width in px of a line of text.
double textWidth(const std::string& text, const TextStyle&);

// Draws one line with its left end at x and its baseline at y (px). A character that is not
// printable ASCII is drawn as a box.
void drawText(Image&, const std::string& text, double x, double baseline, const TextStyle&);

// The text, cut with "..." so that it is at most maxWidth px wide.
std::string fitText(const std::string& text, double maxWidth, const TextStyle&);

} // namespace purl
