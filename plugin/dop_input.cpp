#include "plugin/dop_input.h"

#include "plugin/collider_input.h"
#include "plugin/geometry.h"
#include "purl/base/error.h"
#include "purl/base/hash.h"

#include <SIM/SIM_Object.h>

namespace purl::houdini {

namespace {

Vec3 moved(const Vec3& x, const UT_DMatrix4& m, double w) { // Houdini's vectors are rows
    Vec3 out;
    for (unsigned c = 0; c < 3; ++c)
        out[c] = x.x() * m(0, c) + x.y() * m(1, c) + x.z() * m(2, c) + w * m(3, c);
    return out;
}

Eigen::Matrix4d ours(const UT_DMatrix4& m) {
    Eigen::Matrix4d out;
    for (unsigned r = 0; r < 4; ++r)
        for (unsigned c = 0; c < 4; ++c) out(c, r) = m(r, c);
    return out;
}

// Polygons of an object that is scaled or sheared: their points go to the world.
void toWorld(ColliderFrame& c, const UT_DMatrix4& m) {
    for (Vec3& x : c.mesh.x) x = moved(x, m, 1);
    for (Vec3& v : c.velocity) v = moved(v, m, 0);
    Hash h;
    h.add(c.mesh.x);
    h.add(c.mesh.triangles);
    h.add(c.velocity);
    c.digest = h.value();
}

} // namespace

ColliderFrames collidersOf(const SIM_Object& object, std::vector<std::string>& warnings) {
    SIM_ConstObjectArray affectors;
    object.getConstAffectors(affectors, "SIM_RelationshipCollide");
    ColliderFrames all;
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
        try { // a rigid body keeps its level set and moves it
            one.pose = Pose::fromMatrix(ours(xform), name.c_str());
        } catch (const Error&) {
            if (one.grids) throw;
            toWorld(one, xform);
        }
        all.push_back(std::move(one));
    }
    return all;
}

std::vector<Vec3> forcesOn(const SIM_Object& object, const ForceSites& sites) {
    SIM_ConstDataArray found;
    object.filterConstSubData(found, nullptr, SIM_DataFilterByType("SIM_Force"),
                              SIM_FORCES_DATANAME, SIM_DataFilterNone());
    if (found.entries() == 0) return {};
    std::vector<Vec3> out(sites.x.size(), Vec3::Zero());
    const auto theirs = [](const Vec3& a) {
        return UT_Vector3(static_cast<fpreal32>(a.x()), static_cast<fpreal32>(a.y()),
                          static_cast<fpreal32>(a.z()));
    };
    for (exint i = 0; i < found.entries(); ++i) {
        const auto* force = dynamic_cast<const SIM_Force*>(found(i));
        if (!force) continue;
        for (std::size_t p = 0; p < out.size(); ++p) {
            if (!(sites.mass[p] > 0)) continue;
            UT_Vector3 f(0, 0, 0), torque(0, 0, 0);
            force->getForce(object, theirs(sites.x[p]), theirs(sites.v[p]), UT_Vector3(0, 0, 0),
                            sites.mass[p], f, torque);
            out[p] += Vec3(f.x(), f.y(), f.z());
        }
    }
    return out;
}

} // namespace purl::houdini
