// `purl bench steps`: explicit against implicit steps on the same scenes, in one run.
#include "cli/bench_steps_run.h"
#include "cli/commands.h"
#include "cli/machine.h"
#include "cli/signals.h"
#include "purl/base/error.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <thread>

namespace purl::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kPaperStep = 1.0 / 16200; // s, Kaldor 2010 table 1

struct Flags {
    long loops = 3240;
    std::vector<std::string> scenes;
    double seconds = 0, step = 0;
    int threads = 0;
    std::string reference;         // file of the explicit run at the paper's step
    std::vector<std::string> runs; // all if empty
    bool json = false, quiet = false;
};

struct SceneFigures {
    StepsScene scene;
    double stable = 0; // s
    StepsFigures paper, best, first, second, single;
};

double ratio(double a, double b) { return b > 0 ? a / b : 0; }

// Kinetic energy against the reference's, over the frames in which that moves: has more than a
// twentieth of its most. What lies still has no energy to keep.
double keptInMotion(const std::vector<double>& run, const std::vector<double>& reference) {
    double most = 0, kept = 0, all = 0;
    for (double e : reference) most = std::max(most, e);
    for (std::size_t k = 0; k < std::min(run.size(), reference.size()); ++k) {
        if (reference[k] < 0.05 * most) continue;
        kept += run[k];
        all += reference[k];
    }
    return ratio(kept, all);
}

class Bench {
public:
    explicit Bench(const Flags& f) : f_(f) {}

    std::vector<SceneFigures> go() {
        std::vector<SceneFigures> all;
        for (const std::string& name : f_.scenes.empty() ? stepsScenes() : f_.scenes) {
            if (interruptAsked()) break;
            all.push_back(scene(name));
        }
        return all;
    }

private:
    SceneFigures scene(const std::string& name) {
        SceneFigures s;
        s.scene = stepsScene(name, f_.loops);
        if (f_.seconds > 0) s.scene.seconds = std::min(s.scene.seconds, f_.seconds);
        if (!recalled(s)) {
            if (wanted("paper"))
                s.paper = run(s.scene, {"explicit 1/16200 s", Stepping::Explicit, kPaperStep});
            if (!f_.reference.empty()) saveFigures(f_.reference, s.paper);
        }
        if (wanted("best")) {
            // The limit is one of the material: a small piece of the same scene finds it.
            const StepsScene small = stepsScene(
                name, std::min(f_.loops, name == "scarf" || name == "drape" ? 256L : 800L));
            s.stable = largestStable(small, kPaperStep, 0.12);
            s.best = run(s.scene, {"explicit, largest stable", Stepping::Explicit, s.stable});
        }
        if (wanted("first"))
            s.first = run(s.scene, {"implicit, first order", Stepping::Implicit, f_.step, 0});
        if (wanted("second"))
            s.second = run(s.scene, {"implicit, second order", Stepping::Implicit, f_.step, 1});
        if (name == "scarf" &&
            wanted("threads")) { // the first tenth of a second again, on one thread
            StepsScene part = s.scene;
            part.seconds = std::min(part.seconds, 0.1);
            StepsVariant v{"implicit, two threads", Stepping::Implicit, f_.step, 1};
            v.threads = 2;
            const StepsFigures two = run(part, v, false);
            v.name = "implicit, one thread";
            v.threads = 1;
            s.single = run(part, v, false);
            s.single.wall = ratio(s.single.wall, two.wall); // kept as the ratio
            s.single.passes = two.hash != s.single.hash;
        }
        return s;
    }

    bool wanted(const char* run) const {
        return f_.runs.empty() || std::find(f_.runs.begin(), f_.runs.end(), run) != f_.runs.end();
    }
    // The reference, from the file that an earlier bench left.
    bool recalled(SceneFigures& s) const {
        if (f_.reference.empty() || !loadFigures(f_.reference, s.paper)) return false;
        const auto points = static_cast<std::size_t>(s.scene.scene.yarns.points());
        if (s.paper.x.size() != points || std::abs(s.paper.simulated - s.scene.seconds) > 2e-3)
            throw Error(f_.reference, "is of " + std::to_string(s.paper.x.size()) + " points and " +
                                          std::to_string(s.paper.simulated) + " s, expected " +
                                          std::to_string(points) + " and " +
                                          std::to_string(s.scene.seconds));
        return true;
    }

