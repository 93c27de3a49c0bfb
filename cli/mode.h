// What `purl sim` can simulate, behind one face: yarns, a sheet, a fabric. run.cpp has the frame
// loop, the checkpoints and the signals for all of them; a mode knows its input, its solver and its
// files.
#pragma once

#include "purl/base/monitor.h"
#include "purl/base/snapshot.h"
#include "purl/scene/scene_file.h"

#include <memory>
#include <string>
#include <vector>

namespace purl::cli {

struct FrameResult {
    enum class Outcome { Done, Interrupted, Broken };
    Outcome outcome = Outcome::Done;
    std::string reason;  // of a break: who, where, what was expected
    std::string figures; // a JSON object, for --stats; empty if interrupted
};

class Mode {
public:
    virtual ~Mode() = default;
    virtual const char* name() const = 0;         // "yarns": a checkpoint knows its mode by it
    virtual std::string describe() const = 0;     // what was built, in a line
    virtual double secondsAFrame() const = 0;     // s, simulated
    virtual int stepsAFrame() const { return 1; } // expected

    // Colliders and the like as they are at the end of `frame`; a run begins so.
    virtual void startAt(int frame) = 0;
    // From frame - 1 to frame. Interrupted in the middle, another call for the same frame goes on.
    virtual FrameResult advance(int frame, Monitor& monitor) = 0;
    virtual void write(const std::string& path, bool untouchedInput,
                       std::vector<std::string>& warnings) = 0;

    // Everything that outlives a step, in the middle of a frame too.
    virtual void save(SnapshotWriter&) const = 0;
    virtual void load(SnapshotReader&) = 0;
    virtual int stepsIntoFrame() const = 0; // of an interrupted frame; 0 between frames
    virtual double time() const = 0;        // s
    virtual std::uint64_t hash() const = 0; // equal for equal states, to the last bit
};

// All read their input and throw Error for what cannot be used. `first` is the frame of the input.
std::unique_ptr<Mode> makeYarnMode(const SceneFile& scene, int first,
                                   std::vector<std::string>& warnings);
std::unique_ptr<Mode> makeClothMode(const SceneFile& scene, int first,
                                    std::vector<std::string>& warnings);
std::unique_ptr<Mode> makeFabricMode(const SceneFile& scene, int first,
                                     std::vector<std::string>& warnings);
// The one that the scene asks for.
std::unique_ptr<Mode> makeMode(const SceneFile& scene, int first,
                               std::vector<std::string>& warnings);

} // namespace purl::cli
