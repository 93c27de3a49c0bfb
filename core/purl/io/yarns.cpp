#include "purl/io/yarns.h"

#include "purl/io/geo_document.h"

#include <cstring>

namespace purl {

namespace {

struct Yarn {
    std::uint32_t begin, end; // points
    float radius;
    std::uint8_t colour[4]; // red, green, blue, opacity
};
static_assert(sizeof(Yarn) == 16, "as it is in the file");

template <class T>
void readChunk(ByteStream& bytes, Budget& budget, std::uint32_t size, std::vector<T>& to) {
    if (size % sizeof(T) != 0)
        bytes.fail("chunk of " + std::to_string(size) + " bytes, expected a multiple of " +
                   std::to_string(sizeof(T)));
    bytes.charge(budget, size);
    bytes.append(to, size / sizeof(T));
}

} // namespace

Detail readYarns(ByteStream& bytes, Budget& budget, std::vector<std::string>& warnings) {
    const auto warn = [&](const std::string& what) {
        warnOnce(warnings, bytes.name() + ": " + what);
    };
    std::vector<float> x;
    std::vector<std::uint32_t> source;
    std::vector<Yarn> yarns;
    bool havePoints = false, haveSource = false, haveYarns = false, haveUnits = false;
    while (bytes.ensure(1)) {
        const std::uint64_t at = bytes.offset();
        char id[5] = {};
        bytes.copy(id, 4);
        const std::uint32_t size = bytes.take<std::uint32_t>();
        const std::string name = id;
        if (name == "f3.." && !havePoints) {
            readChunk(bytes, budget, size, x);
            if (x.size() % 3 != 0) bytes.failAt(at, "points that are not in threes");
            havePoints = true;
        } else if (name == "src." && !haveSource) {
            readChunk(bytes, budget, size, source);
            haveSource = true;
        } else if (name == "yarn" && !haveYarns) {
            readChunk(bytes, budget, size, yarns);
            haveYarns = true;
        } else if (name == "strs" || name == "unit" || name == "chk.") {
            haveUnits |= name == "unit";
            if (size > 0) warn("chunk \"" + name + "\" (units and length checkpoints) is not kept");
            bytes.skip(size);
        } else {
            if (havePoints && haveYarns && !std::strchr("abcdefghijklmnopqrstuvwxyz", id[0]))
                bytes.failAt(at, "not a chunk of a .yarns file");
            warn("unknown chunk \"" + name + "\" skipped");
            bytes.skip(size);
        }
    }
    if (!havePoints || !haveYarns || !haveUnits)
        bytes.fail("the file is cut short: its points, yarns or units are missing");
    const std::size_t points = x.size() / 3;
    if (haveSource && source.size() != points)
        bytes.fail(std::to_string(source.size()) + " source lines for " + std::to_string(points) +
                   " points");
    Detail d;
    std::uint64_t vertices = 0;
    for (const Yarn& y : yarns) {
        if (y.begin > y.end || y.end > points)
            bytes.fail("a yarn with points " + std::to_string(y.begin) + " to " +
                       std::to_string(y.end) + " of " + std::to_string(points));
        vertices += y.end - y.begin;
    }
    if (points > 0x7ffffffe || vertices > 0x7ffffffe) bytes.fail("too many points");
    bytes.charge(budget, vertices * 4 + points * 8 + yarns.size() * 24);
    d.pointCount = static_cast<Index>(points);
    d.vertexPoint.reserve(vertices);
    for (const Yarn& y : yarns) {
        for (std::uint32_t i = y.begin; i < y.end; ++i)
            d.vertexPoint.push_back(static_cast<Index>(i));
        d.primitiveKind.push_back(PrimitiveKind::Polyline);
        d.primitiveClosed.push_back(0);
        d.firstVertex.push_back(d.vertices());
    }
    d.addFloat(Owner::Point, "P", 3, "point").values = std::move(x);
    auto& radius = *d.addFloat(Owner::Point, "pscale").as<float>();
    auto& colour = *d.addFloat(Owner::Primitive, "Cd", 3, "color").as<float>();
    auto& alpha = *d.addFloat(Owner::Primitive, "Alpha").as<float>();
    for (std::size_t k = 0; k < yarns.size(); ++k) {
        for (std::uint32_t i = yarns[k].begin; i < yarns[k].end; ++i) radius[i] = yarns[k].radius;
        for (int c = 0; c < 3; ++c) colour[3 * k + c] = yarns[k].colour[c] / 255.0f;
        alpha[k] = yarns[k].colour[3] / 255.0f;
    }
    if (haveSource) {
        auto& line = *d.addInt(Owner::Point, "src").as<std::int32_t>();
        for (std::size_t i = 0; i < points; ++i) line[i] = static_cast<std::int32_t>(source[i]);
    }
    d.fileVersion = "yarns";
    return d;
}

} // namespace purl
