// Flags of a fabric that `purl fabric` and `purl sim --fabric` share.
#pragma once

#include "purl/scene/fabric_entry.h"

namespace CLI {
class App;
}

namespace purl::cli {

struct FabricFlags {
    std::string draft, legend, spacing, radius, angle, rest, material, tex, nodes, region;
    std::optional<double> uvScale, twist, friction;
    std::optional<int> ply, points;
    bool noSeams = false, noSliding = false;
};

// `sim`: that command has flags of its own for some of them.
void addFabricFlags(CLI::App& app, FabricFlags& flags, bool sim);
void putFabricFlags(const FabricFlags& flags, FabricEntry& entry);

} // namespace purl::cli
