// Geometry as a host compares it from cook to cook, and as a collider.
#include "purl/base/error.h"
#include "purl/base/hash.h"
#include "purl/host/session.h"

#include <algorithm>

namespace purl {

namespace {

void add(Hash& h, const std::string& text) {
    h.add(text.size());
    h.bytes(text.data(), text.size());
}

// Strings by what they say, not by how their table is laid out.
std::uint64_t digestOf(const Attribute& a) {
    Hash h;
    add(h, a.name);
    h.add(a.size);
    if (a.type == Attribute::Type::String) {
        for (std::size_t i = 0; i < a.elements(); ++i)
            for (int k = 0; k < a.size; ++k) add(h, a.text(i, k));
    } else {
        std::visit([&](const auto& v) { h.add(v); }, a.values);
    }
    return h.value();
}

std::uint64_t digestOf(const Group& g) {
    Hash h;
    add(h, g.name);
    h.add(g.member);
    return h.value();
}

} // namespace

std::uint64_t digestOf(const Detail& d) {
    Hash h;
    h.add(d.pointCount);
    h.add(d.vertexPoint);
    h.add(d.primitiveKind);
    h.add(d.primitiveClosed);
    h.add(d.firstVertex);
    // In whatever order they come.
    std::vector<std::uint64_t> parts;
    const auto addSorted = [&] {
        std::sort(parts.begin(), parts.end());
        h.add(parts);
        parts.clear();
    };
    for (const auto& owner : d.attributes) {
        for (const Attribute& a : owner) parts.push_back(digestOf(a));
        addSorted();
    }
    for (const auto& owner : d.groups) {
        for (const Group& g : owner) parts.push_back(digestOf(g));
        addSorted();
    }
    return h.value();
}

std::uint64_t digestOf(const ColliderFrames& colliders) {
    Hash h;
    for (const ColliderFrame& c : colliders) {
        h.add(c.digest);
        for (int k = 0; k < 4; ++k) h.add(c.pose.rotation.coeffs()[k]);
        for (int k = 0; k < 3; ++k) h.add(c.pose.translation[k]);
    }
    return h.value();
}

TriMesh trianglesOf(const Detail& d) {
    TriMesh m;
    m.x = d.positions();
    for (Index p = 0; p < d.primitives(); ++p) {
        if (d.primitiveKind[p] != PrimitiveKind::Polygon) continue;
        const auto ids = d.pointsOf(p);
        for (std::size_t k = 2; k < ids.size(); ++k)
            m.triangles.push_back({ids[0], ids[k - 1], ids[k]});
    }
    return m;
}

void readMesh(const Detail& d, const std::string& name, ColliderFrame& out) {
    out.mesh = trianglesOf(d);
    if (out.mesh.triangles.empty()) {
        out.mesh = {};
        return;
    }
    for (std::size_t i = 0; i < out.mesh.x.size(); ++i)
        if (!out.mesh.x[i].allFinite())
            throw Error(name + ": point " + std::to_string(i),
                        "P is not finite, expected a position in m");
    const Attribute* v = d.findPoint("v");
    if (v && v->type == Attribute::Type::Numeric && v->size == 3) out.velocity = d.vectors(*v);
    Hash h;
    h.add(out.mesh.x);
    h.add(out.mesh.triangles);
    h.add(out.velocity);
    out.digest ^= h.value();
}

} // namespace purl
