// `purl sim` beside a network: the same scene by the command, its frames read back.
#pragma once

#include "purl/io/geo.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace purl::test {

namespace fs = std::filesystem;

struct Folder { // of one test, gone after it
    fs::path path;
    explicit Folder(const std::string& name)
        : path(fs::temp_directory_path() / ("purl_plugin_" + name + std::to_string(getpid()))) {
        fs::create_directories(path);
    }
    ~Folder() { fs::remove_all(path); }
    std::string operator/(const std::string& name) const { return (path / name).string(); }
};

// Runs `purl sim` on a scene given as text; frames land in the folder.
inline void simulate(const Folder& folder, const std::string& scene,
                     const std::string& flags = "") {
    const fs::path file = folder.path / "scene.json";
    std::ofstream(file) << scene;
    const std::string command = std::string(PURL_COMMAND) + " sim " + file.string() + " --out '" +
                                folder / "f.$F4.bgeo" + "' --quiet " + flags;
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
}

inline Detail frameOf(const Folder& folder, int frame) {
    char name[32];
    std::snprintf(name, sizeof name, "f.%04d.bgeo", frame);
    std::vector<std::string> warnings;
    return readDetail(folder / name, warnings);
}

} // namespace purl::test
