#include "cli/bench_steps_run.h"

#include "cli/signals.h"
#include "purl/base/parallel.h"
#include "purl/check/check.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>

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
    double guard = 0;
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
        guard += r.certificate.seconds;
        if (r.outcome != FrameReport::Outcome::Done) {
            f.reason = r.reason;
            break;
        }
        f.simulated += kFrame;
        f.minGap = std::min({f.minGap, r.smallestGap, r.certificate.smallestGap});
        f.largestSpeed = std::max(f.largestSpeed, r.maxSpeed);
        kinetic.push_back(r.energy.kinetic);
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
    f.guardShare = f.wall > 0 ? guard / f.wall : 0;
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

} // namespace purl::cli
