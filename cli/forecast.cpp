#include "cli/forecast.h"

#include "cli/checkpoints.h"
#include "cli/commands.h"
#include "cli/machine.h"
#include "cli/mode.h"
#include "cli/progress.h"
#include "cli/sequence.h"
#include "cli/signals.h"
#include "purl/base/error.h"
#include "purl/base/parallel.h"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <unistd.h>

namespace fs = std::filesystem;

namespace purl::cli {

namespace {

constexpr double kPatience = 8; // s of steps, at most
constexpr int kSteps = 64;      // at least, if they are done in that time

using Clock = std::chrono::steady_clock;

// Lets a run go on for a few steps: progress() is called after each.
class Sample final : public Monitor {
public:
    void progress(double fraction) override {
        if (steps_ == 0) first_ = Clock::now();
        ++steps_;
        last_ = Clock::now();
        fraction_ = fraction;
    }
    bool interrupted() override {
        const double t = std::chrono::duration<double>(Clock::now() - begun_).count();
        return interruptAsked() || t > kPatience || (steps_ >= kSteps && t > 1);
    }
    int steps() const { return steps_; }
    double fraction() const { return fraction_; }
    // s a step, without the first: it finds all contacts.
    double pace() const {
        if (steps_ < 2) return std::chrono::duration<double>(last_ - begun_).count();
        return std::chrono::duration<double>(last_ - first_).count() / (steps_ - 1);
    }

private:
    Clock::time_point begun_ = Clock::now(), first_ = begun_, last_ = begun_;
    int steps_ = 0;
    double fraction_ = 0;
};

// The folder that will be there to write into, or the nearest above it that is.
fs::path existing(fs::path folder) {
    std::error_code none;
    folder = fs::absolute(folder.empty() ? "." : folder, none);
    while (!fs::exists(folder, none) && folder.has_parent_path() && folder != folder.parent_path())
        folder = folder.parent_path();
    return folder;
}

} // namespace

std::string bytesText(double bytes) {
    const char* unit[] = {"B", "kB", "MB", "GB", "TB"};
    int u = 0;
    while (bytes >= 1000 && u < 4) bytes /= 1000, ++u;
    char text[32];
    std::snprintf(text, sizeof text, "%.*f %s", u > 0 && bytes < 100 ? 1 : 0, bytes, unit[u]);
    return text;
}

double parseBytes(const std::string& text, const std::string& where) {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    std::string unit = end ? end : "";
    unit.erase(0, unit.find_first_not_of(' ') == std::string::npos ? unit.size()
                                                                   : unit.find_first_not_of(' '));
    const char* names[] = {"kB", "MB", "GB", "TB", "KiB", "MiB", "GiB", "TiB", "K", "M", "G", "T"};
    double scale = unit.empty() || unit == "B" ? 1 : 0;
    for (int i = 0; i < 12; ++i)
        if (unit == names[i]) scale = std::pow(i < 4 ? 1000.0 : 1024.0, i % 4 + 1);
    if (end == text.c_str() || scale == 0 || !(value > 0))
        throw Error(where, "is '" + text + "', expected a size such as 8 GB");
    return value * scale;
}

int forecast(const SceneFile& scene, const RunOptions& options) {
    const ThreadLimit threads(scene.threads);
    const FrameRange range = parseRange(scene.frames, "--frames");
    const double free = freeMemory();
    const double limit = options.memory.empty() ? free : parseBytes(options.memory, "--memory");
    const std::string what = options.memory.empty() ? "that are free" : "of --memory";
    std::vector<std::string> warnings;
    const std::unique_ptr<Mode> mode = makeMode(scene, range.first, warnings);
    for (const std::string& w : warnings) std::fprintf(stderr, "purl: warning: %s\n", w.c_str());
    std::printf("%s\n", mode->describe().c_str());

    // The real thing, in a folder that is removed again: a first frame, steps, a checkpoint.
    const fs::path folder = fs::temp_directory_path() / ("purl_dry_" + std::to_string(getpid()));
    struct Tidy {
        fs::path folder;
        ~Tidy() {
            std::error_code none;
            fs::remove_all(folder, none);
        }
    } tidy{folder};
    fs::create_directories(folder);
    const std::string file =
        (folder / fs::path(framePath(scene.out, range.first)).filename()).string();
    mode->write(file, true, warnings);
    Sample sample;
    if (range.count() > 1) {
        const FrameResult r = mode->advance(range.first + 1, sample);
        if (r.outcome == FrameResult::Outcome::Broken)
            throw Error("frame " + std::to_string(range.first + 1), r.reason,
                        Error::Kind::Diverged);
    }
    mode->write(file, false, warnings);
    const double frameBytes = static_cast<double>(fs::file_size(file));
    Checkpoints checkpoints(folder.string(), 1, 0);
    checkpoints.take(*mode, range.first);
    const double stateBytes = static_cast<double>(fs::file_size(checkpoints.commit()));

    // Contact sets and lists still grow a little after the first steps.
    const double memory = peakMemory() + 0.1 * stateBytes;
    const int steps = sample.fraction() > 0
                          ? static_cast<int>(std::lround(sample.steps() / sample.fraction()))
                          : mode->stepsAFrame();
    const double perFrame = sample.pace() * steps, all = perFrame * (range.count() - 1);
    const bool saves = !options.checkpointEvery.empty() || !options.resume.empty();
    const double kept = saves ? std::max(1, options.keep) * stateBytes : stateBytes;
    const double disk = frameBytes * range.count() + kept;
    const fs::path target = existing(fs::path(framePath(scene.out, range.first)).parent_path());
    const double room = static_cast<double>(fs::space(target).available);
    std::printf("memory: %s (%.0f bytes) of %s %s\n", bytesText(memory).c_str(), memory,
                bytesText(limit).c_str(), what.c_str());
    std::printf("time: %.3g s a frame (%d steps of %.3g s), %s in all; from %d steps\n", perFrame,
                steps, sample.pace(), timeText(all).c_str(), sample.steps());
    std::printf("disk: %s for %d frames of %s, %s for checkpoints; %s are free\n",
                bytesText(frameBytes * range.count()).c_str(), range.count(),
                bytesText(frameBytes).c_str(), bytesText(kept).c_str(), bytesText(room).c_str());
    // What this process holds already is no longer among what is free.
    if (memory > (options.memory.empty() ? free : limit))
        throw Error("memory",
                    bytesText(memory) + " are needed, but there are " + bytesText(limit) + " " +
                        what + ", expected a smaller scene or a larger machine",
                    Error::Kind::Memory);
    if (disk > room)
        throw Error(target.string(),
                    bytesText(disk) + " will be written, but " + bytesText(room) +
                        " are free, expected more room",
                    Error::Kind::Disk);
    return Ok;
}

} // namespace purl::cli
