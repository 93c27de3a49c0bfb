// Writes the smallest document that every Houdini since 16 reads (houdini.md A.7): keys in
// Houdini's order, no index, pages of 1024 with constant pages marked, runs of polygons, run-length
// groups.
#include "purl/base/error.h"
#include "purl/io/geo_document.h"

#include <cmath>
#include <cstring>

namespace purl {

namespace {

constexpr std::size_t pageSize = 1024;

NumberType numberType(Storage s) {
    static const NumberType types[] = {NumberType::Int8,   NumberType::Int16, NumberType::Int32,
                                       NumberType::Int64,  NumberType::UInt8, NumberType::Real16,
                                       NumberType::Real32, NumberType::Real64};
    return types[static_cast<int>(s)];
}

template <class T>
std::vector<std::uint8_t> constantPages(const std::vector<T>& v, std::size_t count,
                                        std::size_t width) {
    std::vector<std::uint8_t> flags;
    for (std::size_t first = 0; first < count; first += pageSize) {
        const std::size_t m = std::min(pageSize, count - first);
        const T* p = v.data() + first * width;
        // all tuples equal: the page equals itself shifted by one tuple
        flags.push_back(std::memcmp(static_cast<const void*>(p),
                                    static_cast<const void*>(p + width),
                                    (m - 1) * width * sizeof(T)) == 0);
    }
    return flags;
}

// 'size',N,'storage',ST and the numbers, as a flat map.
template <class T>
void writeNumbers(JsonWriter& w, const std::vector<T>& v, Storage storage, int size,
                  std::size_t count) {
    const NumberType type = numberType(storage);
    const std::size_t width = static_cast<std::size_t>(size);
    w.beginArray();
    w.shared("size");
    w.integer(size);
    w.shared("storage");
    w.shared(storageName(storage));
    if (!w.binary()) {
        w.shared(size == 1 ? "arrays" : "tuples");
        w.beginArray();
        if (size == 1)
            w.uniform(type, v.data(), count);
        else
            for (std::size_t i = 0; i < count; ++i) w.uniform(type, v.data() + i * width, width);
        w.endArray();
        return w.endArray();
    }
    w.shared("pagesize");
    w.integer(static_cast<std::int64_t>(pageSize));
    const std::vector<std::uint8_t> flags =
        width > 0 ? constantPages(v, count, width) : std::vector<std::uint8_t>{};
    std::uint64_t total = count * width;
    for (std::size_t page = 0; page < flags.size(); ++page)
        if (flags[page]) total -= (std::min(pageSize, count - page * pageSize) - 1) * width;
    if (total != count * width) {
        w.shared("constantpageflags");
        w.beginArray();
        w.uniform(NumberType::Bool, flags.data(), flags.size());
        w.endArray();
    }
    w.shared("rawpagedata");
    w.beginUniform(type, total);
    if (total == count * width)
        w.elements(v.data(), v.size());
    else
        for (std::size_t page = 0; page < flags.size(); ++page) {
            const std::size_t m = std::min(pageSize, count - page * pageSize);
            w.elements(v.data() + page * pageSize * width, (flags[page] ? 1 : m) * width);
        }
    w.endUniform();
    w.endArray();
}

void writeDefaults(JsonWriter& w, const Values& defaults) {
    const auto* integers = std::get_if<std::vector<std::int64_t>>(&defaults);
    std::vector<double> reals;
    if (const auto* r = std::get_if<std::vector<double>>(&defaults)) reals = *r;
    const std::size_t n = integers ? integers->size() : reals.size();
    w.beginArray();
    w.shared("size");
    w.integer(static_cast<std::int64_t>(n));
    w.shared("storage");
    w.shared(integers ? "int64" : "fpreal64");
    w.shared("values");
    if (integers)
        w.uniform(NumberType::Int64, integers->data(), n);
    else
        w.uniform(NumberType::Real64, reals.data(), n);
    w.endArray();
}

// A value that we kept as binary JSON.
void writeKeptJson(const std::vector<std::uint8_t>& json, JsonWriter& w) {
    const auto raw = openMemory(json, "kept data");
    Budget budget(json.size());
    ByteStream bytes(plainSource(*raw), raw->name());
    const auto in = binaryJson(bytes, budget);
    in->next();
    copyValue(*in, w);
}

void writeAttribute(JsonWriter& w, const Attribute& a, std::size_t count) {
    static const char* const types[] = {"numeric", "string", "dict"};
    const bool isKept = a.type == Attribute::Type::Kept;
    w.beginArray();
    w.beginArray();
    w.shared("scope");
    w.shared(a.scope);
    w.shared("type");
    w.shared(isKept ? a.keptType.c_str() : types[static_cast<int>(a.type)]);
    w.shared("name");
    w.shared(a.name);
    w.shared("options");
    w.beginMap();
    if (!a.typeInfo.empty()) {
        w.shared("type");
        w.beginMap();
        w.shared("type");
        w.shared("string");
        w.shared("value");
        w.shared(a.typeInfo);
        w.endMap();
    }
    for (const auto& [key, json] : a.options) {
        w.shared(key);
        writeJsonText(json, w);
    }
    w.endMap();
    w.endArray();
    if (isKept) {
        writeKeptJson(a.kept, w);
        return w.endArray();
    }
    w.beginArray();
    w.shared("size");
    w.integer(a.size);
    w.shared("storage");
    w.shared(storageName(a.storage()));
    if (a.type == Attribute::Type::Numeric) {
        w.shared("defaults");
        writeDefaults(w, a.defaults);
        w.shared("values");
    } else {
        w.shared(a.type == Attribute::Type::String ? "strings" : "dicts");
        w.beginArray();
        for (const std::string& s : a.strings) {
            if (a.type == Attribute::Type::String)
                w.string(s);
            else
                writeJsonText(s, w);
        }
        w.endArray();
        w.shared("indices");
    }
    std::visit([&](const auto& v) { writeNumbers(w, v, a.storage(), a.size, count); }, a.values);
    w.endArray();
    w.endArray();
}

void writeAttributes(const Detail& d, JsonWriter& w) {
    static const char* const keys[] = {"vertexattributes", "pointattributes", "primitiveattributes",
                                       "globalattributes"};
    w.beginArray();
    for (int o = 0; o < 4; ++o) {
        if (d.attributes[o].empty()) continue;
        w.shared(keys[o]);
        w.beginArray();
        const auto isP = [&](const Attribute& a) { return o == 1 && a.name == "P"; };
        for (const bool first : {true, false}) // P comes first
            for (const Attribute& a : d.attributes[o])
                if (isP(a) == first) writeAttribute(w, a, d.count(static_cast<Owner>(o)));
        w.endArray();
    }
    w.endArray();
}

void writeGroups(const Detail& d, JsonWriter& w, Owner owner, const char* key) {
    const auto& groups = d.groups[static_cast<int>(owner)];
    if (groups.empty()) return;
    w.shared(key);
    w.beginArray();
    for (const Group& g : groups) {
        w.beginArray();
        w.beginArray();
        w.shared("name");
        w.shared(g.name);
        w.endArray();
        w.beginArray();
        w.shared("selection");
        w.beginArray();
        if (!g.order.empty()) {
            w.shared("ordered");
            w.uniform(NumberType::Int32, g.order.data(), g.order.size());
        } else {
            w.shared("unordered");
            w.beginArray();
            w.shared("boolRLE");
            w.beginArray();
            for (std::size_t i = 0; i < g.member.size();) {
                std::size_t end = i + 1;
                while (end < g.member.size() && !g.member[end] == !g.member[i]) ++end;
                w.integer(static_cast<std::int64_t>(end - i));
                w.boolean(g.member[i] != 0);
                i = end;
            }
            w.endArray();
            w.endArray();
        }
        w.endArray();
        w.endArray();
        w.endArray();
    }
    w.endArray();
}

void writeEdgeGroups(const Detail& d, JsonWriter& w) {
    if (d.edgeGroups.empty()) return;
    w.shared("edgegroups");
    w.beginArray();
    for (const EdgeGroup& g : d.edgeGroups) {
        w.beginArray();
        w.beginArray();
        w.shared("name");
        w.shared(g.name);
        w.endArray();
        w.beginArray();
        w.shared("points");
        w.uniform(NumberType::Int32, g.edges.data(), 2 * g.edges.size());
        w.endArray();
        w.endArray();
    }
    w.endArray();
}

// Who wrote it and the bounds; no name of a person or of a machine.
void writeInfo(const Detail& d, JsonWriter& w) {
    w.beginMap();
    w.shared("software");
    w.string("Purl");
    const Attribute* p = d.findPoint("P");
    if (p && p->size >= 3 && d.points() > 0) {
        double b[6] = {1e300, -1e300, 1e300, -1e300, 1e300, -1e300};
        std::visit(
            [&](const auto& v) {
                const std::size_t n = static_cast<std::size_t>(p->size);
                for (std::size_t i = 0; i + n <= v.size(); i += n)
                    for (int c = 0; c < 3; ++c) {
                        b[2 * c] = std::min(b[2 * c], static_cast<double>(v[i + c]));
                        b[2 * c + 1] = std::max(b[2 * c + 1], static_cast<double>(v[i + c]));
                    }
            },
            p->values);
        w.shared("bounds");
        w.uniform(NumberType::Real64, b, 6);
    }
    w.endMap();
}

} // namespace

void writeDocument(const Detail& d, JsonWriter& w) {
    w.beginArray();
    w.shared("fileversion");
    w.string("18.5.0"); // the layout is that of 18.5
    w.shared("hasindex");
    w.boolean(false);
    w.shared("pointcount");
    w.integer(d.points());
    w.shared("vertexcount");
    w.integer(d.vertices());
    w.shared("primitivecount");
    w.integer(d.primitives());
    w.shared("info");
    writeInfo(d, w);
    w.shared("topology");
    w.beginArray();
    w.shared("pointref");
    w.beginArray();
    w.shared("indices");
    if (d.points() <= 32768) {
        const std::vector<std::int16_t> narrow(d.vertexPoint.begin(), d.vertexPoint.end());
        w.uniform(NumberType::Int16, narrow.data(), narrow.size());
    } else {
        w.uniform(NumberType::Int32, d.vertexPoint.data(), d.vertexPoint.size());
    }
    w.endArray();
    w.endArray();
    w.shared("attributes");
    writeAttributes(d, w);
    w.shared("primitives");
    writePrimitives(d, w);
    writeGroups(d, w, Owner::Point, "pointgroups");
    writeGroups(d, w, Owner::Vertex, "vertexgroups");
    writeGroups(d, w, Owner::Primitive, "primitivegroups");
    writeEdgeGroups(d, w);
    if (!d.sharedData.empty()) {
        w.shared("sharedprimitivedata");
        writeKeptJson(d.sharedData, w);
    }
    w.endArray();
    w.flush();
}

} // namespace purl
