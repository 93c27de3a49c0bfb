// `purl bench cloth`: the figures of the cloth solver, each as a ratio taken within one run: MPCG
// against Eigen's conjugate gradients, two threads against one, growth with the number of
// triangles.
#include "cli/bench_cloth_scenes.h"
#include "cli/commands.h"
#include "purl/base/parallel.h"
#include "purl/cloth/models.h"
#include "purl/cloth/self_collision.h"
#include "purl/cloth/sheets.h"
#include "purl/cloth/solver.h"
#include "purl/collide/shapes.h"

#include <CLI/CLI.hpp>
#include <Eigen/IterativeLinearSolvers>
#include <Eigen/SparseCore>
#include <nlohmann/json.hpp>

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

struct Flags {
    bool json = false, solver = false, threads = false, growth = false;
    bool drop = false, sleeve = false, cusick = false;
    std::string picture;
    int check = 1;
    double seconds = 0;
    int cells = 100, repeat = 5;
    long largest = 250000;
    std::string preset = "cotton";
    double tolerance = 1e-6, dt = 1.0 / 96;
};

std::unique_ptr<ClothSolver> sheetOf(const FlatSheet& s, const ClothMaterial& m) {
    std::vector<std::unique_ptr<ClothEnergy>> list;
    list.push_back(makeInPlane(InPlaneModel::StVK, s.mesh, m));
    list.push_back(makeBending(BendingModel::DiscreteShells, s.mesh, m));
    const std::vector<double> density{m.areaDensity};
    return std::make_unique<ClothSolver>(s.mesh, s.x, density, std::move(list), ClothSettings());
}

// A square of 1 m that has begun to drape over a ball, whatever its resolution.
struct Scene {
    SphereCollider ball{{0, -0.2505, 0}, 0.25};
    std::unique_ptr<ClothSolver> solver;
    FlatSheet sheet;
    Scene(FlatSheet s, const ClothMaterial& m, bool self) : sheet(std::move(s)) {
        solver = sheetOf(sheet, m);
        solver->setColliders({{&ball, {}}});
        if (self)
            solver->setCollisionHook(
                std::make_unique<CollisionHookOf<SelfCollision>>(sheet.mesh, sheet.x));
    }
};

Eigen::SparseMatrix<double> toEigen(const BlockMatrix& a) {
    const BlockPattern& p = a.pattern();
    std::vector<Eigen::Triplet<double>> t;
    const auto put = [&](Index i, Index j, const Mat3& b) {
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c) t.emplace_back(3 * i + r, 3 * j + c, b(r, c));
    };
    for (Index i = 0; i < a.size(); ++i)
        for (Index k = p.row[i]; k < p.row[i + 1]; ++k) {
            const Index j = p.column[k];
            put(i, j, a.blocks()[k]);
            if (j != i && p.partOf(i) == p.partOf(j)) put(j, i, a.blocks()[k].transpose());
        }
    Eigen::SparseMatrix<double> m(3 * a.size(), 3 * a.size());
    m.setFromTriplets(t.begin(), t.end());
    return m;
}

template <class Solver>
Json eigenSolve(const Eigen::SparseMatrix<double>& a, const Eigen::VectorXd& b, const Flags& f) {
    double best = 1e300;
    Solver solver;
    solver.setTolerance(f.tolerance);
    solver.setMaxIterations(20000);
    Eigen::VectorXd x;
    for (int k = 0; k < f.repeat; ++k) {
        const auto start = Clock::now();
        solver.compute(a);
        x = solver.solve(b);
        best = std::min(best, since(start));
    }
    return {{"seconds", best},
            {"iterations", solver.iterations()},
            {"residual", (b - a * x).norm() / b.norm()}};
}

