// The document: counts, info, topology, groups.
#include "purl/io/geo_document.h"
#include "purl/io/number_list.h"

namespace purl {

namespace {
constexpr std::int64_t mostElements = std::numeric_limits<Index>::max() - 1;
}

void warnOnce(std::vector<std::string>& warnings, const std::string& what) {
    if (std::find(warnings.begin(), warnings.end(), what) == warnings.end())
        warnings.push_back(what);
}

Detail GeoReader::read() {
    in_.flatMap([&](const std::string& key) {
        if (key == "fileversion") {
            d_.fileVersion = in_.readString();
        } else if (key == "pointcount") {
            pointCount_ = in_.readIndex("pointcount", 0, mostElements);
            d_.pointCount = static_cast<Index>(pointCount_);
        } else if (key == "vertexcount") {
            vertexCount_ = in_.readIndex("vertexcount", 0, mostElements);
        } else if (key == "primitivecount") {
            primitiveCount_ = in_.readIndex("primitivecount", 0, mostElements);
        } else if (key == "info") {
            info();
        } else if (key == "topology") {
            topology();
        } else if (key == "attributes") {
            attributes();
        } else if (key == "primitives") {
            primitives();
        } else if (key == "pointgroups") {
            groups(Owner::Point);
        } else if (key == "vertexgroups") {
            groups(Owner::Vertex);
        } else if (key == "primitivegroups") {
            groups(Owner::Primitive);
        } else if (key == "edgegroups") {
            edgeGroups();
        } else if (key == "sharedprimitivedata") {
            sharedData();
        } else if (key == "hasindex" || key == "index" || key == "indexposition") {
            in_.skip(); // byte offsets into this very file
        } else {
            warn("unknown section \"" + key + "\" skipped");
            in_.skip();
        }
    });
    needCounts("the end");
    if (d_.vertices() != vertexCount_)
        in_.fail("topology of " + std::to_string(d_.vertices()) + " vertices, vertexcount is " +
                 std::to_string(vertexCount_));
    if (d_.primitives() != primitiveCount_)
        in_.fail(std::to_string(d_.primitives()) + " primitives, primitivecount is " +
                 std::to_string(primitiveCount_));
    orderVertices();
    return std::move(d_);
}

std::size_t GeoReader::countOf(Owner o) const {
    const std::int64_t counts[4] = {vertexCount_, pointCount_, primitiveCount_, 1};
    return static_cast<std::size_t>(counts[static_cast<int>(o)]);
}

void GeoReader::needCounts(const char* what) {
    if (pointCount_ < 0 || vertexCount_ < 0 || primitiveCount_ < 0)
        in_.fail(std::string("pointcount, vertexcount and primitivecount must come before ") +
                 what);
}

void GeoReader::info() {
    d_.infoJson = readJsonText(in_);
    // the two words of it that are asked for most
    const auto raw = openMemory(
        {reinterpret_cast<const std::uint8_t*>(d_.infoJson.data()), d_.infoJson.size()}, name_);
    Budget budget(d_.infoJson.size());
    ByteStream bytes(plainSource(*raw), name_);
    const auto in = asciiJson(bytes, budget);
    in->next();
    if (in->token() != Token::BeginMap) return;
    in->flatMapInside([&](const std::string& key) {
        in->next();
        if (in->token() == Token::String && key == "software") d_.software = in->text();
        if (in->token() == Token::String && key == "date") d_.date = in->text();
        in->skipPresent();
    });
}

void GeoReader::topology() {
    needCounts("topology");
    if (!d_.vertexPoint.empty()) in_.fail("a second topology");
    in_.flatMap([&](const std::string& key) {
        if (key != "pointref") return in_.skip();
        in_.flatMap([&](const std::string& inner) {
            if (inner != "indices") return in_.skip();
            if (!d_.vertexPoint.empty()) in_.fail("a second list of indices");
            in_.next();
            NumberList list(in_);
            in_.charge(static_cast<std::uint64_t>(vertexCount_) * sizeof(Index));
            std::vector<Index>& v = d_.vertexPoint;
            v.reserve(static_cast<std::size_t>(vertexCount_));
            constexpr std::size_t step = 1u << 14;
            while (v.size() < static_cast<std::size_t>(vertexCount_)) {
                const std::size_t from = v.size();
                const std::size_t n = std::min(step, static_cast<std::size_t>(vertexCount_) - from);
                v.resize(from + n);
                list.read(v.data() + from, n);
                for (std::size_t i = from; i < from + n; ++i)
                    if (v[i] < 0 || v[i] >= pointCount_)
                        in_.fail("vertex " + std::to_string(i) + " is on point " +
                                 std::to_string(v[i]) + " of " + std::to_string(pointCount_));
            }
            list.finish();
        });
    });
}

void GeoReader::groups(Owner owner) {
    needCounts("groups");
    in_.list([&] { group(owner); });
}

// [[name...], [selection...]], the present token being the outer bracket.
void GeoReader::group(Owner owner) {
    if (in_.token() != Token::BeginArray) in_.fail("expected a group");
    Group g;
    in_.flatMap([&](const std::string& key) {
        if (key == "name")
            g.name = in_.readString();
        else
            in_.skip();
    });
    bool found = false;
    in_.flatMap([&](const std::string& key) {
        if (key != "selection") return in_.skip();
        found = true;
        in_.flatMap([&](const std::string& kind) {
            if (kind == "unordered") {
                selection(owner, g);
            } else if (kind == "ordered") {
                warn("ordered group \"" + g.name + "\" read as a list of element numbers");
                const auto n = static_cast<std::int64_t>(countOf(owner));
                g.order = readNumbers<Index>(in_);
                in_.charge(countOf(owner));
                g.member.assign(countOf(owner), 0);
                for (Index i : g.order) {
                    if (i < 0 || i >= n)
                        in_.fail("group " + g.name + " holds element " + std::to_string(i) +
                                 " of " + std::to_string(n));
                    g.member[i] = 1;
                }
            } else {
                in_.skip();
            }
        });
    });
    if (in_.next() != Token::EndArray) in_.fail("a group has two parts");
    const std::size_t n = countOf(owner);
    if (!found || g.member.size() != n)
        in_.fail("group " + g.name + " covers " + std::to_string(g.member.size()) +
                 " elements of " + std::to_string(n));
    d_.groups[static_cast<int>(owner)].push_back(std::move(g));
}

void GeoReader::selection(Owner owner, Group& g) {
    const std::uint64_t n = countOf(owner);
    in_.charge(n);
    in_.flatMap([&](const std::string& key) {
        if (key != "boolRLE" && key != "i8") {
            warn("group \"" + g.name + "\" in the unknown encoding \"" + key + "\" left empty");
            g.member.assign(n, 0);
            return in_.skip();
        }
        in_.next();
        NumberList list(in_);
        g.member.clear();
        g.member.reserve(n);
        while (list.more()) {
            const std::int64_t run = key == "i8" ? 1 : list.one<std::int64_t>();
            const std::int64_t value = list.one<std::int64_t>();
            if (run < 0 || static_cast<std::uint64_t>(run) > n - g.member.size())
                in_.fail("group " + g.name + " covers more than the " + std::to_string(n) +
                         " elements there are");
            g.member.insert(g.member.end(), static_cast<std::size_t>(run), value != 0 ? 1 : 0);
        }
    });
}

void GeoReader::edgeGroups() {
    needCounts("edgegroups");
    in_.list([&] {
        if (in_.token() != Token::BeginArray) in_.fail("expected an edge group");
        EdgeGroup g;
        in_.flatMap([&](const std::string& key) {
            if (key == "name")
                g.name = in_.readString();
            else
                in_.skip();
        });
        in_.flatMap([&](const std::string& key) {
            if (key != "points") return in_.skip();
            const std::vector<Index> points = readNumbers<Index>(in_);
            if (points.size() % 2 != 0) in_.fail("edge group " + g.name + " has half an edge");
            for (std::size_t i = 0; i + 1 < points.size(); i += 2) {
                for (Index p : {points[i], points[i + 1]})
                    if (p < 0 || p >= pointCount_)
                        in_.fail("edge group " + g.name + " names point " + std::to_string(p));
                g.edges.push_back({points[i], points[i + 1]});
            }
        });
        if (in_.next() != Token::EndArray) in_.fail("an edge group has two parts");
        d_.edgeGroups.push_back(std::move(g));
    });
}

void GeoReader::sharedData() {
    d_.sharedData.clear();
    ChargedSink<std::vector<std::uint8_t>> sink(in_, d_.sharedData);
    const auto out = binaryJsonWriter(sink);
    in_.next();
    copyValue(in_, *out);
    out->flush();
}

} // namespace purl
