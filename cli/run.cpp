// The frame loop of `purl sim`.
#include "cli/run.h"

#include "cli/checkpoints.h"
#include "cli/commands.h"
#include "cli/forecast.h"
#include "cli/machine.h"
#include "cli/manifest.h"
#include "cli/mode.h"
#include "cli/progress.h"
#include "cli/sequence.h"
#include "cli/signals.h"
#include "cli/stats.h"
#include "purl/base/error.h"
#include "purl/base/parallel.h"
#include "purl/scene/quantity.h"

#include <algorithm>
#include <chrono>
#include <climits>
#include <cmath>
#include <cstdlib>
#include <filesystem>

namespace purl::cli {

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point t) {
    return std::chrono::duration<double>(Clock::now() - t).count();
}

std::string folderOf(const std::string& path) {
    const std::string folder = std::filesystem::path(path).parent_path().string();
    return folder.empty() ? "." : folder;
}

// A frame's figures with what the process holds, for whoever looks for leaks.
std::string withMemory(std::string figures) {
    if (figures.empty() || figures.back() != '}') return figures;
    figures.pop_back();
    return figures + ",\"memory\":" + std::to_string(static_cast<long long>(presentMemory())) + "}";
}

// Asks for the end of a step's run for three reasons: a signal, a checkpoint that is due, a frame
// that takes longer than it may.
class RunMonitor final : public Monitor {
public:
    RunMonitor(Progress& progress, double rhythm, double budget)
        : progress_(progress), rhythm_(rhythm), budget_(budget) {}
    void warning(const std::string& text) override { progress_.warning(text); }
    void progress(double fraction) override { progress_.progress(fraction); }
    bool interrupted() override { return progress_.interrupted() || due() || late(); }

    bool due() const { return !held_ && rhythm_ > 0 && secondsSince(saved_) > rhythm_; }
    bool late() const { return budget_ > 0 && secondsSince(began_) > budget_; }
    void frameBegins() {
        began_ = Clock::now();
        held_ = false;
    }
    // Of a frame that has no middle (a drape): its checkpoint waits until it is whole, or it would
    // be begun again for ever.
    void holdCheckpoints() { held_ = true; }
    void checkpointDone() { saved_ = Clock::now(); }

private:
    Progress& progress_;
    double rhythm_, budget_; // s
    bool held_ = false;
    Clock::time_point saved_ = Clock::now(), began_ = saved_;
};

CheckpointRhythm rhythmOf(const RunOptions& o) {
    if (!o.checkpointEvery.empty()) return parseRhythm(o.checkpointEvery, "--checkpoint-every");
    // Whoever resumes wants something to resume from; else only a signal or a break leaves one.
    return o.resume.empty() && o.branch.empty() ? CheckpointRhythm{} : CheckpointRhythm{0, 300};
}

std::string manifestPath(const SceneFile& scene, const RunOptions& o) {
    if (o.manifest == "none") return "";
    return o.manifest.empty() ? folderOf(scene.out) + "/manifest.json" : o.manifest;
}

class Run {
public:
    Run(const SceneFile& wanted, const RunOptions& options)
        : wanted_(wanted), options_(options), rhythm_(rhythmOf(options)), threads_(wanted.threads),
          range_(parseRange(wanted.frames, "--frames")),
          progress_(progressStyle(options.progress, options.quiet), range_.first, range_.count()),
          monitor_(progress_, rhythm_.seconds, options.frameBudget), inputs_(inputsOf(wanted)),
          identity_(identityOf(wanted, options, inputs_)),
          checkpoints_(options.checkpointDir.empty() ? folderOf(wanted.out) + "/checkpoints"
                                                     : options.checkpointDir,
                       options.keep, identity_),
          manifest_(manifestPath(wanted, options), wanted, options, inputs_, identity_) {
        std::vector<std::string> warnings;
        mode_ = makeMode(wanted_, range_.first, warnings);
        for (const std::string& w : warnings) progress_.warning(w);
        progress_.note(mode_->describe());
        manifest_.mode = mode_->name();
        manifest_.description = mode_->describe();
        manifest_.steps = mode_->stepsAFrame();
    }

