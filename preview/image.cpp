#include "preview/image.h"

#include "purl/base/error.h"

#include <algorithm>
#include <cmath>

namespace purl {
namespace {

// How much of pixel (x, y) a w x h rectangle with round corners at the origin covers, 0..1.
double cover(int x, int y, int w, int h, double radius) {
    const double r = std::min(radius, 0.5 * std::min(w, h));
    const double dx = std::abs(x + 0.5 - 0.5 * w) - (0.5 * w - r);
    const double dy = std::abs(y + 0.5 - 0.5 * h) - (0.5 * h - r);
    if (dx <= 0 || dy <= 0) return 1;
    return std::clamp(r - std::hypot(dx, dy) + 0.5, 0.0, 1.0);
}

} // namespace

Image::Image(int w, int h, Rgb8 fill) : width(w), height(h) {
    if (w < 1 || h < 1 || w > 32768 || h > 32768) {
        throw Error("image", "size is " + std::to_string(w) + " x " + std::to_string(h) +
                                 ", expected 1 to 32768 pixels each way");
    }
    rgb.resize(3 * static_cast<std::size_t>(w) * static_cast<std::size_t>(h));
    for (std::size_t i = 0; i < rgb.size(); ++i) rgb[i] = fill[i % 3];
}

void Image::mix(int x, int y, Rgb8 c, double alpha) {
    if (!inside(x, y) || alpha <= 0) return;
    std::uint8_t* p = &rgb[offset(x, y)];
    for (int k = 0; k < 3; ++k) {
        p[k] = static_cast<std::uint8_t>(std::lround(p[k] + (c[k] - p[k]) * std::min(alpha, 1.0)));
    }
}

void fillRect(Image& image, int x, int y, int w, int h, Rgb8 c, double radius, double alpha) {
    for (int j = 0; j < h; ++j) {
        for (int i = 0; i < w; ++i) image.mix(x + i, y + j, c, alpha * cover(i, j, w, h, radius));
    }
}

void paste(Image& to, const Image& from, int x, int y, double radius) {
    for (int j = 0; j < from.height; ++j) {
        for (int i = 0; i < from.width; ++i) {
            to.mix(x + i, y + j, from.at(i, j), cover(i, j, from.width, from.height, radius));
        }
    }
}

} // namespace purl
