// The long experiments of docs/cloth.md: a sheet on a ball and a table's edge, a sleeve on an arm.
// Each prints what it found and can leave a picture.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace purl::cli {

struct ClothSceneFlags {
    int cells = 100;      // along a side
    double seconds = 0;   // 0: the scene's own
    double dt = 1.0 / 96; // s
    std::string preset = "cotton";
    std::string picture; // PNG to write; several get a number
    int check = 1;       // look for intersections every so many steps; 0: never
    bool progress = true;
};

// A sheet of 1 m onto a ball that then leaves, so that it falls over the edge of a table.
nlohmann::ordered_json dropOnBallAndTable(const ClothSceneFlags& f);
// A sleeve without any pin on an arm that bends at the elbow, 48 frames.
nlohmann::ordered_json sleeveOnArm(const ClothSceneFlags& f);

} // namespace purl::cli
