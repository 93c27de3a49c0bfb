// What a user sees while frames are made: a bar with the time left on a terminal, plain lines
// elsewhere, or the lines that farm managers read.
#pragma once

#include "purl/base/monitor.h"

#include <chrono>
#include <string>

namespace purl::cli {

enum class ProgressStyle { Bar, Lines, Alf, OpenJd, None };

// "auto", "bar", "alf", "openjd" or "none"; auto is a bar on a terminal and lines elsewhere.
ProgressStyle progressStyle(const std::string& name, bool quiet);

class Progress : public Monitor {
public:
    Progress(ProgressStyle style, int firstFrame, int frames);
    ~Progress() override;

    void frameDone(int frame);          // the frame is on disk
    void note(const std::string& line); // a line of its own, between those of the bar

    void warning(const std::string& text) override;
    void progress(double fraction) override; // of the present frame
    bool interrupted() override;

private:
    using Clock = std::chrono::steady_clock;
    void show(double done, bool frameEnd);
    void clearBar();
    double elapsed() const;

    ProgressStyle style_;
    int first_, frames_, present_;
    int done_ = 0, percent_ = -1;
    bool barShown_ = false;
    Clock::time_point start_ = Clock::now(), lastShown_ = start_;
};

std::string timeText(double seconds); // "1:05", "2:03:10"

} // namespace purl::cli
