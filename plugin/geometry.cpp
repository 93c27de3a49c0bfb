#include "plugin/geometry.h"

#include <GA/GA_AttributeDict.h>
#include <GA/GA_ElementGroup.h>
#include <GA/GA_Handle.h>
#include <GEO/GEO_Face.h>
#include <GU/GU_Detail.h>
#include <GU/GU_PrimPoly.h>

namespace purl::houdini {

namespace {

struct OwnerPair {
    Owner ours;
    GA_AttributeOwner theirs;
};
constexpr OwnerPair kOwners[] = {{Owner::Vertex, GA_ATTRIB_VERTEX},
                                 {Owner::Point, GA_ATTRIB_POINT},
                                 {Owner::Primitive, GA_ATTRIB_PRIMITIVE},
                                 {Owner::Global, GA_ATTRIB_DETAIL}};

struct InfoPair {
    const char* ours;
    GA_TypeInfo theirs;
};
constexpr InfoPair kInfos[] = {
    {"point", GA_TYPE_POINT},           {"vector", GA_TYPE_VECTOR},
    {"normal", GA_TYPE_NORMAL},         {"color", GA_TYPE_COLOR},
    {"quaternion", GA_TYPE_QUATERNION}, {"texturecoord", GA_TYPE_TEXTURE_COORD}};

GA_AttributeOwner theirs(Owner o) {
    for (const OwnerPair& p : kOwners)
        if (p.ours == o) return p.theirs;
    return GA_ATTRIB_POINT;
}

GA_Offset offsetOf(const GU_Detail& gdp, Owner owner, Index i) {
    if (owner == Owner::Point) return gdp.pointOffset(i);
    if (owner == Owner::Primitive) return gdp.primitiveOffset(i);
    if (owner == Owner::Vertex) return gdp.vertexOffset(i);
    return GA_Offset(0);
}

void readAttribute(const GU_Detail& gdp, Owner owner, const GA_Attribute& a, Detail& d) {
    const std::string name = a.getName().toStdString();
    const int size = a.getTupleSize();
    const Index n = static_cast<Index>(d.count(owner));
    if (a.getStorageClass() == GA_STORECLASS_STRING) {
        const GA_ROHandleS from(&a);
        if (from.isInvalid()) return;
        Attribute& to = d.addString(owner, name, size);
        for (Index i = 0; i < n; ++i)
            for (int k = 0; k < size; ++k) {
                const UT_StringHolder text = from.get(offsetOf(gdp, owner, i), k);
                if (text.isstring()) to.setText(i, k, text.toStdString());
            }
        return;
    }
    std::string info;
    for (const InfoPair& p : kInfos)
        if (p.theirs == a.getTypeInfo()) info = p.ours;
    if (a.getStorageClass() == GA_STORECLASS_REAL) {
        const GA_ROHandleF from(&a);
        if (from.isInvalid()) return;
        std::vector<float>& to = *d.addFloat(owner, name, size, info).as<float>();
        for (Index i = 0; i < n; ++i)
            for (int k = 0; k < size; ++k)
                to[static_cast<std::size_t>(i) * size + k] = from.get(offsetOf(gdp, owner, i), k);
    } else if (a.getStorageClass() == GA_STORECLASS_INT) {
        const GA_ROHandleI from(&a);
        if (from.isInvalid()) return;
        std::vector<std::int32_t>& to = *d.addInt(owner, name, size, info).as<std::int32_t>();
        for (Index i = 0; i < n; ++i)
            for (int k = 0; k < size; ++k)
                to[static_cast<std::size_t>(i) * size + k] = from.get(offsetOf(gdp, owner, i), k);
    }
}

void readPrimitives(const GU_Detail& gdp, Detail& d) {
    std::vector<Index> points;
    for (GA_Index i = 0; i < gdp.getNumPrimitives(); ++i) {
        const GEO_Primitive* p = gdp.getGEOPrimitive(gdp.primitiveOffset(i));
        const int type = p->getTypeId().get();
        PrimitiveKind kind = PrimitiveKind::Opaque;
        bool closed = false;
        points.clear();
        if (type == GA_PRIMPOLY || type == GA_PRIMNURBCURVE || type == GA_PRIMBEZCURVE) {
            closed = static_cast<const GEO_Face*>(p)->isClosed();
            kind = type == GA_PRIMNURBCURVE  ? PrimitiveKind::NurbsCurve
                   : type == GA_PRIMBEZCURVE ? PrimitiveKind::BezierCurve
                   : closed                  ? PrimitiveKind::Polygon
                                             : PrimitiveKind::Polyline;
        }
        // All primitives keep their vertices, so that vertex attributes stay in step.
        for (GA_Size v = 0; v < p->getVertexCount(); ++v)
            points.push_back(static_cast<Index>(p->getPointIndex(v)));
        const Index made = d.addPrimitive(kind, points);
        d.primitiveClosed[made] = closed ? 1 : 0;
    }
}

template <class Table>
void readGroups(const Table& table, const GU_Detail& gdp, Owner owner, Detail& d) {
    for (auto it = table.beginTraverse(); !it.atEnd(); ++it) {
        Group& g = d.addGroup(owner, it.group()->getName().toStdString());
        for (std::size_t i = 0; i < g.member.size(); ++i)
            g.member[i] = it.group()->contains(offsetOf(gdp, owner, static_cast<Index>(i))) ? 1 : 0;
    }
}

} // namespace

Detail readGeometry(const GU_Detail& gdp) {
    Detail d;
    d.addPoints(static_cast<Index>(gdp.getNumPoints()));
    readPrimitives(gdp, d);
    for (const OwnerPair& o : kOwners)
        for (auto it = gdp.getAttributeDict(o.theirs).begin(GA_SCOPE_PUBLIC); !it.atEnd(); ++it)
            readAttribute(gdp, o.ours, *it.attrib(), d);
    readGroups(gdp.pointGroups(), gdp, Owner::Point, d);
    readGroups(gdp.primitiveGroups(), gdp, Owner::Primitive, d);
    return d;
}

void writeAttribute(GU_Detail& gdp, Owner owner, const Attribute& from) {
    const GA_AttributeOwner o = theirs(owner);
    const UT_StringHolder name(from.name);
    GA_Attribute* to = gdp.findAttribute(o, name);
    const Index n = static_cast<Index>(from.elements());
    if (from.type == Attribute::Type::String) {
        if (!to || to->getStorageClass() != GA_STORECLASS_STRING || to->getTupleSize() != from.size)
            to = gdp.addStringTuple(o, name, from.size);
        const GA_RWHandleS out(to);
        for (Index i = 0; i < n; ++i)
            for (int k = 0; k < from.size; ++k)
                out.set(offsetOf(gdp, owner, i), k, UT_StringHolder(from.text(i, k)));
        out.bumpDataId();
        return;
    }
    if (from.type != Attribute::Type::Numeric) return;
    const bool real = from.storage() >= Storage::Float16;
    const GA_StorageClass storage = real ? GA_STORECLASS_REAL : GA_STORECLASS_INT;
    if (!to || to->getStorageClass() != storage || to->getTupleSize() != from.size) {
        double first = 0;
        std::visit(
            [&](const auto& v) {
                if (!v.empty()) first = static_cast<double>(v[0]);
            },
            from.defaults);
        const GA_Defaults defaults(static_cast<fpreal32>(first));
        to = real ? gdp.addFloatTuple(o, name, from.size, defaults)
                  : gdp.addIntTuple(o, name, from.size, defaults);
    }
    for (const InfoPair& p : kInfos)
        if (from.typeInfo == p.ours) to->setTypeInfo(p.theirs);
    if (real) {
        const GA_RWHandleF out(to);
        for (Index i = 0; i < n; ++i)
            for (int k = 0; k < from.size; ++k)
                out.set(offsetOf(gdp, owner, i), k, static_cast<fpreal32>(from.real(i, k)));
        out.bumpDataId();
    } else {
        const GA_RWHandleI out(to);
        for (Index i = 0; i < n; ++i)
            for (int k = 0; k < from.size; ++k)
                out.set(offsetOf(gdp, owner, i), k, static_cast<int32>(from.integer(i, k)));
        out.bumpDataId();
    }
}

void writePointAttributes(GU_Detail& gdp, const std::vector<Attribute>& attributes) {
    for (const Attribute& a : attributes)
        if (static_cast<GA_Size>(a.elements()) == gdp.getNumPoints())
            writeAttribute(gdp, Owner::Point, a);
}

Index appendGeometry(GU_Detail& gdp, const Detail& d) {
    const Index first = static_cast<Index>(gdp.getNumPoints());
    const bool alone = first == 0 && gdp.getNumPrimitives() == 0;
    const GA_Offset start = d.points() > 0 ? gdp.appendPointBlock(d.points()) : GA_INVALID_OFFSET;
    if (d.points() == 0) return first;
    (void)start;
    const std::vector<Vec3> x = d.positions();
    for (Index i = 0; i < d.points(); ++i)
        gdp.setPos3(gdp.pointOffset(first + i),
                    UT_Vector3(static_cast<fpreal32>(x[i].x()), static_cast<fpreal32>(x[i].y()),
                               static_cast<fpreal32>(x[i].z())));
    for (Index p = 0; p < d.primitives(); ++p) {
        if (!d.isCurve(p)) continue;
        GU_PrimPoly* poly = GU_PrimPoly::build(&gdp, 0, d.primitiveClosed[p] ? 0 : 1, 0);
        for (Index q : d.pointsOf(p)) poly->appendVertex(gdp.pointOffset(first + q));
    }
    if (alone) {
        for (const OwnerPair& o : kOwners)
            for (const Attribute& a : d.attributes[static_cast<int>(o.ours)])
                if (a.name != "P") writeAttribute(gdp, o.ours, a);
    } else { // among others: the points' attributes, at their places
        for (const Attribute& a : d.attributes[static_cast<int>(Owner::Point)]) {
            if (a.name == "P") continue;
            Detail whole;
            whole.addPoints(static_cast<Index>(gdp.getNumPoints()));
            Attribute& to = a.type == Attribute::Type::String
                                ? whole.addString(Owner::Point, a.name, a.size)
                                : whole.add(Owner::Point, a.name, a.storage(), a.size, a.typeInfo);
            for (Index i = 0; i < d.points(); ++i)
                for (int k = 0; k < a.size; ++k)
                    if (a.type == Attribute::Type::String)
                        to.setText(first + i, k, a.text(i, k));
                    else
                        to.set(first + i, k, a.real(i, k));
            writeAttribute(gdp, Owner::Point, to);
        }
    }
    for (const Group& g : d.groups[static_cast<int>(Owner::Point)]) {
        GA_PointGroup* to = gdp.newPointGroup(UT_StringHolder(g.name));
        for (Index i = 0; i < d.points(); ++i)
            if (g.member[i]) to->setElement(gdp.pointOffset(first + i), true);
    }
    gdp.bumpAllDataIds();
    return first;
}

} // namespace purl::houdini
