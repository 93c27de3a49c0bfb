#include "cli/preview_frame.h"
#include "cli/geometry_file.h"

#include "cli/flags.h"
#include "cli/sheet_files.h"
#include "preview/color.h"
#include "purl/base/error.h"
#include "purl/host/yarns_from_detail.h"
#include "purl/io/geo.h"

#include <algorithm>
#include <cmath>

namespace purl::cli {

namespace {

// One number of an element: itself, or the length of a vector.
double valueOf(const Attribute& a, Index element) {
    if (a.size == 1) return a.real(element);
    double sum = 0;
    for (int k = 0; k < std::min(a.size, 3); ++k) sum += a.real(element, k) * a.real(element, k);
    return std::sqrt(sum);
}

const Attribute* numeric(const Detail& d, Owner o, const std::string& name) {
    const Attribute* a = d.find(o, name);
    return a && a->type == Attribute::Type::Numeric ? a : nullptr;
}

std::string namesOf(const Detail& d) {
    std::string s;
    for (Owner o : {Owner::Point, Owner::Primitive})
        for (const Attribute& a : d.attributes[static_cast<int>(o)])
            if (a.type == Attribute::Type::Numeric) s += (s.empty() ? "" : ", ") + a.name;
    return s;
}

void readValues(const Detail& d, const std::string& path, const Yarns& y, const std::string& name,
                PreviewFrame& frame) {
    const Attribute* point = numeric(d, Owner::Point, name);
    const Attribute* primitive = numeric(d, Owner::Primitive, name);
    if (!point && !primitive)
        throw Error(path, "has no numeric point or primitive attribute '" + name +
                              "', expected one of " + namesOf(d));
    for (Index yarn = 0; yarn < y.curves.yarns(); ++yarn)
        for (Index n = y.curves.first[yarn]; n < y.curves.first[yarn + 1]; ++n)
            frame.value.push_back(point ? valueOf(*point, y.pointOf[n])
                                        : valueOf(*primitive, y.primitiveOf[yarn]));
}

void readCd(const Detail& d, const Yarns& y, PreviewFrame& frame) {
    const Attribute* point = numeric(d, Owner::Point, "Cd");
    const Attribute* primitive = numeric(d, Owner::Primitive, "Cd");
    const Attribute* a = point ? point : primitive;
    if (!a || a->size < 3) return;
    for (Index yarn = 0; yarn < y.curves.yarns(); ++yarn)
        for (Index n = y.curves.first[yarn]; n < y.curves.first[yarn + 1]; ++n) {
            const Index e = point ? y.pointOf[n] : y.primitiveOf[yarn];
            frame.color.emplace_back(a->real(e, 0), a->real(e, 1), a->real(e, 2));
        }
}

} // namespace

PreviewFrame loadFrame(const SequenceFile& file, std::optional<double> radius,
                       const std::string& attribute) {
    std::vector<std::string> warnings;
    const Detail d = readGeometry(file.path, warnings);
    if (!radius && isSheet(d)) {
        PreviewFrame frame;
        frame.sheet = sheetMesh(d);
        return frame;
    }
    const Yarns y = yarnsOf(d, file.path, radius, true, warnings);
    if (y.curves.yarns() == 0) throw Error(file.path, "holds no curve, expected at least one yarn");
    PreviewFrame frame;
    frame.curves = y.curves;
    if (attribute.empty() || (attribute == "Cd"))
        readCd(d, y, frame);
    else
        readValues(d, file.path, y, attribute, frame);
    return frame;
}

std::optional<Legend> colorFrames(std::vector<PreviewFrame>& frames, const std::string& attribute,
                                  const std::string& range) {
    if (attribute.empty() || attribute == "Cd") return {};
    Legend legend;
    legend.name = attribute == "v" ? "speed (m/s)" : attribute;
    if (!range.empty()) {
        const auto parts = splitText(range, ',');
        if (parts.size() != 2)
            throw Error("--range", "'" + range + "' was found, expected two numbers a,b");
        legend.min = parseQuantity(parts[0], Dimension::None, "--range");
        legend.max = parseQuantity(parts[1], Dimension::None, "--range");
    } else {
        legend.min = HUGE_VAL;
        legend.max = -HUGE_VAL;
        for (const PreviewFrame& f : frames)
            for (double v : f.value)
                if (std::isfinite(v)) {
                    legend.min = std::min(legend.min, v);
                    legend.max = std::max(legend.max, v);
                }
        if (!(legend.min <= legend.max)) legend.min = legend.max = 0;
    }
    for (PreviewFrame& f : frames) f.color = colorMap(f.value, legend.min, legend.max);
    return legend;
}

} // namespace purl::cli
