#include "cli/draft_file.h"

#include "cli/chart.h"
#include "cli/flags.h"
#include "purl/base/error.h"
#include "purl/crossing/wif.h"

#include <algorithm>

namespace purl::cli {

namespace {

Draft fromField(const StitchField& field, bool woven, const std::string& name) {
    Draft d;
    d.name = name;
    d.field = field;
    d.woven = woven;
    return d;
}

// Without a legend, cells tell: -1 is only in knits, 0 only in weaves.
bool wovenCells(const StitchField& f) {
    return std::find(f.cells.begin(), f.cells.end(), -1) == f.cells.end();
}

} // namespace

Draft readDraft(const FabricEntry& f, std::vector<std::string>& warnings) {
    const std::string& name = f.draft;
    const bool chart = endsIn(name, ".png") && f.matrix.rows == 0;
    if (!f.legend.empty() && !chart)
        throw Error("--legend",
                    "is there without a chart, expected a .png instead of '" + name + "'");
    Draft d;
    if (f.matrix.rows > 0)
        d = fromField(f.matrix, wovenCells(f.matrix), "draft");
    else if (endsIn(name, ".wif"))
        d = parseWif(readText(name), name, warnings);
    else if (endsIn(name, ".txt"))
        d = draftFromText(readText(name), name);
    else if (endsIn(name, ".json")) {
        const StitchField field = parseMatrix(readText(name), name);
        d = fromField(field, wovenCells(field), name);
    } else if (chart) {
        const ChartPattern p =
            readChartPattern(name, f.legend.empty() ? "black=over,white=under" : f.legend);
        d = fromField(p.field, p.woven, name);
    } else {
        d = draftByName(name);
    }
    validateDraft(d, name);
    return d;
}

} // namespace purl::cli
