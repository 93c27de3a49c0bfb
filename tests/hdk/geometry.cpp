// What the geometry of the double does.
#include "GU/GU_PrimPoly.h"
#include "GU/GU_PrimVDB.h"

GEO_Detail::GEO_Detail() {
    add(GA_ATTRIB_POINT, "P", 3, GA_STORECLASS_REAL, 0)->setTypeInfo(GA_TYPE_POINT);
}

GA_Size GEO_Detail::getNumVertices() const {
    GA_Size n = 0;
    for (const auto& p : primitives) n += p->getVertexCount();
    return n;
}

UT_Vector3 GEO_Detail::getPos3(GA_Offset o) const {
    const GA_ROHandleF p(findAttribute(GA_ATTRIB_POINT, "P"));
    return {p.get(o, 0), p.get(o, 1), p.get(o, 2)};
}

void GEO_Detail::setPos3(GA_Offset o, const UT_Vector3& x) {
    const GA_RWHandleF p(findAttribute(GA_ATTRIB_POINT, "P"));
    for (unsigned k = 0; k < 3; ++k) p.set(o, static_cast<int>(k), x(k));
}

GA_Offset GEO_Detail::appendPointBlock(GA_Size n) {
    const GA_Offset first = pointOffset(points_);
    points_ += n;
    grow();
    return first;
}

void GEO_Detail::grow() {
    const exint counts[] = {getNumVertices(), points_, getNumPrimitives(), 1};
    for (int o = 0; o < 4; ++o)
        for (auto& [name, a] : attributes[o].map) a->grow(counts[o]);
}

GA_Attribute* GEO_Detail::add(GA_AttributeOwner o, const UT_StringHolder& name, int size,
                              GA_StorageClass storage, double initial) {
    auto a = std::make_unique<GA_Attribute>();
    a->name = name;
    a->owner = o;
    a->tuple = size;
    a->storage = storage;
    a->initial = initial;
    GA_Attribute* out = a.get();
    attributes[o].map[name.toStdString()] = std::move(a);
    grow();
    return out;
}

GA_Attribute* GEO_Detail::findAttribute(GA_AttributeOwner o, const UT_StringRef& name) {
    const auto it = attributes[o].map.find(name.toStdString());
    return it == attributes[o].map.end() ? nullptr : it->second.get();
}
const GA_Attribute* GEO_Detail::findAttribute(GA_AttributeOwner o, const UT_StringRef& name) const {
    return const_cast<GEO_Detail*>(this)->findAttribute(o, name);
}

GA_PointGroup* GEO_Detail::newPointGroup(const UT_StringHolder& name) {
    auto& g = pointGroups_.map[name.toStdString()];
    g = std::make_unique<GA_PointGroup>();
    g->name = name;
    g->owner = GA_ATTRIB_POINT;
    return g.get();
}
GA_PrimitiveGroup* GEO_Detail::newPrimitiveGroup(const UT_StringHolder& name) {
    auto& g = primitiveGroups_.map[name.toStdString()];
    g = std::make_unique<GA_PrimitiveGroup>();
    g->name = name;
    g->owner = GA_ATTRIB_PRIMITIVE;
    return g.get();
}

void GEO_Detail::clearAndDestroy() {
    primitives.clear();
    points_ = 0;
    for (auto& d : attributes) d.map.clear();
    pointGroups_.map.clear();
    primitiveGroups_.map.clear();
    add(GA_ATTRIB_POINT, "P", 3, GA_STORECLASS_REAL, 0)->setTypeInfo(GA_TYPE_POINT);
}

void GEO_Detail::replaceWith(const GEO_Detail& src) {
    if (&src == this) return;
    clearAndDestroy();
    points_ = src.points_;
    for (const auto& p : src.primitives) primitives.emplace_back(p->clone());
    for (int o = 0; o < 4; ++o) {
        attributes[o].map.clear();
        for (const auto& [name, a] : src.attributes[o].map)
            attributes[o].map[name] = std::make_unique<GA_Attribute>(*a);
    }
    for (const auto& [name, g] : src.pointGroups_.map)
        pointGroups_.map[name] = std::make_unique<GA_PointGroup>(*g);
    for (const auto& [name, g] : src.primitiveGroups_.map)
        primitiveGroups_.map[name] = std::make_unique<GA_PrimitiveGroup>(*g);
}

int64 GEO_Detail::getMemoryUsage(bool inclusive) const {
    int64 n = inclusive ? sizeof(*this) : 0;
    for (const auto& d : attributes)
        for (const auto& [name, a] : d.map) n += static_cast<int64>(a->numbers.size()) * 4;
    return n;
}

GU_PrimPoly* GU_PrimPoly::build(GEO_Detail* gdp, int npts, int open, int appendpts) {
    auto p = std::make_unique<GU_PrimPoly>();
    GU_PrimPoly* out = p.get();
    out->closed = !open;
    out->detail = gdp;
    gdp->primitives.push_back(std::move(p));
    if (appendpts)
        for (int i = 0; i < npts; ++i) out->appendVertex(gdp->appendPointBlock(1));
    gdp->grow();
    return out;
}

GA_Size GU_PrimPoly::appendVertex(GA_Offset point) {
    points.push_back(point - GA_Attribute::kShift[GA_ATTRIB_POINT]);
    return getVertexCount() - 1;
}

GU_PrimVDB* GU_PrimVDB::buildFromGrid(GU_Detail& gdp, openvdb::GridBase::Ptr grid,
                                      const GEO_PrimVDB*, const char* name) {
    auto p = std::make_unique<GU_PrimVDB>();
    GU_PrimVDB* out = p.get();
    out->grid = std::move(grid);
    out->name = name ? name : out->grid->getName();
    out->points.push_back(gdp.getNumPoints());
    gdp.appendPointBlock(1);
    gdp.primitives.push_back(std::move(p));
    gdp.grow();
    return out;
}
