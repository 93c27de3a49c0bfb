// `purl convert`: from one geometry format to another.
#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/geometry_file.h"
#include "cli/sequence.h"
#include "cli/units.h"
#include "purl/base/error.h"
#include "purl/io/geo.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

namespace purl::cli {

namespace {

struct ConvertFlags {
    std::string in, out, scale = "1", radius;
    bool quiet = false;
};

void convertFile(const std::string& in, const std::string& out, const ConvertFlags& f) {
    std::vector<std::string> warnings;
    Detail d = readGeometry(in, warnings);
    scaleDetail(d, parseScale(f.scale), in, warnings);
    if (!f.radius.empty()) {
        const double radius = parseQuantity(f.radius, Dimension::Length, "--radius");
        checkRadius(radius, "--radius");
        Attribute& pscale = d.addFloat(Owner::Point, "pscale");
        for (Index p = 0; p < d.points(); ++p) pscale.set(static_cast<std::size_t>(p), 0, radius);
    }
    makeFolderOf(out);
    writeDetail(out, d, &warnings);
    for (const std::string& w : warnings) std::fprintf(stderr, "purl: warning: %s\n", w.c_str());
    if (!f.quiet)
        std::printf("%s: %d points, %d primitives\n", out.c_str(), d.points(), d.primitives());
}

void convert(const ConvertFlags& f) {
    const auto files = findSequence(f.in);
    if (files.size() > 1 && !hasFrame(f.out))
        throw Error(f.out, "has no frame number in it, expected $F or $F4 for the " +
                               std::to_string(files.size()) + " files of " + f.in);
    for (const SequenceFile& file : files) convertFile(file.path, framePath(f.out, file.frame), f);
}

} // namespace

void addConvert(CLI::App& app, int&) {
    auto f = std::make_shared<ConvertFlags>();
    CLI::App* c = app.add_subcommand("convert", "Change the format of geometry files");
    c->add_option("in", f->in, "File or sequence to read; its format is found by its content")
        ->required();
    c->add_option("out", f->out, "File or sequence to write: .geo, .bgeo, .bgeo.sc, .obj, .bcc")
        ->required();
    c->add_option("--scale", f->scale, "Metres in a unit of IN, or its unit: 0.01 or cm (1)")
        ->type_name("S");
    c->add_option("--radius", f->radius, "Yarn radius to write as pscale")->type_name("M");
    c->add_flag("--quiet", f->quiet, "Say nothing but warnings and errors");
    c->footer("Examples:\n  purl convert glove.bcc glove.bgeo.sc --scale cm --radius 1mm\n"
              "  purl convert 'out/f.$F4.geo' 'out/f.$F4.bgeo.sc'");
    c->callback([f] { convert(*f); });
}

} // namespace purl::cli
