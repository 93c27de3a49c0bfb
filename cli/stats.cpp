#include "cli/stats.h"

#include "cli/sequence.h"
#include "purl/base/error.h"
#include "purl/base/hash.h"

#include <algorithm>
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
    case FrameReport::Outcome::PassedThrough:
        return "passed_through";
    }
    return "";
}

// What was tested of every step, and what was tried again: the frame's certificate.
void addGuard(ordered_json& j, const FrameReport& r) {
    const FrameReport::Certificate& c = r.certificate;
    j["smallest_step"] = r.smallestStep;
    j["largest_step"] = r.largestStep;
    ordered_json rejected;
    long all = 0;
    for (int k = 1; k < kRejections; ++k) {
        rejected[nameOf(static_cast<Rejection>(k))] = r.rejected[k];
        all += r.rejected[k];
    }
    j["rejections"] = all;
    j["rejected"] = rejected;
    j["lenient"] = r.lenient;
    if (!r.firstRejected.empty()) j["first_rejected"] = r.firstRejected;
    if (!c.given) return;
    j["certificate"] = {{"passes", c.passes},
                        {"doubts", c.doubts},
                        {"smallest_gap", std::min(c.smallestGap, r.smallestGap)},
                        {"pairs", c.watched},
                        {"pairs_tested", c.pairSteps},
                        {"examined", c.examined},
                        {"followed", c.followed},
                        {"guard_seconds", c.seconds},
                        {"energy_excess", r.energyExcess},
                        {"energy_scale", r.energyScale}};
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
    if (r.linearized.entries > 0) {
        const auto& a = r.linearized;
        j["acl"] = {{"sets", r.listed},
                    {"rebuilt", r.rebuilds},
                    {"updates_percent", a.updatesPercent},
                    {"created", a.created},
                    {"deleted", a.deleted},
                    {"merged", a.merged},
                    {"slid", a.slid},
                    {"entries", a.entries},
                    {"examined", a.examined},
                    {"processed", a.processed},
                    {"detect_ms", 1e3 * a.detect / r.steps},
                    {"create_ms", 1e3 * a.create / r.steps},
                    {"evaluate_ms", 1e3 * a.evaluate / r.steps},
                    {"commit_ms", 1e3 * a.commit / r.steps},
                    {"bytes", a.bytes},
                    {"bytes_schedule", a.bytesSchedule}};
    }
    addGuard(j, r);
    if (!r.reason.empty()) j["reason"] = r.reason;
    line(j.dump());
}

} // namespace purl::cli
