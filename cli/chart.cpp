#include "cli/chart.h"

#include "cli/flags.h"
#include "purl/base/error.h"
#include "purl/io/png_image.h"

#include <cstdio>
#include <map>

namespace purl::cli {

namespace {

enum class Stitch { Knit, Purl, Over, Under };

struct Legend {
    std::map<Rgb, Stitch> stitches;
    bool woven = false;
};

const std::map<std::string, Stitch>& stitchNames() {
    static const std::map<std::string, Stitch> names = {{"knit", Stitch::Knit},
                                                        {"purl", Stitch::Purl},
                                                        {"over", Stitch::Over},
                                                        {"under", Stitch::Under}};
    return names;
}

const std::map<std::string, Rgb>& colorNames() {
    static const std::map<std::string, Rgb> names = {
        {"white", {255, 255, 255}}, {"black", {0, 0, 0}},     {"grey", {128, 128, 128}},
        {"gray", {128, 128, 128}},  {"red", {255, 0, 0}},     {"green", {0, 255, 0}},
        {"blue", {0, 0, 255}},      {"yellow", {255, 255, 0}}};
    return names;
}

std::string colorText(const Rgb& c) {
    char text[8];
    std::snprintf(text, sizeof text, "#%02x%02x%02x", c[0], c[1], c[2]);
    return text;
}

std::string trimmed(const std::string& s) {
    const auto first = s.find_first_not_of(" \t\r"), last = s.find_last_not_of(" \t\r");
    return first == std::string::npos ? "" : s.substr(first, last - first + 1);
}

Rgb parseColor(const std::string& text, const std::string& where) {
    if (const auto it = colorNames().find(text); it != colorNames().end()) return it->second;
    unsigned r = 0, g = 0, b = 0;
    int used = 0;
    if (text.size() == 7 && text[0] == '#' &&
        text.find_first_not_of("0123456789abcdefABCDEF", 1) == std::string::npos &&
        std::sscanf(text.c_str(), "#%2x%2x%2x%n", &r, &g, &b, &used) == 3 && used == 7)
        return {static_cast<std::uint8_t>(r), static_cast<std::uint8_t>(g),
                static_cast<std::uint8_t>(b)};
    throw Error(where, "colour '" + text +
                           "' was found, expected #rrggbb, white, black, grey, red, "
                           "green, blue or yellow");
}

void addLine(const std::string& line, const std::string& where, Legend& legend) {
    const auto equals = line.find('=');
    if (equals == std::string::npos)
        throw Error(where, "'" + line + "' was found, expected COLOUR=STITCH, such as white=knit");
    const Rgb color = parseColor(trimmed(line.substr(0, equals)), where);
    const std::string name = trimmed(line.substr(equals + 1));
    const auto it = stitchNames().find(name);
    if (it == stitchNames().end())
        throw Error(where, "stitch '" + name + "' was found, expected knit, purl, over or under");
    if (!legend.stitches.emplace(color, it->second).second)
        throw Error(where, "colour " + colorText(color) + " is there twice, expected it once");
}

Legend parseLegend(const std::string& given) {
    Legend legend;
    const bool isText = given.empty() || given.find('=') != std::string::npos;
    const std::string text = given.empty() ? "white=knit,black=purl"
                             : isText      ? given
                                           : readText(given);
    int number = 0;
    for (const std::string& line : splitText(text, isText ? ',' : '\n')) {
        ++number;
        const std::string content = trimmed(isText ? line : line.substr(0, line.find("//")));
        if (content.empty()) continue;
        addLine(content, isText ? "--legend" : given + ": line " + std::to_string(number), legend);
    }
    const std::string where = isText ? "--legend" : given;
    if (legend.stitches.empty()) throw Error(where, "has no colour, expected COLOUR=STITCH");
    for (const auto& [color, stitch] : legend.stitches) {
        const bool woven = stitch == Stitch::Over || stitch == Stitch::Under;
        if (color == legend.stitches.begin()->first) legend.woven = woven;
        if (woven != legend.woven)
            throw Error(where, "has stitches of knits and of weaves, expected knit and purl, or "
                               "over and under");
    }
    return legend;
}

} // namespace

ChartPattern readChartPattern(const std::string& path, const std::string& legendText) {
    const Legend legend = parseLegend(legendText);
    const ChartImage image = readChart(path);
    ChartPattern out;
    out.woven = legend.woven;
    out.field.rows = image.height;
    out.field.columns = image.width;
    out.field.cells.clear();
    out.field.cells.reserve(image.pixels.size());
    for (Index y = image.height - 1; y >= 0; --y)
        for (Index x = 0; x < image.width; ++x) {
            const auto it = legend.stitches.find(image.at(x, y));
            if (it == legend.stitches.end()) {
                std::string known;
                for (const auto& entry : legend.stitches)
                    known += (known.empty() ? "" : ", ") + colorText(entry.first);
                throw Error(path + ": pixel " + std::to_string(x) + "," + std::to_string(y),
                            "colour " + colorText(image.at(x, y)) +
                                " is not in the legend, expected one of " + known +
                                " (say what it means with --legend)");
            }
            out.field.cells.push_back(it->second == Stitch::Knit || it->second == Stitch::Over ? 1
                                      : legend.woven                                           ? 0
                                                     : -1);
        }
    return out;
}

} // namespace purl::cli
