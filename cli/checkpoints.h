// The checkpoints of one run: a folder of snapshots, the newest few kept, each with what it belongs
// to. Files appear whole or not at all; what is torn or foreign is never taken.
#pragma once

#include "cli/mode.h"

#include <functional>

namespace purl::cli {

struct CheckpointHeader {
    std::string version;        // of purl
    std::string mode;           // as Mode::name
    std::uint64_t identity = 0; // of all that decides the result but the number of frames
    int frame = 0;              // the last whole one
    int steps = 0;              // of the next one, if it was interrupted
    std::string host, time;     // who wrote it, when (UTC)
};

class Checkpoints {
public:
    // folder: where they are; keep: how many, 0 is all.
    Checkpoints(std::string folder, int keep, std::uint64_t identity);

    // The state as bytes, kept in memory until commit() puts it on disk: what a run that breaks
    // later on can still leave behind.
    void take(const Mode& mode, int frame);
    bool taken() const { return !bytes_.empty(); }
    std::string commit(); // returns the path. Throws Error of kind Disk.
    int frame() const { return frame_; }

    // Loads the newest that is whole, of this identity and of a frame in [first, last] for which
    // `usable` says yes. False if there is none; each one passed over is told to `warn`.
    bool resume(Mode& mode, int first, int last, const std::function<bool(int frame)>& usable,
                const std::function<void(const std::string&)>& warn, CheckpointHeader& out);
    const std::string& folder() const { return folder_; }

private:
    struct File {
        int frame, steps;
        std::string path;
    };
    std::vector<File> list() const; // newest first
    void clear() const;             // of what is beyond `keep`, and of torn temporaries

    std::string folder_;
    int keep_;
    std::uint64_t identity_;
    std::vector<char> bytes_;
    int frame_ = 0, steps_ = 0;
};

// Loads any checkpoint of the same mode into a mode built from other settings. Throws Error.
CheckpointHeader loadCheckpoint(const std::string& path, Mode& mode);
// Its header alone. Throws Error for a file that is not whole.
CheckpointHeader readHeader(SnapshotReader& reader);

// Removes what a killed process left half-written beside `path` (name.tmpPID_N), unless it lives.
void clearTemporaries(const std::string& folder);

} // namespace purl::cli
