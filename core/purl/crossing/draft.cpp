#include "purl/crossing/draft.h"

#include "purl/base/error.h"

#include <algorithm>
#include <cctype>

namespace purl {

namespace {

constexpr std::size_t kMostCells = 100000000; // 100 MB of field

bool cellOf(char c, std::int8_t& cell) {
    if (c == '0' || c == '.')
        cell = 0;
    else if (c == '1' || c == 'x' || c == 'X' || c == '#')
        cell = 1;
    else
        return false;
    return true;
}

// Rows as they are written, the upper first, to a field whose first row is the lowest.
Draft fromRows(const std::vector<std::vector<std::int8_t>>& rows, const std::string& name) {
    Draft d;
    d.name = name;
    d.field.rows = static_cast<Index>(rows.size());
    d.field.columns = static_cast<Index>(rows.front().size());
    d.field.cells.clear();
    for (auto row = rows.rbegin(); row != rows.rend(); ++row)
        d.field.cells.insert(d.field.cells.end(), row->begin(), row->end());
    return d;
}

} // namespace

Draft draftFromText(const std::string& text, const std::string& name) {
    std::vector<std::vector<std::int8_t>> rows;
    Index line = 0;
    std::size_t cells = 0, at = 0;
    while (at < text.size()) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        std::string row = text.substr(at, end - at);
        at = end + 1;
        ++line;
        const std::string place = name + ": line " + std::to_string(line);
        row = row.substr(0, row.find("//"));
        std::vector<std::int8_t> found;
        for (std::size_t c = 0; c < row.size(); ++c) {
            if (std::isspace(static_cast<unsigned char>(row[c])) || row[c] == ',') continue;
            std::int8_t cell;
            if (!cellOf(row[c], cell)) {
                const unsigned char odd = static_cast<unsigned char>(row[c]);
                throw Error(place + ", column " + std::to_string(c + 1),
                            (std::isprint(odd) ? "'" + std::string(1, row[c]) + "'"
                                               : "byte " + std::to_string(odd)) +
                                " was found, expected 0 or . (warp under), 1, x or # (warp over)");
            }
            found.push_back(cell);
        }
        if (found.empty()) continue;
        if (!rows.empty() && found.size() != rows.front().size())
            throw Error(place, "has " + std::to_string(found.size()) + " cells, expected " +
                                   std::to_string(rows.front().size()) + " as in the first row");
        cells += found.size();
        if (cells > kMostCells)
            throw Error(place, "more than " + std::to_string(kMostCells) +
                                   " cells were found, expected one repeat of the draft");
        rows.push_back(std::move(found));
    }
    if (rows.empty()) throw Error(name, "has no row of 0 and 1, expected a draft");
    return fromRows(rows, name);
}

void validateDraft(const Draft& d, const std::string& name) {
    const StitchField& f = d.field;
    if (f.rows < 1 || f.columns < 1 ||
        f.cells.size() != static_cast<std::size_t>(f.rows) * static_cast<std::size_t>(f.columns))
        throw Error(name, "has " + std::to_string(f.cells.size()) + " cells, expected " +
                              std::to_string(f.rows) + " rows of " + std::to_string(f.columns));
    for (std::size_t i = 0; i < f.cells.size(); ++i) {
        const int v = f.cells[i];
        if (d.woven ? v == 0 || v == 1 : v == 1 || v == -1) continue;
        throw Error(name + ": row " + std::to_string(i / f.columns) + ", column " +
                        std::to_string(i % f.columns),
                    std::to_string(v) + " was found, expected " +
                        (d.woven ? "1 (warp over weft) or 0" : "1 (knit) or -1 (purl)"));
    }
    const auto check = [&](std::size_t n, Index of, const char* what) {
        if (n != 0 && n != static_cast<std::size_t>(of))
            throw Error(name, std::to_string(n) + " " + what + " were found, expected " +
                                  std::to_string(of) + " or none");
    };
    check(d.warpColor.size(), f.columns, "colours of warps");
    check(d.weftColor.size(), f.rows, "colours of wefts");
    check(d.warpSpacing.size(), f.columns, "spacings of warps");
    check(d.weftSpacing.size(), f.rows, "spacings of wefts");
    check(d.warpDiameter.size(), f.columns, "diameters of warps");
    check(d.weftDiameter.size(), f.rows, "diameters of wefts");
}

namespace {

// Strands reached from strand 0 over "is above" (down) or "is below"; warps first, then wefts.
Index reached(const StitchField& f, bool down, Index& missing) {
    const Index n = f.columns + f.rows;
    std::vector<std::uint8_t> seen(n, 0);
    std::vector<Index> open{0};
    seen[0] = 1;
    Index count = 1;
    const auto visit = [&](Index s) {
        if (seen[s]) return;
        seen[s] = 1;
        ++count;
        open.push_back(s);
    };
    while (!open.empty()) {
        const Index s = open.back();
        open.pop_back();
        if (s < f.columns) {
            for (Index i = 0; i < f.rows; ++i)
                if ((f.at(i, s) == 1) == down) visit(f.columns + i);
        } else {
            for (Index j = 0; j < f.columns; ++j)
                if ((f.at(s - f.columns, j) == 0) == down) visit(j);
        }
    }
    if (count < n)
        missing = static_cast<Index>(std::find(seen.begin(), seen.end(), 0) - seen.begin());
    return count;
}

} // namespace

std::vector<std::string> draftWarnings(const Draft& d) {
    std::vector<std::string> out;
    if (!d.woven) return out;
    const StitchField& f = d.field;
    const auto loose = [&](bool warp) {
        const Index count = warp ? f.columns : f.rows, along = warp ? f.rows : f.columns;
        Index free = 0, first = -1;
        for (Index k = 0; k < count; ++k) {
            Index over = 0;
            for (Index m = 0; m < along; ++m) over += warp ? f.at(m, k) : f.at(k, m);
            if (over != 0 && over != along) continue;
            if (free++ == 0) first = k;
        }
        if (free == 0) return false;
        out.push_back(d.name + ": " + std::to_string(free) + " of " + std::to_string(count) +
                      (warp ? " warps never interlace (the first is warp "
                            : " wefts never interlace (the first is weft ") +
                      std::to_string(first + 1) + "); nothing holds them in the cloth");
        return true;
    };
    const bool warps = loose(true), wefts = loose(false);
    if (warps || wefts) return out;
    Index missing = 0;
    if (reached(f, true, missing) < f.columns + f.rows ||
        reached(f, false, missing) < f.columns + f.rows)
        out.push_back(d.name + ": the draft falls apart into layers (warp 1 and " +
                      (missing < f.columns ? "warp " + std::to_string(missing + 1)
                                           : "weft " + std::to_string(missing - f.columns + 1)) +
                      " are in different ones)");
    return out;
}

// Round threads jam at 2 sqrt(3) radii where they alternate (Peirce 1937) and lie side by side, 2
// radii apart, along floats; a little more than the mean of what the draft has of both.
double usualSpacing(const Draft& d) {
    if (!d.woven) return 8.3; // as makePattern's wales
    const StitchField& f = d.field;
    double changes = 0;
    for (Index i = 0; i < f.rows; ++i)
        for (Index j = 0; j < f.columns; ++j)
            changes += (f.at(i, j) != f.at(i, j + 1)) + (f.at(i, j) != f.at(i + 1, j));
    return 2.2 + 1.4 * changes / (2.0 * f.rows * f.columns);
}

} // namespace purl
