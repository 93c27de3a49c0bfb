// A fabric on a patch as its host drives it, whatever it is made of: crossings alone, or yarns and
// triangles mixed. Everything in and out is per node of the layout or per point of the patch.
#pragma once

#include "purl/base/monitor.h"
#include "purl/cloth/material.h"
#include "purl/cloth/mesh.h"
#include "purl/crossing/fabric_layout.h"
#include "purl/crossing/solver.h"
#include "purl/mixed/regions.h"

#include <memory>

namespace purl {

class FabricBody {
public:
    virtual ~FabricBody() = default;
    virtual void setVelocity(Span<const Vec3> perPoint, Span<const Vec3> perNode) = 0; // m/s
    virtual void setPins(Span<const Index> points, std::vector<Index> nodes) = 0;
    // Per point of the patch and per pinned node, at the frame's end.
    virtual void setPinTargets(Span<const Vec3> perPoint, Span<const Vec3> perPin) = 0;
    virtual void setColliders(std::vector<CollisionBody> bodies) = 0;
    // Other paint from now on (the same is nothing to do); false if this body is yarn everywhere,
    // come what may.
    virtual bool repaint(const Regions& regions) = 0;
    // Where forces from outside act: the body's own unknowns.
    struct Sites {
        std::vector<Vec3> x, v;   // m, m/s
        std::vector<double> mass; // kg; 0: nothing that could be pulled
    };
    virtual Sites sites() const = 0;
    virtual void setForces(std::vector<Vec3> newtons) = 0; // per site, until the next call
    virtual FabricReport advanceFrame(double seconds, int substeps, Monitor& monitor) = 0;
    virtual FabricReport settle(double dt, int steps, Monitor& monitor) = 0;

    virtual Span<const Vec3> x() = 0;      // m, per node of the layout
    virtual Span<const Vec3> v() = 0;      // m/s
    virtual Span<const Vec3> slides() = 0; // m, one a side
    virtual Span<const Vec3> points() = 0; // m, per point of the patch; empty: there are none
    virtual double energy() = 0;           // J
    virtual double kineticEnergy() const = 0;
    virtual double time() const = 0;
    virtual std::uint64_t hash() const = 0;
    virtual std::size_t bytes() const = 0;
    virtual std::string describe() const = 0; // what is simulated, for the log; may be empty
    // The state with its paint: loading repaints first, so that paint may have changed on the way.
    virtual void save(SnapshotWriter&) const = 0;
    virtual void load(SnapshotReader&) = 0;
};

std::unique_ptr<FabricBody> makeFabricBody(const FabricLayout& layout,
                                           const FabricSolverSettings& settings);
// The patch's triangles behave as `material`; regions say where the yarns are. The patch and layout
// outlive the body.
std::unique_ptr<FabricBody> makeMixedBody(const FabricPatch& patch, const FabricLayout& layout,
                                          const Regions& regions, const ClothMaterial& material,
                                          const FabricSolverSettings& settings);

// The patch as triangle cloth: its plane is the rest shape, warp along the first axis.
ClothMesh patchMesh(const FabricPatch& patch);
// Triangles that behave like the fabric, from its yarns (homogenise.h).
ClothMaterial patchMaterial(const FabricLayout& layout);

} // namespace purl
