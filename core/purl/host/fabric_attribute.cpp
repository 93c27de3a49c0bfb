#include "purl/host/fabric_attribute.h"

#include "purl/base/error.h"
#include "purl/crossing/wif.h"

#include <fstream>
#include <sstream>

namespace purl {

namespace {

constexpr const char* kAttribute = "fabric";

std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        if (static_cast<unsigned char>(c) >= 0x20) out += c;
    }
    return out + "\"";
}

const char* yes(bool b) { return b ? "true" : "false"; }

bool endsWith(const std::string& text, const std::string& end) {
    return text.size() >= end.size() &&
           text.compare(text.size() - end.size(), end.size(), end) == 0;
}

std::string fileText(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) throw Error(path, "cannot be opened, expected a draft that can be read");
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

} // namespace

void putFabricEntry(Detail& d, const FabricEntry& f) {
    std::ostringstream text;
    text.precision(17); // to the last bit
    text << "{\"draft\": " << quoted(f.draft) << ", \"angle\": " << f.angle
         << ", \"rest\": " << quoted(f.rest) << ", \"uv_scale\": " << f.uvScale
         << ", \"seams\": " << yes(f.seams) << ", \"bind\": " << yes(f.bind)
         << ", \"tex\": " << f.tex << ", \"ply\": " << f.ply << ", \"points\": " << f.points
         << ", \"twist\": " << f.twist << ", \"sliding\": " << yes(f.sliding)
         << ", \"self_collision\": " << yes(f.selfCollision) << ", \"settle\": " << f.settle;
    // Lengths that are 0 follow from others: a scene file leaves them away.
    if (f.warpSpacing > 0) text << ", \"warp_spacing\": " << f.warpSpacing;
    if (f.weftSpacing > 0) text << ", \"weft_spacing\": " << f.weftSpacing;
    if (f.radius > 0) text << ", \"radius\": " << f.radius;
    if (f.material) text << ", \"material\": " << quoted(*f.material);
    text << "}";
    d.addString(Owner::Global, kAttribute).setText(0, 0, text.str());
}

bool hasFabricEntry(const Detail& d) {
    const Attribute* a = d.find(Owner::Global, kAttribute);
    return a && a->type == Attribute::Type::String && !a->text(0).empty();
}

FabricEntry fabricEntryOf(const Detail& d, const std::string& name) {
    if (!hasFabricEntry(d)) return {};
    return parseScene("{\"fabric\": " + d.find(Owner::Global, kAttribute)->text(0) + "}",
                      name + ": attribute fabric")
        .fabric;
}

Draft draftOf(const FabricEntry& f, std::vector<std::string>& warnings) {
    Draft draft = endsWith(f.draft, ".wif")   ? parseWif(fileText(f.draft), f.draft, warnings)
                  : endsWith(f.draft, ".txt") ? draftFromText(fileText(f.draft), f.draft)
                                              : draftByName(f.draft);
    for (const std::string& w : draftWarnings(draft)) warnings.push_back(w);
    return draft;
}

} // namespace purl
