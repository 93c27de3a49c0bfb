#include "cli/bench_steps_run.h"

#include "cli/signals.h"
#include "purl/base/error.h"
#include "purl/base/parallel.h"
#include "purl/check/check.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <fstream>

namespace purl::cli {

namespace {

constexpr double kFrame = 0.004; // s, between judged frames
constexpr int kLastFrames = 5;   // over which kinetic energy is averaged

double cpuSeconds() {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}
double wallSeconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

Scene with(Scene s, const StepsVariant& v) {
    s.settings.time.fps = 1 / kFrame;
    s.settings.step.kind = v.kind;
    s.settings.step.liveliness = v.liveliness;
    s.settings.guard.enabled = v.guard;
    if (v.dt > 0) {
        s.settings.time.substeps = std::max(1, static_cast<int>(std::ceil(kFrame / v.dt - 1e-9)));
        s.settings.step.maxStep = v.dt;
    }
    return s;
}

} // namespace

double rmsBetween(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    if (a.empty() || a.size() != b.size()) return 0;
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]).squaredNorm();
    return std::sqrt(sum / static_cast<double>(a.size()));
}

StepsFigures runSteps(const StepsScene& scene, const StepsVariant& v, bool judge) {
    const ThreadLimit threads(v.threads);
    StepsFigures f;
    f.name = v.name;
    Simulation sim(with(scene.scene, v));
    SequenceCheck check;
    Curves shown = scene.scene.yarns;
    if (judge) check.add(0, shown);
    Monitor quiet;
    std::vector<Vec3> targets;
    std::vector<double> kinetic;
    const int frames = std::max(1, static_cast<int>(std::lround(scene.seconds / kFrame)));
    f.smallestDt = 1;
    for (int k = 1; k <= frames && !interruptAsked(); ++k) {
        if (scene.drive) {
            scene.drive(k * kFrame, targets);
            sim.setTargets(targets);
        }
        const double wall = wallSeconds(), cpu = cpuSeconds();
        const FrameReport r = sim.advanceFrame(quiet);
        f.wall += wallSeconds() - wall;
        f.cpu += cpuSeconds() - cpu;
        f.steps += r.steps;
        f.iterations += r.iterations;
        for (long n : r.rejected) f.rejections += n;
        f.lenient += r.lenient;
        f.dt = std::max(f.dt, r.largestStep);
        f.smallestDt = std::min(f.smallestDt, r.smallestStep);
        if (r.outcome != FrameReport::Outcome::Done) {
            f.reason = r.reason;
            break;
        }
        f.simulated += kFrame;
        f.minGap = std::min({f.minGap, r.smallestGap, r.certificate.smallestGap});
        f.largestSpeed = std::max(f.largestSpeed, r.maxSpeed);
        kinetic.push_back(r.energy.kinetic);
        f.phases.predict += r.phases.predict;
        f.phases.rods += r.phases.rods;
        f.phases.contact += r.phases.contact;
        f.phases.assemble += r.phases.assemble;
        f.phases.factor += r.phases.factor;
        f.phases.solve += r.phases.solve;
        f.phases.rest += r.phases.rest;
        f.guardSeconds += r.certificate.seconds;
        f.finished = k == frames;
        if (!judge) continue;
        shown.x = sim.positions();
        check.add(k, shown);
    }
    const CheckReport report = check.report();
    f.passes = judge ? report.count(FindingKind::PassThrough) : 0;
    f.doubts = judge ? report.count(FindingKind::Doubtful) : 0;
    const int last = std::min<int>(kLastFrames, static_cast<int>(kinetic.size()));
    for (int k = 0; k < last; ++k) f.kinetic += kinetic[kinetic.size() - 1 - k] / last;
    f.guardShare = f.wall > 0 ? f.guardSeconds / f.wall : 0;
    f.curve = std::move(kinetic);
    f.x = sim.positions();
    f.hash = sim.hash();
    return f;
}

double largestStable(const StepsScene& scene, double good, double seconds) {
    StepsScene trial = scene;
    trial.seconds = std::min(seconds, scene.seconds);
    // In whole steps a frame: fewer is longer.
    int enough = static_cast<int>(std::ceil(kFrame / good)), few = 1;
    const auto holds = [&](int substeps) {
        StepsVariant v;
        v.dt = kFrame / substeps;
        const StepsFigures f = runSteps(trial, v, false);
        return f.finished && f.rejections == 0;
    };
    if (holds(few)) return kFrame / few;
    while (enough - few > 1 && !interruptAsked()) {
        const int middle = (enough + few) / 2;
        (holds(middle) ? enough : few) = middle;
    }
    return kFrame / enough;
}

void saveFigures(const std::string& file, const StepsFigures& f) {
    nlohmann::json j = {{"name", f.name},       {"finished", f.finished},
                        {"wall", f.wall},       {"cpu", f.cpu},
                        {"dt", f.dt},           {"smallest", f.smallestDt},
                        {"steps", f.steps},     {"simulated", f.simulated},
                        {"passes", f.passes},   {"gap", f.minGap},
                        {"kinetic", f.kinetic}, {"curve", f.curve}};
    for (const Vec3& x : f.x) j["x"].push_back({x.x(), x.y(), x.z()});
    std::ofstream(file) << j;
}

bool loadFigures(const std::string& file, StepsFigures& f) {
    std::ifstream in(file);
    if (!in) return false;
    try {
        const nlohmann::json j = nlohmann::json::parse(in);
        f.name = j.at("name");
        f.finished = j.at("finished");
        f.wall = j.at("wall");
        f.cpu = j.at("cpu");
        f.dt = j.at("dt");
        f.smallestDt = j.at("smallest");
        f.steps = j.at("steps");
        f.simulated = j.at("simulated");
        f.passes = j.at("passes");
        f.minGap = j.at("gap");
        f.kinetic = j.at("kinetic");
        f.curve = j.at("curve").get<std::vector<double>>();
        for (const auto& x : j.at("x")) f.x.emplace_back(x.at(0), x.at(1), x.at(2));
    } catch (const nlohmann::json::exception& e) {
        throw Error(file, std::string("is no reference of purl bench steps: ") + e.what());
    }
    return true;
}

} // namespace purl::cli
