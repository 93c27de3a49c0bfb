// Small things that several commands need of their flags.
#pragma once

#include "purl/base/types.h"
#include "purl/scene/quantity.h"
#include "purl/scene/scene_file.h"

#include <string>
#include <vector>

namespace purl::cli {

Vec3 parseVector(const std::string& text, Dimension, const std::string& where); // "x,y,z"
std::vector<std::string> splitText(const std::string& text, char by);
std::string readText(const std::string& path); // a whole file; throws Error
// `changes` are "contact/friction=0.5": places in the file and what they shall be instead.
SceneFile loadScene(const std::string& path, const std::vector<std::string>& changes = {});
bool endsIn(const std::string& text, const std::string& tail);

} // namespace purl::cli
