#include "purl/pattern/pattern.h"

#include "purl/base/error.h"
#include "purl/pattern/knit.h"

#include <cmath>
#include <cstdio>

namespace purl {

namespace {

std::string number(double v) {
    char text[40];
    std::snprintf(text, sizeof text, "%.6g", v);
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
    requireCount("courses", s.courses, 1);
    // Dense but not jammed: neighbouring loops nearly touch (8 r is the least that a stockinette
    // whose loops stand upright can have: four legs side by side).
    if (s.waleSpacing == 0) s.waleSpacing = 8.3 * s.radius;
    if (s.courseSpacing == 0) s.courseSpacing = 5.3 * s.radius;
    Pattern out = makeKnit(field, s);
    out.waleSpacing = s.waleSpacing;
    out.courseSpacing = s.courseSpacing;
    return out;
}

} // namespace purl