    int go() {
        try {
            begin();
            const int code = frames();
            manifest_.write(code == Ok        ? "done"
                            : code == Stopped ? "stopped"
                                              : "interrupted",
                            code, frame_, mode_->hash());
            return code;
        } catch (const Error& e) {
            leaveBehind();
            try {
                manifest_.write("failed", exitCode(e.kind()), frame_, mode_->hash(), e.what());
            } catch (const Error&) { // the disk is full: the first complaint is the one to make
            }
            throw;
        }
    }

private:
    // Finds where to go on, or writes the first frame.
    void begin() {
        makeFolderOf(framePath(wanted_.out, range_.first));
        clearTemporaries(folderOf(wanted_.out));
        if (resumed()) {
            if (frame_ < range_.last) mode_->startAt(frame_);
            stats_.open(wanted_.stats, frame_);
            progress_.skip(frame_);
            manifest_.write("running", 0, frame_, mode_->hash());
            checkpoints_.take(*mode_, frame_);
            return;
        }
        frame_ = range_.first;
        stats_.open(wanted_.stats, INT_MIN);
        stats_.first(frame_, mode_->time(), mode_->hash());
        manifest_.write("running", 0, frame_ - 1, mode_->hash());
        write(frame_);
    }

    bool resumed() {
        CheckpointHeader h;
        std::string from;
        if (options_.resume == "auto") {
            // Of a run that lost frames since (someone tidied up) an older checkpoint is taken.
            const auto whole = [&](int frame) {
                for (int f = firstKept(); f <= std::min(frame, range_.last); ++f)
                    if (!std::filesystem::exists(framePath(wanted_.out, f))) return false;
                return true;
            };
            const auto warn = [&](const std::string& text) { progress_.warning(text); };
            if (checkpoints_.resume(*mode_, range_.first, INT_MAX, whole, warn, h))
                from = checkpoints_.folder();
        }
        if (from.empty()) {
            from = options_.resume == "auto" ? options_.branch : options_.resume;
            if (from.empty()) from = options_.branch;
            if (from.empty()) return false;
            h = loadCheckpoint(from, *mode_);
            if (h.frame >= range_.last || h.frame < range_.first)
                throw Error(from, "is at frame " + std::to_string(h.frame) +
                                      ", expected one inside the frames " + wanted_.frames);
        }
        frame_ = h.frame;
        manifest_.resumedFrom = from + ", frame " + std::to_string(h.frame);
        progress_.note("goes on after frame " + std::to_string(h.frame) +
                       (h.steps > 0 ? " and " + std::to_string(h.steps) + " steps" : "") +
                       ", from a checkpoint of " + h.time);
        return true;
    }

    // A branch has the frames after its checkpoint only.
    int firstKept() const {
        if (options_.branch.empty()) return range_.first;
        SnapshotReader r = SnapshotReader::fromFile(options_.branch);
        return readHeader(r).frame + 1;
    }

    int frames() {
        while (frame_ < range_.last) {
            if (interruptAsked()) return stop();
            const int next = frame_ + 1;
            monitor_.frameBegins();
            FrameResult r = mode_->advance(next, monitor_);
            while (r.outcome == FrameResult::Outcome::Interrupted) {
                if (interruptAsked()) return stop();
                if (monitor_.late()) tooLong(next);
                if (mode_->stepsIntoFrame() > 0)
                    checkpoint(); // was due
                else
                    monitor_.holdCheckpoints();
                r = mode_->advance(next, monitor_);
            }
            stats_.write(withMemory(r.figures));
            if (r.outcome == FrameResult::Outcome::Broken)
                throw Error("frame " + std::to_string(next),
                            r.reason + "; frames up to " + std::to_string(frame_) + " are whole",
                            Error::Kind::Diverged);
            write(next);
        }
        if (rhythm_.frames > 0 || rhythm_.seconds > 0)
            checkpoints_.commit(); // what a longer range goes on from
        return Ok;
    }

