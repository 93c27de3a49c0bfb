#include "purl/io/obj.h"

#include "purl/base/error.h"
#include "purl/io/geo_document.h"
#include "purl/io/line_reader.h"

#include <charconv>
#include <cstring>
#include <map>

namespace purl {

namespace {

class ObjReader {
public:
    ObjReader(ByteStream& bytes, Budget& budget, std::vector<std::string>& warnings)
        : bytes_(bytes), budget_(budget), warnings_(warnings), lines_(bytes, budget) {}

    Detail read() {
        while (lines_.next()) {
            const std::string_view w = lines_.word();
            if (w == "v")
                point();
            else if (w == "f" || w == "l")
                primitive(w == "f");
            else if (w == "g")
                group();
            else if (w == "p")
                warn("points (p) have no primitive of ours and are read as loose points");
            else if (w == "vt" || w == "vn" || w == "vp")
                warn("texture coordinates and normals are not read");
            else if (w == "curv" || w == "curv2" || w == "surf" || w == "cstype")
                warn("free-form curves and surfaces are skipped");
            else if (!w.empty() && w[0] != '#' && !known(w))
                lines_.fail("unknown line \"" + std::string(w.substr(0, 40)) + "\"");
        }
        return finish();
    }

private:
    static bool known(std::string_view w) {
        for (const char* k :
             {"o",          "s",         "mtllib",   "usemtl",   "deg", "bmat",   "step",
              "parm",       "trim",      "hole",     "scrv",     "sp",  "end",    "con",
              "mg",         "bevel",     "c_interp", "d_interp", "lod", "usemap", "maplib",
              "shadow_obj", "trace_obj", "ctech",    "stech"})
            if (w == k) return true;
        return false;
    }
    void warn(const std::string& what) { warnOnce(warnings_, bytes_.name() + ": " + what); }

    void point() {
        if (x_.size() + 3 > x_.capacity()) bytes_.charge(budget_, 4 * (x_.capacity() + 64));
        for (int c = 0; c < 3; ++c) x_.push_back(static_cast<float>(lines_.needReal()));
    }

    void primitive(bool closed) {
        const Index first = d_.vertices();
        const auto points = static_cast<std::int64_t>(x_.size() / 3);
        for (std::string_view w = lines_.word(); !w.empty() && w[0] != '#'; w = lines_.word()) {
            std::int64_t i = 0;
            const auto r = std::from_chars(w.data(), w.data() + w.size(), i);
            if (r.ec != std::errc() || (r.ptr != w.data() + w.size() && *r.ptr != '/'))
                lines_.fail("not a vertex: \"" + std::string(w.substr(0, 40)) + "\"");
            if (i < 0) i += points + 1;
            if (i < 1 || i > points)
                lines_.fail("vertex " + std::to_string(i) + " of " + std::to_string(points) +
                            " points so far");
            if (d_.vertexPoint.size() == d_.vertexPoint.capacity())
                bytes_.charge(budget_, 4 * (d_.vertexPoint.capacity() + 64));
            d_.vertexPoint.push_back(static_cast<Index>(i - 1));
        }
        if (d_.vertices() - first < (closed ? 3 : 2)) lines_.fail("too few vertices");
        bytes_.charge(budget_, 16 + 8 * present_.size());
        d_.primitiveKind.push_back(closed ? PrimitiveKind::Polygon : PrimitiveKind::Polyline);
        d_.primitiveClosed.push_back(closed ? 1 : 0);
        d_.firstVertex.push_back(d_.vertices());
        for (std::size_t g : present_) members_[g].push_back(d_.primitives() - 1);
    }

    void group() {
        present_.clear();
        for (std::string_view w = lines_.word(); !w.empty(); w = lines_.word()) {
            const auto [it, isNew] = groupNumber_.try_emplace(std::string(w), members_.size());
            if (isNew) {
                bytes_.charge(budget_, 256 + w.size());
                members_.emplace_back();
                names_.emplace_back(w);
            }
            if (std::find(present_.begin(), present_.end(), it->second) == present_.end())
                present_.push_back(it->second);
        }
    }

