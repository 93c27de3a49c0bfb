#include "cli/bench_run.h"

#include "cli/bench_replay.h"
#include "cli/machine.h"
#include "cli/signals.h"
#include "purl/base/error.h"
#include "purl/base/parallel.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <thread>

namespace purl::cli {

namespace {

constexpr double kLongestFall = 2; // s
constexpr int kWarmUp = 3;         // steps after a replay: caches hold other things

class Bench {
public:
    explicit Bench(const BenchOptions& o)
        : o_(o), limit_(o.threads), scene_(benchScene(o.scene, o.loops)) {
        const Curves& yarns = scene_.scene.yarns;
        r_.scene = scene_.name;
        r_.processor = processor();
        r_.time = isoTimeNow();
        r_.loops = scene_.loops();
        r_.yarns = yarns.yarns();
        r_.points = yarns.points();
        for (Index y = 0; y < yarns.yarns(); ++y) r_.segments += yarns.edges(y);
        r_.tau = o.tau;
        r_.threads =
            o.threads > 0 ? o.threads : static_cast<int>(std::thread::hardware_concurrency());
        r_.full = o.full;
        r_.threadsCompared = o.threadsCompare;
    }

    BenchResult go() {
        if (o_.full)
            runEach();
        else
            runSampled();
        r_.peakMemory = peakMemory();
        return r_;
    }

private:
    void say(const char* what, double done, double of) const {
        if (o_.quiet) return;
        std::fprintf(stderr, "%s %s: %.3f s of %.3f s\n", r_.scene.c_str(), what, done, of);
        std::fflush(stderr);
    }
    bool stopped() {
        if (interruptAsked()) r_.interrupted = true;
        return r_.interrupted;
    }

    // Down to first impact: loops find their shape on the way. Not measured.
    long fall(BenchDriver& d) {
        StepTally unused;
        long steps = 0;
        while (!stopped() && !d.touchesCollider()) {
            for (int k = 0; k < 16; ++k, ++steps) d.step(false, unused);
            requireFinite(d);
            if (steps * d.dt() > kLongestFall)
                throw Error(r_.scene, "touches no collider within " + std::to_string(kLongestFall) +
                                          " s, expected a scene where something is hit");
            if (steps % 320 == 0) say("falls", steps * d.dt(), steps * d.dt());
        }
        return steps;
    }

    void requireFinite(const BenchDriver& d) const {
        if (!(d.speed() < 100))
            throw Error(r_.scene,
                        "points move at " + std::to_string(d.speed()) +
                            " m/s in the mean, expected a cloth that holds together",
                        Error::Kind::Diverged);
    }

    void runSampled() {
        BenchDriver driver(scene_.scene, BenchMethod::Acl, o_.tau, o_.friction);
        r_.dt = driver.dt();
        r_.fallSeconds = fall(driver) * driver.dt();
        r_.peakMemoryAcl = peakMemory();
        BenchReplay replay(scene_.scene, o_.tau);
        Bandwidth bandwidth;
        const long wanted = std::max(1L, std::lround(o_.seconds / driver.dt()));
        // A short run has shorter cycles, so that there are some of every kind.
        o_.cycle = static_cast<int>(std::clamp(wanted / 6 / o_.judged * o_.judged, 2L * o_.judged,
                                               static_cast<long>(o_.cycle)));
        o_.window = std::min(o_.window, o_.cycle / 3);
        long done = 0;
        for (int cycle = 0; done < wanted && !stopped(); ++cycle) {
            const long steps = std::min<long>(o_.cycle, wanted - done);
            const bool one = o_.threadsCompare && cycle % 4 == 3;
            StepTally tally;
            {
                std::optional<ThreadLimit> single;
                if (one) single.emplace(1);
                measure(driver, replay, steps, tally);
            }
            done += steps;
            file(tally, cycle, driver.speed());
            replay.play();
            bandwidth.measure();
            requireFinite(driver);
            char figures[100];
            std::snprintf(
                figures, sizeof figures, "measures (%.2f %% updates, %.2f ms of contact, %.3f m/s)",
                tally.updatesPercent(), 1e3 * tally.perStep(tally.contact), driver.speed());
            if (cycle % 2 == 0) say(figures, done * driver.dt(), wanted * driver.dt());
        }
        r_.seconds = done * driver.dt();
        replay.finish(r_);
        r_.bandwidthRead = bandwidth.read();
        r_.bandwidthTriad = bandwidth.triad();
        r_.bytesPerSet = driver.bytesPerSet();
        r_.hash = driver.sim().hash();
    }

