// A ColliderEntry made real: the collider itself, its files read, and its motion frame by frame.
#pragma once

#include "purl/collide/sdf.h"
#include "purl/geometry/trimesh.h"
#include "purl/scene/scene_file.h"

#include <memory>

namespace purl::cli {

struct ColliderSizes {
    double yarnRadius = 1e-3; // m, the largest
    double thickness = 0;     // m
};

class LiveCollider {
public:
    // Reads what is there at frame `first`. Throws Error if that cannot be used.
    LiveCollider(const ColliderEntry& entry, int first, const ColliderSizes& sizes);

    // As it is at the end of `frame` in a run that began at frame `first`: to the bit, with the
    // velocities that two frames of polygons tell.
    void startAt(int frame, int first, double seconds);
    // Gets ready for the way from frame - 1 to frame, which takes `seconds`.
    void setFrame(int frame, double seconds);

    const std::shared_ptr<Collider>& collider() const { return collider_; }
    const ColliderEntry& entry() const { return entry_; }
    CollisionSettings settings(const CollisionSettings& common) const;
    bool isPlane() const { return entry_.kind == ColliderEntry::Kind::Plane; }
    // Its surface at the last frame that was set; empty for a plane.
    TriMesh mesh() const;

private:
    FieldPtr read(int frame, double seconds);
    Pose poseAt(int frame) const;

    ColliderEntry entry_;
    ColliderSizes sizes_;
    std::shared_ptr<Collider> collider_;
    std::shared_ptr<SdfCollider> sdf_; // the same, when it is made of files
    TriMesh lastMesh_;                 // of a sequence of polygons
    int frame_;
};

// The polygons of a geometry file as triangles. Throws Error if it has none.
TriMesh readMesh(const std::string& path, std::vector<std::string>& warnings);

} // namespace purl::cli
