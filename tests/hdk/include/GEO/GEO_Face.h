#pragma once
#include "GEO/GEO_Primitive.h"
class GEO_Face : public GEO_Primitive {
public:
    bool isClosed() const { return closed; }
    GA_PrimitiveTypeId getTypeId() const override { return GA_PrimitiveTypeId(kind); }
    GEO_Primitive* clone() const override { return new GEO_Face(*this); }
    bool closed = true; // not of the HDK, as what follows
    int kind = GA_PRIMPOLY;
};
