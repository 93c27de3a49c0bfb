#include "cli/bench_report.h"

#include "purl/base/error.h"

#include <nlohmann/json.hpp>

#include <cerrno>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>

namespace purl::cli {

using Json = nlohmann::ordered_json;

namespace {

double ratio(double a, double b) { return b > 0 ? a / b : 0; }

std::string hashText(std::uint64_t h) {
    char text[24];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(h));
    return text;
}

// Four figures: more is noise, and it keeps a line of CSV readable.
double figures(double v) {
    if (v == 0 || !std::isfinite(v)) return 0;
    const double scale = std::pow(10, 3 - std::floor(std::log10(std::abs(v))));
    return std::round(v * scale) / scale;
}

struct Speed {
    double contactPaper, overallPaper, contactSimd, overallSimd, threads, threadsContact;
};

Speed speedOf(const BenchResult& r) {
    const double acl = r.acl(), overall = acl + r.other();
    const StepTally &one = r.oneThread, &many = r.manyThreads;
    return {ratio(r.hierarchySeconds, acl),
            ratio(r.overall(r.hierarchySeconds, r.otherHierarchy), overall),
            ratio(r.exactSeconds, acl),
            ratio(r.overall(r.exactSeconds, r.otherExact), overall),
            ratio(one.perStep(one.total), many.perStep(many.total)),
            ratio(one.perStep(one.contact), many.perStep(many.contact))};
}

// Every figure of a run, in the order of the CSV's columns.
Json all(const BenchResult& r) {
    const StepTally& t = r.all;
    const Speed s = speedOf(r);
    const auto ms = [&](double seconds) { return figures(1e3 * seconds); };
    Json j;
    j["time"] = r.time;
    j["processor"] = r.processor;
    j["scene"] = r.scene;
    j["loops"] = r.loops;
    j["points"] = r.points;
    j["segments"] = r.segments;
    j["threads"] = r.threads;
    j["tau"] = r.tau;
    j["dt"] = figures(r.dt);
    j["seconds"] = figures(r.seconds);
    j["steps"] = t.steps;
    j["full"] = r.full;
    j["contacts"] = std::lround(t.mean(t.sets));
    j["updates_percent"] = figures(t.updatesPercent());
    j["updates_percent_moving"] = figures(r.moving.updatesPercent());
    j["updates_percent_settled"] = figures(r.settled.updatesPercent());
    j["steps_moving"] = r.moving.steps;
    j["steps_settled"] = r.settled.steps;
    j["schedule_entries"] = std::lround(t.mean(t.entries));
    j["schedule_examined"] = figures(t.mean(t.examined));
    j["schedule_processed"] = figures(t.mean(t.processed));
    j["contact_speedup_paper"] = figures(s.contactPaper);
    j["overall_speedup_paper"] = figures(s.overallPaper);
    j["contact_speedup_simd"] = figures(s.contactSimd);
    j["overall_speedup_simd"] = figures(s.overallSimd);
    j["force_error_percent"] = figures(100 * r.forceError);
    j["force_error_percent_worst"] = figures(100 * r.forceErrorWorst);
    j["bandwidth_ratio"] = figures(ratio(r.streamed(), r.bandwidth()));
    j["bytes_per_set"] = figures(r.bytesPerSet);
    j["bytes_streamed_per_step"] = figures(t.perStep(t.bytesStreamed));
    j["bandwidth_read"] = figures(r.bandwidthRead);
    j["bandwidth_triad"] = figures(r.bandwidthTriad);
    j["ms_per_step_acl"] = ms(r.acl());
    j["ms_per_step_simd"] = ms(r.exactSeconds);
    j["ms_per_step_paper"] = ms(r.hierarchySeconds);
    j["ms_overall_acl"] = ms(r.acl() + r.other());
    j["ms_overall_simd"] = ms(r.overall(r.exactSeconds, r.otherExact));
    j["ms_overall_paper"] = ms(r.overall(r.hierarchySeconds, r.otherHierarchy));
    j["ms_detect"] = ms(t.perStep(t.detect));
    j["ms_create"] = ms(t.perStep(t.create));
    j["ms_evaluate"] = ms(t.perStep(t.evaluate));
    j["ms_remake"] = ms(t.perStep(t.remake));
    j["ms_commit"] = ms(t.perStep(t.commit));
    j["ms_rods"] = ms(t.perStep(t.rods));
    j["ms_project"] = ms(t.perStep(t.project));
    j["ms_collide"] = ms(t.perStep(t.collide));
    j["ms_rest"] = ms(t.perStep(t.rest()));
    j["ms_simd_lists"] = ms(r.exactLists);
    j["simd_rebuilds_per_step"] = figures(r.exactRebuildsPerStep);
    j["paper_near_pairs"] = std::lround(r.nearPairs);
    j["paper_touching_pairs"] = std::lround(r.touchingPairs);
    j["samples_simd"] = r.exactCalls;
    j["samples_paper"] = r.hierarchyCalls;
    j["threads_speedup"] = r.threadsCompared ? Json(figures(s.threads)) : Json();
    j["threads_speedup_contact"] = r.threadsCompared ? Json(figures(s.threadsContact)) : Json();
    j["peak_memory_mb"] = figures(r.peakMemory / 1e6);
    j["peak_memory_acl_mb"] = figures(r.peakMemoryAcl / 1e6);
    j["hash"] = hashText(r.hash);
    return j;
}

} // namespace

std::string benchJson(const BenchResult& r) { return all(r).dump(2) + "\n"; }