    Detail finish() {
        d_.pointCount = static_cast<Index>(x_.size() / 3);
        bytes_.charge(budget_, members_.size() * d_.primitiveKind.size());
        Attribute& p = d_.addFloat(Owner::Point, "P", 3, "point");
        p.values = std::move(x_);
        for (std::size_t g = 0; g < members_.size(); ++g) {
            Group& to = d_.addGroup(Owner::Primitive, names_[g]);
            for (Index i : members_[g]) to.member[i] = 1;
        }
        return std::move(d_);
    }

    ByteStream& bytes_;
    Budget& budget_;
    std::vector<std::string>& warnings_;
    LineReader lines_;
    Detail d_;
    std::vector<float> x_;
    std::map<std::string, std::size_t> groupNumber_;
    std::vector<std::string> names_;
    std::vector<std::vector<Index>> members_;
    std::vector<std::size_t> present_; // the groups that the next primitives go into
};

} // namespace

bool looksLikeObj(Span<const std::uint8_t> head) {
    std::string_view s(reinterpret_cast<const char*>(head.data()), head.size());
    while (!s.empty() && std::strchr(" \t\r\n", s[0])) s.remove_prefix(1);
    for (const char* k : {"#", "v ", "v\t", "vn ", "vt ", "o ", "g ", "g\n", "s ", "mtllib ",
                          "usemtl ", "f ", "l "})
        if (s.substr(0, std::strlen(k)) == k) return true;
    return false;
}

Detail readObj(ByteStream& bytes, Budget& budget, std::vector<std::string>& warnings) {
    return ObjReader(bytes, budget, warnings).read();
}

void writeObj(const Detail& d, ByteSink& sink, const std::string& name,
              std::vector<std::string>* warnings) {
    const auto warn = [&](const std::string& what) {
        if (warnings) warnOnce(*warnings, name + ": " + what);
    };
    std::string text = "# Purl\n";
    const auto flush = [&](std::size_t most) {
        if (text.size() <= most) return;
        sink.write(text.data(), text.size());
        text.clear();
    };
    const Attribute* p = d.findPoint("P");
    if (d.points() > 0 && (!p || p->size < 3)) throw Error(name, "there is no P to write");
    const int digits = p && p->storage() == Storage::Float64 ? 17 : 9;
    for (Index i = 0; i < d.points(); ++i) {
        text += 'v';
        for (int c = 0; c < 3; ++c) {
            char number[64];
            const auto end = std::to_chars(number, number + sizeof number, p->real(i, c),
                                           std::chars_format::general, digits);
            text += ' ';
            text.append(number, end.ptr);
        }
        text += '\n';
        flush(1u << 16);
    }
    const auto& groups = d.groups[static_cast<int>(Owner::Primitive)];
    std::string present;
    for (Index k = 0; k < d.primitives(); ++k) {
        if (!d.isCurve(k)) {
            warn("primitives that are neither polygons nor curves are left out");
            continue;
        }
        std::string line;
        for (const Group& g : groups)
            if (g.member[k]) line += " " + g.name;
        if (line != present) text += "g" + line + "\n";
        present = line;
        const bool closed = d.primitiveClosed[k] != 0;
        if (d.pointsOf(k).size() < (closed ? 3u : 2u)) {
            warn("polygons with too few points are left out");
            continue;
        }
        text += closed ? 'f' : 'l';
        for (Index v : d.pointsOf(k)) text += " " + std::to_string(v + 1);
        text += '\n';
        flush(1u << 16);
    }
    flush(0);
    for (int o = 0; o < 4; ++o)
        for (const Attribute& a : d.attributes[o])
            if (a.name != "P") warn("an .obj holds no attributes but P");
    if (!d.groups[0].empty() || !d.groups[1].empty() || !d.edgeGroups.empty())
        warn("an .obj holds no groups but those of primitives");
}

} // namespace purl
