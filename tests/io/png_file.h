// PNG files made by hand, right and wrong: signature, IHDR, chunks, IDAT, IEND.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>
#include <zlib.h>

namespace purl {

struct PngSpec {
    std::uint32_t width = 0, height = 0;
    int depth = 8, color = 2; // 0 grey, 2 RGB, 3 palette, 4 grey + alpha, 6 RGBA
    int interlace = 0;
    bool transparentColor = false;    // a tRNS chunk
    std::vector<std::uint8_t> pixels; // rows as they are in the file, without the filter bytes
};

inline void pngNumber(std::string& s, std::uint32_t v) {
    for (int i = 3; i >= 0; --i) s += static_cast<char>(v >> 8 * i);
}

inline void pngChunk(std::string& s, const std::string& type, const std::string& data) {
    pngNumber(s, static_cast<std::uint32_t>(data.size()));
    const std::string body = type + data;
    s += body;
    pngNumber(s, static_cast<std::uint32_t>(::crc32(0, reinterpret_cast<const Bytef*>(body.data()),
                                                    static_cast<uInt>(body.size()))));
}

inline std::string pngFile(const PngSpec& p) {
    std::string s = "\x89PNG\r\n\x1a\n", header;
    pngNumber(header, p.width);
    pngNumber(header, p.height);
    for (int v : {p.depth, p.color, 0, 0, p.interlace}) header += static_cast<char>(v);
    pngChunk(s, "IHDR", header);
    if (p.color == 3) pngChunk(s, "PLTE", std::string(6, '\x40'));
    if (p.transparentColor) pngChunk(s, "tRNS", std::string(p.color == 0 ? 2 : 6, '\0'));
    std::string rows;
    const std::size_t row = p.height ? p.pixels.size() / p.height : 0;
    for (std::uint32_t y = 0; y < p.height; ++y) {
        rows += '\0';
        rows.append(p.pixels.begin() + static_cast<std::ptrdiff_t>(y * row),
                    p.pixels.begin() + static_cast<std::ptrdiff_t>((y + 1) * row));
    }
    uLongf n = ::compressBound(static_cast<uLong>(rows.size()));
    std::string packed(n, '\0');
    ::compress(reinterpret_cast<Bytef*>(packed.data()), &n,
               reinterpret_cast<const Bytef*>(rows.data()), static_cast<uLong>(rows.size()));
    pngChunk(s, "IDAT", packed.substr(0, n));
    pngChunk(s, "IEND", "");
    return s;
}

// Rows from the top, one letter a pixel: w white, b black, r red, g grey (128).
inline PngSpec chart(const std::vector<std::string>& rows) {
    PngSpec p;
    p.height = static_cast<std::uint32_t>(rows.size());
    p.width = static_cast<std::uint32_t>(rows.empty() ? 0 : rows[0].size());
    for (const std::string& row : rows)
        for (char c : row) {
            const std::array<int, 3> rgb = c == 'w'   ? std::array<int, 3>{255, 255, 255}
                                           : c == 'r' ? std::array<int, 3>{255, 0, 0}
                                           : c == 'g' ? std::array<int, 3>{128, 128, 128}
                                                      : std::array<int, 3>{0, 0, 0};
            for (int v : rgb) p.pixels.push_back(static_cast<std::uint8_t>(v));
        }
    return p;
}

} // namespace purl
