// Level sets as colliders: at rest, moved by a pose, or deforming with one field a frame.
//
// Inside a frame two fields are not blended in place, which would make a fast body fade out here
// and in there: a point is followed back to the previous field and on to the current one along the
// body's motion (its velocity grid, or else the drift of its surface's centroid), and the two
// distances found there are blended.
#pragma once

#include "purl/collide/collider.h"

#include <memory>
#include <string>

namespace purl {

struct DistanceField;
using FieldPtr = std::shared_ptr<const DistanceField>;

class SdfCollider : public Collider {
public:
    explicit SdfCollider(FieldPtr field);

    // The fields at this frame's start and end, of a frame of `seconds` (s). The same one twice is
    // a body at rest.
    void setFields(FieldPtr previous, FieldPtr current, double seconds);
    const FieldPtr& field() const { return current_; }
    double residualSpeed() const override { return residual_; }

protected:
    void sampleShape(Span<const Vec3> x, double t, Span<ColliderSample> out) const override;
    void distanceShape(Span<const Vec3> x, double t, Span<double> phi) const override;
    void carryShape(Span<Vec3> x, double from, double to) const override;
    double shapeSpeed() const override { return travel_ > 0 ? travel_ / seconds_ : 0; }

private:
    // Where the material that is at x at time t was at the frame's start and will be at its end,
    // and its velocity in m a frame.
    struct Path {
        Vec3 before, after, rate;
    };
    Path follow(const Vec3& x, double t) const;
    double farBound(const Vec3& x) const;

    FieldPtr previous_, current_;
    bool deforming_ = false;
    Vec3 drift_ = Vec3::Zero(); // m in the frame, without velocities
    double travel_ = 0;         // m: nothing of the surface moves further in the frame
    double residual_ = 0;       // m/s
};

struct SdfOptions {
    std::string surface;  // name of the level set; empty: "surface", or the only float grid
    std::string velocity; // name of the velocity grid (m/s); empty: "v" or "vel" if there is one
    double reach =
        0.01; // m: distances outside are exact up to here: yarn radius + thickness + more
};

// Reads a .vdb file. Throws Error naming file, grid, what was found and what was expected: no VDB
// file, truncated, no such grid, a fog volume, empty, no narrow band, voxels that are no cubes.
FieldPtr readSdf(const std::string& path, const SdfOptions& options = {});
// The same from the bytes of an OpenVDB stream, as a VDB primitive inside .bgeo holds them.
FieldPtr readSdfBytes(Span<const char> bytes, const std::string& where,
                      const SdfOptions& options = {});

// Writes a level set of a ball, grid "surface", all lengths in m. The file appears whole or not at
// all. Throws Error of kind Disk.
void writeSphereVdb(const std::string& path, const Vec3& centre, double radius, double voxel);

} // namespace purl
