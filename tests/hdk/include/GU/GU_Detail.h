#pragma once
#include "GA/GA_AttributeDict.h"
#include "GA/GA_ElementGroup.h"
#include "GA/GA_Handle.h"
#include "GEO/GEO_Face.h"
#include "UT/UT_Vector3.h"
// GA_Detail, GEO_Detail and GU_Detail in one: no test tells them apart.
class GEO_Detail {
public:
    GEO_Detail();
    GEO_Detail(const GEO_Detail&) = delete;
    GA_Size getNumPoints() const { return points_; }
    GA_Size getNumPrimitives() const { return static_cast<GA_Size>(primitives.size()); }
    GA_Size getNumVertices() const;
    GA_Offset pointOffset(GA_Index i) const { return i + GA_Attribute::kShift[GA_ATTRIB_POINT]; }
    GA_Offset primitiveOffset(GA_Index i) const {
        return i + GA_Attribute::kShift[GA_ATTRIB_PRIMITIVE];
    }
    GA_Offset vertexOffset(GA_Index i) const { return i + GA_Attribute::kShift[GA_ATTRIB_VERTEX]; }
    GEO_Primitive* getGEOPrimitive(GA_Offset o) const {
        return primitives[o - GA_Attribute::kShift[GA_ATTRIB_PRIMITIVE]].get();
    }
    UT_Vector3 getPos3(GA_Offset o) const;
    void setPos3(GA_Offset o, const UT_Vector3& x);
    GA_Offset appendPointBlock(GA_Size n);
    const GA_AttributeDict& getAttributeDict(GA_AttributeOwner o) const { return attributes[o]; }
    GA_Attribute* findAttribute(GA_AttributeOwner o, const UT_StringRef& name);
    const GA_Attribute* findAttribute(GA_AttributeOwner o, const UT_StringRef& name) const;
    GA_Attribute* addFloatTuple(GA_AttributeOwner o, const UT_StringHolder& name, int size,
                                const GA_Defaults& defaults = GA_Defaults(0.0F)) {
        return add(o, name, size, GA_STORECLASS_REAL, defaults.value);
    }
    GA_Attribute* addIntTuple(GA_AttributeOwner o, const UT_StringHolder& name, int size,
                              const GA_Defaults& defaults = GA_Defaults(0.0F)) {
        return add(o, name, size, GA_STORECLASS_INT, defaults.value);
    }
    GA_Attribute* addStringTuple(GA_AttributeOwner o, const UT_StringHolder& name, int size) {
        return add(o, name, size, GA_STORECLASS_STRING, 0);
    }
    const GA_PointGroupTable& pointGroups() const { return pointGroups_; }
    const GA_PrimitiveGroupTable& primitiveGroups() const { return primitiveGroups_; }
    GA_PointGroup* newPointGroup(const UT_StringHolder& name);
    GA_PrimitiveGroup* newPrimitiveGroup(const UT_StringHolder& name);
    void clearAndDestroy();
    void replaceWith(const GEO_Detail& src);
    void bumpAllDataIds() {}
    int64 getMemoryUsage(bool inclusive) const;

    // Not of the HDK.
    void grow();
    GA_Attribute* add(GA_AttributeOwner o, const UT_StringHolder& name, int size,
                      GA_StorageClass storage, double initial);
    std::vector<std::unique_ptr<GEO_Primitive>> primitives;
    GA_AttributeDict attributes[4];

private:
    GA_Size points_ = 0;
    GA_PointGroupTable pointGroups_;
    GA_PrimitiveGroupTable primitiveGroups_;
};
class GU_Detail : public GEO_Detail {};
