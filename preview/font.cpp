#include "preview/font.h"

#include <algorithm>
#include <cmath>

namespace purl {
namespace {

// The glyphs of ' ' to '~'. A glyph is strokes parted by spaces; a stroke is points, two hex digits
// each (x then y, baseline 3, small letters to 9, capitals to c, tails to 0). A point after '~' is
// the control point of a quadratic piece, and between two such lies a point of the curve halfway,
// as in TrueType. A stroke that starts with 'o' is closed and all of its points are control points.
constexpr const char* kGlyphs[95] = {
    "",                                            // space
    "0c06 0303",                                   // !
    "0c0a 2c2a",                                   // "
    "131c 434c 0656 0959",                         // #
    "5a~5b3b~0b~0838~58~5434~0405 3d32",           // $
    "036c o~0c~2c~2a~0a o~45~65~63~43",            // %
    "631a~1c2c~4c4a~4917~0605~0323~5367",          // &
    "0c0a",                                        // '
    "2d~0b~0422",                                  // (
    "0d~2b~2402",                                  // )
    "2c28 0b49 4b09",                              // *
    "2925 0747",                                   // +
    "1301",                                        // ,
    "0737",                                        // -
    "0303",                                        // .
    "024d",                                        // /
    "o~0c~5c~53~03",                               // 0
    "1a3c33",                                      // 1
    "0a~0c2c~5c5a~580353",                         // 2
    "0a~0c2c~5c~5828~58~5323~0305",                // 3
    "434c0555",                                    // 4
    "5c0c0828~58~5323~0305",                       // 5
    "4c~0b05 o~08~58~53~03",                       // 6
    "0c5c23",                                      // 7
    "o~0c~5c~58~08 o~08~58~53~03",                 // 8
    "13~545a o~0c~5c~57~07",                       // 9
    "0303 0808",                                   // :
    "1301 1818",                                   // ;
    "4a0744",                                      // <
    "0848 0545",                                   // =
    "0a4704",                                      // >
    "0a~0c2c~4c4a~482726 2323",                    // ?
    "5956~5464~8488~8c4c~0c~024262 o~25~55~59~29", // @
    "033c63 1656",                                 // A
    "030c3c~5c~5838 0838~68~633303",               // B
    "6a~6c3c~0c~0333~6365",                        // C
    "030c2c~6c~632303",                            // D
    "5c0c0353 0848",                               // E
    "5c0c03 0848",                                 // F
    "6a~6c3c~0c~0333~636747",                      // G
    "030c 636c 0868",                              // H
    "030c",                                        // I
    "4c45~4323~0305",                              // J
    "030c 5c07 2953",                              // K
    "0c0353",                                      // L
    "030c468c83",                                  // M
    "030c636c",                                    // N
    "o~0c~7c~73~03",                               // O
    "030c3c~6c~673707",                            // P
    "o~0c~7c~73~03 4672",                          // Q
    "030c3c~6c~683808 3863",                       // R
    "6a~6c3c~0c~0838~68~6333~0305",                // S
    "0c6c 3c33",                                   // T
    "0c06~0333~63666c",                            // U
    "0c336c",                                      // V
    "0c234a638c",                                  // W
    "036c 0c63",                                   // X
    "0c386c 3833",                                 // Y
    "0c6c0363",                                    // Z
    "2d0d0222",                                    // [
    "0d42",                                        // backslash
    "0d2d2202",                                    // ]
    "0a2c4a",                                      // ^
    "0252",                                        // _
    "0c1a",                                        // `
    "08~0939~595653 5626~06~0323~5355",            // a
    "0c03 o~09~59~53~03",                          // b
    "58~5939~09~0333~5354",                        // c
    "5c53 o~09~59~53~03",                          // d
    "0656~59~09~0333~5354",                        // e
    "4c~2c2a23 0949",                              // f
    "o~09~59~53~03 5952~5030~0001",                // g
    "0c03 06~0939~595653",                         // h
    "0903 0c0c",                                   // i
    "2922~2000 2c2c",                              // j
    "0c03 4905 1643",                              // k
    "0c05~0323",                                   // l
    "0903 06~0929~494643 46~4969~898683",          // m
    "0903 06~0939~595653",                         // n
    "o~09~59~53~03",                               // o
    "0900 o~09~59~53~03",                          // p
    "5950 o~09~59~53~03",                          // q
    "0903 06~0939",                                // r
    "48~4929~09~0626~46~4323~0304",                // s
    "1c15~1333 0939",                              // t
    "0906~0323~5356 5953",                         // u
    "092349",                                      // v
    "0923486389",                                  // w
    "0359 0953",                                   // x
    "0923 4910",                                   // y
    "09490343",                                    // z
    "3d~1d1a~1707~1714~1232",                      // {
    "0d02",                                        // |
    "0d~2d2a~2737~2724~2202",                      // }
    "06~19~4558",                                  // ~
};
constexpr const char* kUnknown = "030c5c5303";
constexpr double kCap = 9.0, kBaseline = 3.0, kGap = 2.7, kSpace = 2.4, kStroke = 1.15; // units

struct Piece {
    Vec2 a, b;
};
struct Glyph {
    std::vector<Piece> pieces;
    double advance = 0;
};

struct PathPoint {
    Vec2 p;
    bool control;
};

void flatten(std::vector<PathPoint> points, bool closed, std::vector<Piece>& out) {
    if (closed) { // start halfway between the last and the first control point
        const Vec2 start = 0.5 * (points.back().p + points.front().p);
        points.insert(points.begin(), {start, false});
        points.push_back({start, false});
    }
    Vec2 at = points.front().p;
    if (points.size() == 1) out.push_back({at, at});
    for (std::size_t i = 1; i < points.size(); ++i) {
        if (!points[i].control) {
            out.push_back({at, points[i].p});
            at = points[i].p;
            continue;
        }
        const Vec2 c = points[i].p;
        const bool nextControl = points[i + 1].control;
        const Vec2 end = nextControl ? Vec2(0.5 * (c + points[i + 1].p)) : points[i + 1].p;
        const Vec2 start = at;
        constexpr int kSteps = 8;
        for (int k = 1; k <= kSteps; ++k) {
            const double s = static_cast<double>(k) / kSteps;
            const Vec2 p = (1 - s) * (1 - s) * start + 2 * s * (1 - s) * c + s * s * end;
            out.push_back({at, p});
            at = p;
        }
        if (!nextControl) ++i;
    }
}

Glyph glyphOf(char letter) {
    Glyph glyph;
    if (letter == ' ') {
        glyph.advance = kSpace + kGap;
        return glyph;
    }
    const char* s = letter > ' ' && letter <= '~' ? kGlyphs[letter - ' '] : kUnknown;
    const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
    int widest = 0;
    std::vector<PathPoint> points;
    bool closed = false, control = false;
    const auto finish = [&] {
        if (!points.empty()) flatten(points, closed, glyph.pieces);
        points.clear();
        closed = control = false;
    };
    while (*s) {
        if (*s == ' ') {
            finish();
            ++s;
        } else if (*s == 'o') {
            closed = true;
            ++s;
        } else if (*s == '~') {
            control = true;
            ++s;
        } else {
            widest = std::max(widest, digit(s[0]));
            points.push_back({Vec2(digit(s[0]), digit(s[1]) - kBaseline), control});
            control = false;
            s += 2;
        }
    }
    finish();
    // Digits share one width, so that columns of numbers stand still from frame to frame.
    glyph.advance = (letter >= '0' && letter <= '9' ? 5 : widest) + kGap;
    return glyph;
}

double distance(const Vec2& p, const Piece& piece) {
    const Vec2 d = piece.b - piece.a;
    const double len2 = d.squaredNorm();
    const double s = len2 > 0 ? std::clamp((p - piece.a).dot(d) / len2, 0.0, 1.0) : 0.0;
    return (p - piece.a - s * d).norm();
}

} // namespace

double textWidth(const std::string& text, const TextStyle& style) {
    double units = 0;
    for (char c : text) units += glyphOf(c).advance;
    return text.empty() ? 0 : (units - kGap + kStroke * style.weight) * style.capHeight / kCap;
}

void drawText(Image& image, const std::string& text, double x, double baseline,
              const TextStyle& style) {
    const double scale = style.capHeight / kCap; // px a unit
    const double half = std::max(0.5 * kStroke * style.weight * scale, 0.45);
    double pen = x + 0.5 * kStroke * style.weight * scale;
    for (char c : text) {
        const Glyph glyph = glyphOf(c);
        const int x0 = static_cast<int>(std::floor(pen - half - 1));
        const int x1 = static_cast<int>(std::ceil(pen + glyph.advance * scale + half + 1));
        const int y0 = static_cast<int>(std::floor(baseline - 1.2 * style.capHeight - half - 1));
        const int y1 = static_cast<int>(std::ceil(baseline + 0.4 * style.capHeight + half + 1));
        for (int j = y0; j < y1 && !glyph.pieces.empty(); ++j) {
            for (int i = x0; i < x1; ++i) {
                const Vec2 p((i + 0.5 - pen) / scale, (baseline - j - 0.5) / scale);
                double d = 1e9;
                for (const Piece& piece : glyph.pieces) d = std::min(d, distance(p, piece));
                image.mix(i, j, style.color,
                          style.alpha * std::clamp(half - d * scale + 0.5, 0.0, 1.0));
            }
        }
        pen += glyph.advance * scale;
    }
}

std::string fitText(const std::string& text, double maxWidth, const TextStyle& style) {
    if (textWidth(text, style) <= maxWidth) return text;
    std::string cut = text;
    while (!cut.empty() && textWidth(cut + "...", style) > maxWidth) cut.pop_back();
    return cut + "...";
}

} // namespace purl
