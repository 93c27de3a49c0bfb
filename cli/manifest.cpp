#include "cli/manifest.h"

#include "cli/flags.h"
#include "cli/machine.h"
#include "cli/run.h"
#include "cli/sequence.h"
#include "purl/base/error.h"
#include "purl/base/hash.h"
#include "purl/io/atomic_file.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>
#include <unistd.h>

namespace purl::cli {

using nlohmann::ordered_json;

namespace {
std::string hashOfFile(const std::string& path) {
    const std::string bytes = readText(path);
    Hash h;
    h.bytes(bytes.data(), bytes.size());
    return hexHash(h.value());
}
} // namespace

std::vector<InputFile> inputsOf(const SceneFile& scene) {
    std::vector<InputFile> out;
    const auto add = [&](const std::string& path) {
        if (path.empty()) return;
        const bool sequence = hasFrame(path) && !std::filesystem::exists(path);
        out.push_back({path, sequence ? "one a frame" : hashOfFile(path)});
    };
    add(scene.yarns.file);
    add(scene.cloth.file);
    add(scene.fabric.file);
    for (const std::string& f : {scene.fabric.draft, scene.fabric.legend})
        if (std::filesystem::is_regular_file(f)) add(f); // a draft may also be a name
    for (const ColliderEntry& c : scene.colliders) add(c.file);
    add(scene.targets);
    return out;
}

std::uint64_t identityOf(const SceneFile& scene, const RunOptions& options,
                         const std::vector<InputFile>& inputs) {
    Hash h;
    const auto text = [&](const std::string& s) {
        h.add(static_cast<std::uint64_t>(s.size()));
        h.bytes(s.data(), s.size());
    };
    text(PURL_VERSION);
    text(options.parameters);
    for (const InputFile& f : inputs) text(f.hash); // not its path: a farm mounts it elsewhere
    h.add(parseRange(scene.frames, "--frames").first);
    if (!options.branch.empty()) text(hashOfFile(options.branch));
    return h.value();
}

Manifest::Manifest(std::string path, const SceneFile& scene, const RunOptions& options,
                   const std::vector<InputFile>& inputs, std::uint64_t identity)
    : path_(std::move(path)), started_(isoTimeNow()) {
    ordered_json files = ordered_json::array();
    for (const InputFile& f : inputs) files.push_back({{"path", f.path}, {"xxh3", f.hash}});
    std::error_code none;
    const ordered_json j = {
        {"purl", PURL_VERSION},
        {"command", options.commandLine},
        {"folder", std::filesystem::current_path(none).string()},
        {"host", hostName()},
        {"processor", processor()},
        {"pid", static_cast<long>(getpid())},
        {"threads",
         scene.threads > 0 ? scene.threads : static_cast<int>(std::thread::hardware_concurrency())},
        {"frames", scene.frames},
        {"out", scene.out},
        {"identity", hexHash(identity)},
        {"parameters", ordered_json::parse(options.parameters.empty() ? "{}" : options.parameters)},
        {"inputs", files}};
    fixed_ = j.dump();
}

void Manifest::write(const std::string& outcome, int exitCode, int lastFrame, std::uint64_t hash,
                     const std::string& reason) {
    if (path_.empty()) return;
    ordered_json j = ordered_json::parse(fixed_);
    j["mode"] = mode;
    j["scene"] = description;
    j["steps_a_frame"] = steps;
    if (!resumedFrom.empty()) j["resumed_from"] = resumedFrom;
    j["started"] = started_;
    j["written"] = isoTimeNow();
    j["outcome"] = outcome;
    if (outcome != "running") j["exit_code"] = exitCode;
    if (!reason.empty()) j["reason"] = reason;
    j["last_frame"] = lastFrame;
    j["hash"] = hexHash(hash);
    j["peak_memory"] = peakMemory();
    const std::string text = j.dump(2) + "\n";
    makeFolderOf(path_);
    writeFileAtomically(path_, text.data(), text.size());
}

} // namespace purl::cli