// Eigen and ours on the matrix and right-hand side of one step of the same sheet, no pins: both
// solve the same unfiltered system to the same |b - A x| / |b|. Setting up the preconditioner
// counts for both.
Json benchSolver(const Flags& f) {
    Scene scene(rectangleSheet(f.cells, f.cells, 1, 1), clothPreset(f.preset), false);
    Monitor monitor;
    for (int k = 0; k < 24; ++k) scene.solver->step(f.dt);
    ClothDynamics& d = scene.solver->dynamics();
    const auto n = static_cast<std::size_t>(d.nodes());
    std::vector<Vec3> force(n), kw(n), b(n), w(n);
    for (std::size_t i = 0; i < n; ++i) w[i] = f.dt * scene.solver->v()[i];
    d.linearise(scene.solver->x(), scene.solver->v(), f.dt, f.dt * f.dt, w, force, kw);
    const BlockPattern& p = d.matrix().pattern();
    for (std::size_t r = 0; r < n; ++r) b[r] = f.dt * (force[p.order[r]] - kw[p.order[r]]);
    const Eigen::SparseMatrix<double> a = toEigen(d.matrix());
    const Eigen::VectorXd rhs = Eigen::Map<const Eigen::VectorXd>(b[0].data(), 3 * n);
    Json out;
    out["nodes"] = n;
    out["triangles"] = scene.sheet.mesh.faces();
    out["nonzeros"] = a.nonZeros();
    out["tolerance"] = f.tolerance;
    out["eigen"] = eigenSolve<Eigen::ConjugateGradient<Eigen::SparseMatrix<double>>>(a, rhs, f);
    out["eigen_both_triangles"] = eigenSolve<
        Eigen::ConjugateGradient<Eigen::SparseMatrix<double>, Eigen::Lower | Eigen::Upper>>(a, rhs,
                                                                                            f);
    const auto ours = [&](const char* name, auto&& make, int threads) {
        ThreadLimit limit(threads);
        SolveSettings settings;
        settings.tolerance = f.tolerance;
        settings.norm = SolveSettings::Norm::Euclidean;
        settings.maxIterations = 20000;
        const NodeFilter free(d.nodes());
        Mpcg mpcg;
        std::vector<Vec3> x(n), y(n);
        double best = 1e300, factor = 1e300;
        SolveReport report;
        for (int k = 0; k < f.repeat; ++k) {
            std::fill(x.begin(), x.end(), Vec3::Zero());
            const auto start = Clock::now();
            const Preconditioner& pre = make(free);
            factor = std::min(factor, since(start));
            report = mpcg.solve(d.matrix(), pre, free, b, {}, x, settings);
            best = std::min(best, since(start));
        }
        const Eigen::VectorXd answer = Eigen::Map<const Eigen::VectorXd>(x[0].data(), 3 * n);
        out[name] = {{"seconds", best},
                     {"of_it_factor", factor},
                     {"iterations", report.iterations},
                     {"residual", (rhs - a * answer).norm() / rhs.norm()},
                     {"outcome", purl::name(report.outcome)}};
    };
    BlockJacobi jacobi;
    auto pattern = std::make_shared<BlockPattern>(p);
    BlockIncompleteCholesky cholesky(pattern);
    const auto makeJacobi = [&](const NodeFilter& s) -> const Preconditioner& {
        jacobi.factor(d.matrix(), s);
        return jacobi;
    };
    const auto makeCholesky = [&](const NodeFilter& s) -> const Preconditioner& {
        cholesky.factor(d.matrix(), s);
        return cholesky;
    };
    ours("jacobi_1_thread", makeJacobi, 1);
    ours("jacobi_2_threads", makeJacobi, 2);
    ours("cholesky_1_thread", makeCholesky, 1);
    ours("cholesky_2_threads", makeCholesky, 2);
    TwoLevel twoLevel(pattern);
    const auto makeTwoLevel = [&](const NodeFilter& s) -> const Preconditioner& {
        twoLevel.factor(d.matrix(), s);
        return twoLevel;
    };
    ours("two_level_1_thread", makeTwoLevel, 1);
    ours("two_level_2_threads", makeTwoLevel, 2);
    const double eigen = std::min(out["eigen"]["seconds"].get<double>(),
                                  out["eigen_both_triangles"]["seconds"].get<double>());
    out["speedup"] = eigen / out["two_level_2_threads"]["seconds"].get<double>();
    out["speedup_1_thread"] = eigen / out["two_level_1_thread"]["seconds"].get<double>();
    return out;
}

struct Timed {
    double seconds = 1e300; // a step, the best of the repeats
    ClothDynamics::Seconds parts;
    double iterations = 0;
    std::uint64_t hash = 0;
};

// Steps on from a common state.
Timed timeSteps(Scene& s, const std::vector<Vec3>& x, const std::vector<Vec3>& v, int threads,
                const Flags& f, int steps) {
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

Json benchThreads(const Flags& f) {
    Scene scene(rectangleSheet(f.cells, f.cells, 1, 1), clothPreset(f.preset), true);
    for (int k = 0; k < 24; ++k) scene.solver->step(f.dt);
    const std::vector<Vec3> x(scene.solver->x().begin(), scene.solver->x().end()),
        v(scene.solver->v().begin(), scene.solver->v().end());
    // In turns, so that a machine that changes its pace does so for both.
    Flags once = f;
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

Json benchGrowth(const Flags& f) {
    Json rows = Json::array();
    std::vector<double> n, t;
    for (long triangles : {2500L, 25000L, 250000L}) {
        if (triangles > f.largest) break;
        Scene scene(squareSheet(static_cast<Index>(triangles), 1), clothPreset(f.preset), true);
        for (int k = 0; k < 12; ++k) scene.solver->step(f.dt);
        const std::vector<Vec3> x(scene.solver->x().begin(), scene.solver->x().end()),
            v(scene.solver->v().begin(), scene.solver->v().end());
        Flags few = f;
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

int bench(const Flags& f) {
    if (f.drop || f.sleeve || f.cusick) { // experiments by themselves
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
        if (f.cusick) out["cusick"] = cusickDrape(scene);
        std::cout << out.dump(2) << "\n";
        return Ok;
    }
    Json out;
    const bool all = !f.solver && !f.threads && !f.growth;
    if (all || f.solver) out["solver"] = benchSolver(f);
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
    auto f = std::make_shared<Flags>();
    CLI::App* c = group->add_subcommand("cloth", "Time the triangle cloth solver");
    c->add_flag("--solver", f->solver, "Only MPCG against Eigen's conjugate gradients");
    c->add_flag("--threads", f->threads, "Only two threads against one");
    c->add_flag("--growth", f->growth, "Only the growth from 2,500 to 250,000 triangles");
    c->add_flag("--drop", f->drop, "Experiment: a sheet onto a ball, then a table's edge, 3 s");
    c->add_flag("--sleeve", f->sleeve, "Experiment: a sleeve on a bending arm, 48 frames");
    c->add_flag("--cusick", f->cusick, "Experiment: Cusick's drape at three resolutions");
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
