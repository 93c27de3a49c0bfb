#pragma once
#include "SYS/SYS_Types.h"
using GA_Offset = exint;
using GA_Index = exint;
using GA_Size = exint;
constexpr GA_Offset GA_INVALID_OFFSET = -1;
enum GA_AttributeOwner { GA_ATTRIB_VERTEX, GA_ATTRIB_POINT, GA_ATTRIB_PRIMITIVE, GA_ATTRIB_GLOBAL };
constexpr GA_AttributeOwner GA_ATTRIB_DETAIL = GA_ATTRIB_GLOBAL;
enum GA_AttributeScope { GA_SCOPE_INVALID = -1, GA_SCOPE_PUBLIC, GA_SCOPE_PRIVATE, GA_SCOPE_GROUP };
enum GA_StorageClass {
    GA_STORECLASS_INVALID = -1,
    GA_STORECLASS_INT,
    GA_STORECLASS_REAL,
    GA_STORECLASS_STRING,
    GA_STORECLASS_DICT,
    GA_STORECLASS_OTHER
};
enum GA_TypeInfo {
    GA_TYPE_VOID,
    GA_TYPE_POINT,
    GA_TYPE_HPOINT,
    GA_TYPE_VECTOR,
    GA_TYPE_NORMAL,
    GA_TYPE_COLOR,
    GA_TYPE_TRANSFORM,
    GA_TYPE_QUATERNION,
    GA_TYPE_INDEXPAIR,
    GA_TYPE_NONARITHMETIC_INTEGER,
    GA_TYPE_BOX,
    GA_TYPE_TEXTURE_COORD
};
enum GA_PrimCompatTypes {
    GA_PRIMNONE,
    GA_PRIMPOLY,
    GA_PRIMNURBCURVE,
    GA_PRIMBEZCURVE,
    GA_PRIMVDB,
    GA_PRIMSPHERE
};
class GA_PrimitiveTypeId {
public:
    explicit GA_PrimitiveTypeId(int id) : id_(id) {}
    int get() const { return id_; }

private:
    int id_;
};
class GA_Defaults {
public:
    explicit GA_Defaults(fpreal32 v) : value(v) {}
    fpreal32 value;
};
