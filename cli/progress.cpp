#include "cli/progress.h"

#include "cli/signals.h"
#include "purl/base/error.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <unistd.h>

namespace purl::cli {

namespace {
constexpr double kBarEvery = 0.1;        // s
constexpr double kHeartbeatEvery = 15.0; // s, of plain lines inside a long frame
} // namespace

std::string timeText(double seconds) {
    const long s = std::lround(std::max(0.0, seconds));
    char text[64];
    if (s >= 3600)
        std::snprintf(text, sizeof text, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
    else
        std::snprintf(text, sizeof text, "%ld:%02ld", s / 60, s % 60);
    return text;
}

ProgressStyle progressStyle(const std::string& name, bool quiet) {
    if (quiet || name == "none") return ProgressStyle::None;
    if (name == "bar") return ProgressStyle::Bar;
    if (name == "alf") return ProgressStyle::Alf;
    if (name == "openjd") return ProgressStyle::OpenJd;
    return isatty(STDERR_FILENO) ? ProgressStyle::Bar : ProgressStyle::Lines;
}

Progress::Progress(ProgressStyle style, int firstFrame, int frames)
    : style_(style), first_(firstFrame), frames_(frames), present_(firstFrame) {
    if (style_ != ProgressStyle::None) heart_ = std::thread([this] { beat(); });
}

Progress::~Progress() {
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        ended_ = true;
    }
    end_.notify_all();
    if (heart_.joinable()) heart_.join();
    if (barShown_) std::fprintf(stderr, "\n");
}

void Progress::beat() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (!ended_) {
        end_.wait_for(lock, std::chrono::seconds(1));
        if (!ended_) show(done_ + fraction_, false);
    }
}

double Progress::elapsed() const {
    return std::chrono::duration<double>(Clock::now() - start_).count();
}

void Progress::clearBar() {
    if (barShown_) std::fprintf(stderr, "\r\033[K");
    barShown_ = false;
}

void Progress::note(const std::string& line) {
    if (style_ == ProgressStyle::None) return;
    const std::lock_guard<std::mutex> lock(mutex_);
    clearBar();
    std::printf("%s%s\n", style_ == ProgressStyle::OpenJd ? "openjd_status: " : "", line.c_str());
    std::fflush(stdout);
}

void Progress::warning(const std::string& text) {
    const std::lock_guard<std::mutex> lock(mutex_);
    clearBar();
    std::fprintf(stderr, "purl: warning: %s\n", text.c_str());
}

bool Progress::interrupted() { return interruptAsked(); }

void Progress::progress(double fraction) {
    const std::lock_guard<std::mutex> lock(mutex_);
    fraction_ = fraction;
    show(done_ + fraction, false);
}

void Progress::skip(int frame) {
    const std::lock_guard<std::mutex> lock(mutex_);
    done_ = skipped_ = std::min(frames_, frame - first_ + 1);
    present_ = frame + 1;
}

void Progress::frameDone(int frame) {
    const std::lock_guard<std::mutex> lock(mutex_);
    present_ = frame;
    ++done_;
    fraction_ = 0;
    show(done_, true);
    present_ = frame + 1;
}

// `done` in frames. The first frame is only written, so that time is counted over the others; so
// are frames that an earlier run made.
void Progress::show(double done, bool frameEnd) {
    const double since = std::chrono::duration<double>(Clock::now() - lastShown_).count();
    const double share = std::min(1.0, done / frames_);
    const int percent = static_cast<int>(std::floor(100 * share + 1e-9));
    const double made = done - std::max(1, skipped_), left = frames_ - done;
    const std::string time =
        made > 0.2 ? timeText(elapsed() / made * left) + " left" : std::string("time left unknown");
    const bool last = done_ >= frames_;
    if (style_ == ProgressStyle::Bar) {
        if (!frameEnd && since < kBarEvery) return;
        const int width = 32, full = static_cast<int>(std::lround(share * width));
        std::string bar;
        for (int i = 0; i < width; ++i) bar += i < full ? "█" : "░";
        std::fprintf(stderr, "\r  frame %d of %d-%d  %s %3d %%  %s   ", present_, first_,
                     first_ + frames_ - 1, bar.c_str(), percent,
                     last ? ("done in " + timeText(elapsed())).c_str() : time.c_str());
        std::fflush(stderr);
        barShown_ = true;
    } else if (style_ == ProgressStyle::Lines) {
        if (!frameEnd && since < kHeartbeatEvery) return;
        std::printf("frame %d of %d-%d, %d %%, %s\n", present_, first_, first_ + frames_ - 1,
                    percent, last ? ("done in " + timeText(elapsed())).c_str() : time.c_str());
        std::fflush(stdout);
    } else if (style_ == ProgressStyle::Alf || style_ == ProgressStyle::OpenJd) {
        if (percent <= percent_ && since < kHeartbeatEvery) return;
        percent_ = std::max(percent_, percent);
        if (style_ == ProgressStyle::Alf)
            std::printf("ALF_PROGRESS %d%%\n", percent_);
        else
            std::printf("openjd_progress: %d\n", percent_);
        std::fflush(stdout);
    } else {
        return;
    }
    lastShown_ = Clock::now();
}

} // namespace purl::cli
