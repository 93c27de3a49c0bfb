#pragma once
#include "GEO/GEO_Primitive.h"
#include "UT/UT_StringHolder.h"
#include <openvdb/openvdb.h>
class GEO_PrimVDB : public GEO_Primitive {
public:
    GA_PrimitiveTypeId getTypeId() const override { return GA_PrimitiveTypeId(GA_PRIMVDB); }
    bool hasGrid() const { return grid != nullptr; }
    openvdb::GridBase::ConstPtr getConstGridPtr() const { return grid; }
    const char* getGridName() const { return name.c_str(); }
    GEO_Primitive* clone() const override { return new GEO_PrimVDB(*this); }
    openvdb::GridBase::Ptr grid; // not of the HDK, as what follows
    std::string name;
};
