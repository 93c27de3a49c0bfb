#include "purl/pattern/pattern.h"

#include "purl/base/error.h"
#include "purl/pattern/knit.h"
#include "purl/pattern/weave.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace purl {

namespace {

std::string number(double v) {
    char text[40];
    std::snprintf(text, sizeof text, "%.5g", v);
    return text;
}

void requireLength(const char* key, double value, bool zeroMeansDefault) {
    if (std::isfinite(value) && (value > 0 || (zeroMeansDefault && value == 0))) return;
    throw Error(std::string("pattern: ") + key,
                number(value) + " m, expected " +
                    (zeroMeansDefault ? "a length > 0 m, or 0 to derive it from the radius"
                                      : "a length > 0 m"));
}

void requireCount(const char* key, Index value, Index least) {
    if (value >= least) return;
    throw Error(std::string("pattern: ") + key,
                std::to_string(value) + ", expected at least " + std::to_string(least));
}

void requireField(const StitchField& field, bool woven) {
    if (field.rows < 1 || field.columns < 1 ||
        field.cells.size() != static_cast<std::size_t>(field.rows) * field.columns)
        throw Error("pattern: field", std::to_string(field.cells.size()) + " cells, expected " +
                                          std::to_string(field.rows) + " rows of " +
                                          std::to_string(field.columns));
    for (std::size_t i = 0; i < field.cells.size(); ++i) {
        const int v = field.cells[i];
        if (woven ? v == 0 || v == 1 : v == 1 || v == -1) continue;
        throw Error("pattern: field: cell " + std::to_string(i),
                    std::to_string(v) + ", expected " +
                        (woven ? "1 (warp over weft) or 0" : "1 (knit) or -1 (purl)"));
    }
}

Pattern makeOnce(const StitchField& field, bool woven, const PatternSettings& s) {
    return woven ? makeWeave(field, s) : makeKnit(field, s);
}

// Tries thinner yarns on a piece of the fabric until one fits, so that the message can be trusted.
double radiusThatFits(const StitchField& field, bool woven, PatternSettings s) {
    if (1.0 * s.wales * s.courses > 400) { // keeps the sides on which the last turns are
        if (!s.tube) s.wales = std::min(s.wales, 4 + 2 * field.columns);
        s.courses = std::min(s.courses, 4 + 2 * field.rows + s.courses % 2);
    }
    const double asked = s.radius;
    for (double radius = 0.96 * asked; radius > 0.02 * asked; radius *= 0.94) {
        s.radius = std::stod(number(radius)); // as it will be read
        try {
            makeOnce(field, woven, s);
            return s.radius;
        } catch (const NoRoom&) { // thinner, then
        }
    }
    return 0;
}

Pattern make(const StitchField& field, bool woven, const PatternSettings& s) {
    try {
        return makeOnce(field, woven, s);
    } catch (const NoRoom&) { // say what would fit
    }
    const double fits = radiusThatFits(field, woven, s);
    if (fits == 0)
        throw Error("pattern", "no yarn fits a spacing of " + number(s.waleSpacing) +
                                   " m across by " + number(s.courseSpacing) +
                                   " m along, expected spacings nearer to each other");
    const double scale = s.radius / fits;
    throw Error("pattern", "a yarn of radius " + number(s.radius) +
                               " m does not fit a spacing of " + number(s.waleSpacing) +
                               " m across by " + number(s.courseSpacing) +
                               " m along; this spacing holds a radius of " + number(fits) +
                               " m, or this radius fits " + number(s.waleSpacing * scale) +
                               " m by " + number(s.courseSpacing * scale) + " m");
}

} // namespace

Pattern makePattern(const PatternSettings& given) {
    PatternSettings s = given;
    const bool own = s.field.rows > 0;
    const StitchField field = own ? s.field : fieldByName(s.name);
    const bool woven = own ? s.woven : isWoven(s.name);
    requireField(field, woven);
    requireLength("radius", s.radius, false);
    requireLength("waleSpacing", s.waleSpacing, true);
    requireLength("courseSpacing", s.courseSpacing, true);
    requireCount("wales", s.wales, s.tube ? 6 : 2);
    requireCount("courses", s.courses, woven ? 2 : 1);
    if (woven && s.tube) throw Error("pattern: tube", "true, expected false for a woven pattern");
    const double r = s.radius;
    if (woven) {
        if (s.waleSpacing == 0) s.waleSpacing = defaultThreadSpacing(field) * r;
        if (s.courseSpacing == 0) s.courseSpacing = defaultThreadSpacing(field) * r;
    } else {
        // Dense but not jammed: neighbouring loops nearly touch (8 r is the least that a
        // stockinette whose loops stand upright can have: four legs side by side). A tube's inner
        // side is shorter than its middle.
        const double inside = s.tube ? 2 * 3.14159265358979 * 1.5 * r / s.wales : 0;
        if (s.waleSpacing == 0) s.waleSpacing = 8.3 * r + inside;
        if (s.courseSpacing == 0) s.courseSpacing = 5.3 * r;
    }
    Pattern out = make(field, woven, s);
    out.waleSpacing = s.waleSpacing;
    out.courseSpacing = s.courseSpacing;
    return out;
}

} // namespace purl
