// Where two geometries differ, in words; empty when they do not. Who wrote the file does not count.
#pragma once

#include "purl/io/detail.h"

#include <cmath>
#include <cstring>

namespace purl {

inline std::string differentValues(const Values& a, const Values& b, double tolerance) {
    if (a.index() != b.index()) return "storage";
    if (sizeOf(a) != sizeOf(b)) return "length";
    return std::visit(
        [&](const auto& v) -> std::string {
            const auto& w = std::get<std::decay_t<decltype(v)>>(b);
            using T = typename std::decay_t<decltype(v)>::value_type;
            if (v.empty() ||
                std::memcmp(static_cast<const void*>(v.data()), static_cast<const void*>(w.data()),
                            v.size() * sizeof(T)) == 0)
                return "";
            for (std::size_t i = 0; i < v.size(); ++i) {
                const double x = static_cast<double>(v[i]), y = static_cast<double>(w[i]);
                if (tolerance == 0 ? std::memcmp(&v[i], &w[i], sizeof(T)) != 0
                                   : std::abs(x - y) > tolerance * std::max(1.0, std::abs(x)))
                    return "number " + std::to_string(i) + ": " + std::to_string(x) + " and " +
                           std::to_string(y);
            }
            return "";
        },
        a);
}

inline std::string difference(const Detail& a, const Detail& b, double tolerance = 0) {
    if (a.pointCount != b.pointCount) return "point count";
    if (a.vertexPoint != b.vertexPoint) return "topology";
    if (a.primitiveKind != b.primitiveKind) return "primitive kinds";
    if (a.primitiveClosed != b.primitiveClosed) return "closed flags";
    if (a.firstVertex != b.firstVertex) return "vertex ranges";
    for (int o = 0; o < 4; ++o) {
        if (a.attributes[o].size() != b.attributes[o].size()) return "number of attributes";
        for (std::size_t i = 0; i < a.attributes[o].size(); ++i) {
            const Attribute &x = a.attributes[o][i], &y = b.attributes[o][i];
            const std::string name = std::string(ownerName(static_cast<Owner>(o))) + " " + x.name;
            if (x.name != y.name) return "attribute order: " + name + " and " + y.name;
            if (x.type != y.type || x.size != y.size) return name + ": type or size";
            if (x.typeInfo != y.typeInfo || x.scope != y.scope) return name + ": type info";
            if (x.options != y.options) return name + ": options";
            if (x.strings != y.strings) return name + ": strings";
            std::string d = differentValues(x.defaults, y.defaults, tolerance);
            if (!d.empty()) return name + " default: " + d;
            d = differentValues(x.values, y.values, tolerance);
            if (!d.empty()) return name + ": " + d;
        }
    }
    for (int o = 0; o < 3; ++o) {
        if (a.groups[o].size() != b.groups[o].size()) return "number of groups";
        for (std::size_t i = 0; i < a.groups[o].size(); ++i) {
            const Group &x = a.groups[o][i], &y = b.groups[o][i];
            if (x.name != y.name || x.member != y.member || x.order != y.order)
                return "group " + x.name;
        }
    }
    if (a.edgeGroups.size() != b.edgeGroups.size()) return "number of edge groups";
    for (std::size_t i = 0; i < a.edgeGroups.size(); ++i)
        if (a.edgeGroups[i].name != b.edgeGroups[i].name ||
            a.edgeGroups[i].edges != b.edgeGroups[i].edges)
            return "edge group " + a.edgeGroups[i].name;
    if (a.kept.size() != b.kept.size()) return "number of kept records";
    for (std::size_t i = 0; i < a.kept.size(); ++i)
        if (a.kept[i].primitive != b.kept[i].primitive || a.kept[i].type != b.kept[i].type ||
            a.kept[i].vertexIsList != b.kept[i].vertexIsList)
            return "kept record " + a.kept[i].type;
    if (a.sharedData.empty() != b.sharedData.empty()) return "shared primitive data";
    return "";
}

} // namespace purl
