// Where Houdini geometry and the solver meet: the curves of a Detail as yarns, and a simulated
// state back as its points (houdini.md E.1 for the attributes' names).
#pragma once

#include "purl/io/detail.h"
#include "purl/scene/scene.h"
#include "purl/scene/scene_file.h"

#include <optional>

namespace purl {

struct Yarns {
    Curves curves;                  // node = vertex of a curve primitive, in the order of the file
    std::vector<Index> pointOf;     // per node: its point
    std::vector<Index> nodeOf;      // per point: its first node, -1 if it is in no curve
    std::vector<Index> primitiveOf; // per yarn
    std::vector<Weld> welds;        // of `weld`, and of points that several vertices use
};

// The curves with their radii: `radius` (m) if given, else point `pscale`, else `width` / 2.
// strict: a radius that is missing or not > 0 throws; else it is left for a judge to find.
Yarns yarnsOf(const Detail& detail, const std::string& file, std::optional<double> radius,
              bool strict, std::vector<std::string>& warnings);

// The members of a group of points, or of the primitives' points, as nodes. Throws Error naming the
// groups that exist.
std::vector<Index> groupNodes(const Detail& detail, const Yarns& yarns, const std::string& group,
                              const std::string& file);

// The Scene of a geometry: yarns, rest shape, velocities, materials, welds, pins and goals.
// Colliders and settings are not touched. `targets`: where goals start to go, per node.
struct SceneInput {
    Scene scene;
    Yarns yarns;
    std::vector<Vec3> targets;
};
SceneInput sceneOf(const Detail& detail, const std::string& file, const SceneFile& wanted,
                   std::vector<std::string>& warnings);

// Throws Error if centre lines cross already: it names the yarns and where along them.
void refuseCrossings(const Scene& scene, const std::string& file);

// Writes the radii as point `pscale` into a geometry that tells none itself, so that the next
// command needs no --radius.
void putRadii(Detail& detail, const Yarns& yarns);

// Puts node values into the points that they belong to.
void putPositions(Detail& detail, const Yarns& yarns, Span<const Vec3> x);
void putVelocities(Detail& detail, const Yarns& yarns, Span<const Vec3> v);
// Per point: contactforce (N, vector) and, unless `updates` is empty, aclupdates.
void putContacts(Detail& detail, const Yarns& yarns, Span<const Vec3> force,
                 Span<const int> updates);
void putOrientations(Detail& detail, const Yarns& yarns, Span<const Eigen::Vector4d> q);

// Node values from a point attribute.
std::vector<Vec3> nodeVectors(const Detail& detail, const Yarns& yarns, const Attribute& a);

} // namespace purl
