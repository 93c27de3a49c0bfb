#include "cli/check_input.h"

#include "cli/collider_spec.h"
#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/geometry_file.h"
#include "cli/run.h"
#include "cli/sequence.h"
#include "cli/sheet_files.h"
#include "cli/units.h"
#include "purl/base/error.h"
#include "purl/check/input.h"
#include "purl/host/cloth_from_detail.h"
#include "purl/host/fabric_from_detail.h"
#include "purl/host/yarns_from_detail.h"
#include "purl/io/geo.h"

#include <cstdio>
#include <nlohmann/json.hpp>

namespace purl::cli {

namespace {

using Kind = InputFinding::Kind;

struct Report {
    std::string name; // of the geometry
    std::vector<InputFinding> findings;
    std::vector<std::string> warnings;
    Detail detail;
    Yarns yarns;
    bool sheet = false;

    void add(std::vector<InputFinding> more) {
        findings.insert(findings.end(), more.begin(), more.end());
    }
};

void pinFinding(Report& r, const std::string& place, const std::string& text) {
    r.findings.push_back({Kind::Pins, true, place, text,
                          "name a group that is there, or make it before writing the file"});
}

// Groups that hold nothing do not fail a run: they let the cloth fall.
void checkGroups(Report& r, const SceneFile& s) {
    std::vector<std::string> groups = s.pins;
    for (const GoalEntry& g : s.goals) groups.push_back(g.group);
    for (const std::string& g : groups) {
        const Group* points = r.detail.findGroup(Owner::Point, g);
        const Group* prims = r.detail.findGroup(Owner::Primitive, g);
        if (!points && !prims) {
            pinFinding(r, "group '" + g + "'", "is not in " + r.name + ", expected a group of it");
            continue;
        }
        Index members = 0;
        for (const Group* group : {points, prims})
            if (group)
                for (std::uint8_t m : group->member) members += m;
        if (members == 0)
            pinFinding(r, "group '" + g + "'", "is empty, expected points to hold");
        else if (!r.sheet && points) {
            Index outside = 0;
            for (std::size_t p = 0; p < points->member.size(); ++p)
                outside += points->member[p] && r.yarns.nodeOf[p] < 0;
            if (outside > 0)
                r.findings.push_back({Kind::Pins, false, "group '" + g + "'",
                                      std::to_string(outside) + " of its points are in no curve",
                                      "they hold nothing: take them out of the group"});
        }
    }
    if (s.targets.empty()) return;
    const FrameRange range = parseRange(s.frames, "frames");
    for (int f = range.first + 1; f <= range.last; ++f) {
        const std::string path = framePath(s.targets, f);
        if (std::FILE* file = std::fopen(path.c_str(), "rb")) {
            std::fclose(file);
            continue;
        }
        pinFinding(r, "targets, frame " + std::to_string(f), path + " is not there");
        break;
    }
}

void checkSheet(Report& r) {
    r.sheet = true;
    std::vector<Index> primitive;
    const TriMesh mesh = sheetMesh(r.detail, &primitive);
    r.add(checkSheetInput(mesh.x));
    const Attribute* uv = r.detail.find(Owner::Vertex, "uv");
    const bool own = uv != nullptr; // a vertex has its own
    if (!uv) uv = r.detail.findPoint("uv");
    if (!uv || uv->type != Attribute::Type::Numeric || uv->size < 2) return;
    std::vector<std::array<Vec2, 3>> triangles;
    std::vector<Index> of;
    Index vertex = 0;
    for (Index p = 0; p < r.detail.primitives(); ++p) {
        const auto ids = r.detail.pointsOf(p);
        const auto at = [&](std::size_t k) {
            const Index e = own ? vertex + static_cast<Index>(k) : ids[k];
            return Vec2(uv->real(e, 0), uv->real(e, 1));
        };
        if (r.detail.primitiveKind[p] == PrimitiveKind::Polygon)
            for (std::size_t k = 2; k < ids.size(); ++k) {
                triangles.push_back({at(0), at(k - 1), at(k)});
                of.push_back(p);
            }
        vertex += static_cast<Index>(ids.size());
    }
    r.add(checkUv(triangles, of));
}

void checkYarns(Report& r, std::optional<double> radius, double scale) {
    r.yarns = yarnsOf(r.detail, r.name, radius, false, r.warnings);
    if (r.yarns.curves.yarns() == 0)
        throw Error(r.name, "holds no curve, expected at least one yarn");
    std::vector<GluedPoints> glued;
    for (const Weld& w : r.yarns.welds) glued.emplace_back(w.a, w.b);
    r.add(checkYarnInput(r.yarns.curves, glued, scale));
    // The rest shape, where it is another one, has to be as sound.
    const Attribute* rest = r.detail.findPoint("rest");
    if (!rest || rest->type != Attribute::Type::Numeric || rest->size != 3) return;
    Curves c = r.yarns.curves;
    c.x = nodeVectors(r.detail, r.yarns, *rest);
    for (InputFinding& f : checkYarnInput(c, glued, scale))
        if (f.kind == Kind::Crossing || f.kind == Kind::DoubledPoints ||
            f.kind == Kind::NonFinite) {
            f.place = "rest: " + f.place;
            f.safe = false;
            r.findings.push_back(f);
        }
}

void checkScene(Report& r, const std::string& path) {
    SceneFile s = loadScene(path);
    s.fabric.file = framePath(s.fabric.file, parseRange(s.frames, "frames").first);
    if (s.cloth.there() || s.fabric.there()) {
        r.detail = s.cloth.there() ? loadSheet(s.cloth, r.name, r.warnings)
                                   : loadPatch(s.fabric, r.name, r.warnings);
        checkSheet(r);
    } else {
        r.detail = loadYarns(s, r.name, r.warnings);
        checkYarns(r, s.yarns.radius, s.yarns.scale);
    }
    checkGroups(r, s);
    for (const ColliderEntry& c : s.colliders) try {
            LiveCollider live(c, parseRange(s.frames, "frames").first, {});
        } catch (const Error& e) {
            r.findings.push_back({Kind::Pins, true, "collider " + c.where, e.what(),
                                  "write the file, or take the collider out"});
        }
    if (!r.sheet && r.findings.empty()) { // what the run itself would refuse
        try {
            const SceneInput in = sceneOf(r.detail, r.name, s, r.warnings);
            validate(in.scene, r.name);
        } catch (const Error& e) {
            r.findings.push_back({Kind::Pins, true, e.where(), e.what(), "see the message"});
        }
    }
}

void repair(Report& r, const std::string& to) {
    Index moved = 0;
    if (!r.sheet) {
        Curves c = r.yarns.curves;
        moved = spreadDoubled(c);
        putPositions(r.detail, r.yarns, c.x);
    }
    for (const InputFinding& f : r.findings)
        if (f.kind == Kind::Units && f.safe && f.place == "all points") {
            const std::size_t at = f.repair.find("--scale ");
            const double scale = std::strtod(f.repair.c_str() + at + 8, nullptr);
            scaleDetail(r.detail, scale, r.name, r.warnings);
            std::printf("scaled by %g\n", scale);
        }
    if (moved > 0) std::printf("%d doubled points spread along their yarns\n", moved);
    makeFolderOf(to);
    writeDetail(to, r.detail);
    std::printf("%s written; check it again\n", to.c_str());
}

} // namespace

int checkInput(const InputCheckFlags& f) {
    Report r;
    if (endsIn(f.path, ".json")) {
        checkScene(r, f.path);
    } else {
        r.name = f.path;
        r.detail = readGeometry(f.path, r.warnings);
        scaleDetail(r.detail, f.scale, f.path, r.warnings);
        if (!f.radius && isSheet(r.detail))
            checkSheet(r);
        else
            checkYarns(r, f.radius, f.scale);
    }
    int breaks = 0;
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const InputFinding& x : r.findings) {
        breaks += x.breaks;
        list.push_back({{"kind", nameOf(x.kind)},
                        {"breaks", x.breaks},
                        {"place", x.place},
                        {"text", x.text},
                        {"repair", x.repair},
                        {"safe", x.safe}});
        if (!f.json)
            std::printf("%s: %s: %s: %s\n    repair: %s\n", x.breaks ? "breaks" : "doubt",
                        nameOf(x.kind), x.place.c_str(), x.text.c_str(), x.repair.c_str());
    }
    if (f.json)
        std::printf("%s\n", nlohmann::ordered_json{{"input", r.name},
                                                   {"fit", breaks == 0},
                                                   {"findings", list},
                                                   {"warnings", r.warnings}}
                                .dump(2)
                                .c_str());
    else
        std::printf("%s: %s\n", r.name.c_str(),
                    breaks > 0           ? "NOT FIT for a run"
                    : r.findings.empty() ? "fit for a run"
                                         : "fit for a run, with doubts");
    if (!f.repair.empty()) repair(r, f.repair);
    return breaks > 0 ? Broken : Ok;
}

} // namespace purl::cli
