// `purl fit`: the triangles that behave like a fabric, measured on a tile of it.
#include "purl/mixed/fit.h"
#include "cli/commands.h"
#include "cli/draft_file.h"
#include "cli/fabric_flags.h"
#include "cli/flags.h"
#include "purl/base/error.h"
#include "purl/base/parallel.h"
#include "purl/crossing/layout_parts.h"
#include "purl/crossing/yarn_material.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

namespace purl::cli {

namespace {

struct Flags {
    FabricFlags fabric;
    int tile = 24, threads = 0;
    bool json = false;
};

void fit(const Flags& f) {
    FabricEntry e;
    putFabricFlags(f.fabric, e);
    const ThreadLimit threads(f.threads);
    std::vector<std::string> warnings;
    const Draft draft = readDraft(e, warnings);
    LayoutSettings s;
    s.warpSpacing = e.warpSpacing, s.weftSpacing = e.weftSpacing, s.radius = e.radius;
    const double radius = fabricSizes(draft, s, "purl fit", warnings).radius;
    s.warp = s.weft = s.seam =
        yarnMaterial(e.material.value_or("cotton"), radius, e.tex, e.ply, !draft.woven);
    FitSettings settings;
    settings.threads = f.tile;
    Monitor monitor;
    const FabricFit fit = fitTriangles(draft, s, settings, monitor);
    for (const std::string& w : warnings) std::fprintf(stderr, "purl: warning: %s\n", w.c_str());
    const ClothMaterial& m = fit.material;
    // A knit laid flat is not at rest: it may give way to a strain, and no sheet does that.
    if (!(m.stretchWarp > 0 && m.stretchWeft > 0 && m.shear > 0 && m.bendWarp > 0 &&
          m.bendWeft > 0))
        throw Error("purl fit: " + draft.name,
                    "stretch " + numberText(m.stretchWarp) + " and " + numberText(m.stretchWeft) +
                        " N/m, shear " + numberText(m.shear) +
                        " N/m came out, expected all > 0: "
                        "the tile is not at rest when it lies flat, as most knits are not");
    if (f.json) {
        nlohmann::ordered_json j = {{"draft", draft.name},
                                    {"area_density", m.areaDensity},
                                    {"stretch_warp", m.stretchWarp},
                                    {"stretch_weft", m.stretchWeft},
                                    {"shear", m.shear},
                                    {"poisson", m.poisson},
                                    {"bend_warp", m.bendWarp},
                                    {"bend_weft", m.bendWeft},
                                    {"residual_in_plane", fit.residualInPlane},
                                    {"residual_bend", fit.residualBend}};
        for (const FitSample& p : fit.samples)
            j["samples"].push_back({{"warp", p.warp},
                                    {"weft", p.weft},
                                    {"shear", p.shear},
                                    {"bend_warp", p.bendWarp},
                                    {"bend_weft", p.bendWeft},
                                    {"energy", p.energy},
                                    {"fitted", p.fitted}});
        std::printf("%s\n", j.dump(1).c_str());
        return;
    }
    std::printf("%s, yarn radius %g m\n", draft.name.c_str(), radius);
    std::printf("  area density  %g kg/m2\n", m.areaDensity);
    std::printf("  stretch       %g N/m warp, %g N/m weft, Poisson's ratio %g\n", m.stretchWarp,
                m.stretchWeft, m.poisson);
    std::printf("  shear         %g N/m\n", m.shear);
    std::printf("  bend          %g N m warp, %g N m weft\n", m.bendWarp, m.bendWeft);
    std::printf(
        "  residual      %.1f %% of the energy in the plane, %.1f %% of bending (RMS over %zu "
        "samples)\n",
        100 * fit.residualInPlane, 100 * fit.residualBend, fit.samples.size());
}

} // namespace

void addFit(CLI::App& app, int&) {
    auto f = std::make_shared<Flags>();
    CLI::App* c = app.add_subcommand(
        "fit", "Measure the triangle cloth that behaves like a woven or knitted fabric");
    addFabricFlags(*c, f->fabric, false);
    c->add_option("--tile", f->tile, "Threads of the tile, either way (24)")
        ->type_name("N")
        ->check(CLI::Range(10, 200));
    c->add_option("--threads", f->threads, "0 takes all (0)")->type_name("N");
    c->add_flag("--json", f->json, "Figures and samples as JSON");
    c->callback([f] { fit(*f); });
}

} // namespace purl::cli
