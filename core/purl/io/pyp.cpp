#include "purl/io/pyp.h"

#include "purl/io/geo_document.h"
#include "purl/io/line_reader.h"

#include <cstring>
#include <map>

namespace purl {

namespace {

// Name in the file, numbers a row, name and type info of ours. Rows of edge quantities (RL, RefD1)
// are ordered by the vertex that the edge leaves, not by the rows of *E: in the real files the
// lengths agree to 0.3 % that way, to 14 % the other, and the directors are normal to their edges.
struct Section {
    const char* name;
    int width;
    const char* attribute;
    const char* typeInfo;
};
const Section sections[] = {
    {"RL", 1, "restlength", ""},     {"RK", 2, "restkappa", ""},  {"RT", 1, "resttwist", ""},
    {"RefD1", 3, "refd1", "vector"}, {"RefT", 1, "reftwist", ""},
};

struct Edge {
    Index from, to;
    double dx, dy; // periods crossed
};

class PypReader {
public:
    PypReader(ByteStream& bytes, Budget& budget, std::vector<std::string>& warnings)
        : bytes_(bytes), budget_(budget), warnings_(warnings), lines_(bytes, budget) {}

    Detail read() {
        while (lines_.next()) {
            const std::string word(lines_.word());
            if (word.empty() || word[0] == '#') continue;
            if (word[0] != '*') lines_.fail("expected a section (*name), found \"" + word + "\"");
            section(word.substr(1));
        }
        if (!lines_.ended()) lines_.fail("the file is cut short: its last line does not end");
        // all of them: with one missing the file may have been cut between two sections
        for (const char* need : {"pattern", "Q", "E", "RL", "RK", "RT", "RefD1", "RefT"})
            if (!seen_.count(need)) lines_.fail(std::string("no section *") + need);
        return build();
    }

private:
    void section(const std::string& name) {
        if (seen_.count(name)) lines_.fail("a second section *" + name);
        if (name == "pattern") {
            row();
            period_ = {lines_.needReal(), lines_.needReal()};
            radius_ = lines_.needReal();
            const std::int64_t n = lines_.needInteger();
            if (n < 0 || n > 0x7ffffffe)
                lines_.fail("pattern of " + std::to_string(n) + " vertices");
            count_ = static_cast<std::size_t>(n);
            seen_[name] = {};
            return;
        }
        if (!seen_.count("pattern")) lines_.fail("*" + name + " comes before *pattern");
        int width = name == "Q" || name == "E" ? 4 : 0;
        for (const Section& s : sections)
            if (name == s.name) width = s.width;
        if (width == 0) warnOnce(warnings_, bytes_.name() + ": section *" + name + " skipped");
        std::vector<double>& v = seen_[name];
        bytes_.charge(budget_, 256);
        for (std::size_t i = 0; i < count_; ++i) {
            row();
            bytes_.charge(budget_, static_cast<std::uint64_t>(width) * 3 * sizeof(double));
            for (int c = 0; c < width; ++c) v.push_back(lines_.needReal());
        }
    }
    void row() {
        if (!lines_.next()) lines_.fail("the file is cut short: it ends inside a section");
    }

    Detail build() {
        const std::vector<double>&q = seen_["Q"], &e = seen_["E"];
        const std::size_t n = count_;
        bytes_.charge(budget_, n * 200);
        std::vector<Edge> edges(n);
        std::vector<Index> out(n, -1), in(n, -1); // the edge that leaves, that arrives
        for (std::size_t i = 0; i < n; ++i) {
            for (int k = 0; k < 2; ++k)
                if (!(e[4 * i + k] >= 0 && e[4 * i + k] < static_cast<double>(n)))
                    lines_.fail("edge " + std::to_string(i) + " names a vertex that is not there");
            edges[i] = {static_cast<Index>(e[4 * i]), static_cast<Index>(e[4 * i + 1]),
                        e[4 * i + 2], e[4 * i + 3]};
            if (out[edges[i].from] >= 0 || in[edges[i].to] >= 0)
                lines_.fail("edge " + std::to_string(i) + ": a vertex is on two yarns");
            out[edges[i].from] = in[edges[i].to] = static_cast<Index>(i);
        }
        Detail d;
        d.pointCount = static_cast<Index>(n);
        std::vector<float> x(3 * n), jump;
        std::vector<std::uint8_t> done(n, 0);
        const auto follow = [&](Index start) {
            double ox = 0, oy = 0, nx = 0, ny = 0; // n: whole periods, exact
            Index v = start;
            bool closes = false;
            while (v >= 0 && !done[v]) {
                done[v] = 1;
                x[3 * v] = static_cast<float>(q[4 * v] + ox);
                x[3 * v + 1] = static_cast<float>(q[4 * v + 1] + oy);
                x[3 * v + 2] = static_cast<float>(q[4 * v + 2]);
                d.vertexPoint.push_back(v);
                const Index k = out[v];
                if (k < 0) break;
                nx += edges[k].dx;
                ny += edges[k].dy;
                ox = nx * period_.x();
                oy = ny * period_.y();
                v = edges[k].to;
                closes = v == start;
            }
            const bool loop = closes && nx == 0 && ny == 0;
            d.primitiveKind.push_back(loop ? PrimitiveKind::Polygon : PrimitiveKind::Polyline);
            d.primitiveClosed.push_back(loop ? 1 : 0);
            d.firstVertex.push_back(d.vertices());
            for (double o : {closes ? ox : 0.0, closes ? oy : 0.0, 0.0})
                jump.push_back(static_cast<float>(o));
        };
        for (std::size_t v = 0; v < n; ++v) // chains with a beginning, then rings
            if (in[v] < 0) follow(static_cast<Index>(v));
        for (std::size_t v = 0; v < n; ++v)
            if (!done[v]) follow(static_cast<Index>(v));

        d.addFloat(Owner::Point, "P", 3, "point").values = std::move(x);
        auto& radius = *d.addFloat(Owner::Point, "pscale").as<float>();
        auto& theta = *d.addFloat(Owner::Point, "theta").as<float>();
        for (std::size_t i = 0; i < n; ++i) {
            radius[i] = static_cast<float>(radius_);
            theta[i] = static_cast<float>(q[4 * i + 3]);
        }
        for (const Section& s : sections) {
            const std::vector<double>& rows = seen_[s.name];
            auto& to = *d.addFloat(Owner::Point, s.attribute, s.width, s.typeInfo).as<float>();
            for (std::size_t i = 0; i < rows.size(); ++i) to[i] = static_cast<float>(rows[i]);
        }
        d.addFloat(Owner::Primitive, "period", 3, "vector").values = std::move(jump);
        Attribute& size = d.addFloat(Owner::Global, "period", 3, "vector");
        size.set(0, 0, period_.x());
        size.set(0, 1, period_.y());
        d.fileVersion = "pyp";
        return d;
    }

    ByteStream& bytes_;
    Budget& budget_;
    std::vector<std::string>& warnings_;
    LineReader lines_;
    std::map<std::string, std::vector<double>> seen_;
    Vec2 period_ = Vec2::Zero();
    double radius_ = 0;
    std::size_t count_ = 0;
};

} // namespace

bool looksLikePyp(Span<const std::uint8_t> head) {
    return head.size() >= 8 && std::memcmp(head.data(), "*pattern", 8) == 0;
}

Detail readPyp(ByteStream& bytes, Budget& budget, std::vector<std::string>& warnings) {
    return PypReader(bytes, budget, warnings).read();
}

} // namespace purl
