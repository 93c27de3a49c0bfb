// What the DOP side of the double does.
#include "SIM/SIM_SingleSolver.h"

#include <cstdlib>
#include <stdexcept>

namespace hdk {
std::map<std::string, Creator>& factories() {
    static std::map<std::string, Creator> all;
    return all;
}
} // namespace hdk

const UT_StringHolder& SIM_Options::text(const UT_StringRef& n, int i) const {
    const auto it = values.find(n.toStdString());
    if (it == values.end()) throw std::logic_error("no option " + n.toStdString());
    return it->second.at(static_cast<std::size_t>(i));
}
fpreal64 SIM_Options::number(const UT_StringRef& n, int i) const {
    return std::atof(text(n, i).c_str());
}
UT_Vector3D SIM_Options::getOptionV3(const UT_StringRef& n) const {
    return {number(n, 0), number(n, 1), number(n, 2)};
}

SIM_Data* SIM_Data::createNamedSubData(const char* name, const char* wanted, int flags) {
    auto& data = subdata[name];
    if (data && (flags & SIM_DATA_RETURN_EXISTING) && data->type == wanted) return data.get();
    data.reset(hdk::factories().at(wanted)());
    return data.get();
}

const SIM_Data* SIM_Object::getConstNamedSubData(const char* name) const {
    const auto it = subdata.find(name);
    return it == subdata.end() ? nullptr : it->second.get();
}
SIM_Data* SIM_Object::getNamedSubData(const char* name) {
    return const_cast<SIM_Data*>(getConstNamedSubData(name));
}
const SIM_Geometry* SIM_Object::getGeometry() const {
    return dynamic_cast<const SIM_Geometry*>(getConstNamedSubData(SIM_GEOMETRY_DATANAME));
}
void SIM_Object::getConstAffectors(SIM_ConstObjectArray& out, const char*) const {
    for (const SIM_Object* o : affectors) out.append(o);
}
void SIM_Object::filterConstSubData(SIM_ConstDataArray& out, const char*,
                                    const SIM_DataFilterByType& filter, const char*,
                                    const SIM_DataFilterNone&) const {
    if (filter.type == "SIM_Force")
        for (const auto& f : forces) out.append(f.get());
}