    void measure(BenchDriver& driver, BenchReplay& replay, long steps, StepTally& tally) {
        for (long k = 0; k < steps; ++k) {
            BenchReplay::Use use;
            use.timed = k < o_.window;
            use.follow = k % o_.apart == 0;
            use.judged = k % o_.judged == 0;
            if (use.timed || use.follow) replay.keep(driver.sim().positions(), use);
            driver.step(k >= kWarmUp, tally);
        }
    }

    // Cycles of one thread are compared with those beside them, and counted there only.
    void file(const StepTally& tally, int cycle, double speed) {
        if (o_.threadsCompare && cycle % 4 == 3) {
            r_.oneThread.add(tally);
            return;
        }
        if (o_.threadsCompare && (cycle % 4 == 2 || (cycle % 4 == 0 && cycle > 0)))
            r_.manyThreads.add(tally);
        r_.all.add(tally);
        (speed > kSettledSpeed ? r_.moving : r_.settled).add(tally);
    }

    // Three runs, one a method, each from the start on.
    void runEach() {
        for (BenchMethod m : {BenchMethod::Hierarchy, BenchMethod::Exact, BenchMethod::Acl}) {
            BenchDriver driver(scene_.scene, m, o_.tau, o_.friction);
            r_.dt = driver.dt();
            r_.fallSeconds = fall(driver) * driver.dt();
            const long wanted = std::max(1L, std::lround(o_.seconds / driver.dt()));
            StepTally sum;
            for (long done = 0; done < wanted && !stopped();) {
                StepTally tally;
                const long steps = std::min<long>(o_.cycle, wanted - done);
                for (long k = 0; k < steps; ++k) driver.step(true, tally);
                done += steps;
                sum.add(tally);
                if (m == BenchMethod::Acl)
                    (driver.speed() > kSettledSpeed ? r_.moving : r_.settled).add(tally);
                requireFinite(driver);
                say(methodName(m), done * driver.dt(), wanted * driver.dt());
            }
            r_.seconds = sum.steps * driver.dt();
            fileRun(m, sum, driver);
        }
        Bandwidth bandwidth;
        for (int k = 0; k < 9; ++k) bandwidth.measure();
        r_.bandwidthRead = bandwidth.read();
        r_.bandwidthTriad = bandwidth.triad();
    }

    void fileRun(BenchMethod m, const StepTally& sum, const BenchDriver& driver) {
        const double contact = sum.perStep(sum.contact), other = sum.perStep(sum.other());
        if (m == BenchMethod::Hierarchy) {
            r_.hierarchySeconds = contact;
            r_.otherHierarchy = other;
            r_.hierarchyCalls = sum.steps;
        } else if (m == BenchMethod::Exact) {
            r_.exactSeconds = contact;
            r_.otherExact = other;
            r_.exactCalls = sum.steps;
        } else {
            r_.all = sum;
            r_.bytesPerSet = driver.bytesPerSet();
            r_.hash = driver.sim().hash();
        }
    }

    BenchOptions o_;
    ThreadLimit limit_;
    BenchScene scene_;
    BenchResult r_;
};

} // namespace

BenchResult runBench(const BenchOptions& options) { return Bench(options).go(); }

} // namespace purl::cli
