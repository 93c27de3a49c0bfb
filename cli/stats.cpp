#include "cli/stats.h"

#include "cli/sequence.h"
#include "purl/base/error.h"
#include "purl/base/hash.h"

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

namespace purl::cli {

using nlohmann::ordered_json;

namespace {

ordered_json energyJson(const Energies& e) {
    return {{"kinetic", e.kinetic}, {"bend", e.bend},        {"twist", e.twist},
            {"contact", e.contact}, {"gravity", e.gravity},  {"plastic", e.plastic},
            {"damping", e.damping}, {"friction", e.friction}};
}

const char* outcomeName(FrameReport::Outcome o) {
    switch (o) {
    case FrameReport::Outcome::Done:
        return "done";
    case FrameReport::Outcome::Interrupted:
        return "interrupted";
    case FrameReport::Outcome::Diverged:
        return "diverged";
    }
    return "";
}

} // namespace

Stats::~Stats() {
    if (file_) std::fclose(file_);
}

void Stats::open(const std::string& path) {
    if (path.empty()) return;
    path_ = path;
    makeFolderOf(path);
    file_ = std::fopen(path.c_str(), "w");
    if (!file_)
        throw Error(path, std::string("cannot be written: ") + std::strerror(errno),
                    Error::Kind::Disk);
}

void Stats::line(const std::string& text) {
    if (std::fprintf(file_, "%s\n", text.c_str()) < 0 || std::fflush(file_) != 0)
        throw Error(path_, std::string("cannot be written: ") + std::strerror(errno),
                    Error::Kind::Disk);
}

void Stats::write(const std::string& object) {
    if (file_) line(object);
}

void Stats::first(int frame, Simulation& sim) {
    if (!file_) return;
    const ordered_json j = {{"frame", frame},
                            {"outcome", "input"},
                            {"time", sim.time()},
                            {"hash", hexHash(sim.hash())}};
    line(j.dump());
}

void Stats::add(int frame, const FrameReport& r, Simulation& sim) {
    if (!file_) return;
    ordered_json j = {
        {"frame", frame},
        {"outcome", outcomeName(r.outcome)},
        {"time", sim.time()},
        {"steps", r.steps},
        {"dt", r.dt},
        {"max_strain", r.maxStrain},
        {"max_speed", r.maxSpeed},
        {"smallest_gap", r.smallestGap},
        {"touching", r.touching},
        {"listed", r.listed},
        {"rebuilds", r.rebuilds},
        {"collisions", r.collisions},
        {"deepest", r.deepest},
        {"seconds", r.seconds},
        {"rod_seconds", r.rodSeconds},
        {"contact_seconds", r.contactSeconds},
        {"project_seconds", r.projectSeconds},
        {"collide_seconds", r.collideSeconds},
        {"wall_seconds",
         std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count()},
        {"energy", energyJson(r.energy)},
        {"hash", hexHash(sim.hash())}};
    if (!r.reason.empty()) j["reason"] = r.reason;
    line(j.dump());
}

} // namespace purl::cli
