#include "purl/io/detail.h"

#include "purl/base/error.h"

#include <algorithm>
#include <map>

namespace purl {

const char* ownerName(Owner o) {
    static const char* const names[] = {"vertex", "point", "primitive", "detail"};
    return names[static_cast<int>(o)];
}

const char* storageName(Storage s) {
    static const char* const names[] = {"int8",  "int16",    "int32",    "int64",
                                        "uint8", "fpreal16", "fpreal32", "fpreal64"};
    return names[static_cast<int>(s)];
}

Values makeValues(Storage s, std::size_t n) {
    switch (s) {
    case Storage::Int8:
        return std::vector<std::int8_t>(n);
    case Storage::Int16:
        return std::vector<std::int16_t>(n);
    case Storage::Int32:
        return std::vector<std::int32_t>(n);
    case Storage::Int64:
        return std::vector<std::int64_t>(n);
    case Storage::UInt8:
        return std::vector<std::uint8_t>(n);
    case Storage::Float16:
        return std::vector<Half>(n, Half(0));
    case Storage::Float32:
        return std::vector<float>(n);
    case Storage::Float64:
        break;
    }
    return std::vector<double>(n);
}

std::size_t sizeOf(const Values& v) {
    return std::visit([](const auto& a) { return a.size(); }, v);
}

std::string usualTypeInfo(const std::string& name) {
    static const std::map<std::string, std::string> known = {{"P", "point"},
                                                             {"v", "vector"},
                                                             {"N", "normal"},
                                                             {"up", "vector"},
                                                             {"Cd", "color"},
                                                             {"uv", "texturecoord"},
                                                             {"orient", "quaternion"},
                                                             {"rest", "point"},
                                                             {"force", "vector"},
                                                             {"w", "vector"},
                                                             {"id", "nonarithmetic_integer"},
                                                             {"targetP", "point"}};
    const auto it = known.find(name);
    return it == known.end() ? "" : it->second;
}

std::size_t Attribute::elements() const {
    return size > 0 ? sizeOf(values) / static_cast<std::size_t>(size) : 0;
}
double Attribute::real(std::size_t element, int component) const {
    const std::size_t i = element * static_cast<std::size_t>(size) + component;
    return std::visit([i](const auto& a) { return static_cast<double>(a.at(i)); }, values);
}
std::int64_t Attribute::integer(std::size_t element, int component) const {
    const std::size_t i = element * static_cast<std::size_t>(size) + component;
    return std::visit([i](const auto& a) { return static_cast<std::int64_t>(a.at(i)); }, values);
}
const std::string& Attribute::text(std::size_t element, int component) const {
    static const std::string unset;
    if (type == Type::Numeric) return unset;
    const std::int64_t i = integer(element, component);
    return i < 0 ? unset : strings.at(static_cast<std::size_t>(i));
}
void Attribute::set(std::size_t element, int component, double value) {
    const std::size_t i = element * static_cast<std::size_t>(size) + component;
    std::visit(
        [&](auto& a) {
            a.at(i) = static_cast<typename std::decay_t<decltype(a)>::value_type>(value);
        },
        values);
}
void Attribute::setText(std::size_t element, int component, const std::string& value) {
    auto it = std::find(strings.begin(), strings.end(), value);
    if (it == strings.end()) it = strings.insert(it, value);
    set(element, component, static_cast<double>(it - strings.begin()));
}

std::size_t Group::count() const {
    return static_cast<std::size_t>(std::count(member.begin(), member.end(), std::uint8_t{1}));
}

std::size_t Detail::count(Owner o) const {
    switch (o) {
    case Owner::Vertex:
        return vertexPoint.size();
    case Owner::Point:
        return static_cast<std::size_t>(pointCount);
    case Owner::Primitive:
        return primitiveKind.size();
    case Owner::Global:
        break;
    }
    return 1;
}

bool Detail::isCurve(Index p) const { return primitiveKind[p] < PrimitiveKind::Tetrahedron; }

Span<const Index> Detail::pointsOf(Index p) const {
    return {vertexPoint.data() + firstVertex[p],
            static_cast<std::size_t>(firstVertex[p + 1] - firstVertex[p])};
}

const Attribute* Detail::find(Owner o, const std::string& name) const {
    for (const Attribute& a : attributes[static_cast<int>(o)])
        if (a.name == name) return &a;
    return nullptr;
}
Attribute* Detail::find(Owner o, const std::string& name) {
    return const_cast<Attribute*>(static_cast<const Detail*>(this)->find(o, name));
}

Attribute& Detail::add(Owner o, const std::string& name, Storage s, int size,
                       const std::string& typeInfo) {
    Attribute* a = find(o, name);
    if (!a) {
        attributes[static_cast<int>(o)].emplace_back();
        a = &attributes[static_cast<int>(o)].back();
    }
    *a = Attribute{};
    a->name = name;
    a->size = size;
    a->typeInfo = typeInfo;
    if (s < Storage::Float16)
        a->defaults = std::vector<std::int64_t>{0};
    else
        a->defaults = std::vector<double>{0.0};
    a->values = makeValues(s, count(o) * static_cast<std::size_t>(size));
    return *a;
}

Attribute& Detail::addString(Owner o, const std::string& name, int size) {
    Attribute& a = add(o, name, Storage::Int32, size);
    a.type = Attribute::Type::String;
    a.defaults = Values{};
    auto& indices = *a.as<std::int32_t>();
    std::fill(indices.begin(), indices.end(), -1);
    return a;
}

void Detail::remove(Owner o, const std::string& name) {
    auto& list = attributes[static_cast<int>(o)];
    list.erase(std::remove_if(list.begin(), list.end(),
                              [&](const Attribute& a) { return a.name == name; }),
               list.end());
}

const Group* Detail::findGroup(Owner o, const std::string& name) const {
    if (o == Owner::Global) return nullptr;
    for (const Group& g : groups[static_cast<int>(o)])
        if (g.name == name) return &g;
    return nullptr;
}
Group* Detail::findGroup(Owner o, const std::string& name) {
    return const_cast<Group*>(static_cast<const Detail*>(this)->findGroup(o, name));
}
Group& Detail::addGroup(Owner o, const std::string& name) {
    if (o == Owner::Global) throw Error(name, "a detail has no group of its own");
    Group* g = findGroup(o, name);
    if (!g) {
        groups[static_cast<int>(o)].emplace_back();
        g = &groups[static_cast<int>(o)].back();
        g->name = name;
    }
    g->member.assign(count(o), 0);
    g->order.clear();
    return *g;
}

std::vector<Vec3> Detail::vectors(const Attribute& a) const {
    if (a.size < 3 || a.type != Attribute::Type::Numeric)
        throw Error(a.name, "has " + std::to_string(a.size) + " numbers, expected at least 3");
    std::vector<Vec3> out(a.elements());
    const std::size_t n = static_cast<std::size_t>(a.size);
    std::visit(
        [&](const auto& v) {
            for (std::size_t i = 0; i < out.size(); ++i)
                out[i] = Vec3(static_cast<double>(v[i * n]), static_cast<double>(v[i * n + 1]),
                              static_cast<double>(v[i * n + 2]));
        },
        a.values);
    return out;
}

std::vector<Vec3> Detail::positions() const {
    const Attribute* p = findPoint("P");
    if (!p) {
        if (pointCount == 0) return {};
        throw Error("P", "there is no such point attribute");
    }
    return vectors(*p);
}

void Detail::setPositions(Span<const Vec3> x) {
    if (x.size() != static_cast<std::size_t>(pointCount))
        throw Error("P", std::to_string(x.size()) + " positions for " + std::to_string(pointCount) +
                             " points");
    Attribute* p = findPoint("P");
    if (!p || p->size < 3) p = &addFloat(Owner::Point, "P", 3, "point");
    const std::size_t n = static_cast<std::size_t>(p->size);
    std::visit(
        [&](auto& v) {
            using T = typename std::decay_t<decltype(v)>::value_type;
            for (std::size_t i = 0; i < x.size(); ++i)
                for (int c = 0; c < 3; ++c) v[i * n + c] = static_cast<T>(x[i][c]);
        },
        p->values);
}

} // namespace purl
