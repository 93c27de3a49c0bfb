// `purl bench weave`: the plain weave that other solvers were timed on (docs/steps.md).
#include "cli/bench_steps_run.h"
#include "cli/commands.h"
#include "cli/machine.h"
#include "cli/signals.h"
#include "purl/base/error.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>

namespace purl::cli {

namespace {

using Json = nlohmann::ordered_json;

struct Flags {
    Index pitches = 20;
    double seconds = 1, step = 0;
    int threads = 1;
    bool json = false, reference = false, explicitSteps = false;
};

double sag(const StepsFigures& f, const Scene& s) {
    double lowest = 0;
    for (std::size_t i = 0; i < f.x.size(); ++i)
        lowest = std::min(lowest, f.x[i].y() - s.yarns.x[i].y());
    return -lowest;
}

int bench(const Flags& f) {
    if (f.pitches < 2 || f.pitches > 400)
        throw Error("--pitches", "is " + std::to_string(f.pitches) + ", expected 2 to 400");
    if (!(f.seconds > 0)) throw Error("--seconds", "is not positive, expected > 0 s");
    StepsScene scene;
    scene.name = "weave";
    scene.scene = weaveScene(f.pitches);
    scene.seconds = f.seconds;
    const Curves& yarns = scene.scene.yarns;
    long segments = 0;
    for (Index y = 0; y < yarns.yarns(); ++y) segments += yarns.edges(y);
    StepsVariant v{"implicit", Stepping::Implicit, f.step, 1};
    if (f.explicitSteps) v = {"explicit", Stepping::Explicit, f.step};
    v.threads = f.threads;
    const StepsFigures r = runSteps(scene, v);
    Json j = {{"time", isoTimeNow()},
              {"processor", processor()},
              {"pitches", f.pitches},
              {"segments", segments},
              {"crossings", static_cast<long>(f.pitches) * f.pitches},
              {"threads", f.threads},
              {"integrator", v.name},
              {"finished", r.finished},
              {"simulated", r.simulated},
              {"seconds_per_simulated_second", r.wallPerSecond()},
              {"cpu_per_second", r.cpuPerSecond()},
              {"step", r.dt},
              {"steps", r.steps},
              {"iterations_per_step",
               r.steps > 0 ? static_cast<double>(r.iterations) / static_cast<double>(r.steps) : 0},
              {"rejections", r.rejections},
              {"passes", r.passes},
              {"min_gap", r.minGap},
              {"sag_mm", 1e3 * sag(r, scene.scene)},
              {"kinetic", r.kinetic},
              {"peak_memory_mb", peakMemory() / (1 << 20)}};
    if (!r.reason.empty()) j["reason"] = r.reason;
    if (f.reference && !interruptAsked()) {
        StepsVariant e{"explicit", Stepping::Explicit, 0};
        e.threads = f.threads;
        const StepsFigures x = runSteps(scene, e);
        j["explicit_seconds_per_simulated_second"] = x.wallPerSecond();
        j["explicit_min_gap"] = x.minGap;
        j["explicit_sag_mm"] = 1e3 * sag(x, scene.scene);
        j["rms_mm"] = 1e3 * rmsBetween(r.x, x.x);
    }
    if (f.json)
        std::printf("%s\n", j.dump(2).c_str());
    else
        std::printf("weave of %ld segments, %ld crossings: %.2f s a simulated second on %d "
                    "thread(s), step %.2f ms,\n%ld rejected, %ld passes, smallest gap %.3f, sag "
                    "%.2f mm, %.0f MB%s\n",
                    segments, j["crossings"].get<long>(), r.wallPerSecond(), f.threads, 1e3 * r.dt,
                    r.rejections, r.passes, r.minGap, 1e3 * sag(r, scene.scene),
                    j["peak_memory_mb"].get<double>(),
                    r.finished ? "" : (" (stopped: " + r.reason + ")").c_str());
    return interruptAsked() ? Interrupted : r.finished && r.passes == 0 ? Ok : Broken;
}

} // namespace

void addBenchWeave(CLI::App& app, int& exit) {
    auto f = std::make_shared<Flags>();
    CLI::App* c = benchGroup(app)->add_subcommand(
        "weave", "Time the plain weave that other yarn solvers were timed on");
    c->add_option("--pitches", f->pitches,
                  "Warps, and wefts: 10 are 440 segments, 20 are 1,680, 40 are 6,560 (20)")
        ->type_name("N");
    c->add_option("--seconds", f->seconds, "Simulated time (1)")->type_name("S");
    c->add_option("--step", f->step, "Longest step, s (as the solver chooses)")->type_name("S");
    c->add_option("--threads", f->threads, "0 takes all (1, as the peers)")->type_name("N");
    c->add_flag("--explicit", f->explicitSteps, "Explicit steps instead");
    c->add_flag("--reference", f->reference, "Run explicit steps as well and compare");
    c->add_flag("--json", f->json, "Print JSON instead of a line");
    c->footer("Examples:\n  purl bench weave --pitches 20\n"
              "  purl bench weave --pitches 10 --reference --json");
    c->callback([f, &exit] { exit = bench(*f); });
}

} // namespace purl::cli
