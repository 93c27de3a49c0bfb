#include "preview/ray_scene.h"

#include "purl/base/error.h"
#include "purl/geometry/catmull_rom.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <embree3/rtcore.h>
#include <limits>

namespace purl {
namespace {

constexpr float kFar = std::numeric_limits<float>::infinity();

struct DeviceDeleter {
    void operator()(RTCDevice d) const { rtcReleaseDevice(d); }
};
struct SceneDeleter {
    void operator()(RTCScene s) const { rtcReleaseScene(s); }
};
using Device = std::unique_ptr<RTCDeviceTy, DeviceDeleter>;
using Scene = std::unique_ptr<RTCSceneTy, SceneDeleter>;

struct SolidData {
    std::vector<Vec3f> cornerNormal; // three a triangle
    Vec3f color;
};

void check(RTCDevice device) {
    const RTCError code = rtcGetDeviceError(device);
    if (code == RTC_ERROR_NONE) return;
    throw Error("preview", "Embree failed with code " + std::to_string(static_cast<int>(code)),
                code == RTC_ERROR_OUT_OF_MEMORY ? Error::Kind::Memory : Error::Kind::Input);
}

void attach(RTCDevice device, RTCScene scene, RTCGeometry geometry) {
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(scene, geometry);
    rtcReleaseGeometry(geometry);
    check(device);
}

void addStrands(RTCDevice device, RTCScene scene, const Strands& strands) {
    if (strands.piece.empty()) return;
    RTCGeometry g = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_ROUND_CATMULL_ROM_CURVE);
    void* vertex = rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT4,
                                           4 * sizeof(float), strands.arc.size());
    void* index = rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT,
                                          sizeof(std::uint32_t), strands.piece.size());
    check(device);
    std::copy(strands.xyzr.begin(), strands.xyzr.end(), static_cast<float*>(vertex));
    std::copy(strands.piece.begin(), strands.piece.end(), static_cast<std::uint32_t*>(index));
    attach(device, scene, g);
}

// Normals for smooth shading: a corner takes the mean of those faces at its vertex that are within
// 40 degrees of its own, so that a ball is round and a box keeps its edges.
SolidData solidData(const Solid& solid) {
    const TriMesh& mesh = solid.mesh;
    std::vector<Vec3> face(mesh.triangles.size()); // area weighted
    std::vector<std::vector<std::size_t>> around(mesh.x.size());
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const auto& q = mesh.triangles[t];
        face[t] = (mesh.x[q[1]] - mesh.x[q[0]]).cross(mesh.x[q[2]] - mesh.x[q[0]]);
        for (Index v : q) around[v].push_back(t);
    }
    SolidData out;
    out.color = solid.color.cast<float>();
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        for (Index v : mesh.triangles[t]) {
            Vec3 sum = Vec3::Zero();
            for (std::size_t other : around[v]) {
                const double both = face[t].norm() * face[other].norm();
                if (face[t].dot(face[other]) >= 0.766 * both) sum += face[other];
            }
            const double length = sum.norm();
            out.cornerNormal.push_back(
                (length > 0 ? Vec3(sum / length) : Vec3(0, 1, 0)).cast<float>());
        }
    }
    return out;
}

void addSolid(RTCDevice device, RTCScene scene, const TriMesh& mesh) {
    RTCGeometry g = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    auto* x = static_cast<float*>(rtcSetNewGeometryBuffer(
        g, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 3 * sizeof(float), mesh.x.size()));
    auto* q = static_cast<std::uint32_t*>(
        rtcSetNewGeometryBuffer(g, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                3 * sizeof(std::uint32_t), mesh.triangles.size()));
    check(device);
    for (const Vec3& p : mesh.x) {
        for (int k = 0; k < 3; ++k) *x++ = static_cast<float>(p[k]);
    }
    for (const auto& t : mesh.triangles) {
        for (Index v : t) *q++ = static_cast<std::uint32_t>(v);
    }
    attach(device, scene, g);
}

RTCRayHit rayHit(const Vec3f& o, const Vec3f& d, float far) {
    RTCRayHit r{};
    r.ray.org_x = o.x(), r.ray.org_y = o.y(), r.ray.org_z = o.z();
    r.ray.dir_x = d.x(), r.ray.dir_y = d.y(), r.ray.dir_z = d.z();
    r.ray.tfar = far;
    r.ray.mask = 0xffffffffU;
    r.hit.geomID = r.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
    return r;
}

} // namespace

struct RayScene::Impl {
    Device device;
    Scene main, fuzz;
    Strands strands, fuzzStrands;
    std::vector<SolidData> solids;
    unsigned firstSolid = 0; // Embree's id of the first solid: the yarns come before, if any
    float size = 0;

