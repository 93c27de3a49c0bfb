// `purl fabric`: yarns of a woven or knitted fabric laid on polygons, without simulating.
#include "cli/commands.h"
#include "cli/draft_file.h"
#include "cli/fabric_flags.h"
#include "cli/flags.h"
#include "cli/sequence.h"
#include "purl/base/error.h"
#include "purl/base/parallel.h"
#include "purl/host/fabric_detail.h"
#include "purl/host/fabric_from_detail.h"
#include "purl/io/geo.h"

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <memory>

namespace purl::cli {

namespace {

struct Flags {
    std::string scene, out;
    FabricFlags fabric;
    int threads = 0;
    bool quiet = false;
};

void makeFabric(const Flags& f) {
    SceneFile scene;
    if (endsIn(f.scene, ".json"))
        scene = loadScene(f.scene);
    else
        scene.fabric.file = f.scene;
    putFabricFlags(f.fabric, scene.fabric);
    if (!scene.fabric.there())
        throw CLI::RequiredError("PATCH (polygons, or a scene file with a fabric)");
    if (f.out.empty()) throw CLI::RequiredError("--out");
    if (hasFrame(scene.fabric.nodes)) scene.fabric.nodes = framePath(scene.fabric.nodes, 1);
    const ThreadLimit threads(f.threads);
    std::vector<std::string> warnings;
    std::string name;
    const Detail patch = loadPatch(scene.fabric, name, warnings);
    const Draft draft = readDraft(scene.fabric, warnings);
    const auto start = std::chrono::steady_clock::now();
    const FabricInput in = fabricOf(patch, name, scene, draft, warnings);
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    FabricCurveSettings cs;
    cs.perCrossing = scene.fabric.points;
    cs.twist = scene.fabric.twist;
    const CrossingNetwork& net = in.layout.network;
    const Detail d = fabricDetail(in.layout, fabricCurves(net, {}, {}, cs), net.materials[0].name);
    for (const std::string& w : warnings) std::fprintf(stderr, "purl: warning: %s\n", w.c_str());
    makeFolderOf(f.out);
    writeDetail(f.out, d);
    if (!scene.fabric.nodes.empty()) {
        makeFolderOf(scene.fabric.nodes);
        writeDetail(scene.fabric.nodes, networkDetail(in.layout, in.patch, {}, {}));
    }
    if (f.quiet) return;
    std::printf("%s: %s, %d yarns, %d crossings, %d points; spacing %g by %g m, yarn radius %g m, "
                "%d pieces, laid in %.2f s\n",
                f.out.c_str(), draft.name.c_str(), net.yarns(), in.layout.crossings, d.points(),
                in.layout.warpSpacing, in.layout.weftSpacing, in.layout.radius, in.patch.pieces,
                seconds);
}

} // namespace

void addFabric(CLI::App& app, int&) {
    auto f = std::make_shared<Flags>();
    CLI::App* c =
        app.add_subcommand("fabric", "Lay a woven or knitted fabric on polygons, as curves");
    c->add_option("patch", f->scene,
                  "Polygons: .geo, .bgeo, .bgeo.sc, .obj; or a scene file (.json) with a fabric")
        ->type_name("PATCH");
    addFabricFlags(*c, f->fabric, false);
    c->add_option("-o,--out", f->out, "File to write: .bgeo.sc, .bgeo, .geo, .obj")
        ->type_name("FILE");
    c->add_option("--threads", f->threads, "0 takes all (0)")->type_name("N");
    c->add_flag("--quiet", f->quiet, "Say nothing but warnings and errors");
    c->footer("Drafts: " + draftNames() +
              ".\n\nExamples:\n"
              "  purl fabric patch.geo --draft twill2/2 --spacing 0.6mm --out yarns.bgeo.sc\n"
              "  purl fabric shirt.geo --draft tartan.wif --spacing 1mm --nodes net.bgeo.sc --out "
              "yarns.bgeo.sc\n"
              "  purl fabric sleeve.geo --draft rib2x2 --spacing 5mm,3.2mm --out yarns.bgeo.sc\n\n"
              "Warps (knit: courses) run where u grows; each uv island is a piece of its own, and\n"
              "where pieces meet in space their yarns are sewn together.");
    c->callback([f] { makeFabric(*f); });
}

} // namespace purl::cli
