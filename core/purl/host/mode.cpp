#include "purl/host/mode.h"

#include "purl/base/error.h"
#include "purl/host/fabric_attribute.h"

namespace purl {

const std::vector<std::pair<std::string, std::string>>& modeNames() {
    static const std::vector<std::pair<std::string, std::string>> names = {
        {"auto", "Automatic"},
        {"yarn", "Yarn (ACL)"},
        {"fabric", "Fabric (Crossings)"},
        {"mixed", "Mixed (Painted Yarns)"},
        {"cloth", "Cloth"}};
    return names;
}

namespace {

// Polygons without a yarn radius are a sheet; everything else is yarns.
bool looksLikeCloth(const Detail& d) {
    Index polygons = 0, curves = 0;
    for (const PrimitiveKind k : d.primitiveKind) {
        if (k == PrimitiveKind::Polygon) ++polygons;
        if (k == PrimitiveKind::Polyline || k == PrimitiveKind::NurbsCurve ||
            k == PrimitiveKind::BezierCurve)
            ++curves;
    }
    if (curves > 0 || polygons == 0) return false;
    for (Owner o : {Owner::Point, Owner::Primitive, Owner::Vertex, Owner::Global})
        for (const char* name : {"pscale", "width"})
            if (d.find(o, name)) return false;
    return true;
}

} // namespace

std::unique_ptr<SolverMode> makeMode(const std::string& mode, Detail& detail,
                                     const std::string& name, const SceneFile& wanted,
                                     std::vector<std::string>& warnings) {
    const bool painted = detail.findPoint("yarn") || detail.findGroup(Owner::Point, "yarn");
    if (mode == "mixed" || (mode == "auto" && painted && hasFabricEntry(detail)))
        return makeMixedMode(detail, name, wanted, warnings);
    if (mode == "fabric" || (mode == "auto" && hasFabricEntry(detail)))
        return makeFabricMode(detail, name, wanted, warnings);
    if (mode == "cloth" || (mode == "auto" && looksLikeCloth(detail)))
        return makeClothMode(detail, name, wanted, warnings);
    if (mode == "yarn" || mode == "auto") return makeYarnMode(detail, name, wanted, warnings);
    std::string known;
    for (const auto& m : modeNames()) known += (known.empty() ? "" : ", ") + m.first;
    throw Error("mode", "'" + mode + "' was found, expected one of " + known);
}

} // namespace purl
