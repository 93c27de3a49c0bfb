// `purl bench acl`: how fast adaptive contact linearization is, and how true.
#include "cli/bench_report.h"
#include "cli/commands.h"
#include "purl/base/error.h"
#include "purl/scene/quantity.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>

namespace purl::cli {

namespace {

struct BenchFlags {
    BenchOptions run;
    bool json = false;
    std::string csv;
};

int bench(const BenchFlags& f) {
    if (!(f.run.tau >= 0))
        throw Error("--tau", "is " + numberText(f.run.tau) + ", expected a number >= 0");
    if (!(f.run.seconds > 0))
        throw Error("--seconds", "is " + numberText(f.run.seconds) + ", expected > 0 s");
    const BenchResult r = runBench(f.run);
    std::printf("%s", (f.json ? benchJson(r) : benchTable(r)).c_str());
    std::fflush(stdout);
    if (r.interrupted) return Interrupted;
    // The record belongs to the source tree: elsewhere it is kept only when asked for.
    if (!f.csv.empty())
        appendBenchCsv(f.csv, r);
    else if (std::filesystem::is_directory("bench"))
        appendBenchCsv("bench/acl.csv", r);
    return Ok;
}

} // namespace

CLI::App* benchGroup(CLI::App& app) {
    for (CLI::App* other : app.get_subcommands({}))
        if (other->get_name() == "bench") return other;
    CLI::App* c = app.add_subcommand("bench", "Measure the speed of the solver on this machine");
    c->require_subcommand(1);
    return c;
}

void addBenchAcl(CLI::App& app, int& exit) {
    CLI::App* c = benchGroup(app);
    auto f = std::make_shared<BenchFlags>();
    CLI::App* a =
        c->add_subcommand("acl", "Time adaptive contact linearization against exact contact");
    a->add_option("--scene", f->run.scene,
                  "scarf (falls on a plane), afghan (on a ball), or a scene file with a pattern; "
                  "else by --loops")
        ->type_name("NAME");
    a->add_option("--loops", f->run.loops, "Loops of the knit (scarf 3240, afghan 54340)")
        ->type_name("N");
    a->add_option("--tau", f->run.tau, "Tolerance of the linear models (0.04)")->type_name("T");
    a->add_option("--friction", f->run.friction, "Between yarns, with (iii) (0.3)")
        ->type_name("MU");
    a->add_option("--seconds", f->run.seconds, "Simulated time to measure after first impact (0.5)")
        ->type_name("S");
    a->add_option("--threads", f->run.threads, "0 takes all (0)")->type_name("N");
    a->add_flag("--threads-compare", f->run.threadsCompare,
                "Run every fourth piece with one thread, to compare");
    a->add_flag("--full", f->run.full,
                "Run the three contacts each by itself, instead of timing two at samples");
    a->add_flag("--json", f->json, "Print JSON instead of the table");
    a->add_flag("--quiet", f->run.quiet, "No lines of progress");
    a->add_option("--csv", f->csv,
                  "File to append the figures to (bench/acl.csv where there is a "
                  "folder bench)")
        ->type_name("FILE");
    a->footer(
        "(i) is the reference of the paper: a scalar bounding hierarchy, all near pairs each "
        "step.\n(ii) is Purl's own exact contact: SIMD, lists with a skin. (iii) is ACL, which "
        "drives the\nmotion. All three use the same threads on the same positions.\n\n"
        "Examples:\n  purl bench acl\n  purl bench acl --loops 54340 --seconds 0.05 --json");
    a->callback([f, &exit] { exit = bench(*f); });
}

} // namespace purl::cli
