// A session's state as bytes, and its checkpoints: files that appear whole or not at all, the
// newest few of them kept.
#include "purl/base/error.h"
#include "purl/base/snapshot.h"
#include "purl/host/session.h"
#include "purl/io/atomic_file.h"

#include <cstdio>
#include <filesystem>

namespace purl {

namespace fs = std::filesystem;

namespace {
constexpr const char* kEnding = ".purlstate";
}

std::string checkpointPath(const CheckpointSettings& s, int frame) {
    char number[32];
    std::snprintf(number, sizeof number, ".%04d", frame);
    return (fs::path(s.folder) / (s.name + number + kEnding)).string();
}

void Session::writeTo(SnapshotWriter& w) const {
    const FrameData* data = at(last_);
    w.begin("session", 2);
    const std::uint64_t input = data ? data->input : 0, settings = data ? data->settings : 0;
    w(digest_, last_, input, settings);
    w.end();
    mode_->save(w);
    w.finish();
}

void Session::loadFrom(SnapshotReader& r) {
    if (r.begin("session", 2) < 2)
        r.fail(
            "a checkpoint of an older Purl was found, expected one that tells what its frame was "
            "solved with");
    std::uint64_t digest = 0, input = 0, settings = 0;
    int last = 0;
    r(digest, last, input, settings);
    r.end();
    if (digest != digest_)
        throw Error(r.name(), "is of another run: its input or settings were others, expected "
                              "those of this node");
    mode_->load(r);
    last_ = last;
    stale_ = inside_ = false;
    keep(last_, true, at(last_) ? at(last_)->figures : FrameFigures{}, input);
    frames_[last_].settings = settings;
}

std::vector<char> Session::saveState() const {
    SnapshotWriter w;
    writeTo(w);
    return w.bytes();
}

void Session::loadState(std::vector<char> bytes, const std::string& name) {
    SnapshotReader reader(std::move(bytes), name);
    loadFrom(reader);
}

void Session::writeCheckpoint() {
    const CheckpointSettings& c = settings_.checkpoint;
    if (!c.save || c.interval < 1 || (last_ - settings_.startFrame) % c.interval != 0) return;
    std::error_code ignored;
    fs::create_directories(c.folder, ignored);
    AtomicFile file(checkpointPath(c, last_));
    SnapshotWriter w([&](const void* data, std::size_t size) { file.write(data, size); });
    writeTo(w);
    file.commit();
    written_.insert(last_);
    for (int old = last_ - c.trail * c.interval; c.trail > 0 && old > settings_.startFrame;
         old -= c.interval)
        fs::remove(checkpointPath(c, old), ignored);
}

int Session::bestCheckpoint(int frame) const {
    const CheckpointSettings& c = settings_.checkpoint;
    std::error_code ignored;
    for (int f = frame; c.save && f > settings_.startFrame; --f) {
        if (f == last_ && !stale_) return f;
        const std::string path = checkpointPath(c, f);
        if (!fs::exists(path, ignored)) continue;
        if (digest_ == forgotten_ && !written_.count(f)) continue;
        try { // one of another run is not ours to go on from
            SnapshotReader r = SnapshotReader::fromFile(path);
            if (r.begin("session", 2) == 2 && r.take<std::uint64_t>() == digest_) return f;
        } catch (const Error&) { // damaged: an older one may be whole
        }
    }
    return settings_.startFrame;
}

} // namespace purl
