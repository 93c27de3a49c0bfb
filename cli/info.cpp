// `purl info`: what is in a geometry file.
#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/geometry_file.h"
#include "purl/base/error.h"
#include "purl/io/geo.h"
#include "purl/io/vdb.h"

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

namespace purl::cli {

using nlohmann::ordered_json;

namespace {

constexpr Owner kOwners[] = {Owner::Point, Owner::Vertex, Owner::Primitive, Owner::Global};

const char* typeName(const Attribute& a) {
    if (a.type == Attribute::Type::String) return "string";
    if (a.type == Attribute::Type::Dict) return "dict";
    if (a.type == Attribute::Type::Kept) return a.keptType.c_str();
    return a.storage() >= Storage::Float16 ? "float" : "int";
}

ordered_json real(double v) { return std::isfinite(v) ? ordered_json(v) : ordered_json(nullptr); }

ordered_json attributeJson(const Attribute& a) {
    ordered_json j = {{"type", typeName(a)}, {"size", a.size}};
    if (a.type == Attribute::Type::Kept) return j;
    if (a.type != Attribute::Type::Numeric) {
        j["distinct"] = std::set<std::string>(a.strings.begin(), a.strings.end()).size();
        return j;
    }
    j["storage"] = storageName(a.storage());
    if (!a.typeInfo.empty()) j["type_info"] = a.typeInfo;
    ordered_json least = ordered_json::array(), most = ordered_json::array();
    std::size_t bad = 0;
    const std::size_t n = a.elements();
    for (int c = 0; c < a.size && c < 16; ++c) {
        double lo = HUGE_VAL, hi = -HUGE_VAL;
        for (std::size_t i = 0; i < n; ++i) {
            const double v = a.real(i, c);
            if (!std::isfinite(v)) {
                ++bad;
                continue;
            }
            lo = std::min(lo, v);
            hi = std::max(hi, v);
        }
        least.push_back(real(lo));
        most.push_back(real(hi));
    }
    j["min"] = least;
    j["max"] = most;
    if (bad > 0) j["non_finite"] = bad;
    return j;
}

const char* kindName(PrimitiveKind k) {
    switch (k) {
    case PrimitiveKind::Polygon:
        return "polygon";
    case PrimitiveKind::Polyline:
        return "polyline";
    case PrimitiveKind::NurbsCurve:
        return "nurbs curve";
    case PrimitiveKind::BezierCurve:
        return "bezier curve";
    case PrimitiveKind::Tetrahedron:
        return "tetrahedron";
    case PrimitiveKind::Opaque:
        return "other";
    }
    return "other";
}

ordered_json boxJson(const Vec3& lo, const Vec3& hi) {
    if (!(lo.allFinite() && hi.allFinite() && lo.x() <= hi.x())) return nullptr;
    return {{"min", {lo.x(), lo.y(), lo.z()}}, {"max", {hi.x(), hi.y(), hi.z()}}};
}

// Of the points that are finite, and of the active voxels of VDBs.
ordered_json boundsJson(const Detail& d, const std::vector<VdbGrid>& grids) {
    Vec3 lo = Vec3::Constant(HUGE_VAL), hi = -lo;
    const auto add = [&](const Vec3& x) {
        if (!x.allFinite()) return;
        lo = lo.cwiseMin(x);
        hi = hi.cwiseMax(x);
    };
    const Attribute* p = d.findPoint("P");
    if (p && p->type == Attribute::Type::Numeric && p->size >= 3)
        for (const Vec3& x : d.positions()) add(x);
    for (const VdbGrid& g : grids) {
        add(g.lo);
        add(g.hi);
    }
    return boxJson(lo, hi);
}

ordered_json gridJson(const VdbGrid& g) {
    ordered_json j = {{"name", g.name},
                      {"type", g.valueType},
                      {"class", g.gridClass},
                      {"voxel_size", {real(g.voxel.x()), real(g.voxel.y()), real(g.voxel.z())}},
                      {"active_voxels", g.activeVoxels},
                      {"background", real(g.background)},
                      {"bounds", boxJson(g.lo, g.hi)}};
    if (g.primitive >= 0) j["primitive"] = g.primitive;
    ordered_json metadata = ordered_json::object();
    for (const auto& [name, type, value] : g.metadata) metadata[name] = value;
    j["metadata"] = metadata;
    return j;
}

ordered_json infoJson(const std::string& path, const Detail& d, std::vector<std::string> warnings) {
    const std::vector<VdbGrid> grids = embeddedVdbGrids(d, path, warnings);
    ordered_json j = {{"file", path},
                      {"software", d.software},
                      {"version", d.fileVersion},
                      {"date", d.date},
                      {"points", d.points()},
                      {"vertices", d.vertices()},
                      {"primitives", d.primitives()}};
    int curves = 0, closed = 0;
    std::map<std::string, int> kinds;
    for (Index p = 0; p < d.primitives(); ++p) {
        if (d.isCurve(p)) {
            ++curves;
            closed += d.primitiveClosed[p] ? 1 : 0;
        }
        ++kinds[kindName(d.primitiveKind[p])];
    }
    for (const KeptRecord& k : d.kept) {
        ++kinds[k.type];
        if (--kinds[kindName(d.primitiveKind[k.primitive])] == 0)
            kinds.erase(kindName(d.primitiveKind[k.primitive]));
    }
    j["curves"] = curves;
    j["closed_curves"] = closed;
    j["primitive_types"] = kinds;
    j["bounds"] = boundsJson(d, grids);
    ordered_json attributes = ordered_json::object(), groups = ordered_json::object();
    for (Owner o : kOwners) {
        ordered_json own = ordered_json::object();
        for (const Attribute& a : d.attributes[static_cast<int>(o)]) own[a.name] = attributeJson(a);
        attributes[ownerName(o)] = own;
    }
    for (Owner o : {Owner::Point, Owner::Vertex, Owner::Primitive}) {
        ordered_json own = ordered_json::object();
        for (const Group& g : d.groups[static_cast<int>(o)]) own[g.name] = g.count();
        groups[ownerName(o)] = own;
    }
    ordered_json edges = ordered_json::object();
    for (const EdgeGroup& g : d.edgeGroups) edges[g.name] = g.edges.size();
    groups["edge"] = edges;
    if (!grids.empty()) {
        j["vdb"] = ordered_json::array();
        for (const VdbGrid& g : grids) j["vdb"].push_back(gridJson(g));
    }
    j["attributes"] = attributes;
    j["groups"] = groups;
    j["warnings"] = warnings;
    return j;
}

std::string rangeText(const ordered_json& a) {
    if (!a.contains("min"))
        return a["type"] == "string" ? a["distinct"].dump() + " different texts" : "";
    std::string s;
    for (std::size_t c = 0; c < a["min"].size() && c < 4; ++c) {
        char text[64];
        if (a["min"][c].is_null() || a["max"][c].is_null()) continue;
        std::snprintf(text, sizeof text, "%s%g .. %g", s.empty() ? "" : ", ",
                      a["min"][c].get<double>(), a["max"][c].get<double>());
        s += text;
    }
    return s;
}

void printGrid(const ordered_json& g) {
    const auto voxel = g["voxel_size"];
    std::printf("VDB %s: %s, %s, voxels of %s x %s x %s m, %s active",
                g["name"].get<std::string>().c_str(), g["class"].get<std::string>().c_str(),
                g["type"].get<std::string>().c_str(), voxel[0].dump().c_str(),
                voxel[1].dump().c_str(), voxel[2].dump().c_str(),
                g["active_voxels"].dump().c_str());
    if (!g["bounds"].is_null()) {
        const auto lo = g["bounds"]["min"].get<std::vector<double>>(),
                   hi = g["bounds"]["max"].get<std::vector<double>>();
        std::printf(", %g %g %g .. %g %g %g m", lo[0], lo[1], lo[2], hi[0], hi[1], hi[2]);
    }
    std::printf("\n");
    for (const auto& m : g["metadata"].items())
        std::printf("  %-24s %s\n", m.key().c_str(), m.value().get<std::string>().c_str());
}

void printInfo(const ordered_json& j) {
    std::printf("%s", j["file"].get<std::string>().c_str());
    if (const std::string by = j["software"]; !by.empty())
        std::printf(" (written by %s)", by.c_str());
    std::printf("\n%d points, %d vertices, %d primitives; %d curves, %d of them closed\n",
                j["points"].get<int>(), j["vertices"].get<int>(), j["primitives"].get<int>(),
                j["curves"].get<int>(), j["closed_curves"].get<int>());
    if (!j["bounds"].is_null()) {
        const auto lo = j["bounds"]["min"].get<std::vector<double>>(),
                   hi = j["bounds"]["max"].get<std::vector<double>>();
        std::printf("bounds %g %g %g .. %g %g %g m\n", lo[0], lo[1], lo[2], hi[0], hi[1], hi[2]);
    }
    for (const auto& kind : j["primitive_types"].items())
        std::printf("  %-14s %d\n", kind.key().c_str(), kind.value().get<int>());
    for (const auto& owner : j["attributes"].items())
        for (const auto& a : owner.value().items()) {
            const std::string type = a.value()["type"].get<std::string>() +
                                     (a.value()["size"] == 1 ? "" : a.value()["size"].dump());
            std::printf("%-10s %-18s %-8s %s\n", owner.key().c_str(), a.key().c_str(), type.c_str(),
                        rangeText(a.value()).c_str());
        }
    for (const auto& owner : j["groups"].items())
        for (const auto& g : owner.value().items())
            std::printf("%s group %s: %d\n", owner.key().c_str(), g.key().c_str(),
                        g.value().get<int>());
    if (j.contains("vdb"))
        for (const auto& g : j["vdb"]) printGrid(g);
    for (const auto& w : j["warnings"]) std::printf("warning: %s\n", w.get<std::string>().c_str());
}

struct InfoFlags {
    std::string file;
    bool json = false;
};

void info(const InfoFlags& f) {
    std::vector<std::string> warnings;
    const Detail d = readGeometry(f.file, warnings);
    if (!isVdbFile(f.file)) guardEmbeddedVdbs(d, f.file); // else it is guarded already
    const ordered_json j = infoJson(f.file, d, warnings);
    if (f.json)
        std::printf("%s\n", j.dump(2, ' ', false, ordered_json::error_handler_t::replace).c_str());
    else
        printInfo(j);
}

} // namespace

void addInfo(CLI::App& app, int&) {
    auto f = std::make_shared<InfoFlags>();
    CLI::App* c = app.add_subcommand("info", "Say what is in a geometry file");
    c->add_option("file", f->file, "Any geometry file, or a .vdb")->required();
    c->add_flag("--json", f->json, "As JSON");
    c->footer(
        "Examples:\n  purl info patch.bgeo.sc\n  purl info ball.vdb --json\n\n"
        "Keys of the JSON: file, software, version, date, points, vertices, primitives, "
        "curves,\n"
        "closed_curves, primitive_types, bounds, vdb (if there is any), attributes and groups "
        "by\n"
        "owner (point, vertex, primitive, detail; edge), warnings.");
    c->callback([f] { info(*f); });
}

} // namespace purl::cli
