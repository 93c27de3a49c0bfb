#include "purl/base/error.h"
#include "purl/scene/quantity.h"
#include "purl/scene/scene_file.h"

namespace purl {

namespace {

std::vector<std::string> split(const std::string& s, char by) {
    std::vector<std::string> out(1);
    for (char c : s) {
        if (c == by)
            out.emplace_back();
        else
            out.back() += c;
    }
    return out;
}

// The numbers of "name:1,2,3", `count` of them.
std::vector<double> numbers(const std::string& text, std::size_t at, std::size_t count,
                            const char* form, const std::string& where) {
    const auto parts = split(text.substr(at), ',');
    if (parts.size() != count)
        throw Error(where, "'" + text + "' has " + std::to_string(parts.size()) +
                               " numbers, expected " + std::to_string(count) + ": " + form);
    std::vector<double> out;
    for (const std::string& p : parts) out.push_back(parseQuantity(p, Dimension::Length, where));
    return out;
}

void solid(double radius, const std::string& text, const std::string& where) {
    if (!(radius > 0))
        throw Error(where,
                    "radius of '" + text + "' is " + numberText(radius) + ", expected > 0 m");
}

} // namespace

ColliderEntry parseCollider(const std::string& text, const std::string& where) {
    ColliderEntry c;
    c.where = where;
    if (text.rfind("sphere:", 0) == 0) {
        const auto n = numbers(text, 7, 4, "sphere:x,y,z,r", where);
        c.kind = ColliderEntry::Kind::Sphere;
        c.a = {n[0], n[1], n[2]};
        c.size = n[3];
        solid(c.size, text, where);
    } else if (text.rfind("plane:", 0) == 0) {
        const auto n = numbers(text, 6, 4, "plane:nx,ny,nz,d", where);
        c.kind = ColliderEntry::Kind::Plane;
        c.a = {n[0], n[1], n[2]};
        c.size = n[3];
        if (!(c.a.norm() > 0))
            throw Error(where, "normal of '" + text + "' is zero, expected a direction");
    } else if (text.rfind("capsule:", 0) == 0) {
        const auto n = numbers(text, 8, 7, "capsule:ax,ay,az,bx,by,bz,r", where);
        c.kind = ColliderEntry::Kind::Capsule;
        c.a = {n[0], n[1], n[2]};
        c.b = {n[3], n[4], n[5]};
        c.size = n[6];
        solid(c.size, text, where);
    } else {
        c.kind = ColliderEntry::Kind::File;
        c.file = text;
        if (text.find('.') == std::string::npos)
            throw Error(where, "'" + text +
                                   "' was found, expected sphere:x,y,z,r, plane:nx,ny,nz,d, "
                                   "capsule:ax,ay,az,bx,by,bz,r, a .vdb file or a mesh file");
        c.where = text;
    }
    return c;
}

} // namespace purl
