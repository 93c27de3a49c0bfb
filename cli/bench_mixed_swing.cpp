#include "cli/bench_mixed_swing.h"

#include "cli/bench_mixed_run.h"
#include "cli/sequence.h"
#include "purl/base/error.h"
#include "purl/base/snapshot.h"
#include "purl/mixed/solver.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

namespace purl::cli {

using Json = nlohmann::ordered_json;

namespace {

constexpr int kMost = 4000;
constexpr double kGoal = 1e-4;

struct Curve {
    std::string name, colour;
    std::vector<double> residual;
};

// Residual against iterations, both logarithmic: a line a preconditioner.
void plot(const std::string& path, const std::vector<Curve>& curves) {
    const double width = 640, height = 400, left = 60, right = 20, top = 20, bottom = 50;
    const double decades = 5, most = std::log10(kMost);
    const auto px = [&](double i) {
        return left + (width - left - right) * std::log10(std::max(1.0, i)) / most;
    };
    const auto py = [&](double r) {
        const double d = std::clamp(-std::log10(std::max(r, 1e-30)), -1.0, decades);
        return top + (height - top - bottom) * (d + 1) / (decades + 1);
    };
    std::ofstream f(path);
    if (!f) throw Error(path, "cannot be written");
    f << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << width << "\" height=\"" << height
      << "\" font-family=\"sans-serif\" font-size=\"12\">\n"
      << "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
    for (int d = -1; d <= decades; ++d) {
        const double y = py(std::pow(10, -d));
        f << "<line x1=\"" << left << "\" x2=\"" << width - right << "\" y1=\"" << y << "\" y2=\""
          << y << "\" stroke=\"" << (d == 4 ? "black" : "#ddd") << "\"/><text x=\"" << left - 8
          << "\" y=\"" << y + 4 << "\" text-anchor=\"end\">1e" << (d > 0 ? "-" : "") << std::abs(d)
          << "</text>\n";
    }
    for (int i : {1, 10, 100, 1000})
        f << "<text x=\"" << px(i) << "\" y=\"" << height - bottom + 18
          << "\" text-anchor=\"middle\">" << i << "</text>\n";
    f << "<text x=\"" << width / 2 << "\" y=\"" << height - 12
      << "\" text-anchor=\"middle\">iterations of MPCG; residual |S r| against the first</text>\n";
    double line = top + 16;
    for (const Curve& c : curves) {
        f << "<polyline fill=\"none\" stroke=\"" << c.colour << "\" stroke-width=\"1.5\" points=\"";
        double last = -1;
        for (std::size_t i = 0; i < c.residual.size(); ++i) {
            const double x = px(static_cast<double>(i + 1));
            if (x - last < 0.7) continue;
            last = x;
            f << x << ',' << py(c.residual[i]) << ' ';
        }
        f << "\"/><text x=\"" << left + 10 << "\" y=\"" << line + 150 << "\" fill=\"" << c.colour
          << "\">" << c.name << "</text>\n";
        line += 15;
    }
    f << "</svg>\n";
    if (!f.flush()) throw Error(path, "cannot be written");
}

// Per step.
std::vector<double> accelerations(FabricBody& body, double dt, int steps) {
    Monitor monitor;
    std::vector<double> all;
    for (int k = 0; k < steps; ++k) {
        double most = 0;
        const std::vector<Vec3> before(body.v().begin(), body.v().end());
        body.advanceFrame(dt, 1, monitor);
        const Span<const Vec3> after = body.v();
        for (std::size_t i = 0; i < before.size(); ++i)
            most = std::max(most, (after[i] - before[i]).norm() / dt);
        all.push_back(most);
    }
    return all;
}

} // namespace

Json swingFigures(const std::string& path, const std::string& picture) {
    MixedScene scene(path);
    const FabricInput& in = scene.input();
    MixedSettings settings;
    settings.forces = scene.settings().forces;
    settings.triangles = patchMaterial(in.layout);
    MixedSolver solver(patchMesh(in.patch), in.patch.x, in.layout, scene.regions(in.paint),
                       settings);
    solver.setPins(in.sheet.pins, in.pins);
    std::vector<Vec3> targets(in.layout.network.x.size(), Vec3::Zero());
    for (Index n : in.pins) targets[n] = in.layout.network.x[n];
    solver.setPinTargets(in.sheet.targets, targets);
    const double h = scene.frameSeconds() / scene.frameSteps();
    const int steps = static_cast<int>(std::lround(0.1 / h));
    for (int k = 0; k < steps; ++k) solver.step(h, 1, 1);
    Json j = {{"step_ms", 1e3 * h}, {"crossings", in.layout.crossings}};
    std::vector<Curve> curves;
    for (const auto& [kind, colour] : {std::pair{MixedPreconditioner::None, "#888888"},
                                       std::pair{MixedPreconditioner::Diagonal, "#c03030"},
                                       std::pair{MixedPreconditioner::Woodbury, "#3060c0"},
                                       std::pair{MixedPreconditioner::Lines, "#208040"}}) {
        Curve c{name(kind), colour, solver.convergence(kind, h, kMost)};
        int to = 0;
        for (std::size_t i = 0; i < c.residual.size() && to == 0; ++i)
            if (c.residual[i] < kGoal) to = static_cast<int>(i + 1);
        j["iterations"][c.name] = to; // 0: not reached
        c.name += to > 0 ? ": 1e-4 after " + std::to_string(to) : ": 1e-4 not reached";
        curves.push_back(std::move(c));
    }
    const auto& it = j["iterations"];
    const auto reached = [&](const char* n) {
        const int k = it[n].get<int>();
        return k > 0 ? k : kMost;
    };
    j["share_of_better"] =
        static_cast<double>(reached("lines")) / std::min(reached("none"), reached("diagonal"));
    if (!picture.empty()) {
        makeFolderOf(picture);
        plot(picture, curves);
    }
    return j;
}

Json paintFigures(const std::string& path) {
    MixedScene scene(path);
    const FabricInput& in = scene.input();
    const double h = scene.frameSeconds() / scene.frameSteps();
    const auto band = [&](double half) {
        std::vector<double> paint;
        for (const Vec3& p : in.patch.x) paint.push_back(std::abs(p.x()) < half + 1e-6);
        return scene.regions(paint);
    };
    const std::unique_ptr<FabricBody> run = scene.body("paint");
    scene.beginFrame(*run, scene.firstFrame() + 1);
    Monitor monitor;
    run->advanceFrame(0.08, static_cast<int>(std::lround(0.08 / h)), monitor);
    SnapshotWriter state;
    run->save(state);
    state.finish();
    const auto again = [&] {
        std::unique_ptr<FabricBody> b = scene.body("paint");
        SnapshotReader r(state.bytes(), "bench");
        b->load(r);
        return b;
    };
    const std::unique_ptr<FabricBody> same = again();
    const std::vector<double> kept = accelerations(*same, h, scene.frameSteps());
    const auto most = [](const std::vector<double>& a, std::size_t steps) {
        return *std::max_element(a.begin(), a.begin() + std::min(a.size(), steps));
    };
    Json j = {{"step_ms", 1e3 * h}, {"kept_m_s2", most(kept, kept.size())}};
    for (const auto& [name, half] : {std::pair{"grown", 0.02}, std::pair{"shrunk", 0.005}}) {
        const std::unique_ptr<FabricBody> b = again();
        b->repaint(band(half));
        const std::vector<double> now = accelerations(*b, h, scene.frameSteps());
        j[name] = {{"ratio", most(now, now.size()) / most(kept, kept.size())},
                   {"ratio_first_10_steps", most(now, 10) / most(kept, 10)},
                   {"largest_at_step", std::max_element(now.begin(), now.end()) - now.begin() + 1}};
    }
    return j;
}

void printMixed(const Json& out) {
    for (const auto& [name, j] : out.items()) {
        if (!j.is_object()) continue;
        std::printf("%s\n", name.c_str());
        for (const char* region : {"all", "paint", "none"})
            if (j.contains(region)) {
                const Json& r = j[region];
                std::printf(
                    "  %-6s %8.4f s a step, %6.2f MB, %5.1f iterations a Newton step, %s%s\n",
                    region, r["seconds_a_step"].get<double>(), r["bytes"].get<double>() / (1 << 20),
                    r["iterations"].get<double>() / std::max(1, r["newton"].get<int>()),
                    r["what"].get<std::string>().c_str(),
                    r["finished"].get<bool>() ? "" : " (stopped)");
                for (const char* more : {"wrinkles", "border", "shear_degrees"})
                    if (r.contains(more))
                        std::printf("         %s %s\n", more, r[more].dump().c_str());
            }
        for (const auto& [key, value] : j.items())
            if (key != "all" && key != "paint" && key != "none")
                std::printf("  %s %s\n", key.c_str(), value.dump().c_str());
    }
}

} // namespace purl::cli
