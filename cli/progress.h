// What a user sees while frames are made: a bar with the time left on a terminal, plain lines
// elsewhere, or the lines that farm managers read. A thread of its own keeps talking in a frame, or
// a step, that takes long: managers end processes that say nothing.
#pragma once

#include "purl/base/monitor.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace purl::cli {

enum class ProgressStyle { Bar, Lines, Alf, OpenJd, None };

// "auto", "bar", "alf", "openjd" or "none"; auto is a bar on a terminal and lines elsewhere.
ProgressStyle progressStyle(const std::string& name, bool quiet);

class Progress : public Monitor {
public:
    Progress(ProgressStyle style, int firstFrame, int frames);
    ~Progress() override;

    void skip(int frame);               // frames up to this one were made by an earlier run
    void frameDone(int frame);          // the frame is on disk
    void note(const std::string& line); // a line of its own, between those of the bar

    void warning(const std::string& text) override;
    void progress(double fraction) override; // of the present frame
    bool interrupted() override;

private:
    using Clock = std::chrono::steady_clock;
    void show(double done, bool frameEnd);
    void beat();
    void clearBar();
    double elapsed() const;

    ProgressStyle style_;
    int first_, frames_, present_;
    int done_ = 0, skipped_ = 0, percent_ = -1;
    double fraction_ = 0; // of the present frame
    bool barShown_ = false, ended_ = false;
    Clock::time_point start_ = Clock::now(), lastShown_ = start_;
    std::mutex mutex_; // of all the above
    std::condition_variable end_;
    std::thread heart_;
};

std::string timeText(double seconds); // "1:05", "2:03:10"

} // namespace purl::cli
