#include "purl/io/bcc.h"

#include "purl/base/error.h"
#include "purl/io/geo_document.h"

#include <cstring>

namespace purl {

namespace {

// 64 bytes: "BCC", 0x44 (4-byte integers and floats), the curve type, dimensions, the up axis, the
// counts, a text.
struct Header {
    char sign[3];
    std::uint8_t sizes;
    char type[2];
    std::uint8_t dimensions, up;
    std::uint64_t curves, points;
    char text[40];
};
static_assert(sizeof(Header) == 64, "the header as it is in the file");

} // namespace

Detail readBcc(ByteStream& bytes, Budget& budget, std::vector<std::string>& warnings) {
    const auto warn = [&](const std::string& what) {
        warnOnce(warnings, bytes.name() + ": " + what);
    };
    const Header h = bytes.take<Header>();
    if (h.sizes != 0x44)
        bytes.failAt(3, "number sizes " + std::to_string(h.sizes) + ", expected 68 (4-byte)");
    if (h.dimensions != 3)
        bytes.failAt(6, std::to_string(h.dimensions) + " dimensions, expected 3");
    if (h.up > 2) bytes.failAt(7, "up axis " + std::to_string(h.up) + ", expected 0, 1 or 2");
    const std::string type(h.type, 2);
    if (type != "C0" && type != "PL")
        warn("curve type \"" + type + "\" is taken for uniform Catmull-Rom (C0)");
    if (h.up != 1)
        warn(std::string("\"") + "xyz"[h.up] + "\" is up in this file; coordinates are kept");
    if (h.curves > 0x7ffffffe || h.points > 0x7ffffffe)
        bytes.failAt(8, std::to_string(h.curves) + " curves of " + std::to_string(h.points) +
                            " points: too many");
    bytes.charge(budget, 2 * (h.points * 16 + h.curves * 6)); // vectors double as they grow
    Detail d;
    d.pointCount = static_cast<Index>(h.points);
    std::vector<float> x;
    for (std::uint64_t c = 0; c < h.curves; ++c) {
        const std::int64_t count = bytes.take<std::int32_t>(); // negative: closed
        const std::uint64_t n = static_cast<std::uint64_t>(count < 0 ? -count : count);
        if (n > h.points - d.vertexPoint.size())
            bytes.failAt(bytes.offset() - 4, "curve " + std::to_string(c) + " of " +
                                                 std::to_string(n) + " points, of all " +
                                                 std::to_string(h.points) + " are left " +
                                                 std::to_string(h.points - d.vertexPoint.size()));
        bytes.append(x, 3 * n);
        for (std::uint64_t i = 0; i < n; ++i) d.vertexPoint.push_back(d.vertices());
        d.primitiveKind.push_back(count < 0 ? PrimitiveKind::Polygon : PrimitiveKind::Polyline);
        d.primitiveClosed.push_back(count < 0 ? 1 : 0);
        d.firstVertex.push_back(d.vertices());
    }
    if (x.size() != h.points * 3)
        bytes.fail(std::to_string(x.size() / 3) + " points, the header says " +
                   std::to_string(h.points));
    if (bytes.ensure(1)) warn("bytes after the last curve are ignored");
    d.addFloat(Owner::Point, "P", 3, "point").values = std::move(x);
    d.addInt(Owner::Global, "up_axis").set(0, 0, h.up);
    const char* end = static_cast<const char*>(std::memchr(h.text, 0, sizeof h.text));
    d.software.assign(h.text, end ? static_cast<std::size_t>(end - h.text) : sizeof h.text);
    d.fileVersion = "BCC";
    return d;
}

void writeBcc(const Detail& d, ByteSink& sink, const std::string& name,
              std::vector<std::string>* warnings) {
    const auto warn = [&](const std::string& what) {
        if (warnings) warnOnce(*warnings, name + ": " + what);
    };
    const Attribute* p = d.findPoint("P");
    if (d.points() > 0 && (!p || p->size < 3)) throw Error(name, "there is no P to write");
    Header h{};
    std::memcpy(h.sign, "BCC", 3);
    h.sizes = 0x44;
    std::memcpy(h.type, "C0", 2);
    h.dimensions = 3;
    const Attribute* up = d.find(Owner::Global, "up_axis");
    h.up = up && up->integer(0) >= 0 && up->integer(0) < 3
               ? static_cast<std::uint8_t>(up->integer(0))
               : 1;
    std::memcpy(h.text, "Purl", 4);
    for (Index k = 0; k < d.primitives(); ++k) {
        if (!d.isCurve(k)) {
            warn("primitives that are not curves are left out");
            continue;
        }
        ++h.curves;
        h.points += d.pointsOf(k).size();
    }
    if (h.points != static_cast<std::uint64_t>(d.points()))
        warn("points that several curves share are written once for each, loose points not at all");
    if (p && p->storage() == Storage::Float64) warn("P is written as float32");
    sink.write(&h, sizeof h);
    std::vector<float> x;
    for (Index k = 0; k < d.primitives(); ++k) {
        if (!d.isCurve(k)) continue;
        const auto n = static_cast<std::int32_t>(d.pointsOf(k).size());
        const std::int32_t count = d.primitiveClosed[k] ? -n : n;
        x.clear();
        for (Index i : d.pointsOf(k))
            for (int c = 0; c < 3; ++c) x.push_back(static_cast<float>(p->real(i, c)));
        sink.write(&count, sizeof count);
        sink.write(x.data(), x.size() * sizeof(float));
    }
    for (int o = 0; o < 4; ++o)
        for (const Attribute& a : d.attributes[o])
            if (a.name != "P" && a.name != "up_axis") warn("a .bcc holds no attributes but P");
    for (const auto& g : d.groups)
        if (!g.empty()) warn("a .bcc holds no groups");
}

} // namespace purl
