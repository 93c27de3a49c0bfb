// `purl bench mixed`: the paper's experiments on one fabric three ways, yarns everywhere, yarns
// where painted, triangles alone: time, memory, iterations, and whether the mixed cloth does what
// the yarns do (docs/mixed.md).
#include "cli/bench_mixed_measure.h"
#include "cli/bench_mixed_run.h"
#include "cli/bench_mixed_swing.h"
#include "cli/commands.h"
#include "cli/machine.h"
#include "cli/signals.h"
#include "purl/base/parallel.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace purl::cli {

namespace {
using Json = nlohmann::ordered_json;

struct Flags {
    std::string scene = "all", folder = "scenes", picture;
    std::vector<std::string> regions{"all", "paint", "none"};
    int steps = 0, threads = 0;
    bool json = false;
};

Json figuresOf(const MixedFigures& f) {
    return {{"what", f.what},       {"finished", f.finished},
            {"steps", f.asked},     {"steps_taken", f.taken},
            {"newton", f.newton},   {"iterations", f.iterations},
            {"seconds", f.seconds}, {"seconds_a_step", f.perStep()},
            {"bytes", f.bytes}};
}

Json wrinklesOf(const Wrinkles& w) {
    return {{"wavelength_mm", 1e3 * w.wavelength},
            {"amplitude_mm", 1e3 * w.amplitude},
            {"yarns", w.yarns}};
}

double off(double value, double against) { return against != 0 ? value / against - 1 : 0; }

Json threeWays(const Flags& f, const std::string& name) {
    MixedScene scene(f.folder + "/mixed_" + name + ".json");
    const FabricLayout& layout = scene.input().layout;
    Json j;
    std::vector<MixedFigures> runs;
    for (const std::string& region : f.regions) {
        if (interruptAsked()) return j;
        // What takes long says where it is.
        std::fprintf(stderr, "bench mixed: %s, region %s\n", name.c_str(), region.c_str());
        runs.push_back(runMixed(scene, region, f.steps));
        Json one = figuresOf(runs.back());
        if (name == "pucker" && f.steps == 0) {
            // The long panel lies at z > 0 of the seam; the painted part of it.
            one["wrinkles"] = wrinklesOf(
                measureWrinkles(layout, runs.back().x, YarnFamily::Warp, Vec3::UnitY(),
                                [](const Vec3& p) { return p.z() > 0.002 && p.z() < 0.012; }));
        }
        if (name == "shear" && f.steps == 0) {
            const auto middle = [](const Vec3& p) {
                return std::abs(p.x()) < 0.015 && std::abs(p.y() - 0.03) < 0.02;
            };
            one["wrinkles"] = wrinklesOf(
                measureWrinkles(layout, runs.back().x, YarnFamily::Weft, Vec3::UnitZ(), middle));
            one["shear_degrees"] = measureShear(layout, runs.back().x, middle);
        }
        if (name == "stretch" && f.steps == 0) {
            const BorderStrain b =
                measureBorder(layout, scene.regions(scene.input().paint), runs.back().x,
                              runs.back().slides, YarnFamily::Warp, 0.005, 0.008);
            one["border"] = {{"strain_yarn", b.yarn},
                             {"strain_ring", b.ring},
                             {"strain_triangles", b.triangles},
                             {"jump", b.jump}};
        }
        j[region] = one;
    }
    if (f.regions != Flags().regions) return j;
    const MixedFigures &all = runs[0], &paint = runs[1];
    j["faster_than_all"] = paint.perStep() > 0 ? all.perStep() / paint.perStep() : 0;
    j["memory_of_all"] = static_cast<double>(paint.bytes) / static_cast<double>(all.bytes);
    for (const char* region : {"paint", "none"})
        if (j[region].contains("wrinkles"))
            for (const char* figure : {"wavelength_mm", "amplitude_mm"})
                j[std::string(region) + "_" + figure + "_off"] =
                    off(j[region]["wrinkles"][figure].get<double>(),
                        j["all"]["wrinkles"][figure].get<double>());
    if (j["paint"].contains("shear_degrees"))
        for (const char* region : {"paint", "none"})
            j[std::string(region) + "_shear_off"] = off(j[region]["shear_degrees"].get<double>(),
                                                        j["all"]["shear_degrees"].get<double>());
    return j;
}

int bench(const Flags& f) {
    const ThreadLimit threads(f.threads);
    Json out = {{"time", isoTimeNow()}, {"processor", processor()}};
    const auto wanted = [&](const char* name) { return f.scene == "all" || f.scene == name; };
    bool any = false;
    if (wanted("swing")) {
        out["swing"] = swingFigures(f.folder + "/mixed_swing.json", f.picture);
        any = true;
    }
    if (wanted("paint")) {
        out["paint"] = paintFigures(f.folder + "/mixed_swing.json");
        any = true;
    }
    for (const char* name : {"stretch", "shear", "pucker", "garment"})
        if (wanted(name) && !interruptAsked()) {
            Flags one = f;
            if (std::string(name) == "garment" && f.steps == 0) one.steps = 4;
            out[name] = threeWays(one, name);
            any = true;
        }
    if (!any)
        throw Error("--scene", "'" + f.scene +
                                   "' was found, expected all, swing, paint, stretch, " +
                                   "shear, pucker or garment");
    if (f.json)
        std::printf("%s\n", out.dump(2).c_str());
    else
        printMixed(out);
    return interruptAsked() ? Interrupted : Ok;
}

} // namespace

void addBenchMixed(CLI::App& app, int& exit) {
    auto f = std::make_shared<Flags>();
    CLI::App* c = benchGroup(app)->add_subcommand(
        "mixed", "Yarns and triangles mixed against yarns alone and triangles alone");
    c->add_option(
         "--scene", f->scene,
         "swing (solver), paint (a change of it), stretch (border), shear, pucker, garment "
         "(all)")
        ->type_name("NAME");
    c->add_option("--scenes", f->folder, "Folder of mixed_NAME.json (scenes)")->type_name("DIR");
    c->add_option("--steps", f->steps, "At most so many a run, for times alone; 0: the scene (0)")
        ->type_name("N");
    c->add_option("--region", f->regions,
                  "Of all, paint, none, whole: these only; compared when all ran")
        ->type_name("NAME...");
    c->add_option("--picture", f->picture, "Residuals of the swinging cloth, plotted (.svg)")
        ->type_name("FILE");
    c->add_option("--threads", f->threads, "0 takes all (0)")->type_name("N");
    c->add_flag("--json", f->json, "Print JSON instead of lines");
    c->footer("Examples:\n  purl bench mixed --scene pucker\n"
              "  purl bench mixed --scene swing --picture docs/images/mixed_convergence.svg");
    c->callback([f, &exit] { exit = bench(*f); });
}

} // namespace purl::cli
