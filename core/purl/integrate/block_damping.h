// Non-rigid block damping (physics 5.2, 5.3; Kaldor 2008): inside blocks of about 4 x 4 loops what
// is not rigid motion is damped, in proportion and by a constant that brings cloth to rest in
// finite time. Linear and angular momentum of a block are kept (mass-weighted rigid fit). Where we
// differ: h mu is replaced by 1 - exp(-h mu), so that large steps stay damped, not reversed.
#pragma once

#include "purl/base/types.h"
#include "purl/model/settings.h"

#include <Eigen/Geometry>

namespace purl {

class BlockDamping {
public:
    BlockDamping() = default;
    // Blocks are cells of edge `size` (m) in the rest shape.
    BlockDamping(const std::vector<Vec3>& rest, double size, const DampingSettings& settings);
    void apply(const std::vector<Vec3>& x, std::vector<Vec3>& v, const std::vector<double>& mass,
               const std::vector<double>& inverseMass, double dt);
    double removedEnergy() const; // J, so far
    // The same by blocks: to keep, and to put back when a step is undone.
    const std::vector<double>& removed() const { return removed_; }
    void setRemoved(const std::vector<double>& joules) { removed_ = joules; }
    void save(class SnapshotWriter&) const;
    void load(class SnapshotReader&);
    Index blocks() const { return static_cast<Index>(start_.size()) - 1; }
    Span<const Index> block(Index b) const { // its nodes
        return {node_.data() + start_[b], static_cast<std::size_t>(start_[b + 1] - start_[b])};
    }
    const DampingSettings& settings() const { return settings_; }

private:
    DampingSettings settings_;
    std::vector<Index> start_{0}, node_;
    std::vector<double> removed_; // J, per block
};

// Rigid velocity of a set of points: v = vc + omega x (x - c), mass-weighted (physics 5.2).
struct RigidVelocity {
    Vec3 centre, velocity, omega;
    Vec3 at(const Vec3& x) const { return velocity + omega.cross(Vec3(x - centre)); }
};
RigidVelocity rigidFit(Span<const Index> nodes, const std::vector<Vec3>& x,
                       const std::vector<Vec3>& v, const std::vector<double>& mass);

} // namespace purl
