#include "plugin/dop_input.h"

#include "plugin/collider_input.h"
#include "plugin/geometry.h"
#include "purl/base/error.h"
#include "purl/base/hash.h"

#include <SIM/SIM_Object.h>

namespace purl::houdini {

namespace {

bool isIdentity(const UT_DMatrix4& m) {
    for (unsigned r = 0; r < 4; ++r)
        for (unsigned c = 0; c < 4; ++c)
            if (m(r, c) != (r == c ? 1.0 : 0.0)) return false;
    return true;
}

Vec3 moved(const Vec3& x, const UT_DMatrix4& m, double w) { // Houdini's vectors are rows
    Vec3 out;
    for (unsigned c = 0; c < 3; ++c)
        out[c] = x.x() * m(0, c) + x.y() * m(1, c) + x.z() * m(2, c) + w * m(3, c);
    return out;
}

} // namespace

ColliderFrame collidersOf(const SIM_Object& object, std::vector<std::string>& warnings) {
    SIM_ConstObjectArray affectors;
    object.getConstAffectors(affectors, "SIM_RelationshipCollide");
    ColliderFrame all;
    bool still = true; // no affector has velocities
    for (exint i = 0; i < affectors.entries(); ++i) {
        const SIM_Object* other = affectors(i);
        const SIM_Geometry* geometry = other && other != &object ? other->getGeometry() : nullptr;
        if (!geometry) continue;
        const GU_ConstDetailHandle handle = geometry->getGeometry();
        const std::string name = "collider " + std::to_string(i + 1);
        ColliderFrame one = readCollider(handle.isValid() ? handle.gdp() : nullptr, name, warnings);
        if (!one.there()) continue;
        UT_DMatrix4 xform;
        geometry->getTransform(xform);
        if (one.grids) {
            if (!isIdentity(xform))
                throw Error(name, "is a VDB whose object is moved, expected one in the world: "
                                  "animate the VDB itself, or collide with polygons");
            return one;
        }
        const Index first = static_cast<Index>(all.mesh.x.size());
        for (const Vec3& x : one.mesh.x) all.mesh.x.push_back(moved(x, xform, 1));
        for (auto t : one.mesh.triangles) {
            for (Index& p : t) p += first;
            all.mesh.triangles.push_back(t);
        }
        still &= one.velocity.empty();
        one.velocity.resize(one.mesh.x.size(), Vec3::Zero());
        for (const Vec3& v : one.velocity) all.velocity.push_back(moved(v, xform, 0));
    }
    if (still) all.velocity.clear(); // from the motion of the points, then
    Hash h;
    h.add(all.mesh.x);
    h.add(all.mesh.triangles);
    h.add(all.velocity);
    all.digest = all.there() ? h.value() : 0;
    return all;
}

std::vector<Vec3> forcesOn(const SIM_Object& object, Span<const Vec3> x, Span<const Vec3> v,
                           Span<const double> mass) {
    SIM_ConstDataArray found;
    object.filterConstSubData(found, nullptr, SIM_DataFilterByType("SIM_Force"),
                              SIM_FORCES_DATANAME, SIM_DataFilterNone());
    if (found.entries() == 0) return {};
    std::vector<Vec3> out(x.size(), Vec3::Zero());
    const auto theirs = [](const Vec3& a) {
        return UT_Vector3(static_cast<fpreal32>(a.x()), static_cast<fpreal32>(a.y()),
                          static_cast<fpreal32>(a.z()));
    };
    for (exint i = 0; i < found.entries(); ++i) {
        const auto* force = dynamic_cast<const SIM_Force*>(found(i));
        if (!force) continue;
        for (std::size_t p = 0; p < x.size(); ++p) {
            if (!(mass[p] > 0)) continue;
            UT_Vector3 f(0, 0, 0), torque(0, 0, 0);
            force->getForce(object, theirs(x[p]), theirs(v[p]), UT_Vector3(0, 0, 0), mass[p], f,
                            torque);
            out[p] += Vec3(f.x(), f.y(), f.z());
        }
    }
    return out;
}

} // namespace purl::houdini
