// `--stats`: one JSON object a frame, one a line, on disk as soon as the frame is.
#pragma once

#include "purl/sim/simulation.h"

#include <cstdio>
#include <string>

namespace purl::cli {

class Stats {
public:
    Stats() = default;
    ~Stats();
    Stats(const Stats&) = delete;
    Stats& operator=(const Stats&) = delete;

    // Lines of frames up to `keep` that are there already stay; the rest is begun anew. An empty
    // path: nothing is written.
    void open(const std::string& path, int keep);
    void write(const std::string& object); // a JSON object as a line
    // The line of the input, before anything moved.
    void first(int frame, double time, std::uint64_t hash);

private:
    std::string path_;
    std::FILE* file_ = nullptr;
};

// The figures of a frame of yarns, as a JSON object.
std::string frameFigures(int frame, const FrameReport& report, const Simulation& sim);

} // namespace purl::cli