    void fillStrand(const Strands& from, const RTCRayHit& r, bool whole, Hit& hit) const {
        const std::uint32_t i = from.piece[r.hit.primID];
        const float u = r.hit.u;
        hit.color = (1 - u) * from.color[i + 1] + u * from.color[i + 2];
        hit.radius = from.xyzr[4 * i + 7];
        if (!whole) return;
        hit.arc = (1 - u) * from.arc[i + 1] + u * from.arc[i + 2];
        const Weights4 b = catmullRomFirst(u);
        Vec3f t = Vec3f::Zero();
        for (std::uint32_t k = 0; k < 4; ++k) {
            t += static_cast<float>(b[k]) * Vec3f(&from.xyzr[4 * (i + k)]);
        }
        hit.tangent = t.normalized();
        Vec3f n = (1 - u) * from.normal[i + 1] + u * from.normal[i + 2];
        n = (n - n.dot(hit.tangent) * hit.tangent).normalized();
        if (hit.kind == Hit::Kind::Fuzz) {
            hit.normal = n;
            return;
        }
        hit.angle = std::atan2(hit.normal.dot(hit.tangent.cross(n)), hit.normal.dot(n));
    }

    Hit resolve(const RTCRayHit& r, const Vec3f& o, const Vec3f& d, bool whole) const {
        Hit hit;
        if (r.hit.geomID == RTC_INVALID_GEOMETRY_ID) return hit;
        hit.distance = r.ray.tfar;
        hit.p = o + r.ray.tfar * d;
        hit.normal = Vec3f(r.hit.Ng_x, r.hit.Ng_y, r.hit.Ng_z).normalized();
        if (r.hit.geomID < firstSolid) {
            hit.kind = Hit::Kind::Yarn;
            if (hit.normal.dot(d) > 0) hit.normal = -hit.normal;
            fillStrand(strands, r, whole, hit);
        } else {
            hit.kind = Hit::Kind::Solid;
            const SolidData& solid = solids[r.hit.geomID - firstSolid];
            hit.color = solid.color;
            const Vec3f* n = &solid.cornerNormal[3 * static_cast<std::size_t>(r.hit.primID)];
            hit.normal =
                ((1 - r.hit.u - r.hit.v) * n[0] + r.hit.u * n[1] + r.hit.v * n[2]).normalized();
            if (hit.normal.dot(d) > 0) hit.normal = -hit.normal;
        }
        return hit;
    }
};

RayScene::RayScene(const Picture& picture, const RenderSettings& settings, const View& view)
    : impl_(std::make_unique<Impl>()) {
    Impl& s = *impl_;
    s.device.reset(rtcNewDevice(nullptr));
    if (!s.device) throw Error("preview", "Embree could not be started");
    s.main.reset(rtcNewScene(s.device.get()));
    s.fuzz.reset(rtcNewScene(s.device.get()));
    s.strands = buildStrands(picture, settings);
    s.fuzzStrands = buildFuzz(picture, settings, view);
    addStrands(s.device.get(), s.main.get(), s.strands);
    s.firstSolid = s.strands.piece.empty() ? 0 : 1;
    Bounds bounds = boundsOf(picture.curves);
    for (const Solid& solid : picture.solids) {
        s.solids.push_back(solidData(solid));
        addSolid(s.device.get(), s.main.get(), solid.mesh);
        bounds.add(boundsOf(solid.mesh));
    }
    addStrands(s.device.get(), s.fuzz.get(), s.fuzzStrands);
    rtcCommitScene(s.main.get());
    rtcCommitScene(s.fuzz.get());
    check(s.device.get());
    s.size = bounds.empty() ? 1.0F : static_cast<float>((bounds.upper - bounds.lower).norm());
}

RayScene::~RayScene() = default;

float RayScene::size() const { return impl_->size; }

Hit RayScene::look(const Vec3f& origin, const Vec3f& direction) const {
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
    RTCRayHit r = rayHit(origin, direction, kFar);
    rtcIntersect1(impl_->main.get(), &context, &r);
    Hit hit = impl_->resolve(r, origin, direction, true);
    if (impl_->fuzzStrands.piece.empty()) return hit;
    RTCRayHit f = rayHit(origin, direction, r.ray.tfar);
    rtcIntersect1(impl_->fuzz.get(), &context, &f);
    if (f.hit.geomID == RTC_INVALID_GEOMETRY_ID) return hit;
    hit = Hit();
    hit.kind = Hit::Kind::Fuzz;
    hit.distance = f.ray.tfar;
    hit.p = origin + f.ray.tfar * direction;
    impl_->fillStrand(impl_->fuzzStrands, f, true, hit);
    return hit;
}

Hit RayScene::meet(const Vec3f& origin, const Vec3f& direction) const {
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    RTCRayHit r = rayHit(origin, direction, kFar);
    rtcIntersect1(impl_->main.get(), &context, &r);
    return impl_->resolve(r, origin, direction, false);
}

bool RayScene::blocked(const Vec3f& origin, const Vec3f& direction) const {
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    RTCRay r = rayHit(origin, direction, kFar).ray;
    rtcOccluded1(impl_->main.get(), &context, &r);
    return r.tfar < 0;
}

} // namespace purl
