// The swinging cloth of `purl bench mixed`: how fast the linear solver converges with each
// preconditioner, and what a change of paint does to accelerations.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace purl::cli {

// Iterations to 1e-4 at the scene's step, after a tenth of a second. picture: an .svg, or empty.
nlohmann::ordered_json swingFigures(const std::string& scene, const std::string& picture);
// Largest acceleration in the frame after the paint has grown, and shrunk, against that of the run
// whose paint stays.
nlohmann::ordered_json paintFigures(const std::string& scene);
void printMixed(const nlohmann::ordered_json& figures);

} // namespace purl::cli
