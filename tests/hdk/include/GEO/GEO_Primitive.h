#pragma once
#include "GA/GA_Types.h"
#include <vector>
class GEO_Detail;
class GEO_Primitive {
public:
    virtual ~GEO_Primitive() = default;
    virtual GA_PrimitiveTypeId getTypeId() const = 0;
    GA_Size getVertexCount() const { return static_cast<GA_Size>(points.size()); }
    GA_Index getPointIndex(GA_Size i) const { return points[i]; }
    virtual GEO_Primitive* clone() const = 0; // not of the HDK, as what follows
    std::vector<GA_Index> points;
};
