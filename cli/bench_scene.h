// The scenes that contact is timed on (Kaldor 2010, section 6): a scarf of 3,240 loops that falls
// flat on a plane, and an afghan of 54,340 that falls on a ball; and the same with other numbers of
// loops. scenes/scarf.json and scenes/afghan.json are these.
#pragma once

#include "purl/scene/scene.h"
#include "purl/scene/scene_file.h"

#include <string>

namespace purl::cli {

struct BenchScene {
    std::string name; // scarf, afghan, or a file
    Index wales = 0, courses = 0;
    SceneFile file;
    Scene scene; // of the file, with its colliders
    long loops() const { return static_cast<long>(wales) * courses; }
};

// name: scarf, afghan, a scene file (.json) that has a pattern, or empty: by the number of loops.
// loops = 0: as the scene has it.
BenchScene benchScene(const std::string& name, long loops);

} // namespace purl::cli
