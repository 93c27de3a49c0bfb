// What a wedge ends in: a table of figures and a sheet of pictures, one a variant.
#include "cli/preview_frame.h"
#include "cli/progress.h"
#include "cli/sequence.h"
#include "cli/wedge.h"
#include "preview/render.h"
#include "purl/base/error.h"
#include "purl/io/atomic_file.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

namespace purl::cli {

using nlohmann::json;

namespace {

struct Row {
    std::string state = "not begun";
    int frame = 0;
    double seconds = 0, memory = 0; // s, bytes
    std::string strain, gap, speed, energy, hash;
};

std::string figure(const json& j, const char* key) {
    if (!j.contains(key) || !j[key].is_number()) return "";
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", j[key].get<double>());
    return text;
}

json readJson(const std::string& path) {
    std::ifstream in(path);
    return in ? json::parse(in, nullptr, false) : json();
}

Row rowOf(const Variant& v) {
    Row r;
    const json manifest = readJson(v.folder + "/manifest.json");
    if (manifest.is_object()) {
        r.state = manifest.value("outcome", "");
        if (r.state == "failed")
            r.state += " (exit " + manifest.value("exit_code", json(0)).dump() + ")";
        r.frame = manifest.value("last_frame", 0);
        r.memory = manifest.value("peak_memory", 0.0);
        r.hash = manifest.value("hash", "");
    }
    std::ifstream stats(v.folder + "/stats.jsonl");
    double strain = 0, gap = 1, speed = 0;
    bool any = false;
    for (std::string line; std::getline(stats, line);) {
        const json j = json::parse(line, nullptr, false);
        if (!j.is_object() || !j.contains("seconds")) continue;
        any = true;
        r.seconds += j.value("seconds", 0.0);
        strain = std::max(strain, j.value("max_strain", 0.0));
        gap = std::min(gap, j.value("smallest_gap", 1.0));
        speed = std::max(speed, j.value("max_speed", 0.0));
    }
    if (any) {
        const json j = {{"strain", strain}, {"gap", gap}, {"speed", speed}};
        r.strain = figure(j, "strain"), r.gap = figure(j, "gap"), r.speed = figure(j, "speed");
    }
    return r;
}

void writeText(const std::string& path, const std::string& text) {
    makeFolderOf(path);
    writeFileAtomically(path, text.data(), text.size());
}

void writeTables(const WedgeFlags& f, const WedgePlan& plan, const std::vector<Row>& rows) {
    std::string csv = "variant", md = "| variant |", line = "|---|";
    for (const Variation& a : plan.axes) {
        csv += "," + a.key;
        md += " " + a.key + " |";
        line += "---|";
    }
    csv += ",outcome,last_frame,seconds,peak_memory_bytes,max_strain,smallest_gap,max_speed,hash\n";
    md += " outcome | last frame | time | memory | strain | gap | speed |\n" + line +
          "---|---|---|---|---|---|---|\n";
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Variant& v = plan.variants[i];
        const Row& r = rows[i];
        csv += std::to_string(v.index);
        md += "| " + std::to_string(v.index) + " |";
        for (const std::string& value : v.value) {
            csv += ",\"" + value + "\"";
            md += " " + value + " |";
        }
        char text[256];
        std::snprintf(text, sizeof text, ",%s,%d,%.3f,%.0f,%s,%s,%s,%s\n", r.state.c_str(), r.frame,
                      r.seconds, r.memory, r.strain.c_str(), r.gap.c_str(), r.speed.c_str(),
                      r.hash.c_str());
        csv += text;
        std::snprintf(text, sizeof text, " %s | %d | %s | %.0f MB | %s | %s | %s m/s |\n",
                      r.state.c_str(), r.frame, timeText(r.seconds).c_str(), r.memory / 1e6,
                      r.strain.c_str(), r.gap.c_str(), r.speed.c_str());
        md += text;
    }
    writeText(f.out + "/table.csv", csv);
    writeText(f.out + "/table.md", md);
}

} // namespace

void finishWedge(const WedgeFlags& f, const WedgePlan& plan) {
    std::vector<Row> rows;
    for (const Variant& v : plan.variants) rows.push_back(rowOf(v));
    writeTables(f, plan, rows);

    // The last frame of each, seen by one camera.
    std::vector<Picture> pictures(plan.variants.size());
    std::vector<std::string> labels;
    std::vector<bool> there(plan.variants.size(), false);
    Bounds bounds;
    for (std::size_t i = 0; i < plan.variants.size(); ++i) {
        labels.push_back(plan.variants[i].label);
        try {
            const auto files = findSequence(plan.variants[i].folder + "/f.$F4.bgeo.sc");
            const PreviewFrame frame = loadFrame(files.back(), {}, "");
            pictures[i].curves = frame.curves;
            pictures[i].color = frame.color;
            bounds.add(boundsOf(frame.curves));
            if (!frame.sheet.triangles.empty()) {
                pictures[i].solids.push_back({frame.sheet, Vec3(0.16, 0.30, 0.42)});
                bounds.add(boundsOf(frame.sheet));
            }
            there[i] = true;
        } catch (const Error&) { // nothing to be seen of it yet: its place stays empty
        }
        if (rows[i].state != "done") labels.back() += ": " + rows[i].state;
    }
    RenderSettings settings;
    settings.width = f.width;
    settings.height = f.width * 3 / 4;
    settings.samples = 12;
    std::vector<Image> images;
    for (std::size_t i = 0; i < pictures.size(); ++i) {
        if (!there[i]) {
            images.emplace_back(settings.width, settings.height, Rgb8{225, 220, 212});
            continue;
        }
        pictures[i].groundHeight = bounds.lower.y();
        const Camera camera = autoCamera(bounds, Vec3(-0.5, -0.62, -1).normalized(), 4.0 / 3);
        images.push_back(render(pictures[i], camera, settings));
    }
    SheetText text;
    text.title = "wedge of " + f.scene;
    for (const Variation& a : plan.axes)
        text.note += (text.note.empty() ? "" : "   ") + a.key + ": " +
                     std::to_string(a.values.size()) + " values";
    writePng(f.out + "/sheet.png", contactSheet(images, labels, plan.columns, text));
}

} // namespace purl::cli
