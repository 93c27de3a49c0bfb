// An 8-bit sRGB picture, the few ways of drawing into it that labels and sheets need, and PNG
// files.
#pragma once

#include "purl/base/types.h"

#include <array>
#include <string>

namespace purl {

using Rgb8 = std::array<std::uint8_t, 3>; // sRGB

struct Image {
    int width = 0, height = 0;     // px
    std::vector<std::uint8_t> rgb; // rows from the top, 3 bytes a pixel

    Image() = default;
    Image(int w, int h, Rgb8 fill = {0, 0, 0});

    Rgb8 at(int x, int y) const {
        const std::uint8_t* p = &rgb[offset(x, y)];
        return {p[0], p[1], p[2]};
    }
    void set(int x, int y, Rgb8 c) {
        for (int k = 0; k < 3; ++k) rgb[offset(x, y) + k] = c[k];
    }
    bool inside(int x, int y) const { return x >= 0 && y >= 0 && x < width && y < height; }
    // Mixes c over the pixel with weight alpha (0..1); nothing happens outside the picture.
    void mix(int x, int y, Rgb8 c, double alpha);

private:
    std::size_t offset(int x, int y) const {
        return 3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                    static_cast<std::size_t>(x));
    }
};

// A rectangle with round, smooth corners (radius in px, 0 for sharp ones).
void fillRect(Image&, int x, int y, int w, int h, Rgb8 c, double radius = 0, double alpha = 1);

// Copies `from` into `to` with its upper left corner at x, y, its corners rounded. What falls
// outside is cut off.
void paste(Image& to, const Image& from, int x, int y, double radius = 0);

// Writes a PNG so that the path never holds half a file: to a temporary name in the same folder,
// flushed to disk, then renamed. Throws Error of kind Disk, and leaves nothing behind.
void writePng(const std::string& path, const Image&);

} // namespace purl
