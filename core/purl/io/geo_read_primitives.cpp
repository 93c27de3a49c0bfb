// Primitive records (houdini.md A.4). Polygons, polylines and curves become vertex ranges; of what
// we do not simulate the record is kept as bytes. The primitive number is a running count of
// records.
#include "purl/io/geo_document.h"
#include "purl/io/number_list.h"

namespace purl {

// A primitive, or a run of them, while it is read.
struct GeoReader::Run {
    std::string type;
    bool closed = false;
    bool vertexIsList = false;
    std::vector<Index> vertices;
    std::vector<std::string> varying;
    std::vector<std::uint8_t> uniform; // flat map in binary JSON, without "closed" and "vertex"
};

namespace {

bool isPolygon(const std::string& type) {
    return type == "Poly" || type == "Polygon" || type == "PolygonCurve";
}
PrimitiveKind kindOf(const std::string& type) {
    if (type == "NURBCurve" || type == "NURBSCurve") return PrimitiveKind::NurbsCurve;
    if (type == "BezierCurve") return PrimitiveKind::BezierCurve;
    return PrimitiveKind::Opaque;
}

// Copies the entries of a kept flat map into `out`.
void copyEntries(const std::vector<std::uint8_t>& flatMap, JsonWriter& out) {
    if (flatMap.empty()) return;
    const auto raw = openMemory(flatMap, "kept record");
    Budget budget(flatMap.size());
    ByteStream bytes(plainSource(*raw), raw->name());
    const auto in = binaryJson(bytes, budget);
    in->flatMap([&](const std::string& key) {
        out.shared(key);
        in->next();
        copyValue(*in, out);
    });
}

} // namespace

void GeoReader::primitives() {
    needCounts("primitives");
    if (d_.primitives() > 0) in_.fail("a second list of primitives");
    const std::uint64_t n = static_cast<std::uint64_t>(primitiveCount_);
    in_.charge(n * 6);
    d_.primitiveKind.reserve(n);
    d_.primitiveClosed.reserve(n);
    d_.firstVertex.reserve(n + 1);
    in_.list([&] { record(); });
}

void GeoReader::record() {
    if (in_.token() != Token::BeginArray) in_.fail("expected a primitive record");
    Run run;
    std::string type;
    in_.flatMap([&](const std::string& key) {
        if (key == "type") {
            type = in_.readString();
        } else if (key == "runtype") {
            run.type = in_.readString();
        } else if (key == "varyingfields") {
            in_.list([&] {
                if (in_.token() != Token::String) in_.fail("expected a field name");
                in_.charge(64 + in_.text().size());
                run.varying.push_back(in_.text());
            });
        } else if (key == "uniformfields") {
            ChargedSink<std::vector<std::uint8_t>> sink(in_, run.uniform);
            const auto out = binaryJsonWriter(sink);
            out->beginArray();
            in_.flatMap([&](const std::string& name) {
                if (!field(name, *out, run)) {
                    out->shared(name);
                    in_.next();
                    copyValue(in_, *out);
                }
            });
            out->endArray();
            out->flush();
        } else {
            in_.skip();
        }
    });
    const auto endsWith = [&](const char* tail) {
        const std::string t = tail;
        return type.size() > t.size() && type.compare(type.size() - t.size(), t.size(), t) == 0;
    };
    if (type == "run")
        oldRun(run);
    else if (endsWith("_run") || endsWith("_r"))
        compactRun(type);
    else
        single(type);
    if (in_.next() != Token::EndArray) in_.fail("a primitive record has two parts");
}

// p_r, c_r: consecutive vertices, counts plain or as (count, repeat) pairs.
void GeoReader::compactRun(const std::string& type) {
    const bool closed = type == "Polygon_run" || type == "p_r";
    const bool open = type == "PolygonCurve_run" || type == "c_r";
    const bool tetrahedra = type == "Tetrahedron_run" || type == "t_r";
    std::int64_t start = -1, n = -1;
    std::vector<std::int64_t> plain, pairs;
    in_.flatMap([&](const std::string& key) {
        if (key == "startvertex" || key == "s_v")
            start = in_.readIndex("startvertex", 0, vertexCount_);
        else if (key == "nprimitives" || key == "n_p")
            n = in_.readIndex("nprimitives", 0, primitiveCount_ - d_.primitives());
        else if (key == "nvertices" || key == "n_v")
            plain = readNumbers<std::int64_t>(in_);
        else if (key == "nvertices_rle" || key == "r_v")
            pairs = readNumbers<std::int64_t>(in_);
        else
            in_.skip();
    });
    if (n < 0) in_.fail("a run of primitives without their number");
    if (!closed && !open && !tetrahedra) {
        warn("run of " + std::to_string(n) + " primitives of type \"" + type + "\" skipped");
        for (std::int64_t i = 0; i < n; ++i) addPrimitive(PrimitiveKind::Opaque, false, 0);
        return;
    }
    if (start < 0) in_.fail("a run of primitives without its first vertex");
    if (pairs.size() % 2 != 0) in_.fail("run lengths that are not in pairs");
    const std::int64_t firstPrimitive = d_.primitives();
    std::int64_t vertex = start;
    const auto add = [&](std::int64_t vertices, std::int64_t repeat) {
        const std::int64_t left = n - (d_.primitives() - firstPrimitive);
        if (repeat < 0 || repeat > left) in_.fail("run lengths do not add up to nprimitives");
        if (vertices < 0 || vertices > vertexCount_ ||
            (vertices > 0 && repeat > (vertexCount_ - vertex) / vertices))
            in_.fail("a primitive with vertices beyond the " + std::to_string(vertexCount_) +
                     " there are");
        for (std::int64_t i = 0; i < repeat; ++i)
            addPrimitive(tetrahedra ? PrimitiveKind::Tetrahedron
                         : closed   ? PrimitiveKind::Polygon
                                    : PrimitiveKind::Polyline,
                         closed, static_cast<Index>(vertices));
        vertex += vertices * repeat;
    };
    if (tetrahedra) {
        warn("primitives of type \"Tetrahedron\" are kept but not simulated");
        add(4, n); // their number of vertices is not told
    } else if (pairs.empty())
        for (std::int64_t c : plain) add(c, 1);
    else
        for (std::size_t i = 0; i < pairs.size(); i += 2) add(pairs[i], pairs[i + 1]);
    if (d_.primitives() - firstPrimitive != n) in_.fail("run lengths do not add up to nprimitives");
    own(start, vertex - start);
}

// H12 to H15: a list of primitives, each a list of its varying fields.
void GeoReader::oldRun(const Run& run) {
    in_.list([&] {
        if (in_.token() != Token::BeginArray) in_.fail("expected the fields of a primitive");
        Run one;
        one.type = run.type;
        one.closed = run.closed;
        std::vector<std::uint8_t> body;
        ChargedSink<std::vector<std::uint8_t>> sink(in_, body);
        const auto out = binaryJsonWriter(sink);
        out->beginArray();
        if (!isPolygon(run.type)) copyEntries(run.uniform, *out);
        for (const std::string& name : run.varying)
            if (!field(name, *out, one)) {
                out->shared(name);
                in_.next();
                copyValue(in_, *out);
            }
        if (in_.next() != Token::EndArray) in_.fail("more fields than the run has names");
        out->endArray();
        out->flush();
        finishKept(one, std::move(body));
    });
}

void GeoReader::single(const std::string& type) {
    Run one;
    one.type = type;
    std::vector<std::uint8_t> body;
    ChargedSink<std::vector<std::uint8_t>> sink(in_, body);
    const auto out = binaryJsonWriter(sink);
    out->beginArray();
    one.closed = type == "Polygon";
    in_.flatMap([&](const std::string& key) {
        if (field(key, *out, one)) return;
        out->shared(key);
        in_.next();
        copyValue(in_, *out);
    });
    out->endArray();
    out->flush();
    finishKept(one, std::move(body));
}

// The fields that we understand. The place of the vertices is marked: their numbers may change.
bool GeoReader::field(const std::string& key, JsonWriter& body, Run& run) {
    if (key == "closed") {
        run.closed = in_.readBool();
        body.shared(key);
        body.boolean(run.closed);
        return true;
    }
    if (key != "vertex") return false;
    in_.next();
    run.vertexIsList = in_.token() == Token::BeginArray || in_.token() == Token::Uniform;
    const auto check = [&](std::int64_t v) {
        if (v < 0 || v >= vertexCount_)
            in_.fail("a primitive has vertex " + std::to_string(v) + " of " +
                     std::to_string(vertexCount_));
        if (run.vertices.size() == run.vertices.capacity())
            in_.charge(std::max<std::size_t>(4, run.vertices.capacity()) * sizeof(Index));
        run.vertices.push_back(static_cast<Index>(v));
    };
    run.vertices.clear();
    if (run.vertexIsList) {
        NumberList list(in_);
        while (list.more()) check(list.one<std::int64_t>());
    } else if (in_.token() == Token::Int) {
        check(in_.integer());
    } else {
        in_.fail("expected a vertex number or a list of them");
    }
    body.shared("vertex");
    body.null();
    return true;
}

void GeoReader::finishKept(const Run& run, std::vector<std::uint8_t> body) {
    if (d_.primitives() >= primitiveCount_) in_.fail("more primitives than primitivecount");
    const Index primitive = d_.primitives();
    const auto n = static_cast<Index>(run.vertices.size());
    if (isPolygon(run.type)) {
        addPrimitive(run.closed ? PrimitiveKind::Polygon : PrimitiveKind::Polyline, run.closed, n);
    } else if (run.type == "Tetrahedron" && n == 4) {
        warn("primitives of type \"Tetrahedron\" are kept but not simulated");
        addPrimitive(PrimitiveKind::Tetrahedron, false, n);
    } else {
        const PrimitiveKind kind = kindOf(run.type);
        if (kind == PrimitiveKind::Opaque)
            warn("primitives of type \"" + run.type + "\" are kept but not simulated");
        else
            warn("curves of type \"" + run.type + "\" are used as their control polygons");
        addPrimitive(kind, run.closed, n);
        in_.charge(sizeof(KeptRecord) * 2);
        KeptRecord k;
        k.primitive = primitive;
        k.type = run.type;
        k.vertexIsList = run.vertexIsList;
        k.body = std::move(body);
        d_.kept.push_back(std::move(k));
    }
    for (Index v : run.vertices) own(v, 1);
}

void GeoReader::addPrimitive(PrimitiveKind kind, bool closed, Index vertices) {
    d_.primitiveKind.push_back(kind);
    d_.primitiveClosed.push_back(closed ? 1 : 0);
    const std::int64_t end = static_cast<std::int64_t>(d_.firstVertex.back()) + vertices;
    if (end > vertexCount_) in_.fail("the primitives have more vertices than vertexcount");
    d_.firstVertex.push_back(static_cast<Index>(end));
}

// The next primitives have the vertices first .. first+n-1 of the file.
void GeoReader::own(std::int64_t first, std::int64_t n) {
    if (plainOrder_ && (n == 0 || first == owned_)) {
        owned_ += static_cast<Index>(n);
        return;
    }
    if (plainOrder_) {
        in_.charge(static_cast<std::uint64_t>(vertexCount_) * 3 * sizeof(Index));
        plainOrder_ = false;
        for (Index v = 0; v < owned_; ++v) vertexOrder_.push_back(v);
    }
    for (std::int64_t v = first; v < first + n; ++v) vertexOrder_.push_back(static_cast<Index>(v));
}

// Renumbers the vertices into primitive order, when a file has them otherwise.
void GeoReader::orderVertices() {
    if (plainOrder_) return;
    const std::size_t n = static_cast<std::size_t>(vertexCount_);
    std::vector<Index> place(n, -1); // old -> new
    for (std::size_t i = 0; i < vertexOrder_.size(); ++i) {
        if (place[vertexOrder_[i]] >= 0)
            in_.fail("vertex " + std::to_string(vertexOrder_[i]) + " belongs to two primitives");
        place[vertexOrder_[i]] = static_cast<Index>(i);
    }
    for (std::size_t v = 0; v < n; ++v) // vertices of no primitive go last
        if (place[v] < 0) vertexOrder_.push_back(static_cast<Index>(v));
    const auto reorder = [&](auto& values, std::size_t width) {
        auto sorted = values;
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t c = 0; c < width; ++c)
                sorted[i * width + c] =
                    values[static_cast<std::size_t>(vertexOrder_[i]) * width + c];
        values = std::move(sorted);
    };
    reorder(d_.vertexPoint, 1);
    auto& attributes = d_.attributes[static_cast<int>(Owner::Vertex)];
    for (std::size_t i = attributes.size(); i-- > 0;)
        if (attributes[i].type == Attribute::Type::Kept) {
            warn("vertex attribute \"" + attributes[i].name +
                 "\" is left out: the vertices are not in the order of the primitives");
            attributes.erase(attributes.begin() + static_cast<std::ptrdiff_t>(i));
        }
    for (Attribute& a : d_.attributes[static_cast<int>(Owner::Vertex)])
        std::visit([&](auto& v) { reorder(v, static_cast<std::size_t>(a.size)); }, a.values);
    for (std::size_t v = 0; v < n; ++v) place[vertexOrder_[v]] = static_cast<Index>(v);
    for (Group& g : d_.groups[static_cast<int>(Owner::Vertex)]) {
        reorder(g.member, 1);
        for (Index& v : g.order) v = place[v];
    }
}

} // namespace purl
