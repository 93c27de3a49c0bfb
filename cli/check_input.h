// `purl check scene.json`: what would break the run, before it begins.
#pragma once

#include <optional>
#include <string>

namespace purl::cli {

struct InputCheckFlags {
    std::string path; // a scene, or one geometry file
    std::optional<double> radius;
    double scale = 1; // m a unit, of a geometry file
    bool json = false;
    std::string repair; // file to write with what can safely be put right; empty: none
};

// Prints the findings. Returns 0 if nothing breaks, else 4.
int checkInput(const InputCheckFlags& flags);

} // namespace purl::cli
