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
    w.begin("session", 1);
    w(digest_, last_, lastCollider_);
    w.end();
    mode_->save(w);
    w.finish();
}

void Session::loadFrom(SnapshotReader& r) {
    r.begin("session", 1);
    std::uint64_t digest = 0, collider = 0;
    int last = 0;
    r(digest, last, collider);
    r.end();
    if (digest != digest_)
        throw Error(r.name(), "is of another run: its input or settings were others, expected "
                              "those of this node");
    mode_->load(r);
    last_ = last;
    stale_ = inside_ = false;
}

std::vector<char> Session::saveState() const {
    SnapshotWriter w;
    writeTo(w);
    return w.bytes();
}

void Session::loadState(std::vector<char> bytes, const std::string& name) {
    SnapshotReader reader(std::move(bytes), name);
    loadFrom(reader);
    keep(last_, true, at(last_) ? at(last_)->figures : FrameFigures{},
         at(last_) ? at(last_)->input : 0);
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
        try { // one of another run is not ours to go on from
            SnapshotReader r = SnapshotReader::fromFile(path);
            r.begin("session", 1);
            if (r.take<std::uint64_t>() == digest_) return f;
        } catch (const Error&) { // damaged: an older one may be whole
        }
    }
    return settings_.startFrame;
}

} // namespace purl
