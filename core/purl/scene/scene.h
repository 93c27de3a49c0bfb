// What is to be simulated, as plain data: a host (command, node) fills it in, Simulation is built
// from it. SI units; indices are vertices of `yarns`.
#pragma once

#include "purl/collide/collider.h"
#include "purl/geometry/curves.h"
#include "purl/model/settings.h"
#include "purl/model/weld.h"

#include <memory>
#include <string>

namespace purl {

struct Goal {
    Index node;
    double stiffness; // N/m
    double weight;    // 0..1, scales the stiffness
};

struct Scene {
    Curves yarns;                                // where the simulation starts
    std::vector<Vec3> rest;                      // m, rest shape; empty: as the start
    std::vector<Vec3> velocity;                  // m/s; empty: at rest
    std::vector<Vec3> force;                     // N, on each point, constant; empty: none
    std::vector<Material> material;              // one a yarn
    std::vector<Weld> welds;
    std::vector<Index> pins;                     // hard: follow their target exactly
    std::vector<Goal> goals;                     // soft: pulled to their target
    std::vector<std::shared_ptr<Collider>> colliders;
    std::vector<CollisionSettings> collision;    // one a collider
    Settings settings;
};

// Throws Error naming yarn and point, the value, and what was expected. `name` is the file that the
// yarns came from.
void validate(const Scene&, const std::string& name);

} // namespace purl