    void write(int frame) {
        std::vector<std::string> warnings;
        mode_->write(framePath(wanted_.out, frame), frame == range_.first, warnings);
        for (const std::string& w : warnings)
            if (frame == range_.first) progress_.warning(w);
        frame_ = frame;
        progress_.frameDone(frame);
        checkpoints_.take(*mode_, frame);
        const bool due = rhythm_.frames > 0 && (frame - range_.first) % rhythm_.frames == 0;
        if (frame < range_.last && (due || monitor_.due())) {
            checkpoints_.commit();
            monitor_.checkpointDone();
        }
    }

    void checkpoint() {
        checkpoints_.take(*mode_, frame_);
        checkpoints_.commit();
        monitor_.checkpointDone();
    }

    int stop() {
        checkpoints_.take(*mode_, frame_);
        const std::string path = checkpoints_.commit();
        progress_.warning(std::string("interrupted by ") + askedBy() + "; frames up to " +
                          std::to_string(frame_) + " are whole, checkpoint " + path +
                          "; --resume auto goes on");
        return stopAsked() ? Stopped : Interrupted;
    }

    void tooLong(int frame) {
        throw Error("frame " + std::to_string(frame),
                    "took longer than " + numberText(options_.frameBudget) +
                        " s, expected less (--frame-budget); frames up to " +
                        std::to_string(frame_) + " are whole",
                    Error::Kind::Diverged);
    }

    // The state after the last whole frame, for a run that breaks: best effort, for a disk may be
    // what broke it.
    void leaveBehind() {
        if (!checkpoints_.taken()) return;
        try {
            progress_.warning("checkpoint of frame " + std::to_string(checkpoints_.frame()) + ": " +
                              checkpoints_.commit());
        } catch (const Error&) {
        }
    }

    SceneFile wanted_;
    RunOptions options_;
    CheckpointRhythm rhythm_;
    ThreadLimit threads_;
    FrameRange range_;
    Progress progress_;
    RunMonitor monitor_;
    std::vector<InputFile> inputs_;
    std::uint64_t identity_;
    Checkpoints checkpoints_;
    Manifest manifest_;
    Stats stats_;
    std::unique_ptr<Mode> mode_;
    int frame_ = 0; // the last whole one
};

} // namespace

CheckpointRhythm parseRhythm(const std::string& text, const std::string& where) {
    CheckpointRhythm r;
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    const std::string unit = end ? end : "";
    const double scale = unit == "s"                    ? 1
                         : unit == "m" || unit == "min" ? 60
                         : unit == "h"                  ? 3600
                                                        : 0;
    const bool whole = unit.empty() && value == std::floor(value) && value < 1e9;
    if (end == text.c_str() || !(value >= 0) || (scale == 0 && !whole))
        throw Error(where, "is '" + text + "', expected frames (10) or a time (90s, 5m, 1h)");
    if (scale > 0)
        r.seconds = std::max(1e-3, value * scale);
    else
        r.frames = static_cast<int>(value);
    return r;
}

std::unique_ptr<Mode> makeMode(const SceneFile& scene, int first,
                               std::vector<std::string>& warnings) {
    if (scene.fabric.there()) return makeFabricMode(scene, first, warnings);
    return scene.cloth.there() ? makeClothMode(scene, first, warnings)
                               : makeYarnMode(scene, first, warnings);
}

int runScene(const SceneFile& scene, const RunOptions& options) {
    if (options.dryRun) return forecast(scene, options);
    catchStop();
    return Run(scene, options).go();
}

} // namespace purl::cli
