// `purl sim --dry-run`: memory, time and disk of a run, from a few of its real steps.
#pragma once

#include "cli/run.h"

namespace purl::cli {

// Prints the forecast. Returns 0; throws Error of kind Memory or Disk if the run would not fit.
int forecast(const SceneFile& scene, const RunOptions& options);

// "8 GB", "512 MiB" or bytes; throws Error naming `where`.
double parseBytes(const std::string& text, const std::string& where);
std::string bytesText(double bytes); // "1.2 GB"

} // namespace purl::cli
