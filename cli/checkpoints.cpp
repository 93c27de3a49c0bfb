#include "cli/checkpoints.h"

#include "cli/machine.h"
#include "cli/sequence.h"
#include "purl/base/error.h"
#include "purl/io/atomic_file.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <filesystem>

namespace fs = std::filesystem;

namespace purl::cli {

namespace {

constexpr const char* kEnding = ".purlstate";

std::string fileName(int frame, int steps) {
    char text[64];
    if (steps > 0)
        std::snprintf(text, sizeof text, "state.%06d+%d%s", frame, steps, kEnding);
    else
        std::snprintf(text, sizeof text, "state.%06d%s", frame, kEnding);
    return text;
}

void writeHeader(SnapshotWriter& w, const CheckpointHeader& h) {
    w.begin("run", 1);
    w(h.version, h.mode, h.identity, h.frame, h.steps, h.host, h.time);
    w.end();
}

void loadMode(SnapshotReader& r, const CheckpointHeader& h, Mode& mode) {
    if (h.mode != mode.name())
        throw Error(r.name(), "is a checkpoint of " + h.mode + ", expected one of " + mode.name());
    mode.load(r);
}

} // namespace

CheckpointHeader readHeader(SnapshotReader& r) {
    CheckpointHeader h;
    r.begin("run", 1);
    r(h.version, h.mode, h.identity, h.frame, h.steps, h.host, h.time);
    r.end();
    return h;
}

CheckpointHeader loadCheckpoint(const std::string& path, Mode& mode) {
    SnapshotReader r = SnapshotReader::fromFile(path);
    const CheckpointHeader h = readHeader(r);
    loadMode(r, h, mode);
    return h;
}

Checkpoints::Checkpoints(std::string folder, int keep, std::uint64_t identity)
    : folder_(std::move(folder)), keep_(keep), identity_(identity) {}

void Checkpoints::take(const Mode& mode, int frame) {
    const std::size_t before = bytes_.size();
    bytes_.clear();
    bytes_.reserve(before);
    SnapshotWriter w([this](const void* data, std::size_t size) {
        const char* p = static_cast<const char*>(data);
        bytes_.insert(bytes_.end(), p, p + size);
    });
    CheckpointHeader h;
    h.version = PURL_VERSION;
    h.mode = mode.name();
    h.identity = identity_;
    h.frame = frame_ = frame;
    h.steps = steps_ = mode.stepsIntoFrame();
    h.host = hostName();
    h.time = isoTimeNow();
    writeHeader(w, h);
    mode.save(w);
    w.finish();
}

std::string Checkpoints::commit() {
    const std::string path = folder_ + "/" + fileName(frame_, steps_);
    makeFolderOf(path);
    writeFileAtomically(path, bytes_.data(), bytes_.size());
    clear();
    return path;
}

std::vector<Checkpoints::File> Checkpoints::list() const {
    std::vector<File> files;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder_, none)) {
        const std::string name = entry.path().filename().string();
        int frame = 0, steps = 0;
        if (std::sscanf(name.c_str(), "state.%d+%d", &frame, &steps) >= 1 &&
            name == fileName(frame, steps))
            files.push_back({frame, steps, entry.path().string()});
    }
    std::sort(files.begin(), files.end(), [](const File& a, const File& b) {
        return a.frame != b.frame ? a.frame > b.frame : a.steps > b.steps;
    });
    return files;
}

void Checkpoints::clear() const {
    // Those after the one just written are of a run that was begun again: the oldest history.
    std::vector<File> files = list();
    std::stable_partition(files.begin(), files.end(), [&](const File& f) {
        return f.frame < frame_ || (f.frame == frame_ && f.steps <= steps_);
    });
    std::error_code none;
    for (std::size_t i = 0; keep_ > 0 && i < files.size(); ++i)
        if (i >= static_cast<std::size_t>(keep_)) fs::remove(files[i].path, none);
}

bool Checkpoints::resume(Mode& mode, int first, int last, const std::function<bool(int)>& usable,
                         const std::function<void(const std::string&)>& warn,
                         CheckpointHeader& out) {
    clearTemporaries(folder_);
    for (const File& f : list()) {
        try {
            SnapshotReader r = SnapshotReader::fromFile(f.path);
            const CheckpointHeader h = readHeader(r);
            if (h.identity != identity_ || h.mode != mode.name()) {
                warn(f.path + ": belongs to another scene, other settings or another version (" +
                     h.version + ", " + h.mode +
                     "); it is left alone. To go on from it all the "
                     "same: --resume '" +
                     f.path + "'");
                continue;
            }
            if (h.frame < first || h.frame > last) continue;
            if (!usable(h.frame)) {
                warn(f.path + ": not all frames up to " + std::to_string(h.frame) +
                     " are there; an older checkpoint is looked for");
                continue;
            }
            mode.load(r);
            out = h;
            return true;
        } catch (const Error& e) {
            warn(std::string(e.what()) + "; an older checkpoint is looked for");
        }
    }
    return false;
}

void clearTemporaries(const std::string& folder) {
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder.empty() ? "." : folder, none)) {
        const std::string name = entry.path().filename().string();
        const std::size_t at = name.rfind(".tmp");
        int pid = 0, serial = 0, read = 0;
        if (at == std::string::npos ||
            std::sscanf(name.c_str() + at, ".tmp%d_%d%n", &pid, &serial, &read) != 2 ||
            at + static_cast<std::size_t>(read) != name.size())
            continue;
        if (pid > 1 && ::kill(pid, 0) != 0 && errno == ESRCH) fs::remove(entry.path(), none);
    }
}

} // namespace purl::cli
