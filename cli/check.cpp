// `purl check`: is anything wrong with these yarns, frame by frame?
#include "purl/check/check.h"

#include "cli/check_input.h"
#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/geometry_file.h"
#include "cli/sequence.h"
#include "cli/sheet_files.h"
#include "cli/signals.h"
#include "cli/units.h"
#include "purl/base/error.h"
#include "purl/base/parallel.h"
#include "purl/host/yarns_from_detail.h"
#include "purl/io/geo.h"

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

namespace purl::cli {

using nlohmann::ordered_json;

namespace {

struct CheckFlags {
    std::vector<std::string> files;
    std::string radius;
    double tolerance = 1e-3;
    int threads = 0;
    bool json = false, input = false;
    std::string scale, repair;
};

// A number that JSON can hold.
ordered_json real(double v) { return std::isfinite(v) ? ordered_json(v) : ordered_json(nullptr); }

ordered_json findingJson(const Finding& f) {
    ordered_json j = {{"kind", nameOf(f.kind)}, {"frame", f.frame}};
    if (f.kind == FindingKind::PassThrough || f.kind == FindingKind::Doubtful)
        j["frame_before"] = f.frameBefore;
    if (f.yarnA >= 0) {
        j["yarn_a"] = f.yarnA;
        j["curveu_a"] = real(f.uA);
    }
    if (f.yarnB >= 0) {
        j["yarn_b"] = f.yarnB;
        j["curveu_b"] = real(f.uB);
    }
    if (f.point >= 0) j["point"] = f.point;
    j["value"] = real(f.value);
    j["expected"] = real(f.expected);
    j["text"] = f.text;
    return j;
}

ordered_json reportJson(const CheckReport& r, const std::vector<std::string>& warnings) {
    ordered_json j = {
        {"clean", r.clean()},        {"frames", r.frames}, {"first_frame", r.firstFrame},
        {"last_frame", r.lastFrame}, {"yarns", r.yarns},   {"points", r.points}};
    ordered_json passes = ordered_json::array(), findings = ordered_json::array();
    for (const Finding& f : r.findings)
        (f.kind == FindingKind::PassThrough ? passes : findings).push_back(findingJson(f));
    j["passes"] = passes;
    j["non_finite"] = r.count(FindingKind::NonFinite);
    j["max_length_change"] =
        r.worstYarn >= 0 ? real(std::abs(r.lengths[r.worstYarn].change)) : real(0);
    if (r.worstYarn >= 0) {
        const YarnLength& l = r.lengths[r.worstYarn];
        j["worst_yarn"] = {{"yarn", r.worstYarn},
                           {"change", real(l.change)},
                           {"frame", l.frame},
                           {"length", real(l.rest)}};
    }
    if (r.worstEdge.yarn >= 0)
        j["worst_edge"] = {{"yarn", r.worstEdge.yarn},
                           {"edge", r.worstEdge.edge},
                           {"curveu", real(r.worstEdge.u)},
                           {"strain", real(r.worstEdge.strain)},
                           {"frame", r.worstEdge.frame}};
    ordered_json lengths = ordered_json::array();
    for (std::size_t y = 0; y < r.lengths.size(); ++y)
        lengths.push_back({{"yarn", y},
                           {"length", real(r.lengths[y].rest)},
                           {"change", real(r.lengths[y].change)},
                           {"frame", r.lengths[y].frame}});
    if (r.deepest.found()) {
        const ClosePlace& p = r.deepest;
        j["deepest"] = {{"ratio", p.ratio},       {"penetration", 1 - p.ratio},
                        {"distance", p.distance}, {"frame", r.deepestFrame},
                        {"yarn_a", p.yarnA},      {"curveu_a", p.uA},
                        {"yarn_b", p.yarnB},      {"curveu_b", p.uB}};
    } else {
        j["deepest"] = nullptr; // no yarn is nearer to another than the sum of their radii
    }
    ordered_json counts;
    for (int k = 0; k < kFindingKinds; ++k)
        counts[nameOf(static_cast<FindingKind>(k))] = r.counts[k];
    j["counts"] = counts;
    j["findings"] = findings;
    j["lengths"] = lengths;
    j["warnings"] = warnings;
    return j;
}

void printReport(const CheckReport& r) {
    std::printf("%d frame%s (%d-%d), %d yarns, %d points\n", r.frames, r.frames == 1 ? "" : "s",
                r.firstFrame, r.lastFrame, r.yarns, r.points);
    if (r.worstYarn >= 0) {
        const YarnLength& l = r.lengths[r.worstYarn];
        std::printf("length:      largest change of a yarn %+.3g %% (yarn %d, frame %d)\n",
                    100 * l.change, r.worstYarn, l.frame);
    }
    if (r.worstEdge.yarn >= 0)
        std::printf("             of one edge %+.3g %% (yarn %d, curveu %.4g, frame %d)\n",
                    100 * r.worstEdge.strain, r.worstEdge.yarn, r.worstEdge.u, r.worstEdge.frame);
    if (r.deepest.found())
        std::printf(
            "penetration: centre lines come as near as %.3g of the sum of radii (yarn %d at "
            "curveu %.4g, yarn %d at curveu %.4g, frame %d)\n",
            r.deepest.ratio, r.deepest.yarnA, r.deepest.uA, r.deepest.yarnB, r.deepest.uB,
            r.deepestFrame);
    else
        std::printf("penetration: none\n");
    std::printf("yarn through yarn: %d\n", r.count(FindingKind::PassThrough));
    for (int k = 0; k < kFindingKinds; ++k) {
        const auto kind = static_cast<FindingKind>(k);
        if (r.counts[k] == 0) continue;
        int shown = 0;
        for (const Finding& f : r.findings)
            if (f.kind == kind && shown++ < 20) std::printf("  %s\n", f.text.c_str());
        if (r.counts[k] > shown || shown > 20)
            std::printf("  ... %d of the kind '%s' in all\n", r.counts[k], nameOf(kind));
    }
    if (!r.clean())
        std::printf("NOT CLEAN\n");
    else if (r.count(FindingKind::Doubtful) > 0)
        std::printf("clean, with doubts: write more frames a second to be sure\n");
    else
        std::printf("clean\n");
}

int check(const CheckFlags& f) {
    const ThreadLimit threads(f.threads);
    std::optional<double> radius;
    if (!f.radius.empty()) radius = parseQuantity(f.radius, Dimension::Length, "--radius");
    const bool scene = f.files.size() == 1 && endsIn(f.files[0], ".json");
    if (scene || f.input || !f.repair.empty()) {
        if (f.files.size() != 1)
            throw Error("--input", std::to_string(f.files.size()) +
                                       " files were given, expected one: a scene or a geometry");
        return checkInput(
            {f.files[0], radius, f.scale.empty() ? 1 : parseScale(f.scale), f.json, f.repair});
    }
    CheckSettings settings;
    settings.lengthTolerance = f.tolerance;
    std::unique_ptr<SequenceCheck> judge;
    std::vector<std::string> warnings;
    const std::vector<SequenceFile> files = findSequences(f.files);
    if (!radius && !files.empty() && isSheet(readDetail(files.front().path, warnings)))
        return checkSheets(files, f.json);
    warnings.clear();
    for (const SequenceFile& file : files) {
        if (interruptAsked()) return Interrupted;
        std::vector<std::string> own;
        const Detail d = readGeometry(file.path, own);
        const Yarns yarns = yarnsOf(d, file.path, radius, false, own);
        if (yarns.curves.yarns() == 0)
            throw Error(file.path, "holds no curve, expected at least one yarn");
        if (!judge) { // glue is taken from the first frame
            for (const Weld& w : yarns.welds) settings.glued.emplace_back(w.a, w.b);
            judge = std::make_unique<SequenceCheck>(settings);
            warnings = own;
        }
        judge->add(file.frame, yarns.curves);
    }
    const CheckReport report = judge->report();
    if (f.json)
        std::printf("%s\n", reportJson(report, warnings).dump(2).c_str());
    else
        printReport(report);
    if (!f.json)
        for (const std::string& w : warnings)
            std::fprintf(stderr, "purl: warning: %s\n", w.c_str());
    return report.clean() ? Ok : Broken;
}

} // namespace

void addCheck(CLI::App& app, int& exit) {
    auto f = std::make_shared<CheckFlags>();
    CLI::App* c = app.add_subcommand(
        "check", "Look for broken yarns and sheets: lengths, penetration, passing through");
    c->add_option("files", f->files,
                  "A file or a sequence: 'out/f.$F4.geo', 'out/f.*.geo', or files")
        ->required();
    c->add_flag("--json", f->json, "The report as JSON");
    c->add_flag(
        "--input", f->input,
        "Look at one file as the input of a run: units, spacing, doubled points, crossings,\n"
        "uv; a scene.json is always looked at so, with its pins and colliders");
    c->add_option("--repair", f->repair,
                  "Write the geometry with what can safely be put right: doubled points, units")
        ->type_name("FILE");
    c->add_option("--scale", f->scale, "With --input: metres in a unit of the file, or cm (1)")
        ->type_name("S");
    c->add_option("--radius", f->radius, "Yarn radius; else pscale, else width / 2")
        ->type_name("M");
    c->add_option("--length-tolerance", f->tolerance,
                  "Largest relative change of a yarn's length (0.001)")
        ->check(CLI::NonNegativeNumber);
    c->add_option("--threads", f->threads, "0 takes all (0)")->check(CLI::NonNegativeNumber);
    c->footer(
        "Examples:\n  purl check 'out/f.$F4.bgeo.sc'\n  purl check scene.json\n"
        "  purl check yarns.geo --input --repair fixed.bgeo.sc\n\n"
        "Over a sequence every place where yarn went through yarn between two frames is named,\n"
        "by frame, yarns and curveu (0..1 along a yarn). More frames a second make it surer.\n"
        "Polygons in files without a yarn radius are a sheet: looked for are triangles that meet.\n"
        "Exit code 0: clean. 4: something was found. 3: a file cannot be read.");
    c->callback([f, &exit] { exit = check(*f); });
}

} // namespace purl::cli
