#pragma once
#include "GU/GU_Detail.h"
class GU_PrimPoly : public GEO_Face {
public:
    static GU_PrimPoly* build(GEO_Detail* gdp, int npts, int open = 0, int appendpts = 1);
    GA_Size appendVertex(GA_Offset point);
    GEO_Primitive* clone() const override { return new GU_PrimPoly(*this); }
    GEO_Detail* detail = nullptr; // not of the HDK
};
