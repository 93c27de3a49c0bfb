#include "cli/units.h"

#include "purl/base/error.h"
#include "purl/scene/quantity.h"

#include <cmath>
#include <map>

namespace purl::cli {

namespace {

const char* const kLengths[] = {"P",          "rest",      "targetP",   "pscale",
                                "width",      "pprevious", "plast",     "v",
                                "restlength", "thickness", "vprevious", "vlast"};

void scaleAttribute(Attribute& a, double scale) {
    if (a.type != Attribute::Type::Numeric || a.storage() < Storage::Float16) return;
    const int components = a.name == "P" && a.size == 4 ? 3 : a.size; // the fourth is a weight
    const std::size_t width = static_cast<std::size_t>(a.size);
    std::visit(
        [&](auto& v) {
            using T = typename std::decay_t<decltype(v)>::value_type;
            for (std::size_t i = 0; i + width <= v.size() && width > 0; i += width)
                for (int c = 0; c < components; ++c)
                    v[i + c] = static_cast<T>(static_cast<double>(v[i + c]) * scale);
        },
        a.values);
}

} // namespace

void scaleDetail(Detail& d, double scale, const std::string& file,
                 std::vector<std::string>& warnings) {
    if (scale == 1) return;
    for (auto& owner : d.attributes)
        for (Attribute& a : owner)
            for (const char* name : kLengths)
                if (a.name == name) scaleAttribute(a, scale);
    for (const KeptRecord& k : d.kept)
        if (d.primitiveKind[k.primitive] == PrimitiveKind::Opaque) {
            warnings.push_back(file + ": primitive " + std::to_string(k.primitive) + " (" + k.type +
                               ") is not scaled but at its point, nor are others that are kept");
            return;
        }
}

double parseScale(const std::string& text) {
    static const std::map<std::string, double> units = {
        {"m", 1}, {"dm", 0.1}, {"cm", 0.01}, {"mm", 0.001}, {"in", 0.0254}, {"ft", 0.3048}};
    if (const auto it = units.find(text); it != units.end()) return it->second;
    try {
        const double s = parseQuantity(text, Dimension::None, "--scale");
        if (s > 0 && std::isfinite(s)) return s;
    } catch (const Error&) { // said below
    }
    throw Error("--scale", "'" + text +
                               "' was found, expected the metres in a unit of the file (0.01) or "
                               "its unit (m, dm, cm, mm, in, ft)");
}

} // namespace purl::cli
