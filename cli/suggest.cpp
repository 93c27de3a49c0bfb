// `purl suggest`: where a drape of triangles would be worth yarns, as a point attribute to paint
// by.
#include "cli/suggest.h"

#include "cli/sequence.h"
#include "purl/base/error.h"
#include "purl/host/cloth_from_detail.h"
#include "purl/io/geo.h"
#include "purl/mixed/suggest.h"

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <memory>

namespace purl::cli {

namespace {

struct Flags {
    std::string in, out;
    SuggestSettings what;
    double paint = 0;
};

void above0(double value, const char* flag) {
    if (!(value > 0) || !std::isfinite(value))
        throw Error(flag, std::to_string(value) + " was given, expected a number > 0");
}

void suggest(const Flags& f) {
    above0(f.what.stretch, "--stretch");
    above0(f.what.compression, "--compression");
    above0(f.what.fold, "--fold");
    if (!(f.paint >= 0 && f.paint <= 1))
        throw Error("--paint", std::to_string(f.paint) + " was given, expected 0 to 1");
    std::vector<std::string> warnings;
    Detail out;
    SheetInput sheet;
    std::vector<double> map;
    const auto files = findSequence(f.in);
    for (const SequenceFile& file : files) {
        Detail d = readDetail(file.path, warnings);
        SheetInput now = sheetOf(d, file.path, SceneFile(), warnings);
        if (map.empty()) {
            map.assign(now.cloth.x.size(), 0.0);
        } else if (now.cloth.x.size() != map.size()) {
            throw Error(file.path, "has " + std::to_string(now.cloth.x.size()) +
                                       " points with polygons, expected " +
                                       std::to_string(map.size()) + " as in the first file");
        }
        suggestYarn(now.cloth.mesh, now.cloth.x, f.what, map);
        out = std::move(d);
        sheet = std::move(now);
    }
    Attribute& a = out.addFloat(Owner::Point, "yarn_suggest");
    std::size_t painted = 0;
    for (std::size_t n = 0; n < map.size(); ++n)
        a.set(static_cast<std::size_t>(sheet.cloth.pointOf[n]), 0, map[n]);
    if (f.paint > 0) {
        Attribute& yarn = out.addFloat(Owner::Point, "yarn");
        for (std::size_t n = 0; n < map.size(); ++n) {
            const bool on = map[n] >= f.paint;
            yarn.set(static_cast<std::size_t>(sheet.cloth.pointOf[n]), 0, on ? 1 : 0);
            painted += on;
        }
    }
    makeFolderOf(f.out);
    writeDetail(f.out, out, &warnings);
    for (const std::string& w : warnings) std::fprintf(stderr, "purl: warning: %s\n", w.c_str());
    double mean = 0;
    for (double v : map) mean += v / static_cast<double>(map.size());
    std::printf("%s: yarn_suggest on %zu points from %zu file%s, mean %.2f", f.out.c_str(),
                map.size(), files.size(), files.size() == 1 ? "" : "s", mean);
    if (f.paint > 0) std::printf("; %zu painted", painted);
    std::printf("\n");
}

} // namespace

void addSuggest(CLI::App& app, int&) {
    auto f = std::make_shared<Flags>();
    CLI::App* c = app.add_subcommand(
        "suggest", "Where a drape of triangles would be worth yarns: a map to paint by");
    c->add_option("in", f->in,
                  "Drape of polygons with uv or rest in metres, or a sequence: the largest counts")
        ->required();
    c->add_option("out", f->out, "The last of them with a point attribute yarn_suggest, 0 to 1")
        ->required();
    c->add_option("--stretch", f->what.stretch, "Strain that counts as 1 (0.05)")->type_name("E");
    c->add_option("--compression", f->what.compression, "Likewise, of what is pressed (0.05)")
        ->type_name("E");
    c->add_option("--fold", f->what.fold, "Angle of an edge that counts as 1, radians (0.8)")
        ->type_name("A");
    c->add_option("--paint", f->paint, "Also make `yarn`: 1 where the map is at least T")
        ->type_name("T");
    c->footer("Example:\n  purl suggest 'drape.$F4.bgeo.sc' painted.bgeo.sc --paint 0.5");
    c->callback([f] { suggest(*f); });
}

} // namespace purl::cli
