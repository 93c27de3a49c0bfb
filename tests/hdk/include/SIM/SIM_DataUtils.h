#pragma once
#include "SIM/SIM_Data.h"
#include "SIM/SIM_DopDescription.h"
#define DECLARE_STANDARD_GETCASTTOTYPE()                                                           \
public:                                                                                            \
    static const char* castName()
#define DECLARE_DATAFACTORY(DataClass, SuperClass, Description, DopParms)                          \
public:                                                                                            \
    static const char* classname() { return #DataClass; }                                          \
    static const SIM_DopDescription* dopDescription() { return DopParms; }                         \
    static SIM_Data* createForDouble() {                                                           \
        auto* made = new DataClass(nullptr);                                                       \
        made->type = #DataClass;                                                                   \
        made->initializeSubclass();                                                                \
        return made;                                                                               \
    }                                                                                              \
    static const char* describedAs() { return Description; }                                       \
    using Super = SuperClass
#define IMPLEMENT_DATAFACTORY(DataClass) hdk::factories()[#DataClass] = &DataClass::createForDouble
#define SIM_DATA_CREATE(data, name, type, flags)                                                   \
    static_cast<type*>((data).createNamedSubData(name, #type, flags))
