// A simulation from its description to its files: what `purl sim` does once it knows what is
// wanted.
#pragma once

#include "purl/io/detail.h"
#include "purl/scene/scene_file.h"

namespace purl::cli {

struct RunOptions {
    std::string progress = "auto";
    bool quiet = false;
};

// Simulates and writes; returns the exit code (0, 4 or 130). Throws Error for the others.
int runScene(const SceneFile& scene, const RunOptions& options);
// The same for a scene with a sheet of cloth instead of yarns; runScene calls it.
int runCloth(const SceneFile& scene, const RunOptions& options);

// The settings with the contact method put in. Throws Error for a method that does not exist.
Settings settingsOf(const SceneFile& scene);

// The yarns a scene asks for: its file, or its pattern. `name` is what messages call them.
Detail loadYarns(const SceneFile& scene, std::string& name, std::vector<std::string>& warnings);

} // namespace purl::cli
