// A simulation as an interactive host sees it: frames asked for in any order. Solved frames are
// kept and read again, never solved from a wrong state; a change of what the run was made from
// begins a new run; an interrupted frame leaves the last good one; checkpoints on disk let another
// process go on.
#pragma once

#include "purl/collide/motion.h"
#include "purl/collide/sdf.h"
#include "purl/geometry/trimesh.h"
#include "purl/host/mode.h"

#include <functional>
#include <map>
#include <set>

namespace purl {

// Equal for equal geometries: topology, attributes, groups.
std::uint64_t digestOf(const Detail& detail);

// The polygons of a geometry as triangles on the same points.
TriMesh trianglesOf(const Detail& detail);

// One collider at one frame: its shape, and where that is.
struct ColliderFrame {
    std::function<FieldPtr(const SdfOptions&)> grids; // from its VDBs; null: it has none
    TriMesh mesh;                                     // of its polygons
    std::vector<Vec3> velocity;                       // m/s, per point of the mesh; or empty
    std::uint64_t digest = 0;                         // equal for equal shapes
    Pose pose; // of the shape's space in the world; a rigid body moves by this alone
    bool there() const { return grids || !mesh.triangles.empty(); }
};
using ColliderFrames = std::vector<ColliderFrame>;
std::uint64_t digestOf(const ColliderFrames& colliders); // shapes and poses
// Polygons, with point attribute v as their velocity. Throws Error for points that are no numbers.
void readMesh(const Detail& detail, const std::string& name, ColliderFrame& out);

struct CheckpointSettings { // named as Vellum's parameters
    bool save = false;
    std::string folder = ".", name = "purl";
    int trail = 1;     // newest files that are kept; 0: all
    int interval = 10; // frames from one to the next
};
std::string checkpointPath(const CheckpointSettings& settings, int frame);

struct SessionSettings {
    std::string mode = "auto";
    SceneFile wanted; // settings, materials, pins; its files are not read
    bool ground = false;
    double groundHeight = 0;               // m
    double colliderVoxel = 0;              // m, for polygons; 0: by itself
    std::string surfaceName, velocityName; // of VDBs; empty: the usual ones
    int startFrame = 1;
    std::size_t cacheBytes = 0; // of kept frames; 0: no limit
    CheckpointSettings checkpoint;
};

// What a frame is solved with.
struct FrameInput {
    const Detail* targets = nullptr; // where pins and goals are at its end; null: where they were
    const Detail* paint = nullptr;   // of a mixed fabric; null: as it was
    ColliderFrames colliders;        // at its end
    const SceneFile* settings = nullptr; // those of animated.h count; null: as they were
    std::vector<Vec3> forces;            // N on each of the mode's forceSites()
    std::uint64_t digest = 0;            // equal for equal input
};

struct FrameData {
    std::vector<Attribute> attributes; // of points
    FrameFigures figures;
    std::uint64_t input = 0;    // digest of what the frame was solved with
    std::uint64_t settings = 0; // the same of its settings alone (animated.h)
    std::size_t bytes = 0;
};

class Session {
public:
    Session();
    ~Session();

    // Begins anew from the geometry of the start frame. `digest` names everything the run depends
    // on there. Throws Error if it cannot be used; then there is no run.
    void begin(const SessionSettings& settings, Detail geometry, const std::string& name,
               const ColliderFrames& colliders, std::uint64_t digest);
    void clear();
    // The same when what was animated has changed in the middle of the run: checkpoints that are
    // there are of the past as well.
    void forget();
    bool running() const { return static_cast<bool>(mode_); }
    std::uint64_t digest() const { return digest_; }
    int startFrame() const { return settings_.startFrame; }
    int last() const { return last_; } // newest frame of the solver's state
    const SessionSettings& settings() const { return settings_; }
    // How frames are kept may change in the middle of a run; nothing else may.
    void setKeeping(std::size_t cacheBytes, const CheckpointSettings& checkpoint);

    const FrameData* at(int frame) const;
    const std::map<int, FrameData>& frames() const { return frames_; } // that are kept
    // Gets the state to where `frame` can be reached: returns the first frame to advance to, or
    // frame + 1 if nothing is to be done. Goes back to a checkpoint or to the start if it must.
    int seek(int frame);
    // After seek() went to a checkpoint it answers with the two frames up to it: their colliders
    // are shown to prime(), so that the next frame finds them as if it had come from there.
    bool primes(int frame) const { return frame <= last_ && frame > last_ - unprimed_; }
    void prime(int frame, const FrameInput& input);
    // Whether the frame after last() was begun with another input and interrupted.
    bool strands(std::uint64_t input) const { return inside_ && input != insideInput_; }
    // Solves one frame, the one after last(). On interruption and divergence last() stays.
    FrameFigures advance(int frame, const FrameInput& input, Monitor& monitor);
    // Where forces of the next frame are to be sampled.
    ForceSites forceSites() const { return mode_->forceSites(); }

    const Detail& geometry() const { return detail_; } // of the start frame
    SolverMode* mode() const { return mode_.get(); }
    std::vector<std::string> warnings; // of begin() and seek(); a host shows and clears them
    std::size_t bytes() const;         // kept in memory, about

    std::vector<char> saveState() const; // of the state at last(), with its digest
    // Throws Error if it is of another run.
    void loadState(std::vector<char> bytes, const std::string& name);

private:
    // A collider of the run, as it was at the newest frame.
    struct Body {
        std::shared_ptr<SdfCollider> sdf;
        TriMesh mesh;
        std::uint64_t digest = 0;
        Pose pose;
        bool deforms = false, moves = false; // in the present frame
    };
    void build(const ColliderFrames& colliders);
    void startMode();
    void animate(const SceneFile* now);
    void moveColliders(const ColliderFrames& colliders);
    FieldPtr fieldOf(const ColliderFrame& collider, Body& body, double seconds);
    void keep(int frame, bool positions, FrameFigures figures, std::uint64_t input);
    void loadFrom(SnapshotReader& reader);
    void writeTo(SnapshotWriter& writer) const;
    void writeCheckpoint();
    int bestCheckpoint(int frame) const; // startFrame if there is none

    SessionSettings settings_;
    SceneFile now_;         // its settings, as keys have them at the newest frame
    Detail start_, detail_; // as it came; with the state put in
    std::string name_;
    ColliderFrames startColliders_;
    std::unique_ptr<SolverMode> mode_;
    std::vector<Body> bodies_;
    std::shared_ptr<Collider> ground_;
    std::map<int, FrameData> frames_;
    std::size_t frameBytes_ = 0;
    std::uint64_t digest_ = 0;
    int last_ = 0;
    int unprimed_ = 0;    // frames up to last_ whose colliders were not seen
    bool stale_ = false;  // the state is broken, or inside a frame that was interrupted
    bool inside_ = false; // the latter: the same frame with the same input can go on
    std::uint64_t insideInput_ = 0;
    std::uint64_t forgotten_ = 0; // digest of a run whose checkpoints on disk do not count ...
    std::set<int> written_;       // ... but these
};

} // namespace purl
