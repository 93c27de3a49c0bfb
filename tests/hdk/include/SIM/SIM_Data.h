#pragma once
#include "SYS/SYS_Types.h"
#include "UT/UT_Array.h"
#include "UT/UT_Error.h"
#include "UT/UT_IStream.h"
#include "UT/UT_StringHolder.h"
#include "UT/UT_Vector3.h"
#include <map>
#include <memory>
#include <ostream>
#include <string>
class SIM_DataFactory {};
class SIM_RootData;
class SIM_Data;
namespace hdk {
using Creator = SIM_Data* (*)();
std::map<std::string, Creator>& factories(); // by class name
} // namespace hdk
enum { SIM_DATA_RETURN_EXISTING = 1, SIM_DATA_ADOPT_EXISTING_ON_DELETE = 2 };
enum SIM_ErrorCodes { SIM_MESSAGE = 0 };
class SIM_Options {
public:
    int64 getOptionI(const UT_StringRef& n) const { return static_cast<int64>(number(n)); }
    bool getOptionB(const UT_StringRef& n) const { return number(n) != 0; }
    fpreal64 getOptionF(const UT_StringRef& n) const { return number(n); }
    const UT_StringHolder& getOptionS(const UT_StringRef& n) const { return text(n); }
    UT_Vector3D getOptionV3(const UT_StringRef& n) const;
    // Not of the HDK.
    const UT_StringHolder& text(const UT_StringRef& n, int i = 0) const;
    fpreal64 number(const UT_StringRef& n, int i = 0) const;
    std::map<std::string, std::vector<UT_StringHolder>> values;
};
class SIM_Data {
public:
    explicit SIM_Data(const SIM_DataFactory*) {}
    virtual ~SIM_Data() = default;
    void addError(const SIM_RootData*, int, const char* text, UT_ErrorSeverity severity) const {
        said.emplace_back(severity, text);
    }
    SIM_Data* createNamedSubData(const char* name, const char* type, int flags);
    int64 getMemorySize() const { return getMemorySizeSubclass(); }
    // Not of the HDK: what tests call and read.
    void makeEqual(const SIM_Data* source) { makeEqualSubclass(source); }
    void save(std::ostream& out) const { saveSubclass(out); }
    bool load(UT_IStream& in) { return loadSubclass(in); }
    mutable std::vector<std::pair<UT_ErrorSeverity, std::string>> said;
    std::map<std::string, std::shared_ptr<SIM_Data>> subdata;
    std::string type;

protected:
    virtual void initializeSubclass() {}
    virtual void makeEqualSubclass(const SIM_Data*) {}
    virtual void saveSubclass(std::ostream&) const {}
    virtual bool loadSubclass(UT_IStream&) { return true; }
    virtual int64 getMemorySizeSubclass() const { return sizeof(*this); }
};
