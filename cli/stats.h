// `--stats`: one JSON object a frame, one a line, on disk as soon as the frame is.
#pragma once

#include "purl/sim/simulation.h"

#include <chrono>
#include <cstdio>
#include <string>

namespace purl::cli {

class Stats {
public:
    Stats() = default;
    ~Stats();
    Stats(const Stats&) = delete;
    Stats& operator=(const Stats&) = delete;

    void open(const std::string& path); // empty: nothing is written
    void first(int frame, Simulation& sim);
    void add(int frame, const FrameReport& report, Simulation& sim);
    void write(const std::string& object); // any JSON object as a line

private:
    void line(const std::string& text);

    std::string path_;
    std::FILE* file_ = nullptr;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

} // namespace purl::cli
