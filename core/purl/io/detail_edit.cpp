// Growing, filtering and checking a Detail.
#include "purl/base/error.h"
#include "purl/io/detail.h"

#include <algorithm>
#include <limits>

namespace purl {

namespace {

// Lengthens an attribute to `count` elements; the new ones get the default.
void grow(Attribute& a, std::size_t count) {
    const std::size_t from = sizeOf(a.values), to = count * static_cast<std::size_t>(a.size);
    if (to <= from) return;
    std::visit(
        [&](auto& v) {
            using T = typename std::decay_t<decltype(v)>::value_type;
            v.resize(to, T(0));
            if (a.type != Attribute::Type::Numeric) {
                for (std::size_t i = from; i < to; ++i) v[i] = static_cast<T>(-1);
                return;
            }
            std::visit(
                [&](const auto& d) {
                    if (d.empty()) return;
                    for (std::size_t i = from; i < to; ++i) {
                        const std::size_t c = i % static_cast<std::size_t>(a.size);
                        v[i] = static_cast<T>(d[d.size() == 1 ? 0 : std::min(c, d.size() - 1)]);
                    }
                },
                a.defaults);
        },
        a.values);
}

// What we do not understand cannot follow when elements come or go.
void dropKept(Detail& d, Owner o) {
    auto& list = d.attributes[static_cast<int>(o)];
    list.erase(std::remove_if(list.begin(), list.end(),
                              [](const Attribute& a) { return a.type == Attribute::Type::Kept; }),
               list.end());
}

void growAll(Detail& d, Owner o) {
    dropKept(d, o);
    for (Attribute& a : d.attributes[static_cast<int>(o)]) grow(a, d.count(o));
    for (Group& g : d.groups[static_cast<int>(o)]) g.member.resize(d.count(o), 0);
}

void keepElements(Values& values, int size, Span<const std::uint8_t> keep) {
    const std::size_t n = static_cast<std::size_t>(size);
    std::visit(
        [&](auto& v) {
            std::size_t to = 0;
            for (std::size_t i = 0; i < keep.size(); ++i) {
                if (!keep[i]) continue;
                for (std::size_t c = 0; c < n; ++c) v[to++] = v[i * n + c];
            }
            v.resize(to);
        },
        values);
}

void keepElements(Detail& d, Owner o, Span<const std::uint8_t> keep) {
    std::vector<Index> renumber(keep.size(), -1);
    Index next = 0;
    for (std::size_t i = 0; i < keep.size(); ++i)
        if (keep[i]) renumber[i] = next++;
    if (next < static_cast<Index>(keep.size())) dropKept(d, o);
    for (Attribute& a : d.attributes[static_cast<int>(o)]) keepElements(a.values, a.size, keep);
    for (Group& g : d.groups[static_cast<int>(o)]) {
        std::vector<std::uint8_t> member;
        for (std::size_t i = 0; i < keep.size(); ++i)
            if (keep[i]) member.push_back(g.member[i]);
        g.member = std::move(member);
        std::vector<Index> order;
        for (Index i : g.order)
            if (renumber[i] >= 0) order.push_back(renumber[i]);
        g.order = std::move(order);
    }
}

} // namespace

Index Detail::addPoints(Index n) {
    const Index first = pointCount;
    pointCount += n;
    growAll(*this, Owner::Point);
    return first;
}

Index Detail::addPrimitive(PrimitiveKind kind, Span<const Index> points) {
    for (Index p : points)
        if (p < 0 || p >= pointCount)
            throw Error("primitive " + std::to_string(primitives()),
                        "point " + std::to_string(p) + " of " + std::to_string(pointCount));
    vertexPoint.resize(static_cast<std::size_t>(firstVertex.back())); // drops unowned vertices
    vertexPoint.insert(vertexPoint.end(), points.begin(), points.end());
    primitiveKind.push_back(kind);
    primitiveClosed.push_back(kind == PrimitiveKind::Polygon ? 1 : 0);
    firstVertex.push_back(vertices());
    growAll(*this, Owner::Vertex);
    growAll(*this, Owner::Primitive);
    return primitives() - 1;
}

void Detail::check(const std::string& name) const {
    const auto fail = [&](const std::string& what) { throw Error(name, what); };
    if (firstVertex.size() != primitiveKind.size() + 1 || firstVertex.front() != 0 ||
        primitiveClosed.size() != primitiveKind.size())
        fail("primitive arrays of different lengths");
    for (std::size_t p = 0; p < primitiveKind.size(); ++p)
        if (firstVertex[p + 1] < firstVertex[p]) fail("primitive vertex ranges are not in order");
    for (std::size_t p = 0; p < primitiveKind.size(); ++p)
        if (primitiveKind[p] == PrimitiveKind::Tetrahedron &&
            firstVertex[p + 1] - firstVertex[p] != 4)
            fail("tetrahedron " + std::to_string(p) + " does not have four vertices");
    if (firstVertex.back() > vertices()) fail("a primitive has vertices beyond the last one");
    for (Index p : vertexPoint)
        if (p < 0 || p >= pointCount) fail("a vertex names point " + std::to_string(p));
    for (int o = 0; o < 4; ++o)
        for (const Attribute& a : attributes[o]) {
            const std::string what =
                std::string(ownerName(static_cast<Owner>(o))) + " attribute " + a.name;
            if (a.size < 0 ||
                sizeOf(a.values) != count(static_cast<Owner>(o)) * static_cast<std::size_t>(a.size))
                fail(what + " holds " + std::to_string(sizeOf(a.values)) + " numbers, expected " +
                     std::to_string(count(static_cast<Owner>(o))) + " x " + std::to_string(a.size));
            if (a.type == Attribute::Type::Numeric || a.type == Attribute::Type::Kept) continue;
            const auto* indices = a.as<std::int32_t>();
            if (!indices) fail(what + ": string indices are not int32");
            for (std::int32_t i : *indices)
                if (i < -1 || i >= static_cast<std::int64_t>(a.strings.size()))
                    fail(what + ": string index " + std::to_string(i));
        }
    for (int o = 0; o < 3; ++o)
        for (const Group& g : groups[o]) {
            const std::size_t n = count(static_cast<Owner>(o));
            if (g.member.size() != n) fail("group " + g.name + " has a wrong length");
            for (Index i : g.order)
                if (i < 0 || static_cast<std::size_t>(i) >= n)
                    fail("group " + g.name + " holds element " + std::to_string(i));
        }
    for (const EdgeGroup& g : edgeGroups)
        for (const auto& e : g.edges)
            if (e[0] < 0 || e[1] < 0 || e[0] >= pointCount || e[1] >= pointCount)
                fail("edge group " + g.name + " names a point that is not there");
    for (std::size_t k = 0; k < kept.size(); ++k)
        if (kept[k].primitive < 0 || kept[k].primitive >= primitives() ||
            (k > 0 && kept[k].primitive <= kept[k - 1].primitive))
            fail("kept primitive records are not in order");
}

Detail Detail::withPrimitives(Span<const std::uint8_t> keep) const {
    Detail d = *this;
    std::vector<std::uint8_t> vertexKept(vertexPoint.size(), 0);
    std::vector<Index> renumber(primitiveKind.size(), -1);
    d.primitiveKind.clear();
    d.primitiveClosed.clear();
    d.firstVertex = {0};
    d.vertexPoint.clear();
    for (Index p = 0; p < primitives(); ++p) {
        if (!keep[p]) continue;
        renumber[p] = d.primitives();
        for (Index v = firstVertex[p]; v < firstVertex[p + 1]; ++v) {
            vertexKept[v] = 1;
            d.vertexPoint.push_back(vertexPoint[v]);
        }
        d.primitiveKind.push_back(primitiveKind[p]);
        d.primitiveClosed.push_back(primitiveClosed[p]);
        d.firstVertex.push_back(d.vertices());
    }
    keepElements(d, Owner::Vertex, vertexKept);
    keepElements(d, Owner::Primitive, keep);
    d.kept.clear();
    for (const KeptRecord& k : kept)
        if (keep[k.primitive]) {
            d.kept.push_back(k);
            d.kept.back().primitive = renumber[k.primitive];
        }
    return d;
}

} // namespace purl
