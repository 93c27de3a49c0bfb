// Charts: small PNG pictures of which every pixel has a meaning, so nothing about a pixel may be
// guessed. Grey or RGB of up to 8 bits; palettes, transparency, 16 bits and interlacing are refused
// by name.
#pragma once

#include "purl/base/types.h"

#include <array>
#include <string>

namespace purl {

using Rgb = std::array<std::uint8_t, 3>;

struct ChartImage {
    Index width = 0, height = 0;
    std::vector<Rgb> pixels; // row by row, the top one first
    const Rgb& at(Index x, Index y) const {
        return pixels[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                      static_cast<std::size_t>(x)];
    }
};

// Throw Error naming the file and what is wrong with it.
ChartImage readChart(const std::string& path);
ChartImage readChartBytes(Span<const std::uint8_t> bytes, const std::string& name);

} // namespace purl
