// `purl convert`: from one geometry format to another.
#include "cli/commands.h"
#include "cli/sequence.h"
#include "purl/base/error.h"
#include "purl/io/geo.h"

#include <cstdio>
#include <memory>

namespace purl::cli {

namespace {

struct ConvertFlags {
    std::string in, out;
    bool quiet = false;
};

void convertFile(const std::string& in, const std::string& out, bool quiet) {
    std::vector<std::string> warnings;
    const Detail d = readDetail(in, warnings);
    makeFolderOf(out);
    writeDetail(out, d, &warnings);
    for (const std::string& w : warnings) std::fprintf(stderr, "purl: warning: %s\n", w.c_str());
    if (!quiet)
        std::printf("%s: %d points, %d primitives\n", out.c_str(), d.points(), d.primitives());
}

void convert(const ConvertFlags& f) {
    const auto files = findSequence(f.in);
    if (files.size() > 1 && !hasFrame(f.out))
        throw Error(f.out, "has no frame number in it, expected $F or $F4 for the " +
                               std::to_string(files.size()) + " files of " + f.in);
    for (const SequenceFile& file : files)
        convertFile(file.path, framePath(f.out, file.frame), f.quiet);
}

} // namespace

void addConvert(CLI::App& app, int&) {
    auto f = std::make_shared<ConvertFlags>();
    CLI::App* c = app.add_subcommand("convert", "Change the format of geometry files");
    c->add_option("in", f->in, "File or sequence to read; its format is found by its content")
        ->required();
    c->add_option("out", f->out, "File or sequence to write: .geo, .bgeo, .bgeo.sc, .obj, .bcc")
        ->required();
    c->add_flag("--quiet", f->quiet, "Say nothing but warnings and errors");
    c->footer("Examples:\n  purl convert glove.bcc glove.bgeo.sc\n"
              "  purl convert 'out/f.$F4.geo' 'out/f.$F4.bgeo.sc'");
    c->callback([f] { convert(*f); });
}

} // namespace purl::cli
