#include "purl/host/attributes.h"

#include "purl/base/error.h"

namespace purl {

const Attribute* vectorAttribute(const Detail& d, const char* name, const std::string& file) {
    const Attribute* a = d.findPoint(name);
    if (!a) return nullptr;
    if (a->type != Attribute::Type::Numeric || a->size != 3)
        throw Error(file + ": point attribute " + name,
                    "has " + std::to_string(a->size) + " components, expected 3 numbers");
    return a;
}

const Attribute* scalarAttribute(const Detail& d, Owner owner, const char* name) {
    const Attribute* a = d.find(owner, name);
    return a && a->type == Attribute::Type::Numeric ? a : nullptr;
}

void noSuchGroup(const Detail& d, const std::string& group, const std::string& file) {
    std::string names;
    for (Owner o : {Owner::Point, Owner::Primitive})
        for (const Group& g : d.groups[static_cast<int>(o)])
            names += (names.empty() ? "" : ", ") + g.name;
    throw Error(file, "has no point or primitive group '" + group + "', expected one of " +
                          (names.empty() ? "its groups, but it has none" : names));
}

} // namespace purl