    StepsFigures run(const StepsScene& scene, StepsVariant v, bool judge = true) {
        if (v.threads == 0) v.threads = f_.threads;
        const StepsFigures r = runSteps(scene, v, judge);
        if (!f_.quiet) {
            std::fprintf(stderr, "%-7s %-26s %8.2f s CPU a second, %ld steps, %ld rejected%s\n",
                         scene.name.c_str(), v.name.c_str(), r.cpuPerSecond(), r.steps,
                         r.rejections, r.finished ? "" : (" STOPPED: " + r.reason).c_str());
            std::fflush(stderr);
        }
        return r;
    }

    Flags f_;
};

Json figuresJson(const StepsFigures& f, const StepsFigures& reference) {
    Json j = {{"name", f.name},
              {"finished", f.finished},
              {"simulated", f.simulated},
              {"cpu_per_second", f.cpuPerSecond()},
              {"wall_per_second", f.wallPerSecond()},
              {"step", f.dt},
              {"smallest_step", f.smallestDt},
              {"steps", f.steps},
              {"iterations_per_step",
               ratio(static_cast<double>(f.iterations), static_cast<double>(f.steps))},
              {"rejections", f.rejections},
              {"lenient", f.lenient},
              {"guard_percent", 100 * f.guardShare},
              {"passes", f.passes},
              {"doubts", f.doubts},
              {"min_gap", f.minGap},
              {"rms_mm", 1e3 * rmsBetween(f.x, reference.x)},
              {"energy_kept", keptInMotion(f.curve, reference.curve)},
              {"energy_kept_at_end", ratio(f.kinetic, reference.kinetic)},
              {"seconds",
               {{"predict", f.phases.predict},
                {"rods", f.phases.rods},
                {"contact", f.phases.contact},
                {"assemble", f.phases.assemble},
                {"factor", f.phases.factor},
                {"solve", f.phases.solve},
                {"rest", f.phases.rest},
                {"guard", f.guardSeconds},
                {"all", f.wall}}},
              {"kinetic_mj", Json::array()}};
    for (double e : f.curve) j["kinetic_mj"].push_back(std::round(1e6 * e) / 1e3);
    if (!f.reason.empty()) j["reason"] = f.reason;
    return j;
}

Json report(const Flags& flags, const std::vector<SceneFigures>& all) {
    Json j = {{"time", isoTimeNow()},
              {"processor", processor()},
              {"loops", flags.loops},
              {"threads", flags.threads > 0
                              ? flags.threads
                              : static_cast<int>(std::thread::hardware_concurrency())}};
    // The headline is the scarf, or the only scene there is; passes and gaps are of all scenes.
    long passes = 0, unfinished = 0;
    double gap = 1;
    for (const SceneFigures& s : all)
        for (const StepsFigures* f : {&s.first, &s.second}) {
            passes += f->passes;
            unfinished += f->steps > 0 && !f->finished;
            gap = std::min(gap, f->minGap);
        }
    if (!all.empty()) {
        const SceneFigures& s = all.front();
        j["speedup_vs_paper_step"] = ratio(s.paper.cpuPerSecond(), s.second.cpuPerSecond());
        j["speedup_vs_explicit_best"] = ratio(s.best.cpuPerSecond(), s.second.cpuPerSecond());
        j["passes"] = passes;
        j["unfinished"] = unfinished;
        j["min_gap"] = gap;
        j["rms_mm"] = 1e3 * rmsBetween(s.second.x, s.paper.x);
        j["energy_kept"] = keptInMotion(s.second.curve, s.paper.curve);
        j["energy_kept_first_order"] = keptInMotion(s.first.curve, s.paper.curve);
        j["energy_kept_at_end"] = ratio(s.second.kinetic, s.paper.kinetic);
        // Measured on the scarf only.
        const bool measured = s.single.steps > 0;
        j["threads_speedup"] = measured ? Json(s.single.wall) : Json();
        j["threads_same_bits"] = measured ? Json(s.single.passes == 0) : Json();
        j["peak_memory_mb"] = peakMemory() / (1 << 20);
    }
    for (const SceneFigures& s : all) {
        Json one = {{"scene", s.scene.name},
                    {"about", s.scene.about},
                    {"points", s.scene.scene.yarns.points()},
                    {"largest_stable_step", s.stable}};
        for (const StepsFigures* f : {&s.paper, &s.best, &s.first, &s.second})
            if (f->steps > 0) one["runs"].push_back(figuresJson(*f, s.paper));
        j["scenes"].push_back(one);
    }
    return j;
}

