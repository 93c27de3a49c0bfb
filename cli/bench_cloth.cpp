// `purl bench cloth`: the figures of the cloth solver, each as a ratio taken within one run: MPCG
// against Eigen's conjugate gradients, two threads against one, growth with the number of
// triangles.
#include "cli/bench_cloth_scenes.h"
#include "cli/bench_cloth_solver.h"
#include "cli/commands.h"
#include "purl/base/parallel.h"

#include <CLI/CLI.hpp>

#include <chrono>
#include <cstdio>
#include <iostream>

namespace purl::cli {

namespace {
using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;
double since(Clock::time_point t) {
    return std::chrono::duration<double>(Clock::now() - t).count();
}

struct Timed {
    double seconds = 1e300; // a step, the best of the repeats
    ClothDynamics::Seconds parts;
    double iterations = 0;
    std::uint64_t hash = 0;
};

// Steps on from a common state.
Timed timeSteps(BenchSheet& s, const std::vector<Vec3>& x, const std::vector<Vec3>& v, int threads,
                const ClothBenchFlags& f, int steps) {
    ThreadLimit limit(threads);
    Timed t;
    for (int k = 0; k < f.repeat; ++k) {
        s.solver->setState(x, v);
        const ClothDynamics::Seconds before = s.solver->dynamics().seconds();
        const auto start = Clock::now();
        t.iterations = 0;
        for (int n = 0; n < steps; ++n)
            t.iterations += s.solver->step(f.dt).solve.linear.iterations / double(steps);
        const double seconds = since(start) / steps;
        if (seconds < t.seconds) {
            t.seconds = seconds;
            const ClothDynamics::Seconds after = s.solver->dynamics().seconds();
            t.parts.assemble = (after.assemble - before.assemble) / steps;
            t.parts.factor = (after.factor - before.factor) / steps;
            t.parts.solve = (after.solve - before.solve) / steps;
        }
        t.hash = s.solver->hash();
    }
    return t;
}

Json jsonOf(const Timed& t) {
    return {{"seconds", t.seconds},
            {"assemble", t.parts.assemble},
            {"factor", t.parts.factor},
            {"solve", t.parts.solve},
            {"iterations", t.iterations}};
}

Json benchThreads(const ClothBenchFlags& f) {
    BenchSheet scene(rectangleSheet(f.cells, f.cells, 1, 1), clothPreset(f.preset), true);
    for (int k = 0; k < 24; ++k) scene.solver->step(f.dt);
    const std::vector<Vec3> x(scene.solver->x().begin(), scene.solver->x().end()),
        v(scene.solver->v().begin(), scene.solver->v().end());
    // In turns, so that a machine that changes its pace does so for both.
    ClothBenchFlags once = f;
    once.repeat = 1;
    Timed one, two;
    for (int k = 0; k < f.repeat; ++k) {
        const Timed a = timeSteps(scene, x, v, 1, once, 4), b = timeSteps(scene, x, v, 2, once, 4);
        if (a.seconds < one.seconds) one = a;
        if (b.seconds < two.seconds) two = b;
    }
    return {{"one", jsonOf(one)},
            {"two", jsonOf(two)},
            {"speedup", one.seconds / two.seconds},
            {"same_bits", one.hash == two.hash}};
}

Json benchGrowth(const ClothBenchFlags& f) {
    Json rows = Json::array();
    std::vector<double> n, t;
    for (long triangles : {2500L, 25000L, 250000L}) {
        if (triangles > f.largest) break;
        BenchSheet scene(squareSheet(static_cast<Index>(triangles), 1), clothPreset(f.preset),
                         true);
        for (int k = 0; k < 12; ++k) scene.solver->step(f.dt);
        const std::vector<Vec3> x(scene.solver->x().begin(), scene.solver->x().end()),
            v(scene.solver->v().begin(), scene.solver->v().end());
        ClothBenchFlags few = f;
        if (triangles > 100000) few.repeat = 1;
        const Timed timed = timeSteps(scene, x, v, 0, few, 4);
        Json row = jsonOf(timed);
        row["triangles"] = scene.sheet.mesh.faces();
        rows.push_back(row);
        n.push_back(scene.sheet.mesh.faces());
        t.push_back(timed.seconds);
    }
    Json out{{"rows", rows}};
    if (n.size() > 1)
        out["exponent"] = std::log(t.back() / t.front()) / std::log(n.back() / n.front());
    return out;
}

int bench(const ClothBenchFlags& f) {
    if (f.drop || f.sleeve) { // experiments by themselves
        ClothSceneFlags scene;
        scene.cells = f.cells;
        scene.dt = f.dt;
        scene.preset = f.preset;
        scene.picture = f.picture;
        scene.check = f.check;
        scene.seconds = f.seconds;
        scene.progress = !f.json;
        Json out;
        if (f.drop) out["drop"] = dropOnBallAndTable(scene);
        if (f.sleeve) out["sleeve"] = sleeveOnArm(scene);
        std::cout << out.dump(2) << "\n";
        return Ok;
    }
    Json out;
    const bool all = !f.solver && !f.threads && !f.growth;
    if (all || f.solver) out["solver"] = benchClothSolver(f);
    if (all || f.threads) out["threads"] = benchThreads(f);
    if (all || f.growth) out["growth"] = benchGrowth(f);
    if (f.json) {
        std::cout << out.dump(2) << "\n";
        return Ok;
    }
    if (out.contains("solver")) {
        const Json& s = out["solver"];
        std::printf("one system of a %d triangle sheet, to a residual of %g:\n",
                    s["triangles"].get<int>(), f.tolerance);
        for (const char* k : {"eigen", "eigen_both_triangles", "jacobi_1_thread",
                              "jacobi_2_threads", "cholesky_1_thread", "cholesky_2_threads",
                              "two_level_1_thread", "two_level_2_threads"})
            std::printf("  %-22s %8.2f ms  %5d iterations  residual %.2e\n", k,
                        1e3 * s[k]["seconds"].get<double>(), s[k]["iterations"].get<int>(),
                        s[k]["residual"].get<double>());
        std::printf("  %.2f times as fast as Eigen (bar 4), %.2f with one thread\n",
                    s["speedup"].get<double>(), s["speedup_1_thread"].get<double>());
    }
    const auto line = [](const char* what, const Json& r) {
        std::printf("  %-10s %8.2f ms a step: assemble %.2f, factor %.2f, solve %.2f (%.1f "
                    "iterations)\n",
                    what, 1e3 * r["seconds"].get<double>(), 1e3 * r["assemble"].get<double>(),
                    1e3 * r["factor"].get<double>(), 1e3 * r["solve"].get<double>(),
                    r["iterations"].get<double>());
    };
    if (out.contains("threads")) {
        const Json& s = out["threads"];
        std::printf("whole step with self-collision, draping over a ball:\n");
        line("1 thread", s["one"]);
        line("2 threads", s["two"]);
        std::printf("  %.2f times as fast (bar 1.6), %s bits\n", s["speedup"].get<double>(),
                    s["same_bits"].get<bool>() ? "same" : "OTHER");
    }
    if (out.contains("growth")) {
        std::printf("growth of a step:\n");
        for (const Json& r : out["growth"]["rows"])
            line(std::to_string(r["triangles"].get<int>()).c_str(), r);
        if (out["growth"].contains("exponent"))
            std::printf("  as n^%.3f (bar 1.25)\n", out["growth"]["exponent"].get<double>());
    }
    return Ok;
}
} // namespace

void addBenchCloth(CLI::App& app, int& exit) {
    // Other benchmarks may have made the group already.
    CLI::App* group = nullptr;
    for (CLI::App* other : app.get_subcommands({}))
        if (other->get_name() == "bench") group = other;
    if (!group) {
        group = app.add_subcommand("bench", "Measure the speed of the solver on this machine");
        group->require_subcommand(1);
    }
    auto f = std::make_shared<ClothBenchFlags>();
    CLI::App* c = group->add_subcommand("cloth", "Time the triangle cloth solver");
    c->add_flag("--solver", f->solver, "Only MPCG against Eigen's conjugate gradients");
    c->add_flag("--threads", f->threads, "Only two threads against one");
    c->add_flag("--growth", f->growth, "Only the growth from 2,500 to 250,000 triangles");
    c->add_flag("--drop", f->drop, "Experiment: a sheet onto a ball, then a table's edge, 3 s");
    c->add_flag("--sleeve", f->sleeve, "Experiment: a sleeve on a bending arm, 48 frames");
    c->add_option("--picture", f->picture, "PNG of an experiment")->type_name("FILE");
    c->add_option("--check", f->check, "Look for intersections every N steps (1)")->type_name("N");
    c->add_option("--seconds", f->seconds, "Length of --drop (3)")->type_name("S");
    c->add_option("--cells", f->cells, "Cells along a side of the sheet (100)")->type_name("N");
    c->add_option("--largest", f->largest, "Most triangles of --growth (250000)")->type_name("N");
    c->add_option("--preset", f->preset, "Material (cotton)")->type_name("NAME");
    c->add_option("--tolerance", f->tolerance, "Residual of the compared solves (1e-6)")
        ->type_name("T");
    c->add_option("--dt", f->dt, "Step, s (1/96)")->type_name("S");
    c->add_option("--repeat", f->repeat, "Takes the best of N (5)")->type_name("N");
    c->add_flag("--json", f->json, "Print JSON instead of the table");
    c->callback([f, &exit] { exit = bench(*f); });
}

} // namespace purl::cli
