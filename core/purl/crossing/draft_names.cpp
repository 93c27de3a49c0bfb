// Drafts that are asked for by name.
#include "purl/base/error.h"
#include "purl/crossing/draft.h"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace purl {

namespace {

constexpr Index kMostEnds = 64; // of a repeat that is asked for by name

[[noreturn]] void refuse(const std::string& text, const std::string& expected) {
    throw Error("draft", "'" + text + "' was found, expected " + expected);
}

// "2/2" or "2x2" after a name: its numbers, each 1 to kMostEnds.
std::vector<Index> numbers(const std::string& text, const std::string& tail, char by,
                           const std::string& expected) {
    std::vector<Index> out;
    Index value = -1;
    for (std::size_t i = 0; i <= tail.size(); ++i) {
        if (i < tail.size() && std::isdigit(static_cast<unsigned char>(tail[i]))) {
            value = std::max<Index>(value, 0) * 10 + (tail[i] - '0');
            if (value > kMostEnds) refuse(text, expected + " of 1 to " + std::to_string(kMostEnds));
        } else if ((i == tail.size() || tail[i] == by) && value > 0) {
            out.push_back(value);
            value = -1;
        } else {
            refuse(text, expected);
        }
    }
    return out;
}

StitchField fieldOf(Index rows, Index columns) {
    StitchField f;
    f.rows = rows;
    f.columns = columns;
    f.cells.assign(static_cast<std::size_t>(rows) * columns, 0);
    return f;
}

// Whether end k of a twill is over: over A, under B, over C, ...
std::vector<std::int8_t> twillLine(const std::string& text, std::vector<Index> steps,
                                   const char* expected) {
    if (steps.size() % 2 != 0) refuse(text, expected);
    std::vector<std::int8_t> line;
    for (std::size_t i = 0; i < steps.size(); ++i)
        line.insert(line.end(), steps[i], i % 2 == 0 ? 1 : 0);
    if (line.size() > kMostEnds)
        refuse(text, "a repeat of at most " + std::to_string(kMostEnds) + " warps");
    return line;
}

StitchField twill(const std::string& text, std::string tail) {
    const char* expected = "twillOVER/UNDER, such as twill2/2, twill3/1 or twill2/1/1/2";
    bool left = false;
    if (!tail.empty() && (tail.back() == 's' || tail.back() == 'z')) {
        left = tail.back() == 's';
        tail.pop_back();
    }
    const char by = tail.find('x') != std::string::npos ? 'x' : '/'; // twill2x2, as in `pattern`
    const auto line = twillLine(text, numbers(text, tail, by, expected), expected);
    const Index n = static_cast<Index>(line.size());
    StitchField f = fieldOf(n, n);
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j) f.cells[i * n + j] = line[((left ? j + i : j - i) + n) % n];
    return f;
}

StitchField satin(const std::string& text, const std::string& tail, bool weftFace) {
    const char* expected = "satinENDS or satinENDS/STEP, such as satin5 or satin8/3";
    const auto given = numbers(text, tail, '/', expected);
    if (given.size() > 2) refuse(text, expected);
    const Index n = given[0];
    const auto good = [&](Index step) {
        return step > 1 && step < n - 1 && std::gcd(step, n) == 1;
    };
    Index step = given.size() > 1 ? given[1] : 2;
    if (given.size() == 1)
        while (step < n && !good(step)) ++step;
    if (!good(step))
        refuse(text, "a satin: at least 5 ends but not 6, and a step from 2 to ends - 2 that has "
                     "no divisor in common with them");
    StitchField f = fieldOf(n, n);
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j) f.cells[i * n + j] = (j == i * step % n) == weftFace ? 1 : 0;
    return f;
}

StitchField basket(const std::string& text, const std::string& tail) {
    const char* expected = "basketN or basketWARPS/WEFTS, such as basket2 or basket3/2";
    const auto n = numbers(text, tail, tail.find('x') != std::string::npos ? 'x' : '/', expected);
    if (n.size() > 2) refuse(text, expected);
    const Index a = n.front(), b = n.back();
    StitchField f = fieldOf(2 * b, 2 * a);
    for (Index i = 0; i < 2 * b; ++i)
        for (Index j = 0; j < 2 * a; ++j) f.cells[i * 2 * a + j] = (i / b + j / a) % 2 == 0 ? 1 : 0;
    return f;
}

StitchField herringbone(const std::string& text, const std::string& tail) {
    const char* expected = "herringboneOVER/UNDER or ...xWARPS, such as herringbone2/2x8";
    const std::size_t x = tail.find('x');
    const auto line = twillLine(text, numbers(text, tail.substr(0, x), '/', expected), expected);
    const Index n = static_cast<Index>(line.size());
    Index width = 2 * n;
    if (x != std::string::npos) {
        const auto w = numbers(text, tail.substr(x + 1), 'x', expected);
        if (w.size() != 1) refuse(text, expected);
        width = w[0];
    }
    // Up over `width` warps, then down over as many. Half a repeat is left out at each turn, so
    // that what is over meets what is under there: the cut line that tells it from a pointed twill.
    StitchField f = fieldOf(n, 2 * width);
    for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < 2 * width; ++j) {
            const Index k = (j < width ? j : 2 * width - 1 - j + n / 2) - i;
            f.cells[i * 2 * width + j] = line[((k % n) + n) % n];
        }
    return f;
}

StitchField rib(const std::string& text, const std::string& tail) {
    const char* expected = "ribKNITxPURL, such as rib2x2";
    const auto n = numbers(text, tail, 'x', expected);
    if (n.size() != 2) refuse(text, expected);
    StitchField f = fieldOf(1, n[0] + n[1]);
    for (Index j = 0; j < f.columns; ++j) f.cells[j] = j < n[0] ? 1 : -1;
    return f;
}

} // namespace

std::string draftNames() {
    return "plain, twill2/2 (any OVER/UNDER, s at the end for left diagonals), satin5 (any ENDS or "
           "ENDS/STEP), sateen5, basket2 (any N or WARPS/WEFTS), herringbone2/2 (and xWARPS), "
           "stockinette, garter, moss, rib1x1 (any KNITxPURL), or rows of 0 and 1 (\"10,01\")";
}

Draft draftByName(const std::string& text) {
    Draft d;
    d.name = text;
    const auto tailOf = [&](const char* head, std::string& tail) {
        const std::string h = head;
        if (text.compare(0, h.size(), h) != 0 || text.size() == h.size()) return false;
        tail = text.substr(h.size());
        return true;
    };
    std::string tail;
    if (text == "plain") {
        d.field = {2, 2, {1, 0, 0, 1}};
    } else if (tailOf("twill", tail)) {
        d.field = twill(text, tail);
    } else if (tailOf("satin", tail)) {
        d.field = satin(text, tail, false);
    } else if (tailOf("sateen", tail)) {
        d.field = satin(text, tail, true);
    } else if (tailOf("basket", tail)) {
        d.field = basket(text, tail);
    } else if (tailOf("herringbone", tail)) {
        d.field = herringbone(text, tail);
    } else if (tailOf("rib", tail)) {
        d.field = rib(text, tail);
        d.woven = false;
    } else if (!text.empty() && text.find_first_not_of("01,") == std::string::npos) {
        std::string lines = text;
        std::replace(lines.begin(), lines.end(), ',', '\n');
        d = draftFromText(lines, "draft");
        d.name = text;
    } else {
        for (const PatternName& n : patternNames())
            if (n.name == text) {
                d.field = fieldByName(text);
                d.woven = n.woven;
                return d;
            }
        refuse(text, "one of " + draftNames());
    }
    return d;
}

} // namespace purl