void appendBenchCsv(const std::string& path, const BenchResult& r) {
    const Json j = all(r);
    std::string names, values;
    for (const auto& item : j.items()) {
        names += (names.empty() ? "" : ",") + item.key();
        const Json& v = item.value();
        values += (values.empty() ? "" : ",") + (v.is_string() ? v.get<std::string>()
                                                 : v.is_null() ? ""
                                                               : v.dump());
    }
    std::string head;
    std::ifstream before(path);
    std::getline(before, head);
    if (!head.empty() && head != names)
        throw Error(path, "has other columns than this purl writes, expected a file of its own; "
                          "move it away");
    std::ofstream out(path, std::ios::app);
    if (head.empty()) out << names << "\n";
    out << values << "\n";
    out.flush();
    if (!out)
        throw Error(path, std::string("cannot be written: ") + std::strerror(errno),
                    Error::Kind::Disk);
}

namespace {

class Table {
public:
    void line(const char* format, ...) __attribute__((format(printf, 2, 3))) {
        va_list args;
        va_start(args, format);
        char text[800];
        std::vsnprintf(text, sizeof text, format, args);
        va_end(args);
        out_ << text << "\n";
    }
    std::string text() const { return out_.str(); }

private:
    std::ostringstream out_;
};

void phases(Table& out, const BenchResult& r) {
    const StepTally& t = r.all;
    const auto ms = [&](double sum) { return 1e3 * t.perStep(sum); };
    const double parts = t.detect + t.create + t.evaluate + t.remake + t.commit;
    out.line(
        "ms a step of (iii)   detect %.3f  create %.3f  evaluate %.3f  remake %.3f  commit %.3f  "
        "other contact %.3f",
        ms(t.detect), ms(t.create), ms(t.evaluate), ms(t.remake), ms(t.commit),
        ms(t.contact - parts));
    out.line("                     rods %.3f  lengths %.3f  colliders %.3f  rest %.3f", ms(t.rods),
             ms(t.project), ms(t.collide), ms(t.rest()));
}

} // namespace

std::string benchTable(const BenchResult& r) {
    const StepTally& t = r.all;
    const Speed s = speedOf(r);
    Table out;
    out.line("%s, %ld loops, %ld yarns, %ld segments; tau %g; %d threads of %s", r.scene.c_str(),
             r.loops, r.yarns, r.segments, r.tau, r.threads, r.processor.c_str());
    out.line("%.3f s after first impact (at %.3f s), %ld steps of %.1f us%s", r.seconds,
             r.fallSeconds, t.steps, 1e6 * r.dt, r.interrupted ? "; interrupted" : "");
    out.line("contacts             %.0f sets, %.1f a loop", t.mean(t.sets),
             ratio(t.mean(t.sets), static_cast<double>(r.loops)));
    out.line("updates a step       %.3f %%; moving %.3f %% (%ld steps), settled %.3f %% (%ld steps "
             "under %g m/s rms)",
             t.updatesPercent(), r.moving.updatesPercent(), r.moving.steps,
             r.settled.updatesPercent(), r.settled.steps, kSettledSpeed);
    out.line("schedule             %.0f entries; a step %.1f examined, %.1f processed",
             t.mean(t.entries), t.mean(t.examined), t.mean(t.processed));
    out.line(" ");
    out.line("ms a step                     contact    overall   speed-up of (iii): contact, "
             "overall");
    const auto row = [&](const char* name, double contact, double overall, double a, double b) {
        out.line("%-26s %10.3f %10.3f   %22.2f %8.2f", name, 1e3 * contact, 1e3 * overall, a, b);
    };
    row("(i)   paper's hierarchy", r.hierarchySeconds,
        r.overall(r.hierarchySeconds, r.otherHierarchy), s.contactPaper, s.overallPaper);
    row("(ii)  SIMD exact", r.exactSeconds, r.overall(r.exactSeconds, r.otherExact), s.contactSimd,
        s.overallSimd);
    row("(iii) ACL", r.acl(), r.acl() + r.other(), 1, 1);
    phases(out, r);
    out.line(" ");
    out.line("force error          %.3f %% (rms), %.3f %% at worst", 100 * r.forceError,
             100 * r.forceErrorWorst);
    out.line("memory streamed      %.1f MB a step at %.1f GB/s: %.2f of the %.1f GB/s measured "
             "(read %.1f, triad %.1f)",
             1e-6 * t.perStep(t.bytesStreamed), 1e-9 * r.streamed(),
             ratio(r.streamed(), r.bandwidth()), 1e-9 * r.bandwidth(), 1e-9 * r.bandwidthRead,
             1e-9 * r.bandwidthTriad);
    out.line("memory               %.0f bytes a set all in; peak %.0f MB with ACL alone, %.0f MB "
             "with everything",
             r.bytesPerSet, 1e-6 * r.peakMemoryAcl, 1e-6 * r.peakMemory);
    if (r.threadsCompared)
        out.line("threads              %d are %.2f x one overall, %.2f x in contact", r.threads,
                 s.threads, s.threadsContact);
    out.line("state hash           %s", hashText(r.hash).c_str());
    if (r.full)
        out.line("sampled              not: three runs of %ld steps each", t.steps);
    else
        out.line("sampled              (iii) drives and is timed at every step. At positions of "
                 "this motion, afterwards and in\n                     order: (ii) at %ld steps, "
                 "rows of consecutive ones, its lists kept all along (made anew %.3f times\n"
                 "                     a step: %.3f ms of its time), (i) at %ld steps (%.0f near "
                 "pairs of segments, %.0f touching).\n                     Overall of (i), (ii): "
                 "their contact and the other phases of (iii).",
                 r.exactCalls, r.exactRebuildsPerStep, 1e3 * r.exactLists, r.hierarchyCalls,
                 r.nearPairs, r.touchingPairs);
    return out.text();
}

} // namespace purl::cli
