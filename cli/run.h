// A simulation from its description to its files: what `purl sim` does once it knows what is
// wanted. One frame loop for all modes, with checkpoints, signals and progress.
#pragma once

#include "purl/io/detail.h"
#include "purl/scene/scene_file.h"

namespace purl::cli {

struct RunOptions {
    std::string progress = "auto";
    bool quiet = false;

    std::string checkpointEvery; // frames ("10"), or time ("5m", "90s", "1h"); empty: as below
    std::string checkpointDir;   // empty: "checkpoints" beside the frames
    int keep = 3;                // checkpoints; 0: all
    std::string resume;          // "auto", a file, or empty: from the beginning
    std::string branch;          // a checkpoint to begin with; resume auto looks for newer ones
    std::string manifest;        // empty: manifest.json beside the frames; "none": none
    bool dryRun = false;         // forecast only
    std::string memory;          // limit for the forecast ("8 GB"); empty: what is free
    double frameBudget = 0;      // s of wall time a frame may take; 0: any

    std::string parameters;  // a JSON object: the scene and the flags, without what changes nothing
    std::string commandLine; // for the manifest
};

// Simulates and writes; returns the exit code (0, 75 or 130). Throws Error for the others.
int runScene(const SceneFile& scene, const RunOptions& options);

// The settings with the contact method put in. Throws Error for a method that does not exist.
Settings settingsOf(const SceneFile& scene);

// The yarns a scene asks for: its file, or its pattern. `name` is what messages call them.
Detail loadYarns(const SceneFile& scene, std::string& name, std::vector<std::string>& warnings);

// "10" frames or a time as "5m"; throws Error naming `where`.
struct CheckpointRhythm {
    int frames = 0;     // 0: not by frames
    double seconds = 0; // 0: not by time
};
CheckpointRhythm parseRhythm(const std::string& text, const std::string& where);

} // namespace purl::cli
