// A scene file: everything `purl sim` can be told, as JSON or, key by key, as flags. It names files
// and groups; a host reads those and makes the Scene from them.
#pragma once

#include "purl/collide/motion.h"
#include "purl/model/settings.h"
#include "purl/pattern/pattern.h"
#include "purl/scene/cloth_entry.h"
#include "purl/scene/fabric_entry.h"

#include <optional>

namespace purl {

struct PoseKey { // of a rigid collider; between keys it moves evenly
    int frame = 1;
    Pose pose;
};

struct ColliderEntry {
    enum class Kind { Sphere, Plane, Capsule, File };
    Kind kind = Kind::Sphere;
    Vec3 a{0, 0, 0};               // m: centre, one end of the axis; a plane's normal
    Vec3 b{0, 0, 0};               // m: other end of the axis
    double size = 0;               // m: radius; a plane's offset along its normal
    std::string file;              // .vdb, or polygons; with $F one file a frame
    std::string surface, velocity; // names of grids; empty: the usual ones
    double voxel = 0;              // m, for polygons; 0: by itself
    std::optional<double> friction, thickness, maxPushOut; // as CollisionSettings
    std::vector<PoseKey> keys;
    std::string where; // for messages
};

// "sphere:x,y,z,r", "plane:nx,ny,nz,d", "capsule:ax,ay,az,bx,by,bz,r" or a file name.
ColliderEntry parseCollider(const std::string& text, const std::string& where);

struct GoalEntry {
    std::string group;
    double stiffness = 10; // N/m a point
};

struct YarnEntry {
    std::string file;
    double scale = 1;                    // metres in a unit of the file
    std::optional<double> radius;        // m; else the file's own
    std::optional<std::string> material; // else the file's own, else wool
    double tex = 0;                      // g/km of one ply; 0: from the radius
    int ply = 1;
    // Each replaces what the material says; see Material for the units.
    std::optional<double> density, bendStiffness, twistStiffness, contactStiffness, restCurvature,
        plasticRadius, plasticMax, stretchStiffness;
};

struct PatternEntry {
    PatternSettings settings;
    bool lie = false;     // in the x-z plane with the front up, else upright in x-y
    Vec3 centre{0, 0, 0}; // m
};

struct SceneFile {
    YarnEntry yarns;
    std::optional<PatternEntry> pattern; // instead of yarns.file
    ClothEntry cloth;                    // a sheet of polygons, instead of yarns
    FabricEntry fabric;                  // woven or knitted on polygons, instead of both
    std::vector<ColliderEntry> colliders;
    std::vector<std::string> pins; // groups of points or primitives
    std::vector<GoalEntry> goals;
    std::string targets; // files with where pins and goals go, one a frame
    std::string contact = "acl";
    std::string frames = "1-48";
    std::string out, stats;
    int threads = 0; // 0: all
    Settings settings;
};

// `file` names the text in messages; paths inside it are taken relative to its folder.
// How yarns are stepped, by name; throws Error at `where` with the names there are.
Stepping steppingOf(const std::string& name, const std::string& where);

SceneFile parseScene(const std::string& text, const std::string& file);

} // namespace purl
