#pragma once
#include "GA/GA_Types.h"
#include "UT/UT_StringHolder.h"
#include <vector>
class GA_Attribute {
public:
    const UT_StringHolder& getName() const { return name; }
    int getTupleSize() const { return tuple; }
    GA_StorageClass getStorageClass() const { return storage; }
    GA_TypeInfo getTypeInfo() const { return info; }
    void setTypeInfo(GA_TypeInfo t) { info = t; }
    void bumpDataId() { ++dataId; }

    // Not of the HDK: how the double keeps it.
    UT_StringHolder name;
    GA_AttributeOwner owner = GA_ATTRIB_POINT;
    int tuple = 1;
    GA_StorageClass storage = GA_STORECLASS_REAL;
    GA_TypeInfo info = GA_TYPE_VOID;
    double initial = 0;
    std::vector<double> numbers; // by index
    std::vector<UT_StringHolder> texts;
    exint dataId = 0;
    static constexpr GA_Offset kShift[] = {11, 3, 5, 0}; // offsets are no indices
    GA_Index at(GA_Offset offset) const { return offset - kShift[owner]; }
    void grow(exint n) {
        if (storage == GA_STORECLASS_STRING)
            texts.resize(n * tuple);
        else
            numbers.resize(n * tuple, initial);
    }
};
