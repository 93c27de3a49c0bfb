#include "cli/stats.h"

#include "cli/sequence.h"
#include "purl/base/error.h"
#include "purl/base/hash.h"
#include "purl/io/atomic_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

namespace purl::cli {

using nlohmann::ordered_json;

namespace {

ordered_json energyJson(const Energies& e) {
    return {{"kinetic", e.kinetic},     {"bend", e.bend},
            {"twist", e.twist},         {"contact", e.contact},
            {"gravity", e.gravity},     {"plastic", e.plastic},
            {"damping", e.damping},     {"friction", e.friction},
            {"sticking", e.sticking},   {"air", e.air},
            {"held", e.held},           {"pins", e.pins},
            {"colliders", e.colliders}, {"balance", e.balance},
            {"turnover", e.turnover}};
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
    j["iterations"] = r.iterations;
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

void Stats::open(const std::string& path, int keep) {
    if (path.empty()) return;
    path_ = path;
    makeFolderOf(path);
    std::string kept;
    std::ifstream old(path);
    for (std::string line; std::getline(old, line);) {
        const auto j = ordered_json::parse(line, nullptr, false); // a torn line is no object
        if (!j.is_object() || !j.contains("frame") || !j["frame"].is_number_integer() ||
            j["frame"].get<int>() > keep)
            break;
        kept += line + "\n";
    }
    old.close();
    writeFileAtomically(path, kept.data(), kept.size());
    file_ = std::fopen(path.c_str(), "a");
    if (!file_)
        throw Error(path, std::string("cannot be written: ") + std::strerror(errno),
                    Error::Kind::Disk);
}

void Stats::write(const std::string& object) {
    if (!file_) return;
    if (std::fprintf(file_, "%s\n", object.c_str()) < 0 || std::fflush(file_) != 0)
        throw Error(path_, std::string("cannot be written: ") + std::strerror(errno),
                    Error::Kind::Disk);
}

void Stats::first(int frame, double time, std::uint64_t hash) {
    write(ordered_json{
        {"frame", frame}, {"outcome", "input"}, {"time", time}, {"hash", hexHash(hash)}}
              .dump());
}

std::string frameFigures(int frame, const FrameReport& r, const Simulation& sim) {
    ordered_json j = {{"frame", frame},
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
                    {"remake_ms", 1e3 * a.remake / r.steps},
                    {"commit_ms", 1e3 * a.commit / r.steps},
                    {"bytes", a.bytes},
                    {"bytes_schedule", a.bytesSchedule}};
    }
    addGuard(j, r);
    if (!r.reason.empty()) j["reason"] = r.reason;
    return j.dump();
}

} // namespace purl::cli
