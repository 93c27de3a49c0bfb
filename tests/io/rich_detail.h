// A geometry with one of everything a file can hold.
#pragma once

#include "purl/io/geo.h"

#include <random>

namespace purl {

// `points` at least 8; over 1024 there are several pages, some of them constant.
inline Detail richDetail(Index points) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> real(-3, 3);
    Detail d;
    d.addPoints(points);
    std::vector<Vec3> x(static_cast<std::size_t>(points));
    for (Vec3& p : x) p = Vec3(real(random), real(random), real(random) * 1e-4);
    d.setPositions(x);
    // open, closed, open, open, closed, one of a single point; the last points are on no curve
    const Index cut[] = {0, points / 4, points / 2, points / 2 + 1, points / 2 + 2, points - 1};
    for (int k = 0; k < 5; ++k) {
        std::vector<Index> list;
        for (Index p = cut[k]; p < cut[k + 1]; ++p) list.push_back(p);
        if (k == 0) list.push_back(list.front()); // a point used twice
        d.addPrimitive(k % 2 ? PrimitiveKind::Polygon : PrimitiveKind::Polyline, list);
    }
    const Owner owners[] = {Owner::Vertex, Owner::Point, Owner::Primitive, Owner::Global};
    const Storage storages[] = {Storage::Int8,    Storage::Int16,  Storage::Int32,
                                Storage::Int64,   Storage::UInt8,  Storage::Float16,
                                Storage::Float32, Storage::Float64};
    for (Owner o : owners)
        for (Storage s : storages)
            for (int size : {1, 3}) {
                Attribute& a = d.add(o, std::string(storageName(s)) + "_" + std::to_string(size), s,
                                     size, size == 3 ? "vector" : "");
                for (std::size_t i = 0; i < a.elements(); ++i)
                    for (int c = 0; c < size; ++c)
                        a.set(i, c,
                              s < Storage::Float16 ? std::floor(std::abs(real(random)) * 40)
                                                   : real(random));
            }
    *d.findPoint("int64_1")->as<std::int64_t>() =
        std::vector<std::int64_t>(static_cast<std::size_t>(points), -(std::int64_t{1} << 62) + 1);
    d.findPoint("int8_1")->set(0, 0, -128);
    d.addFloat(Owner::Point, "pscale").defaults = std::vector<double>{0.1};
    for (float& r : *d.findPoint("pscale")->as<float>()) r = 0.005f; // constant pages
    Attribute& v = d.addFloat(Owner::Point, "v", 3, "vector"); // the first page is not constant
    for (std::size_t i = 0; i < v.elements(); ++i) v.set(i, 1, i < 100 ? real(random) : -0.0);
    d.addFloat(Owner::Point, "orient", 4, "quaternion").defaults = std::vector<double>{0, 0, 0, 1};
    d.addInt(Owner::Point, "id", 1, "nonarithmetic_integer").defaults =
        std::vector<std::int64_t>{-1};
    Attribute& name = d.addString(Owner::Primitive, "name");
    for (Index p = 0; p + 1 < d.primitives(); ++p) // the last stays unset
        name.setText(static_cast<std::size_t>(p), 0,
                     "yarn \"" + std::to_string(p % 2) + "\"\n\\\x01 \xc3\xa9");
    Attribute& map = d.addString(Owner::Global, "varmap", 2);
    map.setText(0, 0, "pscale -> PSCALE");
    map.setText(0, 1, "");
    Attribute& dict = d.addString(Owner::Global, "clip");
    dict.type = Attribute::Type::Dict;
    dict.setText(
        0, 0,
        R"({"rate":{"type":"float","value":24.5},"list":{"type":"x","value":[1,2.0,[],{}]}})");
    dict.options.emplace_back("note", R"({"type":"int32","value":5})");
    for (Owner o : {Owner::Vertex, Owner::Point, Owner::Primitive}) {
        Group& g = d.addGroup(o, std::string("some_") + ownerName(o));
        for (std::size_t i = 0; i < g.member.size(); ++i) g.member[i] = i % 3 == 1 || i > 30;
        d.addGroup(o, "none");
        Group& all = d.addGroup(o, "all");
        std::fill(all.member.begin(), all.member.end(), std::uint8_t{1});
    }
    Group& ordered = d.addGroup(Owner::Point, "ordered");
    ordered.order = {5, 2, 7};
    for (Index i : ordered.order) ordered.member[i] = 1;
    d.edgeGroups.push_back({"seam", {{0, 1}, {3, 2}}});
    return d;
}

// What .obj and .bcc can hold: positions, curves, primitive groups (not .bcc).
inline Detail plainCurves(Index points) {
    const std::vector<Vec3> x = richDetail(points).positions();
    Detail out;
    out.addPoints(points);
    std::vector<Index> all;
    for (Index p = 0; p < points / 2; ++p) all.push_back(p);
    out.addPrimitive(PrimitiveKind::Polyline, all);
    all.clear();
    for (Index p = points / 2; p < points; ++p) all.push_back(p);
    out.addPrimitive(PrimitiveKind::Polygon, all);
    out.setPositions(x);
    return out;
}

} // namespace purl
