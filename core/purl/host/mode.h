// One way of solving, behind one face: what a host (solver node, DOP, command) drives frame by
// frame without knowing which solver it is. One class a mode; makeMode() is the list of them.
#pragma once

#include "purl/base/monitor.h"
#include "purl/io/detail.h"
#include "purl/model/settings.h"
#include "purl/scene/scene_file.h"

#include <memory>

namespace purl {

class Collider;
class SnapshotReader;
class SnapshotWriter;

// What a frame did, for the node's info text and for messages.
struct FrameFigures {
    enum class Outcome { Done, Interrupted, Diverged };
    Outcome outcome = Outcome::Done;
    std::string reason; // of a divergence
    long yarns = 0, points = 0;
    long contacts = 0;      // that touch
    long updates = 0;       // contact models made anew in the frame
    long collisions = 0;    // points on a collider
    long iterations = 0;    // of the linear solver, in the frame
    double residual = 0;    // of its last solve
    double smallestGap = 1; // centre-line distance / sum of the radii
    double maxSpeed = 0;    // m/s
    double seconds = 0;     // of computing
    int steps = 0;
    std::vector<std::string> warnings; // each with a count and the first offender
};

// Where forces from fields outside of the solver act on it: its own unknowns.
struct ForceSites {
    std::vector<Vec3> x;      // m
    std::vector<Vec3> v;      // m/s
    std::vector<double> mass; // kg; 0: nothing that could be pulled
};

class SolverMode {
public:
    virtual ~SolverMode() = default;

    // m: what colliders must keep free of; their level sets are made to fit it.
    virtual double colliderRadius() const = 0;
    // Other values of the settings that may change (animated.h); start() then builds with them.
    virtual void setAnimated(const SceneFile& now) = 0;
    // Builds the solver. Colliders move between frames by their own setPose and setFields.
    virtual void start(const std::vector<std::shared_ptr<Collider>>& colliders,
                       const std::vector<CollisionSettings>& collision) = 0;
    // Where pins and goals are at the end of the next frame: the same points, animated. Goals go to
    // its targetP if it has one, all else to its P. Throws Error if it has other points.
    virtual void setTargets(const Detail& animated, const std::string& name) = 0;
    // Where the yarns are from the next frame on: the same points with other paint. Only what is
    // painted looks at it.
    virtual bool painted() const { return false; }
    virtual void setPaint(const Detail&, const std::string& /*name*/) {}
    virtual FrameFigures advance(Monitor& monitor) = 0;
    // Puts the state into the geometry it was made from. At the first frame positions are not
    // touched, not even in their last bit.
    virtual void put(Detail& detail, bool positions) const = 0;
    // The point attributes that put() writes.
    virtual std::vector<std::string> outputs() const = 0;
    virtual ForceSites forceSites() const = 0;
    // N on each of them, constant until the next call or start().
    virtual void setForces(const std::vector<Vec3>& perSite) = 0;
    virtual std::uint64_t hash() const = 0;
    virtual std::size_t bytes() const = 0; // kept in memory, about
    virtual void save(SnapshotWriter&) const = 0;
    virtual void load(SnapshotReader&) = 0; // into a mode started from the same input
};

// The modes that exist, in the order of a menu: token and label.
const std::vector<std::pair<std::string, std::string>>& modeNames();
// Reads `detail` as the mode's input and leaves what the mode puts out in it: the same with radii
// where it had none, or other geometry. `name` is what messages call it. Throws Error for an
// unknown mode, and for what the mode cannot use.
std::unique_ptr<SolverMode> makeMode(const std::string& mode, Detail& detail,
                                     const std::string& name, const SceneFile& wanted,
                                     std::vector<std::string>& warnings);

std::unique_ptr<SolverMode> makeYarnMode(Detail& detail, const std::string& name,
                                         const SceneFile& wanted,
                                         std::vector<std::string>& warnings);
std::unique_ptr<SolverMode> makeClothMode(Detail& detail, const std::string& name,
                                          const SceneFile& wanted,
                                          std::vector<std::string>& warnings);
// Its `detail` comes as polygons and goes as the yarns that were laid on them.
std::unique_ptr<SolverMode> makeFabricMode(Detail& detail, const std::string& name,
                                           const SceneFile& wanted,
                                           std::vector<std::string>& warnings);
// The same, with point attribute or group `yarn` saying where the yarns are.
std::unique_ptr<SolverMode> makeMixedMode(Detail& detail, const std::string& name,
                                          const SceneFile& wanted,
                                          std::vector<std::string>& warnings);

} // namespace purl
