// manifest.json beside the frames: what made them. Written when a run begins and when it ends.
#pragma once

#include "purl/scene/scene_file.h"

#include <cstdint>
#include <string>
#include <vector>

namespace purl::cli {

struct RunOptions;

struct InputFile {
    std::string path;
    std::string hash; // of its bytes; of a sequence of files "one a frame"
};
// Every file that the scene names, with the hash of its bytes. Throws Error if one cannot be read.
std::vector<InputFile> inputsOf(const SceneFile& scene);

// Equal for runs that give the same frames: version, parameters and inputs; not for threads, paths
// of output or the number of frames.
std::uint64_t identityOf(const SceneFile& scene, const RunOptions& options,
                         const std::vector<InputFile>& inputs);

class Manifest {
public:
    Manifest(std::string path, const SceneFile& scene, const RunOptions& options,
             const std::vector<InputFile>& inputs, std::uint64_t identity);

    std::string mode, description, resumedFrom;
    int steps = 0; // a frame
    // `outcome`: "running", "done", "stopped", "interrupted", "failed". An empty path: nothing.
    void write(const std::string& outcome, int exitCode, int lastFrame, std::uint64_t hash,
               const std::string& reason = "");

private:
    std::string path_, fixed_; // fixed_: what does not change, as JSON
    std::string started_;
};

} // namespace purl::cli
