#pragma once
#include "GEO/GEO_PrimVDB.h"
#include "GU/GU_Detail.h"
class GU_PrimVDB : public GEO_PrimVDB {
public:
    static GU_PrimVDB* buildFromGrid(GU_Detail& gdp, openvdb::GridBase::Ptr grid,
                                     const GEO_PrimVDB* src = nullptr, const char* name = nullptr);
    GEO_Primitive* clone() const override { return new GU_PrimVDB(*this); }
};
