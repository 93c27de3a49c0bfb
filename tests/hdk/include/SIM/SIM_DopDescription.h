#pragma once
#include "PRM/PRM_Template.h"
class SIM_DopDescription {
public:
    SIM_DopDescription(bool create, const char* dop, const char* english, const char* data,
                       const char* type, const PRM_Template* parms)
        : createDop(create), dopName(dop), label(english), dataName(data), typeName(type),
          templates(parms) {}
    void setDefaultUniqueDataName(bool) {}
    // Not of the HDK.
    bool createDop;
    std::string dopName, label, dataName, typeName;
    const PRM_Template* templates;
};
