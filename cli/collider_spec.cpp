#include "cli/collider_spec.h"
#include "cli/geometry_file.h"

#include "cli/flags.h"
#include "cli/sequence.h"
#include "preview/shapes.h"
#include "purl/base/error.h"
#include "purl/collide/mesh_sdf.h"
#include "purl/collide/shapes.h"
#include "purl/io/geo.h"
#include "purl/io/vdb.h"

#include <algorithm>

namespace purl::cli {

namespace {

TriMesh trianglesOf(const Detail& d, const std::string& path) {
    TriMesh m;
    m.x = d.positions();
    for (std::size_t i = 0; i < m.x.size(); ++i)
        if (!m.x[i].allFinite())
            throw Error(path + ": point " + std::to_string(i), "P is not finite, expected numbers");
    for (Index p = 0; p < d.primitives(); ++p) {
        if (d.primitiveKind[p] != PrimitiveKind::Polygon) continue;
        const auto ids = d.pointsOf(p);
        for (std::size_t k = 2; k < ids.size(); ++k)
            m.triangles.push_back({ids[0], ids[k - 1], ids[k]});
    }
    if (m.triangles.empty()) throw Error(path, "holds no polygon and no VDB, expected a collider");
    return m;
}

} // namespace

TriMesh readMesh(const std::string& path, std::vector<std::string>& warnings) {
    return trianglesOf(readGeometry(path, warnings), path);
}

LiveCollider::LiveCollider(const ColliderEntry& entry, int first, const ColliderSizes& sizes)
    : entry_(entry), sizes_(sizes), frame_(first) {
    switch (entry.kind) {
    case ColliderEntry::Kind::Sphere:
        collider_ = std::make_shared<SphereCollider>(entry.a, entry.size);
        break;
    case ColliderEntry::Kind::Plane:
        collider_ = std::make_shared<PlaneCollider>(entry.a, entry.size);
        break;
    case ColliderEntry::Kind::Capsule:
        collider_ = std::make_shared<CapsuleCollider>(entry.a, entry.b, entry.size);
        break;
    case ColliderEntry::Kind::File:
        sdf_ = std::make_shared<SdfCollider>(read(first, 0));
        collider_ = sdf_;
        break;
    }
    if (!entry.keys.empty()) collider_->setPose(poseAt(first), poseAt(first), 0);
}

FieldPtr LiveCollider::read(int frame, double seconds) {
    const std::string path = framePath(entry_.file, frame);
    SdfOptions sdf;
    sdf.surface = entry_.surface;
    sdf.velocity = entry_.velocity;
    sdf.reach =
        std::max(sdf.reach, 4 * sizes_.yarnRadius + entry_.thickness.value_or(sizes_.thickness));
    if (isVdbFile(path) || endsIn(path, ".vdb")) {
        guardVdbFile(path);
        return readSdf(path, sdf);
    }
    std::vector<std::string> warnings;
    const Detail d = readGeometry(path, warnings);
    // surface and v are primitives of their own; Houdini keeps their names in an attribute.
    guardEmbeddedVdbs(d, path);
    if (const auto b = joinEmbeddedVdbs(d, path); !b.empty())
        return readSdfBytes({reinterpret_cast<const char*>(b.data()), b.size()}, path, sdf);
    MeshSdfOptions options;
    options.voxel = entry_.voxel;
    options.yarnRadius = sizes_.yarnRadius;
    options.reach = sdf.reach;
    options.where = path;
    TriMesh mesh = trianglesOf(d, path);
    std::vector<Vec3> velocity;
    const Attribute* v = d.findPoint("v");
    if (v && v->type == Attribute::Type::Numeric && v->size == 3)
        velocity = d.vectors(*v);
    else if (seconds > 0 && !lastMesh_.x.empty())
        velocity = meshVelocity(lastMesh_, mesh, seconds, path);
    FieldPtr field = meshSdf(mesh, options, velocity);
    lastMesh_ = std::move(mesh);
    return field;
}

Pose LiveCollider::poseAt(int frame) const {
    const auto& k = entry_.keys;
    if (k.empty()) return {};
    if (frame <= k.front().frame) return k.front().pose;
    if (frame >= k.back().frame) return k.back().pose;
    std::size_t i = 1;
    while (k[i].frame < frame) ++i;
    const double s = double(frame - k[i - 1].frame) / double(k[i].frame - k[i - 1].frame);
    Pose p;
    p.rotation = k[i - 1].pose.rotation.slerp(s, k[i].pose.rotation);
    p.translation = (1 - s) * k[i - 1].pose.translation + s * k[i].pose.translation;
    return p;
}

void LiveCollider::setFrame(int frame, double seconds) {
    if (frame == frame_) return;
    if (!entry_.keys.empty()) collider_->setPose(poseAt(frame - 1), poseAt(frame), seconds);
    if (sdf_ && hasFrame(entry_.file)) {
        const FieldPtr before = sdf_->field();
        sdf_->setFields(before, read(frame, seconds), seconds);
    }
    frame_ = frame;
}

void LiveCollider::startAt(int frame, int first, double seconds) {
    if (frame == frame_ && frame == first) return;
    frame_ = frame - 1;
    if (sdf_ && hasFrame(entry_.file)) {
        lastMesh_ = {};
        const FieldPtr before = read(std::max(first, frame - 1), 0);
        sdf_->setFields(before, before, 0);
    }
    if (frame > first) return setFrame(frame, seconds);
    frame_ = frame;
    if (!entry_.keys.empty()) collider_->setPose(poseAt(frame), poseAt(frame), 0);
}

CollisionSettings LiveCollider::settings(const CollisionSettings& common) const {
    CollisionSettings s = common;
    s.friction = entry_.friction.value_or(s.friction);
    s.thickness = entry_.thickness.value_or(s.thickness);
    s.maxPushOut = entry_.maxPushOut.value_or(s.maxPushOut);
    return s;
}

TriMesh LiveCollider::mesh() const {
    TriMesh m;
    if (entry_.kind == ColliderEntry::Kind::Sphere) m = sphereMesh(entry_.a, entry_.size);
    if (entry_.kind == ColliderEntry::Kind::Capsule)
        m = capsuleMesh(entry_.a, entry_.b, entry_.size);
    if (sdf_) m = lastMesh_.x.empty() ? fieldMesh(*sdf_->field()) : lastMesh_;
    const Pose p = poseAt(frame_);
    for (Vec3& x : m.x) x = p.rotation * x + p.translation;
    return m;
}

} // namespace purl::cli