void printTable(const Json& j) {
    for (const Json& s : j["scenes"]) {
        std::printf("%s: %s, %d points, largest stable explicit step 1/%.0f s\n",
                    s["scene"].get<std::string>().c_str(), s["about"].get<std::string>().c_str(),
                    s["points"].get<int>(), 1 / s["largest_stable_step"].get<double>());
        std::printf("  %-26s %9s %9s %8s %6s %6s %6s %6s %7s %6s\n", "", "CPU/s", "wall/s",
                    "step ms", "iter", "reject", "passes", "gap", "rms mm", "kept");
        for (const Json& r : s["runs"])
            std::printf("  %-26s %9.2f %9.2f %8.3f %6.1f %6ld %6ld %6.3f %7.2f %6.2f%s\n",
                        r["name"].get<std::string>().c_str(), r["cpu_per_second"].get<double>(),
                        r["wall_per_second"].get<double>(), 1e3 * r["step"].get<double>(),
                        r["iterations_per_step"].get<double>(), r["rejections"].get<long>(),
                        r["passes"].get<long>(), r["min_gap"].get<double>(),
                        r["rms_mm"].get<double>(), r["energy_kept"].get<double>(),
                        r["finished"].get<bool>() ? "" : "  stopped");
    }
    if (!j.contains("passes")) return;
    std::printf("implicit, second order, first scene: %.2fx over 1/16200 s, %.2fx over the largest "
                "stable step;\n%ld passes and smallest gap %.3f in all scenes\n",
                j["speedup_vs_paper_step"].get<double>(),
                j["speedup_vs_explicit_best"].get<double>(), j["passes"].get<long>(),
                j["min_gap"].get<double>());
    if (j["threads_speedup"].is_number())
        std::printf("two threads %.2fx of one\n", j["threads_speedup"].get<double>());
}

int bench(const Flags& f) {
    if (f.loops < 64 || f.loops > 200000)
        throw Error("--loops", "is " + std::to_string(f.loops) + ", expected 64 to 200000");
    const Json j = report(f, Bench(f).go());
    if (f.json)
        std::printf("%s\n", j.dump(2).c_str());
    else
        printTable(j);
    return interruptAsked() ? Interrupted : Ok;
}

} // namespace

void addBenchSteps(CLI::App& app, int& exit) {
    auto f = std::make_shared<Flags>();
    CLI::App* c = benchGroup(app)->add_subcommand(
        "steps", "Time explicit and implicit steps on the same scenes, and judge what they do");
    c->add_option("--loops", f->loops, "Loops of the scarf; the patches have an eighth (3240)")
        ->type_name("N");
    c->add_option("--scene", f->scenes, "scarf, drape, ball, impact, pull or yank; may be repeated")
        ->type_name("NAME")
        ->allow_extra_args(false);
    c->add_option("--seconds", f->seconds, "Simulate no more than this of each scene")
        ->type_name("S");
    c->add_option("--step", f->step, "Longest implicit step, s (as the solver chooses)")
        ->type_name("S");
    c->add_option("--threads", f->threads, "0 takes all (0)")->type_name("N");
    c->add_option("--run", f->runs, "paper, best, first, second or threads; may be repeated (all)")
        ->type_name("NAME")
        ->allow_extra_args(false)
        ->check(CLI::IsMember({"paper", "best", "first", "second", "threads"}));
    c->add_option("--reference", f->reference,
                  "Keep the run at 1/16200 s of one scene in this file, or take it from there")
        ->type_name("FILE");
    c->add_flag("--json", f->json, "Print JSON instead of the table");
    c->add_flag("--quiet", f->quiet, "No lines of progress");
    c->footer(
        "Examples:\n  purl bench steps --json\n  purl bench steps --loops 400 --scene impact");
    c->callback([f, &exit] { exit = bench(*f); });
}

} // namespace purl::cli
